// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/observation/stall_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/bit_set.h"

namespace toriscope {
namespace {

class words {
 public:
  words(const netlist& wiring, const router_observer& observer, const router_step& step)
      : wiring_(wiring), observer_(observer), step_(step), node_(step.node->id()) {}

  std::string no_output_vc(const front_event& e) const {
    std::string sets;
    std::vector<packet_id> holders;
    for_each_option(e, [&](const route_option& o) {
      std::string vcs;
      for (const unsigned v : bits_of(o.vcs)) {
        vcs += fmt::format("{}{}", vcs.empty() ? "" : ",", v);
        if (const packet_id holder = holder_of(o.out_port, v); holder != no_packet) holders.push_back(holder);
      }
      sets += fmt::format("{}{} {{{}}}", sets.empty() ? "" : ", ", port(o.out_port), vcs);
    });
    std::sort(holders.begin(), holders.end());
    holders.erase(std::unique(holders.begin(), holders.end()), holders.end());
    const char* plural = holders.size() == 1 ? "packet" : "packets";
    return "no free output VC in " + sets +
           (holders.empty() ? "" : fmt::format(" (held by {} {})", plural, fmt::join(holders, ", ")));
  }

  std::string lost_vc(const front_event& e) const {
    for (const front_event& winner : step_.fronts) {
      bool in_the_way = false;
      if (winner.granted_vc)
        for_each_option(e, [&](const route_option& o) {
          in_the_way |= winner.out_port == o.out_port &&
                        (winner.out_vc < 0 || vc_set(o.vcs).has(static_cast<unsigned>(winner.out_vc)));
        });
      if (!in_the_way) continue;
      return fmt::format("VC allocation: {} went to packet {}", output(winner), winner.packet);
    }
    return "VC allocation: lost";
  }

  std::string lost_switch(const front_event& e) const {
    for (const front_event& winner : step_.fronts)
      if (winner.fate == stall_cause::moved && winner.port == e.port)
        return fmt::format("lost the switch to packet {} (input port {}, VC {})", winner.packet, port(e.port),
                           winner.vc);
    for (const front_event& winner : step_.fronts)
      if (winner.fate == stall_cause::moved && winner.out_port == e.out_port)
        return fmt::format("lost the switch to packet {} (output port {})", winner.packet, port(e.out_port));
    return "not granted the switch, although neither of its ports went to another packet";
  }

  std::string lost_link(const front_event& e) const {
    for (const flit_event& s : step_.sent)
      if (s.port == e.port) return fmt::format("lost the link {} to packet {}", port(e.port), s.packet);
    return "lost the link " + port(e.port);
  }

  std::string full_buffer(const front_event& e) const {
    return fmt::format("the buffer of {} was not empty", output(e));
  }

  std::string output(const front_event& e) const {
    return e.out_vc < 0 ? port(e.out_port) : fmt::format("{} VC {}", port(e.out_port), e.out_vc);
  }
  std::string port(int p) const { return wiring_.port_name(node_, static_cast<port_id>(p)); }

 private:
  template <class Visit>
  void for_each_option(const front_event& e, Visit&& visit) const {
    unsigned count = 0;
    const route_option* const options = step_.node->watched().options(e.port, e.vc, count);
    for (unsigned k = 0; k < count; ++k) visit(options[k]);
  }

  packet_id holder_of(port_id p, unsigned v) const {
    const int owner = step_.before->owners[p][v];
    const unsigned vcs = step_.node->watched().vc_count();
    if (owner >= 0)
      return observer_.packet_in(node_, static_cast<port_id>(static_cast<unsigned>(owner) / vcs),
                                 static_cast<unsigned>(owner) % vcs);
    const flit_word f = step_.before->buffers[p][v];
    if (!f.valid()) return no_packet;
    return step_.node->network().packet_of(f);
  }

  const netlist& wiring_;
  const router_observer& observer_;
  const router_step& step_;
  const node_id node_;
};

}  // namespace

std::string stall_text(const netlist& wiring, const router_observer& observer, const router_step& step,
                       const front_event& e, bool buffered) {
  const words w(wiring, observer, step);
  switch (e.fate) {
    case stall_cause::no_output_vc:
      return w.no_output_vc(e);
    case stall_cause::lost_vc_allocation:
      return w.lost_vc(e);
    case stall_cause::no_credit:
      return "no credit on " + w.output(e);
    case stall_cause::lost_switch:
      return buffered ? w.lost_link(e) : w.lost_switch(e);
    case stall_cause::link_busy:
      return w.port(e.out_port) + " was still sending the flit before";
    case stall_cause::output_buffer:
      return w.full_buffer(e);
    default:
      return name_of(e.fate);
  }
}

}  // namespace toriscope
