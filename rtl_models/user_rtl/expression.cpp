// SPDX-License-Identifier: Apache-2.0
#include "rtl_models/user_rtl/expression.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <limits>
#include <stdexcept>

#include "base/nearest_name.h"
#include "base/words.h"

namespace toriscope {
namespace {

constexpr std::size_t longest_expression = 200;  // in messages

const std::vector<std::string>& quantity_names() {
  static const std::vector<std::string> names = {
      "id",     "x",           "y",            "z",        "nodes",    "terminals", "size_x", "size_y",
      "size_z", "ports",       "local_ports",  "vcs",      "depth",    "dest",      "dest_node", "dest_local",
      "dest_x", "dest_y",      "dest_z",       "source",   "source_node", "source_local", "source_x", "source_y",
      "source_z", "length",    "port",         "state",    "tag",      "index",     "head",   "tail",
      "vc",     "payload"};
  return names;
}

}  // namespace

class expression_parser {
 public:
  expression_parser(expression& target, bool of_node_only) : target_(target), of_node_only_(of_node_only) {}

  void parse() {
    if (target_.text_.size() > max_length)
      refuse("it is longer than " + std::to_string(max_length) + " characters");
    sum();
    if (peek() != '\0') refuse("'" + std::string(1, peek()) + "' is not expected here");
  }

 private:
  void sum() {
    product();
    while (peek() == '+' || peek() == '-') binary(take(), [this] { product(); });
  }
  void product() {
    factor();
    while (peek() == '*' || peek() == '/' || peek() == '%') binary(take(), [this] { factor(); });
  }
  template <class Operand>
  void binary(char what, Operand&& operand) {
    operand();
    target_.steps_.push_back({what, {}});
  }
  void factor() {
    if (++depth_ > max_depth) refuse("it nests more than " + std::to_string(max_depth) + " levels deep");
    one_factor();
    --depth_;
  }
  void one_factor() {
    const char c = peek();
    if (c == '(') {
      take();
      sum();
      if (peek() != ')') refuse("a ')' is missing");
      take();
    } else if (c == '-') {
      take();
      target_.steps_.push_back({'n', 0});
      factor();
      target_.steps_.push_back({'-', {}});
    } else if (std::isdigit(static_cast<unsigned char>(c))) {
      number();
    } else if (std::isalpha(static_cast<unsigned char>(c))) {
      name();
    } else {
      refuse(c == '\0' ? "it ends too early" : "'" + std::string(1, c) + "' is not expected here");
    }
  }
  void number() {
    const char* const begin = target_.text_.c_str() + at_;
    const bool hexadecimal = begin[0] == '0' && (begin[1] == 'x' || begin[1] == 'X');
    char* end = nullptr;
    errno = 0;
    const std::int64_t value = std::strtoll(begin, &end, hexadecimal ? 16 : 10);
    if (errno == ERANGE) refuse("the number is too large");
    at_ += static_cast<std::size_t>(end - begin);
    target_.steps_.push_back({'n', value});
  }
  void name() {
    const std::string& text = target_.text_;
    std::size_t end = at_;
    while (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_') ++end;
    const std::string name = text.substr(at_, end - at_);
    at_ = end;
    std::vector<std::string> known = quantity_names();
    if (of_node_only_) known.resize(static_cast<unsigned>(quantity::depth) + 1);
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end()) refuse(unknown_name("name", name, known));
    target_.steps_.push_back({'q', found - known.begin()});
  }

  /// '\0' at the end.
  char peek() {
    while (target_.text_[at_] == ' ') ++at_;
    return target_.text_[at_];
  }
  char take() { return target_.text_[at_++]; }
  [[noreturn]] void refuse(const std::string& why) const {
    throw std::invalid_argument("expression '" + one_line(target_.text_, longest_expression) + "': " + why);
  }

  static constexpr unsigned max_depth = 100;
  static constexpr std::size_t max_length = 10000;

  expression& target_;
  const bool of_node_only_;
  std::size_t at_ = 0;
  unsigned depth_ = 0;
};

expression::expression(const std::string& text, bool of_node_only) : text_(text) {
  expression_parser(*this, of_node_only).parse();
}

std::int64_t expression::evaluate(const quantity_values& values) const {
  std::vector<std::int64_t> stack;
  for (const step& s : steps_) {
    if (s.what == 'n' || s.what == 'q') {
      stack.push_back(s.what == 'n' ? s.value : values[static_cast<quantity>(s.value)]);
      continue;
    }
    const std::int64_t right = stack.back();
    stack.pop_back();
    std::int64_t& left = stack.back();
    const auto refuse = [this](const char* why) {
      throw std::domain_error("expression '" + one_line(text_, longest_expression) + "' " + why);
    };
    bool overflows = false;
    switch (s.what) {
      case '+':
        overflows = __builtin_add_overflow(left, right, &left);
        break;
      case '-':
        overflows = __builtin_sub_overflow(left, right, &left);
        break;
      case '*':
        overflows = __builtin_mul_overflow(left, right, &left);
        break;
      default:
        if (right == 0) refuse("divides by zero");
        overflows = right == -1 && left == std::numeric_limits<std::int64_t>::min();
        if (!overflows) left = s.what == '/' ? left / right : left % right;
        break;
    }
    if (overflows) refuse("exceeds 64 bits");
  }
  return stack.back();
}

bool expression::is(quantity q) const { return steps_.size() == 1 && names(q); }

bool expression::names(quantity q) const {
  return std::any_of(steps_.begin(), steps_.end(),
                     [q](const step& s) { return s.what == 'q' && s.value == static_cast<int>(q); });
}

std::string fill_in(const std::string& text, const quantity_values& values) {
  std::string filled;
  for (std::size_t at = 0;;) {
    const std::size_t open = text.find('{', at), close = text.find('}', open);
    if (close == std::string::npos) return filled + text.substr(at);
    filled += text.substr(at, open - at);
    const bool stays = ends_in(filled, "'");
    if (stays)
      filled += '{';
    else
      filled += std::to_string(expression(text.substr(open + 1, close - open - 1), true).evaluate(values));
    at = (stays ? open : close) + 1;
  }
}

}  // namespace toriscope
