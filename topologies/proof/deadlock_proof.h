// SPDX-License-Identifier: Apache-2.0
// The verdict on a routing function: free of deadlock or not, by which method, and what shows it
// (docs/proof.md has the arguments).
//
//   exhaustive  all packets to all destinations, one destination after the other
//   symmetric   all packets, by classes of destinations (packet_explorer.h); for routing functions that read
//               an address no further than to the first difference; gives the very graph that exhaustive
//               gives
//   sampled     packets to some destinations: finds cycles, proves nothing
//
// Without an escape (routing_function::escape_vcs() names all VCs): the channel-dependency graph of all
// options together must be acyclic (Dally, Seitz 1987, Theorem 1; for wormhole routers that re-grant a VC
// when the tail has left, too). With one: Duato's condition (escape_proof.h), unless the whole graph is
// acyclic anyway.
//
// Cost: packet_explorer.h; the graph takes another 8 bytes per dependency and 70 per channel for a moment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "topologies/netlist.h"
#include "topologies/proof/channel.h"
#include "topologies/proof/talking_pairs.h"
#include "topologies/proof/unused_vcs.h"
#include "topologies/route.h"

namespace toriscope {

enum class proof_outcome { proven, cyclic, unknown };
enum class proof_method { automatic, exhaustive, symmetric, sampled };

const char* to_string(proof_outcome outcome);
const char* to_string(proof_method method);
/// @throws std::invalid_argument
proof_method proof_method_named(const std::string& name);

/// automatic: symmetric where the routing function allows it, exhaustive up to this number of nodes * links,
/// else sampled.
inline constexpr std::uint64_t max_exhaustive_work = std::uint64_t{1} << 32;

struct proof_options {
  proof_method method = proof_method::automatic;
  unsigned samples = 64;         ///< destinations of the sampled method
  unsigned message_classes = 1;  ///< each with VCs of its own: no packet may change its class
  bool with_certificate = true;  ///< keep the numbering of the channels
  /// Only their packets are looked at, exhaustively: the verdict is of them. Null: all pairs talk. Outlives the call.
  const talking_pairs* only = nullptr;
};

struct deadlock_proof {
  proof_outcome outcome = proof_outcome::unknown;
  proof_method method = proof_method::exhaustive;  ///< never automatic
  unsigned vcs = 0;
  std::size_t channels = 0;      ///< of the network: links * VCs
  std::size_t dependencies = 0;  ///< edges of the channel-dependency graph
  std::vector<channel> cycle;    ///< a short one, each depending on the next and the last on the first
  std::string reason;            ///< why, in a sentence; one more human-readable line

  vc_mask escape_vcs = 0;           ///< those that Duato's condition was looked at for; 0: it was not
  std::size_t escape_channels = 0;  ///< in use
  std::size_t extended_dependencies =
      0;  ///< between them: the direct and some indirect ones that imply the rest
  /// The proof holds when an output VC is granted again only after it has drained: a head that stands behind
  /// the tail of another packet cannot turn to its escape.
  bool needs_atomic_vcs = false;

  /// The certificate: a number for each channel (link * VCs + vc), smaller than those of all that it depends
  /// on. With an escape only the numbers of its channels mean something. Empty unless proven.
  std::vector<std::uint32_t> numbers;

  /// VCs that no packet may take; empty with method sampled, which does not follow all packets.
  std::vector<unused_vcs> unused;
};

/// Whether some VCs are an escape (routing_function::escape_vcs()) and others are not.
bool has_escape(const routing_function& routing, unsigned vcs);

/// Whether the method symmetric can be had: the routing function claims it, and the network has levels.
bool follows_classes(const netlist& net, const routing_function& routing);

/// @param vcs  of each port, as the routing function was made for
/// @throws std::invalid_argument when the method does not fit the routing function; std::logic_error when
/// that does what it may not: names ports or VCs that there are not, or leads from one message class to another
deadlock_proof prove(const netlist& net, const routing_function& routing, unsigned vcs,
                     const proof_options& options = {});

}  // namespace toriscope
