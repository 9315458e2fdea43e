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
      marks_(options.marks) {
  partition_boundary* const border = net.border();
  if (border) share_ = std::make_unique<wave_share>(*border);
  if (!border || border->rank() == 0)
    file_ = std::make_unique<wave_file>(options.file, timescale(), legend(net, options));
  values_ = share_ ? static_cast<wave_values*>(share_.get()) : file_.get();
  if (options.in_order) times_.in_order = nodes_by_pattern(net, signals_, options);
  if (options.cycle) cycle_ = add(net.name(), "cycle", 64, file_ != nullptr);
  declare();
}

std::uint64_t wave_recorder::present_time() const { return net_.clock_of_links().time_stamp(); }

wave_values::variable wave_recorder::add(const std::string& scope, const std::string& name, unsigned width, bool own) {
  const wave_values::variable in_file = file_ ? file_->add(scope, name, width) : no_variable;
  return share_ ? share_->add(width, own) : in_file;
}

void wave_recorder::declare() {
  probe_of_.resize(net_.wiring().node_count());
  std::string node, scope;
  const wave_signal* before = nullptr;
  for (const wave_signal& s : signals_) {
    if (!before || before->node != s.node) node = node_name(net_, s.node) + '.';
    if (!before || !share_scope(*before, s)) scope = node + scope_of(net_, s);
    before = &s;
    const bool here = is_here(net_, s.node);
    const wave_values::variable v = add(scope, name_of(s.kind), s.width, here);
    if (!here) continue;
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
  if (share_)
    share_->begin(times_.begin);
  else
    file_->begin(times_.begin);
  if (cycle_ != no_variable) values_->set(cycle_, net_.clock_of_links().visible());
  for (ear& e : ears_) {
    flit_link& l = link_of(net_, e.place);
    l.listen(e);
    show(e, l.plain().shown(net_.clock_of_links().visible()));
  }
  for (std::size_t i = 0; i < probes_.size(); ++i) {
    net_.watch_node(probed_[i]);
    probes_[i].read(*values_);
  }
}

/// What has changed, or is not at rest.
void wave_recorder::note_activity() {
  active_.resize(signals_.size());
  for (std::size_t i = 0; i < signals_.size(); ++i) {
    const auto v = static_cast<wave_values::variable>(i + (cycle_ != no_variable));  // declared in this order
    const std::uint64_t value = file_->value(v);
    const bool at_rest = signals_[i].kind == signal_kind::credits || value == 0 || value == wave_values::none;
    active_[i] = file_->changed(v) || !at_rest;
  }
}

void wave_recorder::cycle_done(cycle_t done) {
  note(done);
  if (!share_) return;
  time_of_[done % time_of_.size()] = present_time();
  if (!net_.failure() && net_.border()->have_met_after(done)) show(share_->meet(present_time()));
}

void wave_recorder::note(cycle_t done) {
  if (ended_) return;
  if (std::find(marks_.begin(), marks_.end(), done) != marks_.end()) times_.marks.push_back(present_time());
  if (!values_->begun()) {
    if (done + 1 >= from_) begin();
    return;
  }
  const std::uint64_t now = present_time();
  if (done >= to_) return share_ ? stop_listening() : end(done);
  values_->advance(now);
  times_.note_edge(now);
  if (cycle_ != no_variable) values_->set(cycle_, done + 1);
  for (const node_id n : net_.stepped_watched_nodes()) {
    if (probe_of_[n] == 0 || !probes_[probe_of_[n] - 1].read(*values_)) continue;
    if (!share_) note_change(now);
    if (marks_.size() == 1 && !times_.marks.empty() && times_.marks[0] == now)
      times_.changed_at_mark.push_back(n);
  }
}

void wave_recorder::ear::word_shown(cycle_t now, flit_word word) {
  if (!recorder.listening() || now > recorder.to_) return;
  recorder.values_->advance(recorder.present_time());
  if (recorder.show(*this, word) && !recorder.share_) recorder.note_change(recorder.present_time());
}

bool wave_recorder::show(const ear& e, flit_word word) {
  bool changed = false;
  for (const signal_kind kind :
       {signal_kind::flit, signal_kind::flit_kind, signal_kind::flit_vc, signal_kind::flit_tag})
    if (const wave_values::variable v = e.variables[static_cast<std::size_t>(kind)]; v != no_variable)
      changed |= values_->set(v, value_of(kind, word, net_.layout()));
  return changed;
}

void wave_recorder::note_change(std::uint64_t time) {
  if (std::exchange(times_.changed, true)) return;
  times_.first_change = time;
}

void wave_recorder::show(const wave_batch& batch) {
  std::size_t next = 0;
  for (const wave_batch::stamp& stamp : batch.stamps) {
    const bool first = !file_->begun();
    if (first) file_->begin(stamp.time);
    file_->advance(stamp.time);
    for (; next < stamp.end; ++next) {
      const wave_change& change = batch.changes[next];
      if (file_->set(change.variable, change.value) && !first && change.variable != cycle_) note_change(stamp.time);
    }
  }
}

void wave_recorder::stop_listening() {
  if (std::exchange(ended_, true)) return;
  times_.end = present_time();
  // A failure ends the run within its cycle.
  const cycle_t present = net_.clock_of_links().visible();
  if (times_.marks.empty() && begun() && std::find(marks_.begin(), marks_.end(), present) != marks_.end())
    times_.marks.push_back(times_.end);
  if (values_->begun())
    for (ear& e : ears_) link_of(net_, e.place).ignore(e);
}

void wave_recorder::end(cycle_t last, bool half_a_cycle_later) {
  if (written_) return;
  written_ = true;
  stop_listening();
  if (share_) {
    if (last + 1 < net_.cycles_done()) {
      const std::uint64_t edge = time_of_[last % time_of_.size()];
      times_.end = std::min(times_.end, half_a_cycle_later ? edge + times_.period() / 2 : edge);
    }
    show(share_->end(times_.end));
  }
  if (begun() && file_) write_files();
  if (!share_) release();
}

void wave_recorder::release() {
  begun_ = begun();
  error_ = error();
  file_.reset();
  values_ = nullptr;
  ears_.clear();
  std::vector<node_probe>().swap(probes_);
}

void wave_recorder::discard() {
  if (file_) file_->discard();
}

void wave_recorder::write_files() {
  try {
    file_->finish(times_.end);
    note_activity();  // while the other thread writes
    const auto beside = gtkw_files(net_, signals_, active_, cycle_ != no_variable, times_, file_->path());
    file_->close(times_.end);
    files_.push_back(file_->path());
    if (!std::filesystem::is_regular_file(file_->path())) return;  // not beside a pipe or device
    for (const auto& [path, text] : beside) {
      write_text_file(path, text);
      files_.push_back(path);
    }
  } catch (const std::exception& error) {
    error_ = error.what();
  }
}

std::vector<std::string> wave_recorder::files() const {
  return error().empty() ? files_ : std::vector<std::string>();
}

}  // namespace toriscope
