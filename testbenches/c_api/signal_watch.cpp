// SPDX-License-Identifier: Apache-2.0
#include "testbenches/c_api/signal_watch.h"

#include <stdexcept>

#include "traces/signal_value.h"
#include "traces/wave_selection.h"

std::uint64_t toriscope_signal::value() const {
  if (!link) return value_of(*net, place);
  return value_of(place.kind, link->plain().shown(net->cycles_done()), net->layout());
}

namespace toriscope {

signal_watch::signal_watch(network& net) : net_(net) { net.clock_of_links().listen(*this); }

std::vector<wave_signal> signal_watch::selected(const std::string& pattern) {
  wave_options options;
  options.globs = {pattern};
  return select_signals(net_, options);
}

std::string signal_watch::names(const std::string& pattern) {
  std::string names;
  for (const wave_signal& s : selected(pattern)) names += full_name(net_, s) + '\n';
  return names;
}

toriscope_signal& signal_watch::place(const wave_signal& s, const std::string& name) {
  toriscope_signal*& known = by_name_[name];
  if (!known) {
    signals_.push_back({&net_, s, s.on_link() ? &link_of(net_, s) : nullptr, name});
    known = &signals_.back();
  }
  return *known;
}

toriscope_signal& signal_watch::find(const std::string& name) {
  if (const auto known = by_name_.find(name); known != by_name_.end()) return *known->second;
  const std::vector<wave_signal> found = selected(name);
  if (full_name(net_, found.front()) != name)
    throw std::invalid_argument("'" + name + "' is not the whole name of a signal; expected one such as '" +
                                full_name(net_, found.front()) + "'");
  return place(found.front(), name);
}

void signal_watch::watch(const std::string& pattern, toriscope_watcher watcher, void* user) {
  const std::size_t before = watched_.size();
  for (const wave_signal& s : selected(pattern)) {
    toriscope_signal& signal = place(s, full_name(net_, s));
    watched_.push_back({&signal, watcher, user, signal.value()});
  }
  const std::size_t behind = watched_.size();
  const unsigned unwatched = unwatched_;
  for (std::size_t i = before; i < behind && unwatched == unwatched_; ++i) {  // a watcher may watch more, or end all
    const watched_signal w = watched_[i];
    w.watcher(w.user, net_.cycles_done(), w.signal->name.c_str(), w.last);
  }
}

void signal_watch::cycle_done(cycle_t done) {
  for (std::size_t i = 0; i < watched_.size(); ++i) {  // a watcher may end all watches
    watched_signal& w = watched_[i];
    const std::uint64_t value = w.signal->value();
    if (value == w.last) continue;
    w.last = value;
    w.watcher(w.user, done + 1, w.signal->name.c_str(), value);
  }
}

}  // namespace toriscope
