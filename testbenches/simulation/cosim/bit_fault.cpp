// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/cosim/bit_fault.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

#include "base/whole_number.h"
#include "rtl_models/rtl_eligibility.h"
#include "testbenches/simulation/cosim/node_selection.h"

namespace toriscope {
namespace {

constexpr cycle_t patience_cycles = 100;

struct buffer_place {
  unsigned port, vc;
};

/// The first input VC with a flit in its buffer.
std::optional<buffer_place> waiting(const router& model) {
  for (const unsigned p : port_set::below(model.port_count()))
    for (const unsigned v : model.in_use(static_cast<port_id>(p)))
      if (model.front(static_cast<port_id>(p), v).valid()) return buffer_place{p, v};
  return std::nullopt;
}

/// The registers of the buffer of an input VC of sv/router.sv.
class buffer_registers {
 public:
  buffer_registers(std::vector<rtl_register> all, unsigned port, unsigned vc) : all_(std::move(all)) {
    const std::string scope = fmt::format("gen_input[{}].unit.gen_vc[{}].buffer", port, vc);
    all_.erase(
        std::remove_if(all_.begin(), all_.end(),
                       [&](const rtl_register& r) { return r.scope.find(scope) == std::string::npos; }),
        all_.end());
  }
  rtl_register& named(const std::string& name) {
    for (rtl_register& r : all_)
      if (r.name == name) return r;
    throw std::invalid_argument("--inject-fault: the RTL router has no register " + name);
  }

 private:
  std::vector<rtl_register> all_;
};

void flip(rtl_bits& bits, unsigned bit) { bits.set(bit, 1, ~bits.get(bit, 1)); }

}  // namespace

bit_fault::bit_fault(const std::string& text, const netlist& wiring, const std::vector<node_id>& nodes,
                     cycle_t cycle)
    : wiring_(wiring), node_(nodes.front()), cycle_(cycle) {
  const std::size_t at = text.find('@');
  if (at != std::string::npos && !to_number(text.substr(at + 1), cycle_))
    throw std::invalid_argument("--inject-fault: '" + text +
                                "' must be NODE@CYCLE, the cycle a whole number");
  const std::string name = text.substr(0, at);
  if (name.empty()) return;
  const std::vector<node_id> named = select_nodes(wiring, name);
  const auto found = std::find_first_of(nodes.begin(), nodes.end(), named.begin(), named.end());
  if (found == nodes.end())
    throw std::invalid_argument("--inject-fault: '" + name + "' is none of the nodes that --rtl chooses");
  node_ = *found;
}

void bit_fault::operator()(const probed_node& node, built_router& rtl, cycle_t now) {
  const auto registers = [&] { return rtl.instance().registers(); };
  (*this)(node, rtl.parameters(), registers, now);
}

void bit_fault::operator()(const probed_node& node, const rtl_parameters& of_rtl,
                           const std::function<std::vector<rtl_register>()>& registers, cycle_t now) {
  if (node.id() != node_ || now < cycle_ || !done_.empty()) return;
  const unsigned local = wiring_.local_port(node_);
  const std::optional<buffer_place> full = waiting(node.watched());
  if (!full && now < cycle_ + patience_cycles) return;
  const buffer_place place = full.value_or(buffer_place{local, 0});
  const unsigned port = port_of_rtl(wiring_, node_, place.port, of_rtl);
  buffer_registers buffer(registers(), port, place.vc);
  rtl_register& hit = buffer.named(full ? "slots_q" : "count_q");
  const std::size_t word = full ? buffer.named("front_q").words.at(0).get() : 0;
  const unsigned bit = full ? 63 : 0;
  flip(hit.words.at(word), bit);
  const std::string index = full ? fmt::format("[{}]", word) : "";
  done_ =
      fmt::format("bit {} of {}.{}.{}{} in cycle {}", bit, wiring_.name(), hit.scope, hit.name, index, now);
}

}  // namespace toriscope
