// SPDX-License-Identifier: Apache-2.0
#include "rtl_models/user_rtl/module_header.h"

#include <re2/re2.h>

#include <algorithm>
#include <cctype>
#include <stdexcept>

#include "base/words.h"

namespace toriscope {
namespace {

std::string trimmed(const std::string& text) {
  std::string one;
  for (const char c : text)
    if (!std::isspace(static_cast<unsigned char>(c)))
      one += c;
    else if (!one.empty() && one.back() != ' ')
      one += ' ';
  if (!one.empty() && one.back() == ' ') one.pop_back();
  return one;
}

class header_reader {
 public:
  header_reader(const std::string& text, const std::string& module) : text_(text), module_(module) {}

  module_header read() {
    static const RE2 begin("\\b(?:module|macromodule)\\s+(?:(?:automatic|static)\\s+)?([\\w$]+)", RE2::Latin1);
    re2::StringPiece rest(text_), name;
    do {
      if (!RE2::PartialMatch(rest, begin, &name)) refuse("is not in the sources");
      rest.remove_prefix(static_cast<std::size_t>(name.begin() - rest.begin()));  // it may be the keyword itself
    } while (name != module_);
    at_ = static_cast<std::size_t>(name.end() - text_.data());
    skip();
    while (text_.compare(at_, 6, "import") == 0) {
      const std::size_t end = text_.find(';', at_);
      if (end == std::string::npos) refuse("ends within its header");
      header_.imports += (header_.imports.empty() ? "" : " ") + trimmed(text_.substr(at_, end + 1 - at_));
      at_ = end + 1;
      skip();
    }
    if (text_[at_] == '#') {
      ++at_;
      for (const std::string& item : list()) add_parameter(item);
    }
    for (const std::string& item : list()) add_port(item);
    return std::move(header_);
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw std::invalid_argument("module " + module_ + " " + why);
  }
  void skip() {
    while (std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }

  /// What stands between parentheses, at its commas.
  std::vector<std::string> list() {
    skip();
    if (text_[at_] != '(') refuse("has no list of ports");
    std::vector<std::string> items(1);
    unsigned depth = 0;
    bool quoted = false;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '"' && text_[at_ - 1] != '\\') quoted = !quoted;
      const bool opens = !quoted && (c == '(' || c == '[' || c == '{');
      const bool closes = !quoted && (c == ')' || c == ']' || c == '}');
      if (closes && --depth == 0) break;
      if (!quoted && c == ',' && depth == 1)
        items.emplace_back();
      else if (depth > 0)
        items.back() += c;
      if (opens) ++depth;
    }
    if (at_ == text_.size()) refuse("ends within its header");
    ++at_;
    for (std::string& item : items) item = trimmed(item);
    if (items.size() == 1 && items[0].empty()) items.clear();
    return items;
  }

  void add_parameter(const std::string& item) {
    module_header::parameter p;
    p.text = item;
    static const RE2 keyword("^(parameter|localparam)\\b"), type("^(?:(?:parameter|localparam)\\s+)?type\\b");
    std::string word;
    if (RE2::PartialMatch(item, keyword, &word)) {
      local_ = word == "localparam";
      type_ = false;
    }
    if (RE2::PartialMatch(item, type)) type_ = true;
    p.is_local = local_;
    p.is_type = type_;
    const std::size_t equals = item.find('=');
    p.has_default = equals != std::string::npos;
    p.name = last_name(item.substr(0, equals));
    header_.parameters.push_back(p);
  }

  /// Read from the end, without unpacked dimensions: a pattern would try each letter of a long word as the first.
  static std::string last_name(const std::string& text) {
    const auto is_never_first = [](unsigned char c) { return std::isdigit(c) || c == '$'; };
    const auto is_of_name = [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '$'; };
    std::size_t end = text.size();
    for (unsigned depth = 0; end > 0 && (depth > 0 || !is_of_name(text[end - 1])); --end) {
      const char c = text[end - 1];
      if (depth == 0 && c != ' ' && c != ']') return text;
      if (c == ']') ++depth;
      if (c == '[') --depth;
    }
    const std::string front = text.substr(0, end);
    const auto begin = std::find_if_not(front.rbegin(), front.rend(), is_of_name).base();
    const std::string name(std::find_if_not(begin, front.end(), is_never_first), front.end());
    return name.empty() ? text : name;
  }

  void add_port(std::string item) {
    static const RE2 attributes(R"(^(?:\(\*.*?\*\)\s*)+)", RE2::Latin1), plain("^(input|output|inout|ref)\\b"),
        of_interface(R"(([A-Za-z_]\w*)\s*(?:\.\s*([A-Za-z_]\w*))?\s+([A-Za-z_]\w*)\s*((?:\[.*\])?))", RE2::Latin1),
        only_name(R"(([A-Za-z_]\w*)\s*((?:\[.*\])?))", RE2::Latin1);
    RE2::Replace(&item, attributes, "");
    std::string direction, name, dimensions;
    module_header::port p;
    if (RE2::PartialMatch(item, plain, &direction)) {
      p.name = last_name(item.substr(0, item.find('=')));
      p.is_input = direction == "input";
      p.is_output = direction == "output";
    } else if (!RE2::FullMatch(item, of_interface, &p.interface, &p.modport, &p.name, &p.dimensions)) {
      if (header_.ports.empty() || !RE2::FullMatch(item, only_name, &name, &dimensions))
        refuse("has the port '" + one_line(item, 200) +
               "', without a direction: ports that are declared in the body cannot be read");
      p = header_.ports.back();
      p.name = name;
      p.dimensions = dimensions;
    }
    p.text = item;
    header_.ports.push_back(p);
  }

  const std::string& text_;
  const std::string& module_;
  std::size_t at_ = 0;
  module_header header_;
  bool local_ = false, type_ = false;
};

}  // namespace

module_header header_of(const std::string& text, const std::string& module) {
  return header_reader(text, module).read();
}

}  // namespace toriscope
