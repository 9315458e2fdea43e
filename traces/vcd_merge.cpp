// SPDX-License-Identifier: Apache-2.0
#include "traces/vcd_merge.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <limits>
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
  std::vector<vcd_variable>& variables() { return variables_; }

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
    if (digits == 0 || digits > 3 || unit == std::end(units) || !to_number(text.substr(0, digits), unit_fs_))
      fail("has the time scale '" + text + "'; expected 1, 10 or 100 fs, ps, ns, us, ms or s");
    for (const auto* u = std::begin(units); u != unit; ++u) unit_fs_ *= 1000;
  }

  void enter(const std::string& kind, const std::string& name) {
    scopes_.push_back(name);
    declarations_ += "$scope " + kind + ' ' + name + " $end\n";
  }
  void leave() {
    if (scopes_.empty()) fail("is not a VCD file: more $upscope than $scope");
    scopes_.pop_back();
    declarations_ += "$upscope $end\n";
  }
  void variable(const std::vector<std::string>& words) {
    std::string name;
    for (const std::string& scope : scopes_) name += scope + '.';
    declarations_ += "$var " + words[0] + ' ' + words[1] + ' ' + prefix_ + words[2];
    for (std::size_t i = 3; i < words.size(); ++i) declarations_ += ' ' + words[i];
    declarations_ += " $end\n";
    unsigned width = 0;
    if (!to_number(words[1], width)) fail("is not a VCD file: the width '" + words[1] + "' of " + words[3]);
    variables_.push_back({name + words[3], width});
  }

  void change(const std::string& t, std::string& text) {
    const bool vector = std::string_view("bBrRsS").find(t[0]) != std::string_view::npos;
    text += vector ? t + ' ' + prefix_ + token() : t.substr(0, 1) + prefix_ + t.substr(1);
    text += '\n';
  }

  const vcd_source source_;
  std::ifstream in_;
  const char prefix_;
  std::uint64_t unit_fs_ = 0;
  std::uint64_t time_ = 0;
  std::vector<std::string> scopes_;
  std::string declarations_;
  std::vector<vcd_variable> variables_;
};

std::string timescale(std::uint64_t fs) {
  const auto* unit = std::begin(units);
  for (; fs % 1000 == 0 && unit + 1 != std::end(units); ++unit) fs /= 1000;
  return std::to_string(fs) + ' ' + std::string(*unit);
}

}  // namespace

std::vector<vcd_variable> merge_vcd(const vcd_source& first, const vcd_source& second,
                                    const std::string& merged) {
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
  return std::move(b.variables());
}

void add_gtkw_group(const std::string& save_file, const std::string& name,
                    const std::vector<vcd_variable>& variables) {
  // Flags of GTKWave: the begin and end of a closed group, hexadecimal, one bit.
  std::ofstream file(save_file, std::ios::app);
  file << "@c00200\n-" << name << '\n';
  for (const vcd_variable& v : variables) {
    file << (v.width > 1 ? "@22\n" : "@28\n") << v.name;
    if (v.width > 1) file << '[' << v.width - 1 << ":0]";
    file << '\n';
  }
  file << "@1401200\n-" << name << '\n';
  file.flush();
  if (!file) throw std::runtime_error("cannot write " + save_file);
}

}  // namespace toriscope
