// SPDX-License-Identifier: Apache-2.0
#include "testbenches/papers/verdict_table.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace toriscope {
namespace {

using json = nlohmann::ordered_json;

json as_json(const shown_value& value) {
  if (const double* number = std::get_if<double>(&value)) return *number;
  if (const std::string* text = std::get_if<std::string>(&value)) return *text;
  return nullptr;
}

json as_json(const verdict& v) {
  return {{"paper", v.paper},        {"item", v.item},           {"printed", as_json(v.printed)},
          {"ours", as_json(v.ours)}, {"tolerance", v.tolerance}, {"verdict", to_string(v.result)},
          {"reason", v.reason},      {"command", v.command}};
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
  const std::string words = to_text(v.printed);
  const std::size_t at = v.item.rfind(": " + words);
  return at == std::string::npos || words.size() < 12 ? v.item : v.item.substr(0, at);
}

std::vector<verdict> of_paper(const std::vector<verdict>& verdicts, const std::string& name) {
  std::vector<verdict> result;
  for (const verdict& v : verdicts)
    if (v.paper == name) result.push_back(v);
  return result;
}

std::string counts_text(const ruling_counts& c) {
  return fmt::format("{} reproduced, {} differ, {} cannot be decided", c.reproduced, c.differs, c.undecided);
}

}  // namespace

std::string verdicts_as_json(const std::vector<verdict>& verdicts) {
  std::string text = "[";
  for (const verdict& v : verdicts) text += (text.size() > 1 ? ",\n " : "\n ") + as_json(v).dump();
  return text + "\n]\n";
}

std::string verdicts_as_markdown(const std::vector<paper>& papers, const std::vector<verdict>& verdicts,
                                 const std::string& command) {
  std::string text =
      "# The papers reproduced\n\nMade by `" + command + "`: " + counts_text(count_rulings(verdicts)) + ".\n";
  for (const paper& p : papers) {
    const std::vector<verdict> rows = of_paper(verdicts, p.name);
    text += fmt::format("\n## {}\n{}. {}.\n\n{}.\n\n", p.name, p.title, p.citation,
                        counts_text(count_rulings(rows)));
    text +=
        "| item | printed | ours | tolerance | verdict | reason | command |\n|---|---|---|---|---|---|---|\n";
    for (const verdict& v : rows)
      text += fmt::format("| {} | {} | {} | {} | {} | {} | `{}` |\n", cell(short_item(v)),
                          cell(to_text(v.printed)), cell(to_text(v.ours)), cell(v.tolerance),
                          to_string(v.result), cell(v.reason), cell(v.command));
  }
  return text;
}

std::string verdict_summary(const std::vector<paper>& papers, const std::vector<verdict>& verdicts) {
  const char* const line = "{:<10} {:<44} {:>10} {:>8} {:>10}\n";
  std::string text = fmt::format(fmt::runtime(line), "paper", "item", "reproduced", "differs", "undecided");
  for (const paper& p : papers) {
    const std::vector<verdict> rows = of_paper(verdicts, p.name);
    for (const paper_item& item : p.items) {
      std::vector<verdict> of_item;
      for (const verdict& v : rows)
        if (v.group == item.name) of_item.push_back(v);
      const ruling_counts c = count_rulings(of_item);
      text += fmt::format(fmt::runtime(line), p.name, item.name, c.reproduced, c.differs, c.undecided);
    }
  }
  return text + "all: " + counts_text(count_rulings(verdicts)) + "\n";
}

std::string item_list(const std::vector<paper>& papers) {
  std::string text;
  for (const paper& p : papers)
    for (const paper_item& item : p.items)
      text += fmt::format("{:<10} {:<28} {:<8} {}\n", p.name, item.name,
                          item.curves.empty() ? "static" : fmt::format("{} curves", item.curves.size()),
                          item.summary);
  return text;
}

}  // namespace toriscope
