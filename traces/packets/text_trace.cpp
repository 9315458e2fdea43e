// SPDX-License-Identifier: Apache-2.0
#include "traces/packets/text_trace.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "base/whole_number.h"
#include "base/words.h"

namespace toriscope {
namespace {

constexpr std::string_view title = "# toriscope packets 1";
constexpr std::string_view blanks = " \t\r\v\f";

void split(std::string_view text, std::vector<std::string_view>& fields) {
  fields.clear();
  for (std::size_t from = text.find_first_not_of(blanks); from != std::string_view::npos;) {
    const std::size_t to = std::min(text.find_first_of(blanks, from), text.size());
    fields.push_back(text.substr(from, to - from));
    from = text.find_first_not_of(blanks, to);
  }
}

std::uint64_t number(std::string_view text, const char* what, std::uint64_t least, std::uint64_t most) {
  std::uint64_t value = 0;
  if (!to_number(text, value) || value < least || value > most)
    throw std::invalid_argument(
        fmt::format("{} '{}' must be a whole number from {} to {}", what, one_line(text, 100), least, most));
  return value;
}

}  // namespace

text_trace_reader::text_trace_reader(std::unique_ptr<byte_source> bytes, trace_reading how)
    : bytes_(std::move(bytes)), how_(std::move(how)) {
  // The header is all comments before the first packet.
  const std::string first = bytes_->take(title.size());
  header_.recorded = first == title;
  if (!header_.recorded && first.size() > 2 && title.substr(0, first.size()) == first)
    refuse("the file ends within its first line: is it cut off?");
  bytes_->rewind();
  while (header_.recorded && bytes_->peek() == '#' && next_line()) read_comment();
  rewind();
}

void text_trace_reader::rewind() {
  bytes_->rewind();
  line_number_ = packets_ = 0;
  last_ = 0;
  ended_ = false;
}

std::string text_trace_reader::where() const {
  return bytes_->name() + ":" + std::to_string(std::max<std::uint64_t>(1, line_number_));
}

bool text_trace_reader::next_line() {
  if (bytes_->peek() == '#') checksum_ = bytes_->checksum();
  if (!bytes_->line(line_, complete_)) return false;
  ++line_number_;
  if (line_.find('\0') != std::string::npos) refuse("the line contains a NUL byte: this is not a packet trace");
  return true;
}

bool text_trace_reader::next(trace_packet& packet) {
  while (next_line()) {
    if (!line_.empty() && line_[0] == '#') {
      read_comment();
      continue;
    }
    split(std::string_view(line_).substr(0, line_.find('#')), field_);
    if (field_.empty()) continue;
    if (ended_) refuse("a packet after the end of the trace");
    read_packet(packet);
    return true;
  }
  if (header_.recorded && !ended_)
    refuse(fmt::format("the trace has no end after {} packets: is the file cut off?", packets_));
  return false;
}

void text_trace_reader::read_comment() {
  std::string_view text = line_;
  if (text.substr(0, 6) == "# end ") return read_end(text.substr(6));
  if (packets_ > 0 || !header_.recorded || text.size() < 3) return;
  text.remove_prefix(2);
  const std::size_t blank = std::min(text.find(' '), text.size());
  read_header_line(text.substr(0, blank), text.substr(std::min(blank + 1, text.size())));
}

void text_trace_reader::read_header_line(std::string_view key, std::string_view value) {
  if (key == "topology") header_.topology = value;
  if (key == "command") header_.command = value;
  if (key == "config") header_.config = value;
  if (key == "nodes" && !to_number(value, header_.nodes)) refuse("nodes must be a whole number");
}

/// "packets=N cycles=N crc32=HEX"
void text_trace_reader::read_end(std::string_view text) {
  split(text, field_);
  std::uint64_t packets = 0;
  if (field_.size() != 3 || field_[0].substr(0, 8) != "packets=" || field_[1].substr(0, 7) != "cycles=" ||
      field_[2].substr(0, 6) != "crc32=" || !to_number(field_[0].substr(8), packets) ||
      !to_number(field_[1].substr(7), end_cycle_) || end_cycle_ > max_trace_cycles) {
    if (!header_.recorded) return;  // a comment of the user
    refuse("the end of the trace must be '# end packets=N cycles=N crc32=HEX'" +
           std::string(complete_ ? "" : "; the line does not end with a newline: is the file cut off?"));
  }
  if (ended_) refuse("a second end of the trace");
  if (!complete_) refuse("the last line does not end with a newline: is the file cut off?");
  if (packets != packets_)
    refuse(fmt::format("the trace ends after {} packets, {} were written", packets_, packets));
  if (field_[2].substr(6) != fmt::format("{:08x}", checksum_))
    refuse(fmt::format(
        "the checksum is {:08x}, {} was written: the file is damaged, or was edited (then remove its "
        "first and its last line)",
        checksum_, field_[2].substr(6)));
  ended_ = true;
}

node_id text_trace_reader::node(std::string_view text) const {
  if (how_.node) return how_.node(text);
  return static_cast<node_id>(number(text, "node", 0, 0xffffffff));
}

void text_trace_reader::read_packet(trace_packet& packet) {
  const char* const cut_off = complete_ ? "" : "; the line does not end with a newline: is the file cut off?";
  const bool extra = field_.size() > 4 && field_[4].find('=') != std::string_view::npos;
  if (field_.size() < 4 || (field_.size() > 4 && !extra))
    refuse(fmt::format("expected 4 fields, cycle source destination length, and found {}{}", field_.size(),
                       cut_off));
  if (!complete_) refuse("the last line does not end with a newline: is the file cut off?");
  try {
    packet.number = packets_;
    packet.cycle = number(field_[0], "cycle", 0, max_trace_cycles);
    packet.source = node(field_[1]);
    packet.destination = node(field_[2]);
    packet.flits = static_cast<std::uint32_t>(number(field_[3], "length", 1, max_trace_flits));
    packet.message_class = 0;
    packet.after.clear();
    packet.delay = packet.earliest = 0;
    for (std::size_t i = 4; i < field_.size(); ++i) read_extra(field_[i], packet);
    if (header_.recorded && packet.cycle < last_)
      throw std::invalid_argument(fmt::format("cycle {} comes after cycle {}", packet.cycle, last_));
  } catch (const std::invalid_argument& error) {
    refuse(error.what());
  }
  last_ = packet.cycle;
  ++packets_;
}

void text_trace_reader::read_extra(std::string_view field, trace_packet& packet) const {
  const std::size_t equals = field.find('=');
  const std::string_view key = field.substr(0, equals);
  std::string_view value = equals == std::string_view::npos ? "" : field.substr(equals + 1);
  if (key == "class") {
    packet.message_class = static_cast<std::uint8_t>(number(value, "class", 0, max_trace_classes - 1));
  } else if (key == "delay") {
    packet.delay = number(value, "delay", 0, max_trace_cycles);
  } else if (key == "after") {
    for (bool more = true; more;) {
      const std::size_t comma = value.find(',');
      more = comma != std::string_view::npos;
      if (packet.number == 0) throw std::invalid_argument("the first packet can be after no other");
      packet.after.push_back(number(value.substr(0, comma), "after", 0, packet.number - 1));
      if (packet.after.size() > max_trace_causes)
        throw std::invalid_argument(fmt::format("after: more than {} packets", max_trace_causes));
      if (more) value.remove_prefix(comma + 1);
    }
  } else {
    throw std::invalid_argument(fmt::format(
        "'{}': behind the length may stand class=N, after=N,... and delay=CYCLES", one_line(field, 100)));
  }
}

text_trace_writer::text_trace_writer(const std::string& path, compression how, const trace_header& header)
    : bytes_(path, how) {
  bytes_.write(title);
  bytes_.write(fmt::format("\n# topology {}\n# nodes {}\n# command {}\n# config {}\n", header.topology,
                           header.nodes, header.command, header.config));
  bytes_.write(
      "# cycle source destination flits [class=N] [after=PACKET,... delay=CYCLES]; packets count from 0\n");
}

void text_trace_writer::write(const trace_packet& p) {
  fmt::memory_buffer line;
  const auto out = fmt::appender(line);
  fmt::format_to(out, "{} {} {} {}", p.cycle, p.source, p.destination, p.flits);
  if (p.message_class > 0) fmt::format_to(out, " class={}", p.message_class);
  if (!p.after.empty()) fmt::format_to(out, " after={} delay={}", fmt::join(p.after, ","), p.delay);
  line.push_back('\n');
  bytes_.write({line.data(), line.size()});
  ++packets_;
}

void text_trace_writer::close(cycle_t end_cycle) {
  bytes_.write(
      fmt::format("# end packets={} cycles={} crc32={:08x}\n", packets_, end_cycle, bytes_.checksum()));
  bytes_.close();
}

}  // namespace toriscope
