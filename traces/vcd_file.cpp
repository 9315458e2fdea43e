// SPDX-License-Identifier: Apache-2.0
#include "traces/vcd_file.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/words.h"

namespace toriscope {
namespace {

/// Eight binary digits for every byte: most of a waveform is binary digits.
struct digit_table {
  constexpr digit_table() {
    for (unsigned byte = 0; byte < 256; ++byte)
      for (unsigned bit = 0; bit < 8; ++bit) of[byte][7 - bit] = static_cast<char>('0' + (byte >> bit & 1));
  }
  char of[256][8] = {};
};
constexpr digit_table digits;

/// The identifier of a variable: its number in base 94, in the printable characters. @returns its end
char* put_identifier(char* text, std::uint32_t number) {
  do {
    *text++ = static_cast<char>('!' + number % 94);
    number /= 94;
  } while (number > 0);
  return text;
}

/// Without leading zeros. @returns its end
char* put_binary(char* text, std::uint64_t value) {
  const int bits = value == 0 ? 1 : 64 - __builtin_clzll(value);
  const int whole = (bits + 7) / 8;
  char all[64];
  for (int byte = whole; byte-- > 0;)
    std::memcpy(all + 8 * (whole - 1 - byte), digits.of[value >> 8 * byte & 0xff], 8);
  std::memcpy(text, all + 8 * whole - bits, static_cast<std::size_t>(bits));
  return text + bits;
}

char* put_value(char* text, std::uint64_t value, unsigned width) {
  const bool none = width < 64 && value == vcd_file::none;
  if (width == 1) {
    *text++ = none ? 'z' : static_cast<char>('0' + (value & 1));
    return text;
  }
  *text++ = 'b';
  if (none)
    *text++ = 'z';
  else
    text = put_binary(text, value);
  *text++ = ' ';
  return text;
}

}  // namespace

vcd_file::vcd_file(std::string path, std::string_view timescale, const std::vector<std::string>& comments)
    : out_(std::move(path)) {
  // No date: the same run writes the same file.
  out_.write("$version toriscope $end\n");
  if (!comments.empty()) {
    out_.write("$comment\n");
    for (const std::string& comment : comments) out_.write("  " + comment + "\n");
    out_.write("$end\n");
  }
  out_.write("$timescale " + std::string(timescale) + " $end\n");
}

void vcd_file::enter(std::string_view scope) {
  const std::vector<std::string> wanted = scope.empty() ? std::vector<std::string>() : split(scope, '.');
  const auto [open, next] = std::mismatch(scopes_.begin(), scopes_.end(), wanted.begin(), wanted.end());
  for (auto closed = open; closed != scopes_.end(); ++closed) out_.write("$upscope $end\n");
  for (auto opened = next; opened != wanted.end(); ++opened)
    out_.write("$scope module " + *opened + " $end\n");
  scopes_ = wanted;
}

vcd_file::variable vcd_file::add(std::string_view scope, std::string_view name, unsigned width) {
  enter(scope);
  const auto v = static_cast<variable>(variables_.size());
  variable_state state;
  state.width = static_cast<std::uint8_t>(width);
  if (width == 64) state.value = state.printed = 0;
  variables_.push_back(state);
  dirty_.resize(variables_.size() / 64 + 1);
  dirty_words_.resize(variables_.size() / 4096 + 1);
  char identifier[8];
  std::string line = "$var wire " + std::to_string(width) + ' ';
  line.append(identifier, put_identifier(identifier, v)).append(" ").append(name);
  if (width > 1) line += " [" + std::to_string(width - 1) + ":0]";
  line += " $end\n";
  out_.write(line);
  return v;
}

void vcd_file::begin(std::uint64_t time) {
  enter("");
  out_.write("$enddefinitions $end\n");
  begun_ = true;
  time_ = time;
}

void vcd_file::print(variable v) {
  char line[80];  // 'b', 64 digits, a blank, an identifier of 5 characters, the end of the line
  char* end = put_value(line, variables_[v].value, variables_[v].width);
  end = put_identifier(end, v);
  *end++ = '\n';
  out_.write({line, static_cast<std::size_t>(end - line)});
  variables_[v].printed = variables_[v].value;
}

void vcd_file::print_time() {
  out_.write('#' + std::to_string(time_) + '\n');
  stamped_ = time_;
}

void vcd_file::print_changes() {
  if (!dumped_) {
    dumped_ = true;
    print_time();
    out_.write("$dumpvars\n");
    for (variable v = 0; v < variables_.size(); ++v) print(v);
    out_.write("$end\n");
    std::fill(dirty_.begin(), dirty_.end(), 0);
    std::fill(dirty_words_.begin(), dirty_words_.end(), 0);
    return;
  }
  bool stamped = false;
  for (std::size_t group = 0; group < dirty_words_.size(); ++group)
    for (std::uint64_t words = std::exchange(dirty_words_[group], 0); words; words &= words - 1) {
      const std::size_t word = group * 64 + static_cast<std::size_t>(__builtin_ctzll(words));
      for (std::uint64_t left = std::exchange(dirty_[word], 0); left; left &= left - 1) {
        const auto v = static_cast<variable>(word * 64 + static_cast<std::size_t>(__builtin_ctzll(left)));
        if (variables_[v].value == variables_[v].printed) continue;
        if (!std::exchange(stamped, true)) print_time();
        print(v);
        variables_[v].changed = true;
      }
    }
}

void vcd_file::close(std::uint64_t end) {
  if (begun_) {
    print_changes();
    time_ = end;
    if (time_ > stamped_) print_time();
  }
  out_.close();
}

}  // namespace toriscope
