// SPDX-License-Identifier: Apache-2.0
#include "testbenches/traffic/trace_file_source.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "testbenches/traffic/node_address.h"
#include "topologies/whole_number.h"

namespace toriscope {
namespace {

constexpr std::uint64_t max_cycle = std::uint64_t{1} << 48;
constexpr std::uint64_t max_flits = 65535;

std::uint64_t number(const std::string& text, const char* what, std::uint64_t least, std::uint64_t most) {
  std::uint64_t value = 0;
  if (!to_number(text, value) || value < least || value > most)
    throw std::invalid_argument(std::string(what) + " '" + text + "' must be a whole number from " +
                                std::to_string(least) + " to " + std::to_string(most));
  return value;
}

}  // namespace

trace_file_source::trace_file_source(const std::string& path, const netlist& wiring) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::invalid_argument("traffic file " + path + " cannot be opened: " + std::strerror(errno));
  read(in, path, wiring);
}

trace_file_source::trace_file_source(std::istream& in, const std::string& name, const netlist& wiring) {
  read(in, name, wiring);
}

void trace_file_source::read(std::istream& in, const std::string& name, const netlist& wiring) {
  std::string line;
  for (std::size_t number_of_line = 1; std::getline(in, line); ++number_of_line) {
    const auto refuse = [&](const std::string& why) {
      throw std::invalid_argument(name + ":" + std::to_string(number_of_line) + ": " + why);
    };
    const bool cut_off = in.eof();
    line.erase(std::min(line.find('#'), line.size()));
    std::istringstream fields(line);
    std::vector<std::string> field;
    for (std::string text; fields >> text;) field.push_back(text);
    if (field.empty()) continue;
    if (field.size() != 4)
      refuse("expected 4 fields, cycle source destination length, and found " + std::to_string(field.size()) +
             (cut_off ? "; the line does not end with a newline: is the file cut off?" : ""));
    if (cut_off) refuse("the last line does not end with a newline: is the file cut off?");
    try {
      packet p;
      p.cycle = number(field[0], "cycle", 0, max_cycle);
      p.request.source = parse_node(field[1], wiring);
      p.request.destination = parse_node(field[2], wiring);
      p.request.flits = static_cast<std::uint32_t>(number(field[3], "length", 1, max_flits));
      packets_.push_back(p);
    } catch (const std::invalid_argument& error) {
      refuse(error.what());
    }
  }
  if (in.bad()) throw std::invalid_argument("traffic file " + name + " cannot be read to its end");
  std::stable_sort(packets_.begin(), packets_.end(),
                   [](const packet& a, const packet& b) { return a.cycle < b.cycle; });
}

void trace_file_source::packets_at(cycle_t now, std::vector<packet_request>& out) {
  for (; position_ < packets_.size() && packets_[position_].cycle <= now; ++position_)
    if (packets_[position_].cycle == now) out.push_back(packets_[position_].request);
}

}  // namespace toriscope
