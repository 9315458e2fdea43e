// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/papers/paper_registry.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <stdexcept>
#include <tuple>

#include "base/nearest_name.h"
#include "base/words.h"

namespace toriscope {
namespace {

/// Whether `name` is `start`, or goes on after it with a colon or a comma.
bool is_part_of(const std::string& name, const std::string& start) {
  return begins_with(name, start) &&
         (name.size() == start.size() || name[start.size()] == ':' || name[start.size()] == ',');
}

}  // namespace

const std::vector<known_paper>& known_papers() {
  static const std::vector<known_paper> papers = {
      {"ttn2009", ttn2009}, {"sttn2009", sttn2009},   {"rdt", rdt},
      {"htn2012", htn2012}, {"dally1990", dally1990},
  };
  return papers;
}

std::vector<paper> papers_named(const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const known_paper& p : known_papers()) known.push_back(p.name);
  for (const std::string& name : names)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw std::invalid_argument(unknown_name("paper", name, known));
  std::vector<paper> papers;
  for (const known_paper& p : known_papers())
    if (names.empty() || std::find(names.begin(), names.end(), p.name) != names.end())
      papers.push_back(p.make());
  return papers;
}

void keep_items(std::vector<paper>& papers, const std::string& name) {
  std::vector<std::string> known;
  bool found = false;
  for (paper& p : papers) {
    std::vector<paper_item> kept;
    std::set<std::string> curves;
    for (paper_item& item : p.items) {
      known.push_back(item.name);
      if (!is_part_of(item.name, name) && !is_part_of(name, item.name)) continue;
      found = true;
      curves.insert(item.curves.begin(), item.curves.end());
      kept.push_back(std::move(item));
    }
    p.items = std::move(kept);
    const auto unused = [&](const wanted_curve& c) { return curves.count(c.name) == 0; };
    p.curves.erase(std::remove_if(p.curves.begin(), p.curves.end(), unused), p.curves.end());
  }
  if (found) return;
  throw std::invalid_argument("--item: there is no item '" + name + "'; " +
                              did_you_mean(name, known, "--list shows them"));
}

void keep_rows(std::vector<verdict>& verdicts, const std::string& name) {
  std::vector<verdict> kept;
  for (const verdict& v : verdicts)
    if (is_part_of(v.item, name)) kept.push_back(v);
  if (!kept.empty()) verdicts = std::move(kept);
}

std::vector<verdict> with_earlier(const std::vector<verdict>& verdicts, const std::vector<verdict>& earlier,
                                  const std::vector<paper>& papers, const std::string& only) {
  const auto is_of = [](const verdict& row, const verdict& item) {
    return row.paper == item.paper && is_part_of(row.item, item.item);
  };
  const auto is_same = [](const verdict& a, const verdict& b) {
    return a.paper == b.paper && a.item == b.item;
  };
  const auto has_run = [](const verdict& v) { return v.result != ruling::not_run; };
  const auto is_earlier = [&](const verdict& item) {
    return std::any_of(earlier.begin(), earlier.end(),
                       [&](const verdict& row) { return is_of(row, item) && has_run(row); });
  };
  std::vector<verdict> all;
  for (const verdict& v : verdicts)
    if (has_run(v) || !is_earlier(v)) all.push_back(v);
  // What keeps a row: it was left out now, or the call was not for it.
  const auto stays = [&](const verdict& row) {
    for (const verdict& v : verdicts) {
      if (!has_run(v) && is_of(row, v)) return has_run(row);
      if (is_same(row, v)) return false;
      if (!has_run(row) && is_of(v, row)) return false;
    }
    return !only.empty() ||
           std::none_of(papers.begin(), papers.end(), [&](const paper& p) { return p.name == row.paper; });
  };
  for (const verdict& row : earlier)
    if (stays(row)) all.push_back(row);
  // In the order of the papers and their items, and in an item as before.
  const std::vector<paper> known = papers_named({});
  const auto index_of = [](const auto& list, const auto& is_wanted) {
    return std::find_if(list.begin(), list.end(), is_wanted) - list.begin();
  };
  const auto place = [&](const verdict& v) {
    const auto of =
        std::find_if(known.begin(), known.end(), [&](const paper& p) { return p.name == v.paper; });
    std::ptrdiff_t item{}, row{};
    if (of != known.end())
      item = index_of(of->items, [&](const paper_item& i) { return is_part_of(v.item, i.name); });
    if (!only.empty()) row = index_of(earlier, [&](const verdict& e) { return is_same(e, v); });
    return std::tuple{of, item, row};
  };
  std::stable_sort(all.begin(), all.end(),
                   [&](const verdict& a, const verdict& b) { return place(a) < place(b); });
  return all;
}

}  // namespace toriscope
