// SPDX-License-Identifier: Apache-2.0
#include "traces/wave_options.h"

#include <stdexcept>

#include "base/whole_number.h"
#include "base/words.h"

namespace toriscope {
namespace {

[[noreturn]] void refuse(std::string_view text, const std::string& reason) {
  throw std::invalid_argument("wave '" + std::string(text) + "': " + reason +
                              "; right would be GLOB@FROM:TO, e.g. ttn.bm_0_0.*@100:200 (cycles)");
}

cycle_t parse_cycle(std::string_view text, std::string_view digits) {
  cycle_t value = 0;
  if (!to_number(digits, value)) refuse(text, "'" + std::string(digits) + "' is not a cycle number");
  return value;
}

}  // namespace

void parse_wave_spec(std::string_view text, wave_options& options) {
  const std::size_t at = text.find('@');
  std::vector<std::string> globs = split(text.substr(0, at), ',');
  for (const std::string& glob : globs)
    if (glob.empty()) refuse(text, "an empty pattern");
  cycle_t from = 0;
  cycle_t to = wave_options::to_the_end;
  if (at != std::string_view::npos) {
    const std::string_view window = text.substr(at + 1);
    const std::size_t colon = window.find(':');
    if (colon == std::string_view::npos) refuse(text, "no ':' in the window '" + std::string(window) + "'");
    if (colon > 0) from = parse_cycle(text, window.substr(0, colon));
    if (colon + 1 < window.size()) to = parse_cycle(text, window.substr(colon + 1));
    if (to < from) refuse(text, "the window ends before it begins");
  }
  options.globs = std::move(globs);
  options.from = from;
  options.to = to;
}

void parse_wave_groups(std::string_view text, wave_options& options) {
  wave_options chosen = options;
  chosen.links = chosen.vcs = chosen.alloc = chosen.ni = false;
  for (const std::string& group : split(text, ',')) {
    const bool all = group == "all";
    if (!all && group != "links" && group != "vcs" && group != "alloc" && group != "ni")
      throw std::invalid_argument("wave group '" + group +
                                  "' is unknown; there are links, vcs, alloc, ni and all");
    chosen.links |= all || group == "links";
    chosen.vcs |= all || group == "vcs";
    chosen.alloc |= all || group == "alloc";
    chosen.ni |= all || group == "ni";
  }
  options = chosen;
}

}  // namespace toriscope
