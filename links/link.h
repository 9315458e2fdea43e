// SPDX-License-Identifier: Apache-2.0
// A link: one direction between two routers, as an sc_signal-like channel with a delay of D >= 1 cycles.
//
// A link is silent - the plain wire behind it - until it is observed: read(), get_data_ref(), an event,
// a bound port, a trace, a write. From then on it behaves as the last sc_signal of a chain of D registers
// does: real value, real events (also for the change back to "no flit"), the exact cycle. A link that is not
// observed costs nothing.
//
//   cycle contract   what a router or a process sends in the evaluation phase of edge t is read in that of
//                    edge t+D
//   writing          by a port, as an sc_signal: the value is held, and sent in every cycle, until the next
//                    write
//   limits           one writer, the model's router or a process, not both
//
// A link has no update phase of its own: one sc_prim_channel, the link clock, updates all links. It is
// therefore not an sc_object either, and is made at any time, for any wire, when it is first asked for.
// (As an sc_object each of the four links of a torus node would cost some 400 bytes, as much as the node's
// module, observed or not.)
#pragma once

#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "links/delay_line.h"
#include "links/flit_systemc.h"
#include "links/link_clock.h"

namespace toriscope {

/// Is called when an observed link shows another word; cheaper than an event. Update phase.
template <class Word>
class link_listener {
 public:
  virtual ~link_listener() = default;
  virtual void word_shown(cycle_t now, Word word) = 0;
};

template <class Word>
class link_channel final : public sc_core::sc_signal_inout_if<Word> {
 public:
  /// @param name   hierarchical name, for messages and waves
  /// @param clock  of the clock domain; must outlive the link
  /// @param w      the wire that is seen through the link; must outlive it
  /// @param part   of the network that sends on it (link_clock::begin_parts())
  link_channel(std::string name, link_clock& clock, delay_line<Word>& w, unsigned part);
  ~link_channel() override;

  // --- sc_signal_inout_if ---
  const Word& read() const override;
  const Word& get_data_ref() const override { return read(); }
  const sc_core::sc_event& value_changed_event() const override;
  const sc_core::sc_event& default_event() const override { return value_changed_event(); }
  bool event() const override { return value_changed_event().triggered(); }
  /// Drives the link from a process. @see the header comment
  void write(const Word& word) override;
  sc_core::sc_writer_policy get_writer_policy() const override { return sc_core::SC_ONE_WRITER; }
  void register_port(sc_core::sc_port_base& port, const char* interface_name) override;

  operator const Word&() const { return read(); }
  link_channel& operator=(const Word& word) { return write(word), *this; }

  // --- beyond sc_signal ---
  /// Hierarchical name: "ttn.bm_1_2.node_0_3.in_x+".
  const std::string& name() const { return name_; }
  /// Observes the link and calls `listener` at every change.
  void listen(link_listener<Word>& listener);
  /// Calls `listener` no more. When it was the last one, and the link was never observed in another way,
  /// the link is silent again.
  void ignore(link_listener<Word>& listener);
  /// Whether the link is observed.
  bool observed() const;
  /// The plain wire behind the link.
  const delay_line<Word>& plain() const { return wire_; }
  /// D.
  unsigned delay_cycles() const { return wire_.delay_cycles(); }

 private:
  struct observation;
  observation& observe() const;
  observation& look_for_ever() const;

  std::string name_;
  link_clock& clock_;
  delay_line<Word>& wire_;
  const unsigned part_;
  mutable Word current_;
  mutable std::unique_ptr<observation> observation_;
};

extern template class link_channel<flit_word>;
extern template class link_channel<credit_word>;

using flit_link = link_channel<flit_word>;
using credit_link = link_channel<credit_word>;

}  // namespace toriscope
