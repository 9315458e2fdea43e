// SPDX-License-Identifier: Apache-2.0
// What happened in one router in one cycle, as it can be told from outside.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "network/probed_node.h"

namespace toriscope {

/// What became of the flit at the front of an input VC in a cycle (docs/observation.md). Exactly one is true.
enum class stall_cause : std::uint8_t {
  moved,               ///< it was read out: SA granted it (paper2009: SW moved it)
  pipeline,            ///< on its way through the stages, as in an empty network
  no_output_vc,        ///< VA: no VC that it may take is free
  lost_vc_allocation,  ///< VA: one was free, another packet was granted it
  no_credit,           ///< SA: no free slot downstream
  lost_switch,         ///< SA: the switch went to another flit
  link_busy,           ///< SA: the output port is still sending (narrow links)
  output_buffer,       ///< paper2009: its output VC's buffer was not empty
  discarded,           ///< read out and dropped: no option is left (dead links)
};
inline constexpr std::size_t front_fates = 9;

/// "no_credit": as columns and keys are called.
const char* name_of(stall_cause f);
/// Whether the flit was kept waiting, by others or by the lack of something.
constexpr bool is_stall(stall_cause f) {
  return f != stall_cause::moved && f != stall_cause::pipeline && f != stall_cause::discarded;
}

/// A flit that was shown to, or sent by, a port.
struct flit_event {
  port_id port;
  flit_word flit;
  packet_id packet;
  node_id source = 0;  ///< of the packet; heads that were shown only
};

/// A flit at the front of an input VC, or (paper2009) in the buffer of an output VC.
struct front_event {
  port_id port = 0;  ///< of the VC
  std::uint8_t vc = 0;
  stall_cause fate = stall_cause::moved;
  bool routed = false;        ///< RC in this cycle
  bool asked_vc = false;      ///< it asked VA for an output VC
  bool granted_vc = false;    ///< and got one
  bool asked_switch = false;  ///< it asked SA
  int out_port = -1;          ///< where it goes, as far as it is known; waiting for VA: its first option
  int out_vc = -1;            ///< -1: not known
  flit_word flit;
  packet_id packet = no_packet;
};

/// The state of a router before a step.
struct observed_state {
  static constexpr unsigned max_router_ports = max_ports + 1;
  struct input {
    flit_word front;
    std::int8_t out_port = -1;  ///< the output VC that it owns
    std::int8_t out_vc = -1;
  };
  std::array<vc_set, max_router_ports> in_use{};  ///< input VCs that hold a flit, or own an output VC
  std::array<std::array<input, flit_word::max_vcs>, max_router_ports> inputs;  ///< of those
  std::array<std::array<std::int16_t, flit_word::max_vcs>, max_router_ports>
      owners;  ///< of output VCs; -1: none; only where it was asked for
  std::array<std::array<flit_word, flit_word::max_vcs>, max_router_ports> buffers;  ///< paper2009
  /// Output VCs that VA can grant; those of dead links as well, but no option is left there.
  std::array<vc_set, max_router_ports> available{};
};

/// One step of one router. The references are valid during the call only.
struct router_step {
  const probed_node* node = nullptr;
  cycle_t now = 0;
  const observed_state* before = nullptr;
  std::vector<flit_event> arrivals;   ///< shown to its input ports
  std::vector<flit_event> sent;       ///< by its output ports
  std::vector<flit_event> injected;   ///< by its network interfaces, one each at most
  std::vector<front_event> fronts;    ///< by port and VC
  std::vector<front_event> buffered;  ///< paper2009: flits in output VC buffers at the start of the cycle
};

/// Receives every step in which something happened.
class step_listener {
 public:
  virtual ~step_listener() = default;
  /// Node n will be seen: it has the model's router.
  virtual void sees(node_id) {}
  virtual void stepped(const router_step& step) = 0;
};

}  // namespace toriscope
