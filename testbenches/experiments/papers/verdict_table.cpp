// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/papers/verdict_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/checked_json.h"
#include "base/json.h"

namespace toriscope {
namespace {

using json = nlohmann::ordered_json;

constexpr ruling rulings[] = {ruling::reproduced, ruling::differs, ruling::undetermined, ruling::not_run,
                              ruling::not_evidence};
constexpr provenance provenances[] = {provenance::simulated, provenance::built, provenance::proven,
                                      provenance::equation, provenance::arithmetic, provenance::none};

json as_json(const shown_value& value) {
  if (const double* number = std::get_if<double>(&value)) return *number;
  if (const std::string* text = std::get_if<std::string>(&value)) return *text;
  return nullptr;
}

shown_value shown_from(const checked_json& entry, const std::string& key) {
  if (!entry.has(key)) return std::monostate{};
  const json& value = entry.at(key).value();
  if (value.is_number()) return value.get<double>();
  return entry.text(key);
}

json as_json(const verdict& v) {
  return {{"paper", v.paper},
          {"item", v.item},
          {"printed", as_json(v.printed)},
          {"ours", as_json(v.ours)},
          {"tolerance", v.tolerance},
          {"verdict", to_string(v.result)},
          {"provenance", to_string(v.source)},
          {"reading", v.reading},
          {"other_readings", v.others},
          {"reason", v.reason},
          {"command", v.command},
          {"beneath", v.beneath}};
}

/// The value whose word it is.
template <typename T, std::size_t n>
T named(const T (&all)[n], const std::string& word) {
  for (const T one : all)
    if (word == to_string(one)) return one;
  throw std::invalid_argument("unknown word '" + word + "' in a verdict");
}

/// A cell of a Markdown table: on one line, and no bar ends it.
std::string cell(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '|') result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result;
}

/// A claim's item repeats its words: they are shown once.
std::string short_item(const verdict& v) {
  const std::string* const words = std::get_if<std::string>(&v.printed);
  return words ? v.item.substr(0, v.item.rfind(": " + *words)) : v.item;
}

std::vector<verdict> of_paper(const std::vector<verdict>& verdicts, const std::string& name) {
  std::vector<verdict> result;
  for (const verdict& v : verdicts)
    if (v.paper == name) result.push_back(v);
  return result;
}

/// "Table 1" of "Table 1: TTN(2,3,0), degree".
std::string group_of(const std::string& item) { return item.substr(0, item.find(": ")); }

}  // namespace

std::string verdicts_as_json(const std::vector<verdict>& verdicts) {
  std::string text = "[";
  for (const verdict& v : verdicts) text += (text.size() > 1 ? ",\n " : "\n ") + as_json(v).dump();
  return text + "\n]\n";
}

std::vector<verdict> verdicts_from_json(const std::string& text) {
  const json tree = parse_json(text, "verdicts");
  const checked_json list(tree, "verdicts");
  if (!tree.is_array()) list.refuse("expected a list, [...]");
  std::vector<verdict> verdicts;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const checked_json entry = list.entry(i);
    verdict v;
    v.paper = entry.text("paper");
    v.item = entry.text("item");
    v.printed = shown_from(entry, "printed");
    v.ours = shown_from(entry, "ours");
    v.tolerance = entry.text("tolerance");
    v.result = named(rulings, entry.text("verdict"));
    v.source = named(provenances, entry.text("provenance"));
    v.reading = entry.text("reading");
    v.others = entry.text("other_readings");
    v.reason = entry.text("reason");
    v.command = entry.text("command");
    v.beneath = entry.texts("beneath");
    verdicts.push_back(std::move(v));
  }
  return verdicts;
}

std::string counts_as_markdown(const std::vector<paper>& papers, const std::vector<verdict>& verdicts) {
  std::string text = "| |";
  std::string rule = "|---|";
  for (const ruling r : rulings) {
    text += fmt::format(" {} |", to_string(r));
    rule += "---|";
  }
  text += "\n" + rule + "\n";
  const ruling_counts all = count_rulings(verdicts);
  for (const provenance p : provenances) {
    text += fmt::format("| {} |", to_string(p));
    for (const ruling r : rulings) text += fmt::format(" {} |", all.of(r, p));
    text += "\n";
  }
  for (const paper& p : papers) {
    const ruling_counts c = count_rulings(of_paper(verdicts, p.name));
    text += fmt::format("| {} |", p.name);
    for (const ruling r : rulings) text += fmt::format(" {} |", c.of(r));
    text += "\n";
  }
  text += "| **all** |";
  for (const ruling r : rulings) text += fmt::format(" **{}** |", all.of(r));
  return text + "\n";
}

std::string verdicts_as_markdown(const std::vector<paper>& papers, const std::vector<verdict>& verdicts,
                                 const std::string& command) {
  std::string text = "# The papers reproduced\n\nMade by `" + command +
                     "`. [papers.md](papers.md) says what the columns mean.\n\n" +
                     counts_as_markdown(papers, verdicts);
  for (const paper& p : papers) {
    const std::vector<verdict> rows = of_paper(verdicts, p.name);
    text +=
        fmt::format("\n## {}\n{}. {}.\n\n{}.\n\n", p.name, p.title, p.citation, count_rulings(rows).words());
    text +=
        "| item | printed | ours | tolerance | verdict | from | reading | other readings | reason | command "
        "|\n|---|---|---|---|---|---|---|---|---|---|\n";
    for (const verdict& v : rows)
      text += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {} | `{}` |\n", cell(short_item(v)),
                          cell(to_text(v.printed, provenance::built)), cell(to_text(v.ours, v.source)),
                          cell(v.tolerance), to_string(v.result), to_string(v.source), cell(v.reading),
                          cell(v.others), cell(v.reason), cell(v.command));
    if (p.unjudged.empty()) continue;
    text += "\n| not judged | why |\n|---|---|\n";
    for (const unjudged_claim& u : p.unjudged)
      text += fmt::format("| {} | {} |\n", cell(u.claim), cell(u.why));
  }
  return text;
}

std::string verdict_summary(const std::vector<paper>& papers, const std::vector<verdict>& verdicts) {
  const char* const line = "{:<10} {:<36} {:>10} {:>8} {:>12} {:>8} {:>12}\n";
  std::string text = fmt::format(fmt::runtime(line), "paper", "item", "reproduced", "differs", "undetermined",
                                 "not run", "not evidence");
  for (const paper& p : papers) {
    const std::vector<verdict> rows = of_paper(verdicts, p.name);
    for (auto first = rows.begin(); first != rows.end();) {
      const std::string group = group_of(first->item);
      const auto last =
          std::find_if(first, rows.end(), [&](const verdict& v) { return group_of(v.item) != group; });
      const ruling_counts c = count_rulings({first, last});
      text += fmt::format(fmt::runtime(line), p.name, group, c.of(ruling::reproduced), c.of(ruling::differs),
                          c.of(ruling::undetermined), c.of(ruling::not_run), c.of(ruling::not_evidence));
      first = last;
    }
  }
  return text + "all: " + count_rulings(verdicts).words() + "\n";
}

std::string verdict_details(const std::vector<verdict>& verdicts) {
  std::string text;
  for (const verdict& v : verdicts) {
    text += v.item + "\n";
    const auto add = [&](const char* name, const std::string& value) {
      if (!value.empty()) text += fmt::format("  {:<15} {}\n", name, value);
    };
    add("printed", to_text(v.printed, provenance::built));
    add("ours", to_text(v.ours, v.source));
    add("tolerance", v.tolerance);
    add("verdict", to_string(v.result));
    add("from", to_string(v.source));
    add("reading", v.reading);
    add("other readings", v.others);
    add("reason", v.reason);
    for (const std::string& command : v.beneath) add("beneath", command);
  }
  return text;
}

std::string item_list(const std::vector<paper>& papers) {
  std::string text;
  for (const paper& p : papers) {
    for (const paper_item& item : p.items)
      text += fmt::format("{:<10} {:<9} {}\n", p.name,
                          item.curves.empty() ? "static"
                                              : fmt::format("{} curve{}", item.curves.size(),
                                                            item.curves.size() == 1 ? "" : "s"),
                          item.name);
    for (const unjudged_claim& u : p.unjudged)
      text += fmt::format("{:<10} {:<9} {} ({})\n", p.name, "unjudged", u.claim, u.why);
  }
  return text;
}

}  // namespace toriscope
