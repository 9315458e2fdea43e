// SPDX-License-Identifier: Apache-2.0
#include "traces/vcd_format.h"

#include <cstring>
#include <utility>

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
  int byte = (bits - 1) / 8;
  const int first_bits = bits - 8 * byte;
  std::memcpy(text, digits.of[value >> 8 * byte] + 8 - first_bits, static_cast<std::size_t>(first_bits));
  for (text += first_bits; byte-- > 0; text += 8) std::memcpy(text, digits.of[value >> 8 * byte & 0xff], 8);
  return text;
}

char* put_value(char* text, std::uint64_t value, unsigned width) {
  const bool none = width < 64 && value == no_wave_value;
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

vcd_format::vcd_format(output_file& out, std::string_view timescale, const std::vector<std::string>& comments)
    : out_(out) {
  // No date: the same run writes the same file.
  out_.write("$version toriscope $end\n");
  if (!comments.empty()) {
    out_.write("$comment\n");
    for (const std::string& comment : comments) out_.write("  " + comment + "\n");
    out_.write("$end\n");
  }
  out_.write("$timescale " + std::string(timescale) + " $end\n");
}

void vcd_format::open_scope(std::string_view name) {
  out_.write("$scope module " + std::string(name) + " $end\n");
}

void vcd_format::close_scope() { out_.write("$upscope $end\n"); }

void vcd_format::add(std::string_view name, unsigned width) {
  line_end end;
  char* const identifier_end = put_identifier(end.text, static_cast<std::uint32_t>(line_ends_.size()));
  *identifier_end = '\n';
  end.length = static_cast<std::uint8_t>(identifier_end + 1 - end.text);
  end.width = static_cast<std::uint8_t>(width);
  line_ends_.push_back(end);
  std::string line = "$var wire " + std::to_string(width) + ' ';
  line.append(end.text, identifier_end).append(" ").append(name);
  if (width > 1) line += " [" + std::to_string(width - 1) + ":0]";
  out_.write(line + " $end\n");
}

void vcd_format::end_header() { out_.write("$enddefinitions $end\n"); }

char* vcd_format::put_change(char* text, const wave_change& change) const {
  const line_end& end = line_ends_[change.variable];
  text = put_value(text, change.value, end.width);
  std::memcpy(text, end.text, sizeof end.text);
  return text + end.length;
}

void vcd_format::write(const wave_batch& batch) {
  constexpr std::size_t longest_line = 80;  // 'b', 64 digits, a blank, an identifier of 5 characters, the end
  std::size_t i = 0;
  for (const wave_batch::stamp& stamp : batch.stamps) {
    out_.write('#' + std::to_string(stamp.time) + '\n');
    stamped_ = stamp.time;
    const bool dump = !std::exchange(dumped_, true);
    if (dump) out_.write("$dumpvars\n");
    if (text_.size() < (stamp.end - i) * longest_line) text_.resize((stamp.end - i) * longest_line);
    char* text = text_.data();
    for (; i < stamp.end; ++i) text = put_change(text, batch.changes[i]);
    out_.write({text_.data(), static_cast<std::size_t>(text - text_.data())});
    if (dump) out_.write("$end\n");
  }
}

void vcd_format::end(std::uint64_t time) {
  if (time > stamped_) out_.write('#' + std::to_string(time) + '\n');
}

}  // namespace toriscope
