// SPDX-License-Identifier: Apache-2.0
// The catalogue: which signals a node has in a waveform, and how they are named. traces/node_probe.h reads their
// values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "network/network.h"
#include "traces/wave_options.h"

namespace toriscope {

/// What a signal shows. In brackets: the value when there is nothing to show is `none`.
enum class signal_kind : std::uint8_t {
  // links: in_* what comes in by the port's link, out_local what the network interface gets
  flit,       ///< the flit word as on the link; 0: no flit
  flit_kind,  ///< flit_kind [none]
  flit_vc,    ///< [none]
  flit_tag,   ///< [none]
  // vcs
  state,              ///< vc_state of an input VC
  occupancy,          ///< flits in its buffer
  front_kind,         ///< flit_kind of the flit at its front [none]
  front_tag,          ///< [none]
  front_destination,  ///< node number, while a head is at the front [none]
  credits,            ///< free slots that an output VC knows of downstream
  // alloc
  assigned,    ///< the output VC p*V+v that an input VC owns [none]
  owner,       ///< the input VC p*V+v that owns an output VC [none]
  staged,      ///< the flit that was granted the switch and is sent 1 + vc cycles later; 0: no flit
  staged_tag,  ///< [none]
  buffer,      ///< the flit in an output VC's buffer (paper2009); 0: no flit
  buffer_tag,  ///< [none]
  // ni
  queue,       ///< packets in the source queue, the one being sent included
  sending,     ///< tag of the packet being sent [none]
  sending_vc,  ///< [none]
};

/// Colours of GTKWave's default palette.
enum class wave_colour { normal, red, orange, yellow, green, blue, indigo, violet };
/// How a save file shows signals; details on a click only.
enum class wave_display { open, detail, detail_in_hex };

struct signal_traits {
  const char* name;  ///< "state"
  wave_colour colour;
  wave_display display;
  /// Changes for each flit and each packet that passes, as counted in waves of tori and TTNs at loads from 10 to
  /// 60 % of saturation.
  double per_flit, per_packet;
};
const signal_traits& traits_of(signal_kind kind);

/// The kind of a flit, as waves show it.
enum class flit_kind : std::uint8_t { head, body, tail, single };

flit_kind kind_of(flit_word f);

/// One signal of one node.
struct wave_signal {
  node_id node = 0;
  signal_kind kind = signal_kind::flit;
  port_id port = 0;
  std::uint8_t vc = 0;  ///< staged: cycles beyond the next
  std::uint8_t width = 1;
  bool outgoing = false;  ///< of the outgoing side of the port

  bool on_link() const { return kind <= signal_kind::flit_tag; }
};

/// Whether node n is simulated here; else it is on another rank, where all routers are the model's.
bool is_here(network& net, node_id n);
/// The module of a node, here or on another rank: "ttn.bm_1_2.node_0_3".
std::string node_name(const network& net, node_id n);

/// The signals of node n in the groups of `options`, in the order of waves: modules follow each other.
std::vector<wave_signal> signals_of(network& net, node_id n, const wave_options& options);

/// Where a signal is below its node: "in_x+.vc1", "ni".
std::string scope_of(const network& net, const wave_signal& s);
/// Whether two signals have the same node and scope.
bool share_scope(const wave_signal& a, const wave_signal& b);
/// Its name there: "state".
inline const char* name_of(signal_kind kind) { return traits_of(kind).name; }

/// The link that a signal on a link shows. For the local port the first call must come before simulation
/// starts.
flit_link& link_of(network& net, const wave_signal& s);

}  // namespace toriscope
