// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/state_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/checked_json.h"
#include "base/json.h"
#include "base/files_read.h"
#include "base/output_file.h"
#include "base/state_archive.h"
#include "base/text_file.h"
#include "base/text_hash.h"
#include "base/words.h"
#include "testbenches/simulation/configuration/parameters.h"

namespace toriscope {
namespace {

using json = nlohmann::ordered_json;

constexpr const char* first_line = "toriscope state 4\n";  // and the version of the format
constexpr std::size_t digits_of_checksum = 16;
constexpr std::size_t longest_header = std::size_t{1} << 26;
constexpr std::size_t longest_file = std::size_t{1} << 36;

/// What may be another in the run that goes on: no state depends on it.
bool may_differ(const parameter& p) {
  for (const char* path : {"network.checks", "network.watchdog_cycles", "measurement.drain_cycles",
                           "measurement.clock_ghz"})
    if (p.path == path) return true;
  return p.is_in(parameter_set::threads);
}

json state_shaping(const run_config& config) {
  json tree = json::object();
  for (const parameter& p : parameters())
    if (!may_differ(p)) tree[p.path] = p.get(config);
  return tree;
}

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw std::invalid_argument("state " + one_line(path) + ": " + why);
}

void check_config(const std::string& path, const json& was, const run_config& config) {
  const json now = state_shaping(config);
  for (const parameter& p : parameters()) {
    if (may_differ(p)) continue;
    const auto found = was.find(p.path);
    const json before = found == was.end() ? json() : *found;
    if (before != now[p.path])
      refuse(path, fmt::format("saved by a run with {} {}, not {}; go on with the same configuration", p.path,
                               before.dump(-1, ' ', false, json::error_handler_t::replace),
                               now[p.path].dump(-1, ' ', false, json::error_handler_t::replace)));
  }
}

}  // namespace

void write_state_file(const std::string& path, const run_config& config, const std::string& files,
                      const state_file& saved) {
  const json header = {{"version", TORISCOPE_VERSION},
                       {"cycle", saved.cycle},
                       {"bytes", saved.state.size()},
                       {"files", files},
                       {"config", state_shaping(config)}};
  const std::string head = first_line + header.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
  release_file_read(path);
  output_file file(path);
  file.write(head);
  file.write(saved.state);
  file.write(hex_text(mix(checksum_of(head), checksum_of(saved.state))));
  file.close();
}

state_file read_state_file(const std::string& path, const run_config& config, const std::string& files) {
  const std::string text = text_of_file(path, "state " + path, longest_file, first_line);
  const std::size_t line = std::min(text.find('\n'), text.size());
  if (text.compare(0, line + 1, first_line) != 0) {
    if (begins_with(text, "toriscope state ") && line < 40)
      refuse(path, fmt::format("its format is version {}; this program reads {}", one_line(text.substr(16, line - 16)),
                               std::string(first_line).substr(16, 1)));
    refuse(path, "not a state of a run; toriscope run --save-state writes one");
  }
  const std::size_t end = std::min(text.find('\n', line + 1), text.size());
  if (end == text.size() || end > longest_header) refuse(path, "cut off within its header");
  const std::string head = text.substr(0, end + 1);
  const json header = json_or_null(head.substr(line + 1));
  const auto whole = [&](const char* key) -> std::uint64_t {
    if (!header.is_object() || !header.contains(key) || !header[key].is_number_unsigned())
      refuse(path, "damaged: its header cannot be read");
    return header[key];
  };
  const std::uint64_t bytes = whole("bytes");
  const cycle_t cycle = whole("cycle");
  if (cycle == 0 || cycle >= cycle_t{1} << 50) refuse(path, "damaged: its cycle is out of range");
  const std::size_t rest = text.size() - head.size();
  if (rest < digits_of_checksum || rest - digits_of_checksum < bytes)
    refuse(path, fmt::format("cut off: it has {} bytes, less than the {} that its header says", text.size(),
                             bytes + head.size() + digits_of_checksum));
  state_file saved{cycle, text.substr(head.size(), bytes)};
  if (rest - digits_of_checksum > bytes ||
      text.substr(head.size() + bytes) != hex_text(mix(checksum_of(head), checksum_of(saved.state))))
    refuse(path, "damaged: its checksum is another one");
  if (header.value("version", json()) != TORISCOPE_VERSION)
    refuse(path, fmt::format("saved by version {}; this is {}", header.value("version", json()).dump(),
                             TORISCOPE_VERSION));
  if (!header.contains("config") || !header["config"].is_object()) refuse(path, "damaged: it has no configuration");
  check_config(path, header["config"], config);
  if (header.value("files", json()) != files)
    refuse(path, "a file that the configuration names has changed since the run that saved it began");
  return saved;
}

}  // namespace toriscope
