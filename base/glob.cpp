// SPDX-License-Identifier: Apache-2.0
#include "base/glob.h"

#include <algorithm>
#include <utility>

#include "base/nearest_name.h"

namespace toriscope {

bool glob_matches(std::string_view glob, std::string_view name) {
  std::size_t g = 0;
  std::size_t n = 0;
  std::size_t star = std::string_view::npos;  // the last '*' seen, and where in the name it began
  std::size_t tried = 0;
  while (n < name.size()) {
    if (g < glob.size() && glob[g] == '*') {
      star = g++;
      tried = n;
    } else if (g < glob.size() && (glob[g] == '?' || glob[g] == name[n])) {
      ++g;
      ++n;
    } else if (star != std::string_view::npos) {
      g = star + 1;
      n = ++tried;
    } else {
      return false;
    }
  }
  while (g < glob.size() && glob[g] == '*') ++g;
  return g == glob.size();
}

bool glob_selects(std::string_view glob, std::string_view name) {
  if (glob_matches(glob, name)) return true;
  for (std::size_t dot = name.find('.'); dot != std::string_view::npos; dot = name.find('.', dot + 1))
    if (glob_matches(glob, name.substr(0, dot))) return true;
  return false;
}

std::vector<std::string> nearest_names(std::string_view wanted, const std::vector<std::string>& names) {
  constexpr std::size_t names_shown = 3;
  std::vector<std::pair<unsigned, std::string>> ranked;
  for (const std::string& name : names) ranked.emplace_back(edit_distance(wanted, name), name);
  const auto end = ranked.begin() + static_cast<std::ptrdiff_t>(std::min(names_shown, ranked.size()));
  std::partial_sort(ranked.begin(), end, ranked.end());
  std::vector<std::string> best;
  for (auto r = ranked.begin(); r != end; ++r) best.push_back(r->second);
  return best;
}

}  // namespace toriscope
