// SPDX-License-Identifier: Apache-2.0
#include "traces/vcd_merge.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <limits>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string_view>

#include "base/output_file.h"
#include "base/whole_number.h"

namespace toriscope {
namespace {

constexpr std::uint64_t no_time = std::numeric_limits<std::uint64_t>::max();
constexpr std::string_view units[] = {"fs", "ps", "ns", "us", "ms", "s"};

/// Reads a VCD token by token. Identifiers get a prefix, so that those of two files differ.
class vcd_input {
 public:
  vcd_input(const vcd_source& source, char prefix) : source_(source), in_(source.path), prefix_(prefix) {
    if (!in_) fail("cannot be opened");
    read_header();
  }

  std::uint64_t unit_fs() const { return unit_fs_; }
  const std::string& declarations() const { return declarations_; }
  vcd_merged& taken() { return taken_; }

  /// The time of the changes that come next, in units of `unit_fs`; no_time: there are none.
  std::uint64_t next_time(std::uint64_t unit_fs) const {
    return time_ == no_time ? no_time : time_ * (unit_fs_ / unit_fs);
  }

  /// Appends the changes of that time to `text`, and goes on to the next.
  void take_changes(std::string& text) {
    for (std::string t; in_ >> t;) {
      if (t[0] == '#') {
        if (!to_number(std::string_view(t).substr(1), time_)) fail("is not a VCD file: '" + t + "' is not a time");
        return;
      }
      if (t == "$comment") {
        section();
      } else if (t[0] != '$') {  // $dumpvars and its $end say nothing about values
        change(t, text);
      }
    }
    time_ = no_time;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error(source_.path + " " + what);
  }

  std::string token() {
    std::string t;
    if (!(in_ >> t)) fail("is not a VCD file: it ends within its header or a change");
    return t;
  }
  std::vector<std::string> section() {
    std::vector<std::string> words;
    for (std::string t = token(); t != "$end"; t = token()) words.push_back(t);
    return words;
  }

  void read_header() {
    if (!source_.scope.empty()) enter("module", source_.scope);
    for (std::string keyword = token(); keyword != "$enddefinitions"; keyword = token()) {
      if (keyword[0] != '$') fail("is not a VCD file: '" + keyword + "' in its header");
      const std::vector<std::string> words = section();
      if (keyword == "$timescale")
        read_timescale(words);
      else if (keyword == "$scope" && words.size() == 2)
        enter(words[0], words[1]);
      else if (keyword == "$upscope")
        leave();
      else if (keyword == "$var" && words.size() >= 4)
        variable(words);
    }
    section();
    if (!source_.scope.empty()) leave();
    take_upper_levels();
    if (unit_fs_ == 0) fail("has no time scale");
    std::string before_time;
    take_changes(before_time);  // up to the first time stamp
  }

  void read_timescale(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += word;
    std::size_t digits = 0;
    while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') ++digits;
    const auto* const unit = std::find(std::begin(units), std::end(units), text.substr(digits));
    // IEEE Std 1364-2005, Sect. 18.2.3.9: 1, 10 or 100 of a unit.
    const std::string number = text.substr(0, digits);
    if ((number != "1" && number != "10" && number != "100") || unit == std::end(units) || !to_number(number, unit_fs_))
      fail("has the time scale '" + text + "'; expected 1, 10 or 100 fs, ps, ns, us, ms or s");
    for (const auto* u = std::begin(units); u != unit; ++u) unit_fs_ *= 1000;
  }

  void enter(const std::string& kind, const std::string& name) {
    scopes_.push_back(name);
    lines_.push_back("$scope " + kind + ' ' + name + " $end\n");
  }
  void leave() {
    if (scopes_.empty()) fail("is not a VCD file: more $upscope than $scope");
    scopes_.pop_back();
    lines_.emplace_back("$upscope $end\n");
  }
  void variable(const std::vector<std::string>& words) {
    std::string name;
    for (const std::string& scope : scopes_) name += scope + '.';
    std::string line = "$var " + words[0] + ' ' + words[1] + ' ' + prefix_ + words[2];
    for (std::size_t i = 3; i < words.size(); ++i) line += ' ' + words[i];
    unsigned width = 0;
    if (!to_number(words[1], width)) fail("is not a VCD file: the width '" + words[1] + "' of " + words[3]);
    declared_.push_back({lines_.size(),
                         scopes_.size(),
                         words[2],
                         {name + words[3], width, words.size() > 4 ? words[4] : std::string()}});
    lines_.push_back(line + " $end\n");
  }

  /// Without the variables too many, those of the lower levels.
  void take_upper_levels() {
    std::vector<std::size_t> by_level(declared_.size());
    std::iota(by_level.begin(), by_level.end(), std::size_t{0});
    std::stable_sort(by_level.begin(), by_level.end(), [this](std::size_t a, std::size_t b) {
      return declared_[a].level < declared_[b].level;
    });
    by_level.resize(std::min(by_level.size(), source_.most));
    std::sort(by_level.begin(), by_level.end());
    std::vector<bool> takes(declared_.size());
    std::set<std::string> left_out;
    for (const std::size_t i : by_level) takes[i] = true;
    for (std::size_t i = 0; i < declared_.size(); ++i) {
      if (takes[i]) continue;
      lines_[declared_[i].line].clear();
      left_out.insert(declared_[i].identifier);
    }
    for (const std::size_t i : by_level) {
      left_out.erase(declared_[i].identifier);  // several names may have one
      taken_.variables.push_back(std::move(declared_[i].variable));
    }
    taken_.left_out = declared_.size() - by_level.size();
    left_out_ = std::move(left_out);
    for (const std::string& line : lines_) declarations_ += line;
  }

  void change(const std::string& t, std::string& text) {
    const bool vector = std::string_view("bBrRsS").find(t[0]) != std::string_view::npos;
    const std::string identifier = vector ? token() : t.substr(1);
    if (left_out_.count(identifier) > 0) return;
    text += (vector ? t + ' ' : t.substr(0, 1)) + prefix_ + identifier + '\n';
  }

  const vcd_source source_;
  std::ifstream in_;
  const char prefix_;
  std::uint64_t unit_fs_ = 0;
  std::uint64_t time_ = 0;
  std::vector<std::string> scopes_;

  struct declaration {
    std::size_t line, level;
    std::string identifier;
    vcd_variable variable;
  };
  std::vector<std::string> lines_;  ///< of the header
  std::vector<declaration> declared_;
  std::string declarations_;
  vcd_merged taken_;
  std::set<std::string> left_out_;  ///< identifiers
};

std::string timescale(std::uint64_t fs) {
  const auto* unit = std::begin(units);
  for (; fs % 1000 == 0 && unit + 1 != std::end(units); ++unit) fs /= 1000;
  return std::to_string(fs) + ' ' + std::string(*unit);
}

}  // namespace

vcd_merged merge_vcd(const vcd_source& first, const vcd_source& second, const std::string& merged) {
  vcd_input a(first, 'a'), b(second, 'b');
  // Time scales are 1, 10 or 100 of a unit: the finer one divides the other.
  const std::uint64_t unit = std::min(a.unit_fs(), b.unit_fs());
  output_file out(merged);
  out.write("$comment two waveforms merged $end\n$timescale " + timescale(unit) + " $end\n" +
            a.declarations() + b.declarations() + "$enddefinitions $end\n");
  std::string text;
  for (;;) {
    const std::uint64_t now = std::min(a.next_time(unit), b.next_time(unit));
    if (now == no_time) break;
    text = '#' + std::to_string(now) + '\n';
    for (vcd_input* input : {&a, &b})
      while (input->next_time(unit) == now) input->take_changes(text);
    out.write(text);
  }
  out.close();
  return std::move(b.taken());
}

}  // namespace toriscope
