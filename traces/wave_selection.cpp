// SPDX-License-Identifier: Apache-2.0
#include "traces/wave_selection.h"

#include <algorithm>
#include <functional>
#include <set>
#include <stdexcept>

#include "base/words.h"

namespace toriscope {
namespace {

/// A quick no: whether the letters before the first '*' or '?' rule out all that is at or below `scope`.
bool cannot_match(std::string_view glob, std::string_view scope) {
  const std::string_view letters = glob.substr(0, glob.find_first_of("*?"));
  const std::size_t common = std::min(letters.size(), scope.size());
  return letters.substr(0, common) != scope.substr(0, common);
}

std::string groups_of(const wave_options& options) {
  std::vector<std::string> names;
  const auto add = [&](bool on, const char* name) {
    if (on) names.emplace_back(name);
  };
  add(options.links, "links");
  add(options.vcs, "vcs");
  add(options.alloc, "alloc");
  add(options.ni, "ni");
  return joined(names);
}

/// The first `parts` names of a dotted path.
std::string_view head_of(std::string_view path, std::size_t parts) {
  std::size_t end = 0;
  while (parts-- > 0 && end < path.size()) end = std::min(path.find('.', end + (end > 0)), path.size());
  return path.substr(0, end);
}

/// Looks for the first part of the pattern that leads nowhere, and names what is near it there.
[[noreturn]] void refuse(network& net, const wave_options& options, const std::string& glob) {
  const std::size_t parts = static_cast<std::size_t>(std::count(glob.begin(), glob.end(), '.')) + 1;
  std::string_view wanted = glob;
  std::vector<std::string> near;
  for (std::size_t depth = 1; depth <= parts; ++depth) {
    wanted = head_of(glob, depth);
    std::set<std::string, std::less<>> names;
    bool found = false;
    const auto look_at = [&](std::string_view name) {
      const std::string_view head = head_of(name, depth);
      found = found || glob_matches(wanted, head);
      if (names.count(head) == 0) names.emplace(head);
    };
    bool listed = false;  // the signals of one node will do
    for (node_id n = 0; n < net.wiring().node_count() && !found; ++n) {
      const std::string path = node_name(net, n);
      const std::size_t node_depth = static_cast<std::size_t>(std::count(path.begin(), path.end(), '.')) + 1;
      if (depth <= node_depth) {
        look_at(path);
      } else if (!listed && glob_matches(head_of(glob, node_depth), path)) {
        listed = true;
        for (const wave_signal& s : signals_of(net, n, options)) look_at(full_name(net, s));
      }
    }
    near = nearest_names(wanted, {names.begin(), names.end()});
    if (!found) break;
  }
  if (begins_with(glob, "*.")) {  // no place to begin at: compare what any node has
    std::vector<std::string> names;
    for (const wave_signal& s : signals_of(net, 0, options))
      names.push_back("*." + scope_of(net, s) + '.' + name_of(s.kind));
    near = nearest_names(glob, names);
  }
  throw std::invalid_argument("no signal of the groups " + groups_of(options) + " matches '" + glob +
                              "'; the nearest names are " + joined(near));
}

}  // namespace

std::string full_name(const network& net, const wave_signal& s) {
  return node_name(net, s.node) + '.' + scope_of(net, s) + '.' + name_of(s.kind);
}

std::vector<node_id> nodes_by_pattern(const network& net, const std::vector<wave_signal>& signals,
                                      const wave_options& options) {
  std::vector<node_id> nodes;
  for (const std::string& glob : options.globs)
    for (const wave_signal& s : signals)
      if (std::find(nodes.begin(), nodes.end(), s.node) == nodes.end() &&
          glob_selects(glob, full_name(net, s)))
        nodes.push_back(s.node);
  return nodes;
}

std::vector<wave_signal> select_signals(network& net, const wave_options& options) {
  if (!options.links && !options.vcs && !options.alloc && !options.ni)
    throw std::invalid_argument("no wave group is chosen; there are links, vcs, alloc and ni");
  std::vector<bool> used(options.globs.size(), false);
  std::vector<wave_signal> chosen;
  for (node_id n = 0; n < net.wiring().node_count(); ++n) {
    const std::string path = node_name(net, n);
    std::vector<std::size_t> candidates;  // the globs that may mean something in this node
    bool whole = false;
    for (std::size_t g = 0; g < options.globs.size(); ++g) {
      if (cannot_match(options.globs[g], path)) continue;
      if (glob_selects(options.globs[g], path)) whole = used[g] = true;
      candidates.push_back(g);
    }
    if (candidates.empty()) continue;
    for (const wave_signal& s : signals_of(net, n, options)) {
      bool wanted = whole;
      if (candidates.size() > 1 || !whole) {  // each pattern must be of some use
        const std::string name = full_name(net, s);
        for (const std::size_t g : candidates)
          if (glob_selects(options.globs[g], name)) wanted = used[g] = true;
      }
      if (wanted) chosen.push_back(s);
    }
  }
  for (std::size_t g = 0; g < used.size(); ++g)
    if (!used[g]) refuse(net, options, options.globs[g]);
  return chosen;
}

}  // namespace toriscope
