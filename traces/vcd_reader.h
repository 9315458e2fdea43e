// SPDX-License-Identifier: Apache-2.0
// For tests: reads a VCD strictly, by the grammar of IEEE Std 1364-2005, Sect. 18.2, as far as SystemC and
// traces/ write it. Any other token is an error.
#pragma once

#include <cstdint>
#include <fstream>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace toriscope {

struct vcd_contents {
  using change = std::pair<std::uint64_t, std::string>;  ///< time, value as printed: "b101", "bz", "0"
  struct variable {
    unsigned width = 0;
    std::vector<change> changes;
  };

  std::map<std::string, variable> variables;  ///< by hierarchical name
  std::string timescale;
  std::vector<std::uint64_t> times;  ///< all time stamps

  /// The value of a variable from `time` on, or "" before the first.
  std::string at(const std::string& name, std::uint64_t time) const {
    std::string value;
    for (const change& c : variables.at(name).changes)
      if (c.first <= time) value = c.second;
    return value;
  }
};

class vcd_reader {
 public:
  /// @param of_rtl  with variables of Verilator: several may have one identifier, and ranges are those of the RTL
  static vcd_contents read(const std::string& path, bool of_rtl = false) {
    vcd_reader reader(path);
    reader.of_rtl_ = of_rtl;
    reader.header();
    reader.body();
    return std::move(reader.result_);
  }

 private:
  explicit vcd_reader(const std::string& path) : path_(path), in_(path) {
    if (!in_) fail("cannot be opened");
  }

  [[noreturn]] void fail(const std::string& what) const { throw std::runtime_error(path_ + ": " + what); }

  std::string token() {
    std::string text;
    if (!(in_ >> text)) fail("ends too early");
    return text;
  }

  std::string to_end() {
    std::string text;
    for (std::string t = token(); t != "$end"; t = token()) text += (text.empty() ? "" : " ") + t;
    return text;
  }

  void header() {
    std::vector<std::string> scopes;
    for (;;) {
      const std::string t = token();
      if (t == "$enddefinitions") break;
      if (t == "$version" || t == "$date" || t == "$comment") {
        to_end();
      } else if (t == "$timescale") {
        result_.timescale = to_end();
      } else if (t == "$scope") {
        if (token() != "module") fail("a scope that is not a module");
        scopes.push_back(token());
        if (scopes.back() == "SystemC") scopes.back().clear();  // the top of SystemC's own files
        if (!to_end().empty()) fail("a scope of several words");
      } else if (t == "$upscope") {
        if (scopes.empty()) fail("more upscopes than scopes");
        scopes.pop_back();
        to_end();
      } else if (t == "$var") {
        variable(scopes);
      } else {
        fail("unknown in the header: " + t);
      }
    }
    to_end();
    if (!scopes.empty()) fail("an open scope");
    if (result_.timescale.empty()) fail("no timescale");
  }

  void variable(const std::vector<std::string>& scopes) {
    if (token() != "wire") fail("a variable that is not a wire");
    const unsigned width = static_cast<unsigned>(std::stoul(token()));
    const std::string id = token();
    std::string name;
    for (const std::string& scope : scopes)
      if (!scope.empty()) name += scope + '.';
    name += token();
    const std::string range = to_end();
    if (!of_rtl_ && range != (width == 1 ? "" : "[" + std::to_string(width - 1) + ":0]"))
      fail("range of " + name);
    if (ids_.emplace(id, name), !of_rtl_ && ids_.count(id) > 1)
      fail("two variables have the identifier " + id);
    if (!result_.variables.emplace(name, vcd_contents::variable{width, {}}).second) fail("twice: " + name);
  }

  void body() {
    std::string t;
    bool dumping = false;
    std::uint64_t now = 0;
    while (in_ >> t) {
      if (t == "$comment") {
        to_end();
      } else if (t == "$dumpvars") {
        dumping = true;
      } else if (t == "$end") {
        if (!dumping) fail("an $end of nothing");
        dumping = false;
      } else if (t[0] == '#') {
        const std::uint64_t time = std::stoull(t.substr(1));
        if (!result_.times.empty() && time <= now) fail("time goes back to " + t);
        now = time;
        result_.times.push_back(now);
      } else if (t[0] == 'b') {
        change(token(), t, now);
      } else if (t[0] == '0' || t[0] == '1' || t[0] == 'z') {
        change(t.substr(1), t.substr(0, 1), now);
      } else {
        fail("unknown value change " + t);
      }
    }
    if (dumping) fail("an open $dumpvars");
  }

  void change(const std::string& id, const std::string& value, std::uint64_t now) {
    const auto [first, last] = ids_.equal_range(id);
    if (first == last) fail("unknown identifier " + id);
    for (auto found = first; found != last; ++found) {
      vcd_contents::variable& v = result_.variables[found->second];
      const bool vector = value[0] == 'b';
      if (vector != (v.width > 1)) fail("kind of value of " + found->second + ": " + value);
      if (vector && (value.size() < 2 || value.size() - 1 > v.width ||
                     (value != "bz" && value.find_first_not_of("01", 1) != std::string::npos)))
        fail("value of " + found->second + ": " + value);
      v.changes.emplace_back(now, value);
    }
  }

  std::string path_;
  std::ifstream in_;
  std::multimap<std::string, std::string> ids_;
  bool of_rtl_ = false;
  vcd_contents result_;
};

}  // namespace toriscope
