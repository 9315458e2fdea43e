// SPDX-License-Identifier: Apache-2.0
// Reads the values of the signals of one node that are not on links (traces/wave_signals.h) into a waveform file, after
// each step of the node.
//
//   cost   a VC that is at rest, and was when it was read last, is not looked at: bit masks say which are not. Credits
//          are compared all at once
#pragma once

#include <array>
#include <vector>

#include "network/network.h"
#include "traces/wave_signals.h"
#include "traces/wave_values.h"

namespace toriscope {

class node_probe {
 public:
  /// @param net  outlives the probe
  node_probe(const network& net, node_id n);

  /// `s`, of this node and not on a link, is shown as variable v.
  void add(const wave_signal& s, wave_values::variable v);
  /// Sets all signals in the first call, later those that may have changed. @returns whether one has
  bool read(wave_values& file);

 private:
  static constexpr wave_values::variable not_shown = ~wave_values::variable{0};
  /// The variables of what is read together: an input VC, an output VC, a flit about to be sent, a network interface.
  template <std::size_t Count>
  struct group {
    group() { variables.fill(not_shown); }
    std::array<wave_values::variable, Count> variables;
  };
  /// VCs by number (router_shape.h).
  template <class Group>
  struct vc_groups {
    std::vector<Group> vcs{};
    std::array<vc_numbers, router_shape::most_groups> shown{};
    std::array<vc_numbers, router_shape::most_groups> read{};  ///< those that were not at rest; at first all
  };
  struct staged_group : group<2> {
    unsigned ahead;
    flit_word read{~std::uint64_t{0}};
  };
  /// The flits that a port is about to send.
  struct staged_port {
    port_id port;
    std::uint64_t granted = 0;  ///< by then
    bool at_rest = false;       ///< there was none
    std::vector<staged_group> flits{};
  };
  struct interface_group : group<3> {
    const network_interface* interface;
  };

  template <class Group>
  Group& group_of(vc_groups<Group>& groups, const wave_signal& s);
  void read_input(unsigned number);
  void read_output(unsigned number);
  void read_credits();
  void read_staged(staged_port& port);
  void set(wave_values::variable v, std::uint64_t value) {
    if (v != not_shown) changed_ |= file_->set(v, value);
  }

  const network& net_;
  const node_id node_;
  const router* const core_;  ///< null: not a router of the model
  const flit_layout& layout_;
  vc_groups<group<6>> inputs_;
  vc_groups<group<4>> outputs_;
  std::vector<std::uint16_t> credits_;  ///< by output VC, as read last; empty: not shown
  std::vector<staged_port> staged_;
  std::vector<interface_group> interfaces_;
  // During read():
  wave_values* file_ = nullptr;
  bool changed_ = false;
};

}  // namespace toriscope
