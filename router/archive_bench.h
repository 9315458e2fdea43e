// SPDX-License-Identifier: Apache-2.0
// For tests: states number by number, each with a name, and what is said of them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "base/error_of_test.h"
#include "router/network_archive.h"

namespace toriscope::archive_bench {

class two_options final : public routing_function {
 public:
  unsigned route(const route_request&, route_option*) const override { return 0; }
  unsigned options_at_most() const override { return 2; }
  unsigned state_bits() const override { return 4; }
};

inline constexpr cycle_t now = 100;
inline constexpr terminal_id terminals = 12;
inline constexpr unsigned vcs = 3;  ///< numbered as if there were four
inline const std::string accepted = "none", out_of_range = "a number is out of its range",
                  no_member = "a set has a member that does not exist", two_states = "a VC is in two states",
                  two_owners = "two packets own an output VC", too_large = "a number is too large";

/// The set of these numbers.
inline std::uint64_t of(std::initializer_list<unsigned> numbers) {
  std::uint64_t set = 0;
  for (const unsigned i : numbers) set |= std::uint64_t{1} << i;
  return set;
}

/// The numbers of a state in their order, each with a name.
class named_numbers {
 public:
  void add(const std::string& name, std::uint64_t value) { all_.push_back({name, value, false}); }
  void add_word(const std::string& name, std::uint64_t value) { all_.push_back({name, value, true}); }
  /// In front of another one.
  void insert(const std::string& before, const std::string& name, std::uint64_t value) {
    all_.insert(place(before), {name, value, false});
  }
  void leave_out(const std::string& name) { all_.erase(place(name)); }
  std::uint64_t& operator[](const std::string& name) { return place(name)->value; }
  std::string bytes() const {
    state_archive a;
    for (entry e : all_) e.is_word ? a.word(e.value) : a.number(e.value);
    return a.bytes();
  }

 private:
  struct entry {
    std::string name;
    std::uint64_t value;
    bool is_word;
  };
  std::vector<entry>::iterator place(const std::string& name) {
    const auto found = std::find_if(all_.begin(), all_.end(), [&](const entry& e) { return e.name == name; });
    EXPECT_NE(found, all_.end()) << name;
    return found;
  }
  std::vector<entry> all_;
};

/// A network with packets 0 to 7, each of three flits from terminal 1 to terminal 2 + packet.
struct packets_under_way {
  explicit packets_under_way(const router_config& config)
      : network(config, flit_layout(terminals, 4), routing, 1, 4) {
    for (packet_id p = 0; p < 8; ++p) {
      network.packets.create({1, static_cast<node_id>(2 + p), 3}, 10 + p);
      network.packets[p].head_sent = 20 + p;
    }
  }
  flit_word head(packet_id p, unsigned vc) const {
    return network.layout.head(static_cast<std::uint32_t>(2 + p), 0, network.layout.tag_of(p), false).on_vc(vc);
  }
  flit_word body(packet_id p, unsigned index, unsigned vc) const {
    return network.layout.body(index, network.layout.tag_of(p), index == 2).on_vc(vc);
  }
  template <class Part>
  std::string verdict(const std::string& bytes, Part& part) {
    state_archive a{std::string_view(bytes)};
    network_archive s(a, network, terminals, now);
    return error_of<damaged_state>([&] {
      part.archive(s);
      a.end();
    });
  }
  template <class Part>
  std::string saved(Part& part) {
    state_archive a;
    network_archive s(a, network, terminals, now);
    part.archive(s);
    return a.bytes();
  }
  two_options routing;
  network_state network;
};

inline router_config config_with(pipeline p) {
  router_config c;
  c.pipeline = p;
  c.vcs = vcs;
  c.depth = p == pipeline::paper2009 ? 1 : 2;
  return c;
}

struct changed_number {
  const char* name;
  std::uint64_t value;
  std::string verdict;
};

}  // namespace toriscope::archive_bench
