// SPDX-License-Identifier: Apache-2.0
// The 64-bit flit word and its layout. Knows no SystemC; the tracing overloads are in links/flit_systemc.h.
//
//   bit   0      valid
//   bit   1      head
//   bit   2      tail
//   bits  3..6   VC on the link that carries the word
//   then         heads:  destination | route state | tag
//                bodies: index of the flit in its packet, over the destination and route state bits | tag
//
// The tag is the low part of the packet's sequence number: the handle of the packet record
// (router/packet_table.h), which itself never travels on wires. The widths of destination and route state
// are known at elaboration only (flit_layout); everything that the router looks at in each cycle has a fixed
// place.
#pragma once

#include <cstdint>
#include <string>

namespace toriscope {

/// Number of a rising clock edge after reset; the first is 0.
using cycle_t = std::uint64_t;

/// One flit as it stands on a link for one cycle. All bits zero: no flit.
struct flit_word {
  std::uint64_t bits = 0;

  static constexpr unsigned vc_shift = 3;
  static constexpr unsigned vc_bits = 4;
  static constexpr unsigned max_vcs = 1u << vc_bits;
  static constexpr unsigned control_bits = vc_shift + vc_bits;

  constexpr bool valid() const { return bits & 1u; }
  constexpr bool head() const { return bits & 2u; }
  constexpr bool tail() const { return bits & 4u; }
  constexpr unsigned vc() const { return (bits >> vc_shift) & (max_vcs - 1); }

  /// The same flit on another VC.
  constexpr flit_word on_vc(unsigned vc) const {
    return {(bits & ~(std::uint64_t{max_vcs - 1} << vc_shift)) | (std::uint64_t{vc} << vc_shift)};
  }

  /// The same flit as the last of its packet.
  constexpr flit_word as_tail() const { return {bits | 4u}; }
  /// The same flit on VC 0, not as the last: what the flits of a packet have in common.
  constexpr flit_word in_itself() const { return {bits & ~(4u | std::uint64_t{max_vcs - 1} << vc_shift)}; }

  friend constexpr bool operator==(flit_word a, flit_word b) { return a.bits == b.bits; }
  friend constexpr bool operator!=(flit_word a, flit_word b) { return a.bits != b.bits; }
};

/// The buffer slots that were freed: bit v is set when one slot of VC v came free. Zero: none.
struct credit_word {
  std::uint16_t vcs = 0;

  constexpr bool valid() const { return vcs != 0; }
  friend constexpr bool operator==(credit_word a, credit_word b) { return a.vcs == b.vcs; }
  friend constexpr bool operator!=(credit_word a, credit_word b) { return a.vcs != b.vcs; }
};

/// Where destination, route state and tag stand in the flits of one network.
class flit_layout {
 public:
  flit_layout() = default;

  /// @param nodes       number of nodes (destinations), at least 1
  /// @param state_bits  bits of route state that the routing function declares
  /// @throws std::invalid_argument when fewer than 20 bits would be left for the tag
  flit_layout(std::uint64_t nodes, unsigned state_bits);

  unsigned destination_bits() const { return destination_bits_; }
  unsigned state_bits() const { return state_bits_; }
  unsigned tag_bits() const { return 64 - tag_shift(); }
  unsigned destination_shift() const { return flit_word::control_bits; }
  unsigned state_shift() const { return flit_word::control_bits + destination_bits_; }
  unsigned tag_shift() const { return state_shift() + state_bits_; }

  /// The head flit of a packet; tail is set for a packet of one flit.
  flit_word head(std::uint32_t destination, std::uint32_t state, std::uint64_t tag, bool tail) const {
    return {1u | 2u | (tail ? 4u : 0u) | std::uint64_t{destination} << destination_shift() |
            std::uint64_t{state} << state_shift() | tag << tag_shift()};
  }

  /// Flit number `index` (>= 1) of a packet; the index is kept modulo 2^(destination_bits + state_bits).
  flit_word body(std::uint64_t index, std::uint64_t tag, bool tail) const {
    return {1u | (tail ? 4u : 0u) | (index & index_mask_) << destination_shift() | tag << tag_shift()};
  }

  /// The body flit f, whose index is 0, with this index.
  flit_word with_index(flit_word f, std::uint64_t index) const {
    return {f.bits | (index & index_mask_) << destination_shift()};
  }

  std::uint32_t destination(flit_word f) const {
    return static_cast<std::uint32_t>(f.bits >> destination_shift() & destination_mask_);
  }
  std::uint32_t state(flit_word f) const {
    return static_cast<std::uint32_t>((f.bits & state_field_) >> state_shift());
  }
  std::uint64_t tag(flit_word f) const { return f.bits >> tag_shift(); }
  std::uint64_t index(flit_word f) const { return f.bits >> destination_shift() & index_mask_; }
  std::uint64_t index_mask() const { return index_mask_; }

  /// The tag of packet number `sequence`.
  std::uint64_t tag_of(std::uint64_t sequence) const { return sequence & tag_mask_; }

  /// The head flit f with another route state.
  flit_word with_state(flit_word f, std::uint32_t state) const {
    return {(f.bits & ~state_field_) | std::uint64_t{state} << state_shift()};
  }

  /// One line for people: "valid 0, head 1, tail 2, vc 3..6, dst 7..14, state 15..18, tag 19..63".
  std::string describe() const;

 private:
  static constexpr std::uint64_t mask(unsigned bits) {
    return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  }

  unsigned destination_bits_ = 1;
  unsigned state_bits_ = 0;
  // What follows from them, because every flit asks for it.
  std::uint64_t destination_mask_ = mask(destination_bits_);
  std::uint64_t index_mask_ = mask(destination_bits_ + state_bits_);
  std::uint64_t state_field_ = mask(state_bits_) << state_shift();
  std::uint64_t tag_mask_ = mask(tag_bits());
};

}  // namespace toriscope
