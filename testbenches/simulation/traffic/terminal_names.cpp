// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/traffic/terminal_names.h"

#include <algorithm>
#include <stdexcept>

#include "base/glob.h"
#include "base/whole_number.h"
#include "base/words.h"

namespace toriscope {

void terminal_names::list_names() const {
  if (!paths_.empty()) return;
  for (terminal_id t = 0; t < wiring_.terminal_count(); ++t) {
    paths_.push_back(wiring_.terminal_path(t));
    by_name_.emplace(paths_.back(), t);
    by_name_.emplace(wiring_.terminal_address(t), t);
  }
}

std::vector<terminal_id> terminal_names::named(const std::string& text) const {
  if (const auto group = groups_.find(text); group != groups_.end()) return group->second;
  std::uint64_t number = 0;
  const std::uint64_t count = wiring_.terminal_count();
  if (to_number(text, number)) {
    if (number < count) return {static_cast<terminal_id>(number)};
    throw std::invalid_argument("terminal " + one_line(text, 40) +
                                " does not exist; expected a number from 0 to " + std::to_string(count - 1));
  }
  list_names();
  if (const auto exact = by_name_.find(text); exact != by_name_.end()) return {exact->second};
  std::vector<terminal_id> found;
  for (terminal_id t = 0; t < count; ++t)
    if (glob_selects(text, paths_[t]) || glob_selects(text, wiring_.name() + "." + paths_[t]) ||
        (wiring_.has_node_names() && glob_selects(text, wiring_.terminal_address(t))))
      found.push_back(t);
  if (!found.empty()) return found;
  for (node_id n = 0; n < wiring_.node_count() && !wiring_.has_plain_terminals(); ++n)
    if (wiring_.local_ports(n) == 0 && (wiring_.address(n) == text || wiring_.path(n) == text))
      throw std::invalid_argument("'" + one_line(text, 100) +
                                  "' has no terminal; expected a node that has one");
  std::vector<std::string> known = paths_;
  for (const auto& group : groups_) known.push_back(group.first);
  throw std::invalid_argument("no terminal of " + wiring_.name() + " matches '" + one_line(text, 100) +
                              "'; the nearest names are " + joined(nearest_names(text, known)));
}

std::vector<terminal_id> terminal_names::named(const std::vector<std::string>& texts) const {
  std::vector<terminal_id> all;
  for (const std::string& text : texts) {
    const std::vector<terminal_id> some = named(text);
    all.insert(all.end(), some.begin(), some.end());
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

}  // namespace toriscope
