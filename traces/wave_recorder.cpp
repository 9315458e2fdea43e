// SPDX-License-Identifier: Apache-2.0
#include "traces/wave_recorder.h"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <utility>

#include "base/text_file.h"
#include "traces/signal_value.h"
#include "traces/wave_selection.h"

namespace toriscope {
namespace {

/// The unit of time stamps as VCD expects it: SystemC's resolution is a power of ten.
std::string timescale() {
  static constexpr const char* units[] = {"fs", "ps", "ns", "us", "ms", "s"};
  double seconds = sc_core::sc_get_time_resolution().to_seconds() * 1e15;
  std::size_t unit = 0;
  for (; seconds > 999 && unit < 5; ++unit) seconds /= 1000;
  return std::to_string(static_cast<int>(seconds + 0.5)) + ' ' + units[unit];
}

std::vector<std::string> legend(const network& net, const wave_options& options) {
  std::string window = "what the cycles " + std::to_string(options.from) + " .. ";
  window += options.to == wave_options::to_the_end ? "end" : std::to_string(options.to);
  std::string patterns = "signals:";
  for (const std::string& glob : options.globs) patterns += ' ' + glob;
  return {patterns, window + " find; what a cycle finds stands left of its clock edge",
          "flit words: " + net.layout().describe(), "z: nothing there (no flit, no owner)"};
}

}  // namespace

wave_recorder::wave_recorder(network& net, std::vector<wave_signal> signals, const wave_options& options)
    : net_(net),
      signals_(std::move(signals)),
      from_(options.from),
      to_(options.to),
      marks_(options.marks),
      file_(options.file, timescale(), legend(net, options)) {
  if (options.in_order) times_.in_order = nodes_by_pattern(net, signals_, options);
  if (options.cycle) cycle_ = file_.add(net.name(), "cycle", 64);
  declare();
}

std::uint64_t wave_recorder::present_time() const { return net_.clock_of_links().time_stamp(); }

void wave_recorder::declare() {
  probe_of_.resize(net_.wiring().node_count());
  std::string scope;
  const wave_signal* before = nullptr;
  for (const wave_signal& s : signals_) {
    if (!before || !share_scope(*before, s)) scope = std::string(net_.at(s.node).name()) + '.' + scope_of(net_, s);
    before = &s;
    const wave_file::variable v = file_.add(scope, name_of(s.kind), s.width);
    if (s.on_link()) {
      const auto same_link = [&](const wave_signal& t) {
        return s.node == t.node && s.port == t.port && s.outgoing == t.outgoing;
      };
      if (ears_.empty() || !same_link(ears_.back().place)) ears_.emplace_back(*this, s);
      ears_.back().variables[static_cast<std::size_t>(s.kind)] = v;
    } else {
      if (probed_.empty() || probed_.back() != s.node) {
        probes_.emplace_back(net_, s.node);
        probed_.push_back(s.node);
        probe_of_[s.node] = static_cast<std::uint32_t>(probes_.size());
      }
      probes_.back().add(s, v);
    }
  }
}

void wave_recorder::begin() {
  times_.begin = times_.first_change = present_time();
  times_.unit = timescale();
  file_.begin(times_.begin);
  if (cycle_ != no_variable) file_.set(cycle_, net_.clock_of_links().visible());
  for (ear& e : ears_) {
    flit_link& l = link_of(net_, e.place);
    l.listen(e);
    show(e, l.plain().shown(net_.clock_of_links().visible()));
  }
  for (std::size_t i = 0; i < probes_.size(); ++i) {
    net_.watch_node(probed_[i]);
    probes_[i].read(file_);
  }
  note_activity();
}

/// At the beginning: what is not at rest; at the end: also what has changed.
void wave_recorder::note_activity() {
  active_.resize(signals_.size());
  for (std::size_t i = 0; i < signals_.size(); ++i) {
    const auto v = static_cast<wave_file::variable>(i + (cycle_ != no_variable));  // declared in this order
    const std::uint64_t value = file_.value(v);
    const bool at_rest = signals_[i].kind == signal_kind::credits || value == 0 || value == wave_file::none;
    if (file_.changed(v) || !at_rest) active_[i] = true;
  }
}

void wave_recorder::cycle_done(cycle_t done) {
  if (ended_) return;
  if (std::find(marks_.begin(), marks_.end(), done) != marks_.end()) times_.marks.push_back(present_time());
  if (!begun()) {
    if (done + 1 >= from_) begin();
    return;
  }
  const std::uint64_t now = present_time();
  if (done >= to_) return end();
  file_.advance(now);
  times_.note_edge(now);
  if (cycle_ != no_variable) file_.set(cycle_, done + 1);
  for (const node_id n : net_.stepped_watched_nodes()) {
    if (probe_of_[n] == 0 || !probes_[probe_of_[n] - 1].read(file_)) continue;
    note_change();
    if (marks_.size() == 1 && !times_.marks.empty() && times_.marks[0] == now)
      times_.changed_at_mark.push_back(n);
  }
}

void wave_recorder::ear::word_shown(cycle_t now, flit_word word) {
  if (!recorder.listening() || now > recorder.to_) return;
  recorder.file_.advance(recorder.present_time());
  if (recorder.show(*this, word)) recorder.note_change();
}

bool wave_recorder::show(const ear& e, flit_word word) {
  bool changed = false;
  for (const signal_kind kind :
       {signal_kind::flit, signal_kind::flit_kind, signal_kind::flit_vc, signal_kind::flit_tag})
    if (const wave_file::variable v = e.variables[static_cast<std::size_t>(kind)]; v != no_variable)
      changed |= file_.set(v, value_of(kind, word, net_.layout()));
  return changed;
}

void wave_recorder::note_change() {
  if (std::exchange(times_.changed, true)) return;
  times_.first_change = present_time();
}

void wave_recorder::end() {
  if (std::exchange(ended_, true)) return;
  times_.end = present_time();
  // A failure ends the run within its cycle.
  const cycle_t present = net_.clock_of_links().visible();
  if (times_.marks.empty() && begun() && std::find(marks_.begin(), marks_.end(), present) != marks_.end())
    times_.marks.push_back(times_.end);
  if (begun())
    for (ear& e : ears_) link_of(net_, e.place).ignore(e);
  try {
    file_.finish(times_.end);
    note_activity();  // while the other thread writes
    const auto beside = gtkw_files(net_, signals_, active_, cycle_ != no_variable, times_, file_.path());
    file_.close(times_.end);
    if (!std::filesystem::is_regular_file(file_.path())) return;  // not beside a pipe or device
    for (const auto& [path, text] : beside) {
      write_text_file(path, text);
      beside_.push_back(path);
    }
  } catch (const std::exception& error) {
    error_ = error.what();
  }
}

std::vector<std::string> wave_recorder::files() const {
  if (!ended_ || !begun() || !error().empty()) return {};
  std::vector<std::string> all{file_.path()};
  all.insert(all.end(), beside_.begin(), beside_.end());
  return all;
}

}  // namespace toriscope
