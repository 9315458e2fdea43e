// SPDX-License-Identifier: Apache-2.0
// A transaction on its way: the payload of the initiator, and the copy of it that the remote target gets.
//
//   contract   the copy has a memory manager: a target may keep it for as long as it likes (acquire,
//              release). Extensions stay behind: they are ignorable, and nothing carries them over a network
#pragma once

#include <cstdint>
#include <memory>
#include <tlm>
#include <vector>

#include "topologies/route.h"

namespace toriscope {

/// A generic payload with room for its data and byte enables.
class remote_payload final : public tlm::tlm_generic_payload, private tlm::tlm_mm_interface {
 public:
  /// A copy of the request of `original`, with the address that the target sees.
  remote_payload(const tlm::tlm_generic_payload& original, std::uint64_t address);

  /// Takes the target's response back: status and, after a read that went well, the enabled bytes.
  void respond_to(tlm::tlm_generic_payload& original) const;

 private:
  void free(tlm::tlm_generic_payload*) override { delete this; }

  std::vector<unsigned char> data_;
  std::vector<unsigned char> byte_enables_;
};

struct tlm_transfer {
  tlm_transfer(tlm::tlm_generic_payload& from, std::uint64_t address)
      : original(from), remote(*new remote_payload(from, address)) {
    remote.acquire();
  }
  ~tlm_transfer() { remote.release(); }
  tlm_transfer(const tlm_transfer&) = delete;
  tlm_transfer& operator=(const tlm_transfer&) = delete;

  /// Payload bytes of the request packets: the data of a write, and a bit for each byte enable.
  std::uint64_t request_bytes() const;
  /// Of the response packets: the data of a read that went well.
  std::uint64_t response_bytes() const;

  tlm::tlm_generic_payload& original;  ///< gone where `abandoned`
  remote_payload& remote;
  node_id source = 0;
  node_id destination = 0;
  std::uint64_t sequence = 0;    ///< among those from this source to this destination
  bool answering = false;        ///< the response is on its way, not the request
  std::size_t packets_left = 0;  ///< of the message on its way
  bool abandoned = false;        ///< no process waits for it: it was killed, or has its answer
  bool lost = false;             ///< one of its packets was refused or discarded: dead links
};

using transfer_ptr = std::shared_ptr<tlm_transfer>;

}  // namespace toriscope
