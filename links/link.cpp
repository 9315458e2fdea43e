// SPDX-License-Identifier: Apache-2.0
#include "links/link.h"

#include <algorithm>
#include <limits>
#include <string>
#include <typeinfo>
#include <utility>

namespace toriscope {

/// What a link needs from the moment on that a reader looks at it.
template <class Word>
struct link_channel<Word>::observation final : clocked_link, wire_watcher {
  explicit observation(link_channel& l) : seen(l) {}

  void word_sent(cycle_t shown) override { seen.clock_.refresh_at(*this, shown, seen.part_); }
  void refresh(cycle_t now) override;
  void sample(cycle_t now) override { seen.wire_.send(now, held); }
  void forget_the_ignored() {
    listeners.erase(std::remove(listeners.begin(), listeners.end(), nullptr), listeners.end());
  }

  link_channel& seen;
  bool watching = false;  ///< the wire tells of its words
  bool for_ever = false;  ///< a reader other than listeners looks, or may look at any time
  sc_core::sc_event changed;
  std::vector<link_listener<Word>*> listeners;  ///< null: ignored since it was told
  bool telling = false;                         ///< listeners, which may ask for others or be ignored
  sc_core::sc_port_base* writer = nullptr;
  Word held;                                                ///< what a process wrote last
  bool driven = false;                                      ///< a process writes the link
  cycle_t refreshed = std::numeric_limits<cycle_t>::max();  ///< the cycle of the last refresh
};

template <class Word>
void link_channel<Word>::observation::refresh(cycle_t now) {
  if (!watching) return;  // asked for before the last listener left
  const Word word = seen.wire_.shown(now);
  if (refreshed != now && word.valid())
    seen.clock_.refresh_at(*this, now + 1);  // the change back to "no flit"
  refreshed = now;
  if (word == seen.current_) return;
  seen.current_ = word;
  if (for_ever) changed.notify(sc_core::SC_ZERO_TIME);  // else no process has ever got hold of the event
  telling = true;
  for (std::size_t i = 0, count = listeners.size(); i < count; ++i)
    if (listeners[i]) listeners[i]->word_shown(now, word);
  telling = false;
  forget_the_ignored();
}

template <class Word>
link_channel<Word>::link_channel(std::string name, link_clock& clock, delay_line<Word>& w, unsigned part)
    : name_(std::move(name)), clock_(clock), wire_(w), part_(part) {
  clock_.reserve_delay(w.reach_cycles());
}

template <class Word>
link_channel<Word>::~link_channel() = default;

template <class Word>
typename link_channel<Word>::observation& link_channel<Word>::observe() const {
  if (!observation_) observation_ = std::make_unique<observation>(const_cast<link_channel&>(*this));
  if (!observation_->watching) {
    observation_->watching = true;
    wire_.watch(*observation_);
    // Words already in flight are in the slots of the wire: ask for a look at each cycle that they may be
    // shown in.
    current_ = wire_.shown(clock_.visible());
    for (unsigned ahead = 1; ahead <= wire_.reach_cycles(); ++ahead)
      clock_.refresh_at(*observation_, clock_.visible() + ahead);
  }
  return *observation_;
}

template <class Word>
typename link_channel<Word>::observation& link_channel<Word>::look_for_ever() const {
  observation& o = observe();
  o.for_ever = true;
  return o;
}

template <class Word>
bool link_channel<Word>::observed() const {
  return observation_ && observation_->watching;
}

template <class Word>
const Word& link_channel<Word>::read() const {
  look_for_ever();
  return current_;
}

template <class Word>
const sc_core::sc_event& link_channel<Word>::value_changed_event() const {
  return look_for_ever().changed;
}

template <class Word>
void link_channel<Word>::write(const Word& word) {
  observation& o = look_for_ever();
  if (!o.driven) {
    o.driven = true;
    clock_.drive(o);
  }
  o.held = word;
  clock_.written(o);
}

template <class Word>
void link_channel<Word>::register_port(sc_core::sc_port_base& port, const char* interface_name) {
  observation& o = look_for_ever();
  if (std::string(interface_name) != typeid(sc_core::sc_signal_inout_if<Word>).name()) return;
  if (o.writer) {
    SC_REPORT_ERROR(
        "/toriscope/link/writers",
        ("link " + name_ + " is driven by " + o.writer->name() + " and by " + port.name()).c_str());
    return;
  }
  o.writer = &port;
}

template <class Word>
void link_channel<Word>::listen(link_listener<Word>& listener) {
  observe().listeners.push_back(&listener);
}

template <class Word>
void link_channel<Word>::ignore(link_listener<Word>& listener) {
  if (!observation_) return;
  std::vector<link_listener<Word>*>& all = observation_->listeners;
  std::replace(all.begin(), all.end(), &listener, static_cast<link_listener<Word>*>(nullptr));
  if (!observation_->telling) observation_->forget_the_ignored();
  if (std::count(all.begin(), all.end(), nullptr) < std::ptrdiff_t(all.size()) || observation_->for_ever) return;
  wire_.unwatch(*observation_);
  observation_->watching = false;
}

template class link_channel<flit_word>;
template class link_channel<credit_word>;

}  // namespace toriscope
