// SPDX-License-Identifier: Apache-2.0
// A value change dump (IEEE Std 1364-2005, Sect. 18) that is given changes instead of polling for them.
//
//   values   up to 64 bits, printed as SystemC 2.3.4 prints an integer: "b101 id", leading zeros left out,
//            "0id" for one bit; `none` (no flit, no owner ...) is printed as z, which viewers draw as a line
//            without a value
//   times    all changes of one time stamp are gathered; a variable that is back at its old value at the end of
//            the time stamp is not printed
//   limits   variables are added before the first begin(), in hierarchical order
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/output_file.h"

namespace toriscope {

class vcd_file {
 public:
  using variable = std::uint32_t;
  /// "No value", for variables of less than 64 bits.
  static constexpr std::uint64_t none = ~std::uint64_t{0};

  /// @param timescale  of the time stamps: "1 ps"
  /// @param comments   human-readable lines
  /// @throws std::runtime_error when the file cannot be written
  vcd_file(std::string path, std::string_view timescale, const std::vector<std::string>& comments);

  /// @param scope  dotted path of the module; names may hold '+' and '-', but neither blanks nor brackets
  /// @param width  in bits, 1..64
  variable add(std::string_view scope, std::string_view name, unsigned width);

  /// Ends the header; the values at `time` are dumped in full.
  void begin(std::uint64_t time);
  bool begun() const { return begun_; }
  /// What is set from now on belongs to `time`, which never goes back.
  void advance(std::uint64_t time) {
    if (time == time_) return;
    print_changes();
    time_ = time;
  }
  void set(variable v, std::uint64_t value) {
    variable_state& s = variables_[v];
    if (s.value == value) return;
    s.value = value;
    dirty_[v / 64] |= std::uint64_t{1} << v % 64;
    dirty_words_[v / 4096] |= std::uint64_t{1} << v / 64 % 64;
  }
  std::uint64_t value(variable v) const { return variables_[v].value; }
  /// Whether a change of it was printed after the dump.
  bool changed(variable v) const { return variables_[v].changed; }

  /// Writes the end of time and gives the file its name. @throws std::runtime_error
  void close(std::uint64_t end);
  /// Leaves no file.
  void discard() { out_.discard(); }

  const std::string& path() const { return out_.path(); }
  const std::string& error() const { return out_.error(); }

 private:
  struct variable_state {
    std::uint64_t value = none;
    std::uint64_t printed = none;
    std::uint8_t width = 1;
    bool changed = false;
  };

  void enter(std::string_view scope);
  void print(variable v);
  void print_time();
  void print_changes();

  output_file out_;
  std::vector<variable_state> variables_;
  // Printed in their order without sorting: a bit for each that was set, and a bit for each word of those.
  std::vector<std::uint64_t> dirty_;
  std::vector<std::uint64_t> dirty_words_;
  std::vector<std::string> scopes_;  ///< those open in the header
  std::uint64_t time_ = 0;
  std::uint64_t stamped_ = 0;  ///< the last time stamp printed
  bool begun_ = false;
  bool dumped_ = false;
};

}  // namespace toriscope
