// SPDX-License-Identifier: Apache-2.0
#include "traces/wave_recorder.h"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <utility>

#include "traces/wave_selection.h"

namespace toriscope {
namespace {

/// The unit of time stamps as VCD wants it: SystemC's resolution is a power of ten.
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
      vcd_(options.file, timescale(), legend(net, options)) {
  if (options.in_order) times_.in_order = nodes_by_pattern(net, signals_, options);
  if (options.cycle) cycle_ = vcd_.add(net.name(), "cycle", 64);
  times_.unit = timescale();
  declare();
}

std::uint64_t wave_recorder::present_time() const { return net_.clock_of_links().time_stamp(); }

void wave_recorder::declare() {
  for (const wave_signal& s : signals_) {
    const vcd_file::variable v =
        vcd_.add(std::string(net_.at(s.node).name()) + '.' + scope_of(net_, s), name_of(s.kind), s.width);
    if (s.on_link()) {
      const auto same_link = [&](const wave_signal& t) {
        return s.node == t.node && s.port == t.port && s.outgoing == t.outgoing;
      };
      if (ears_.empty() || !same_link(ears_.back().place)) ears_.emplace_back(*this, s);
      ears_.back().variables[static_cast<std::size_t>(s.kind)] = v;
    } else {
      probe_range& range = nodes_[s.node];
      if (range.first == range.last) range.first = probes_.size();
      probes_.push_back({s, v});
      range.last = probes_.size();
    }
  }
}

void wave_recorder::begin() {
  times_.begin = times_.first_change = present_time();
  vcd_.begin(times_.begin);
  dumping_ = true;
  if (cycle_ != no_variable) vcd_.set(cycle_, net_.clock_of_links().visible());
  for (ear& e : ears_) {
    flit_link& l = link_of(net_, e.place);
    l.listen(e);
    show(e, l.plain().shown(net_.clock_of_links().visible()));
  }
  for (const auto& [node, range] : nodes_) {
    net_.watch_node(node);
    read_node(range);
  }
  dumping_ = false;
  note_activity();
}

/// At the beginning: what is not at rest; at the end: also what has changed.
void wave_recorder::note_activity() {
  active_.resize(signals_.size());
  for (std::size_t i = 0; i < signals_.size(); ++i) {
    const auto v = static_cast<vcd_file::variable>(i + (cycle_ != no_variable));  // declared in this order
    const std::uint64_t value = vcd_.value(v);
    const bool at_rest = signals_[i].kind == signal_kind::credits || value == 0 || value == vcd_file::none;
    if (vcd_.changed(v) || !at_rest) active_[i] = true;
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
  vcd_.advance(now);
  times_.note_edge(now);
  if (cycle_ != no_variable) vcd_.set(cycle_, done + 1);
  for (const node_id n : net_.stepped_watched_nodes()) {
    const auto found = nodes_.find(n);
    if (found != nodes_.end() && read_node(found->second) && marks_.size() == 1 && !times_.marks.empty() &&
        times_.marks[0] == now)
      times_.changed_at_mark.push_back(n);
  }
}

void wave_recorder::ear::word_shown(cycle_t now, flit_word word) {
  if (!recorder.listening() || now > recorder.to_) return;
  recorder.vcd_.advance(recorder.present_time());
  recorder.show(*this, word);
}

void wave_recorder::show(const ear& e, flit_word word) {
  for (std::size_t kind = 0; kind < e.variables.size(); ++kind)
    if (e.variables[kind] != no_variable)
      set(e.variables[kind], value_of(static_cast<signal_kind>(kind), word, net_.layout()));
}

bool wave_recorder::read_node(const probe_range& range) {
  bool changed = false;
  for (std::size_t i = range.first; i < range.last; ++i) {
    const std::uint64_t value = value_of(net_, probes_[i].signal);
    changed |= vcd_.value(probes_[i].variable) != value;
    set(probes_[i].variable, value);
  }
  return changed;
}

void wave_recorder::set(vcd_file::variable v, std::uint64_t value) {
  if (!dumping_ && !times_.changed && vcd_.value(v) != value) {
    times_.changed = true;
    times_.first_change = present_time();
  }
  vcd_.set(v, value);
}

void wave_recorder::end() {
  if (std::exchange(ended_, true)) return;
  times_.end = present_time();
  if (begun())
    for (ear& e : ears_) link_of(net_, e.place).ignore(e);
  try {
    vcd_.close(times_.end);
    note_activity();
    if (std::filesystem::is_regular_file(vcd_.path()))  // not beside a pipe or device
      beside_ = write_gtkw(net_, signals_, active_, cycle_ != no_variable, times_, vcd_.path());
  } catch (const std::exception& error) {
    error_ = error.what();
  }
}

std::vector<std::string> wave_recorder::files() const {
  if (!ended_ || !begun() || !error().empty()) return {};
  std::vector<std::string> all{vcd_.path()};
  all.insert(all.end(), beside_.begin(), beside_.end());
  return all;
}

}  // namespace toriscope
