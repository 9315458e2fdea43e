// SPDX-License-Identifier: Apache-2.0
// Phases of transactions that become effective later: what nb_transport was called with, in order of time.
//
//   contract   a method sensitive to event() takes all with next() until that says false
#pragma once

#include <map>
#include <systemc>
#include <tlm>
#include <utility>

namespace toriscope {

class phase_queue {
 public:
  using entry = std::pair<tlm::tlm_generic_payload*, tlm::tlm_phase>;

  /// The phase becomes effective after `delay`, in the next delta cycle at the earliest.
  void notify(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase, const sc_core::sc_time& delay) {
    due_.emplace(sc_core::sc_time_stamp() + delay, entry{&payload, phase});
    event_.notify(delay);
  }

  /// The next phase that is effective by now.
  bool next(entry& taken) {
    if (due_.empty()) return false;
    const auto first = due_.begin();
    if (first->first > sc_core::sc_time_stamp()) {
      event_.notify(first->first - sc_core::sc_time_stamp());
      return false;
    }
    taken = first->second;
    due_.erase(first);
    return true;
  }

  const sc_core::sc_event& event() const { return event_; }

 private:
  std::multimap<sc_core::sc_time, entry> due_;
  sc_core::sc_event event_;
};

}  // namespace toriscope
