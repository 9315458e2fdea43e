// SPDX-License-Identifier: Apache-2.0
// The state of a network as bytes (base/state_archive.h), for its routers and interfaces: knows the cycle, and the
// packets, by which flits and queues that are read are checked. Each flit belongs to a packet under way; each packet
// has one head and one tail at most.
#pragma once

#include <functional>
#include <unordered_map>
#include <unordered_set>

#include "base/state_archive.h"
#include "router/network_state.h"
#include "router/source_queue.h"
#include "router/vc_buffer.h"

namespace toriscope {

class network_archive {
 public:
  /// @param network    of the first part
  /// @param now        the cycle to be done next
  network_archive(state_archive& a, network_state& network, terminal_id terminals, cycle_t now)
      : values(a), network_(network), terminals_(terminals), now_(now) {}
  network_archive(const network_archive&) = delete;
  network_archive& operator=(const network_archive&) = delete;

  state_archive& values;
  /// VCs of the wire that leaves node n by port p: a router there may have fewer.
  std::function<unsigned(node_id, port_id)> vcs_behind = [this](node_id, port_id) { return network_.config.vcs; };
  bool reads() const { return values.reads(); }

  /// Before all that follows.
  void packets();
  /// A flit that is there, on VC `vc`.
  void flit(flit_word& f, unsigned vc);
  /// The same on any VC.
  void flit(flit_word& f);
  void buffer(vc_buffer& b, flit_word* slots, unsigned mask, unsigned depth, unsigned vc);
  /// The source queue of a terminal; of message class m.
  void queue(source_queue& q, terminal_id terminal, unsigned m);
  /// A flit of a packet whose head has been given up (docs/model.md, "Dead links").
  void headless(flit_word f);
  /// The packet of flits that are being taken; no_packet: none is.
  void arriving(packet_id& packet);
  /// Reading: flits of `packet` that are here. @throws damaged_state where there are more than it has
  void count(packet_id packet, std::uint64_t flits);
  /// Reading, the whole network is here and has been read: each packet has its tail.
  void check_tails() const;
  /// Reading: which ends of packets have been seen, a bit each; equal lengths for the same packets.
  std::vector<std::uint64_t> ends_seen() const;
  /// The low bits of a cycle before `now`.
  template <class T>
  void low_bits(T& cycle) {
    T ago = static_cast<T>(now_ - cycle);
    values.number(ago);
    cycle = static_cast<T>(now_ - ago);
  }

 private:
  bool is_under_way(packet_id packet) const;
  /// The head of the packet, or more.
  bool was_sent(const packet_record& r) const { return r.head_sent >= r.created && r.head_sent < now_; }
  /// The packet has no other of these ends.
  void note(std::unordered_set<packet_id>& ends, packet_id packet);

  network_state& network_;
  const terminal_id terminals_;
  const cycle_t now_;
  // Reading: whose head, or tail, has been seen, or is in a queue; heads may be gone.
  std::unordered_set<packet_id> heads_, tails_;
  std::unordered_map<packet_id, std::uint64_t> flits_;  ///< reading: that were seen
};

}  // namespace toriscope
