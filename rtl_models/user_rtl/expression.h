// SPDX-License-Identifier: Apache-2.0
// Whole-number expressions of a router's description: "dest_y * size_x + dest_x", "dest_x - x", "7".
//
//   operators  + - * / % and parentheses, as in C++
//   names      those of `quantity`: of the node, and in flits of the packet and the flit
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace toriscope {

/// What an expression may name.
enum class quantity : std::uint8_t {
  // of the node
  id,
  x,
  y,
  z,
  nodes,
  terminals,
  size_x,
  size_y,
  size_z,
  ports,
  local_ports,
  vcs,
  depth,
  // of a packet
  dest,
  dest_node,
  dest_local,
  dest_x,
  dest_y,
  dest_z,
  source,
  source_node,
  source_local,
  source_x,
  source_y,
  source_z,
  length,
  port,
  state,
  tag,
  // of a flit
  index,
  head,
  tail,
  vc,
  payload,
};
inline constexpr unsigned quantities = static_cast<unsigned>(quantity::payload) + 1;

/// Their values, by number.
class quantity_values {
 public:
  std::int64_t& operator[](quantity q) { return values_[static_cast<unsigned>(q)]; }
  std::int64_t operator[](quantity q) const { return values_[static_cast<unsigned>(q)]; }

 private:
  std::array<std::int64_t, quantities> values_{};
};

class expression {
 public:
  /// @param of_node_only  only what belongs to the node may be named
  /// @throws std::invalid_argument one line; unknown names with the nearest one
  explicit expression(const std::string& text, bool of_node_only = false);

  /// @throws std::domain_error for a division by zero and for what exceeds 64 bits
  std::int64_t evaluate(const quantity_values& values) const;

  const std::string& text() const { return text_; }
  /// Whether it is this name and nothing else.
  bool is(quantity q) const;
  bool names(quantity q) const;

 private:
  friend class expression_parser;
  /// In reverse Polish notation.
  struct step {
    char what;  ///< an operator, 'n' for a number, 'q' for a quantity
    std::int64_t value;
  };

  std::string text_;
  std::vector<step> steps_;
};

/// Replaces each "{expression}" in a text by its value; "'{" is SystemVerilog and stays. @throws as expression does
std::string fill_in(const std::string& text, const quantity_values& values);

}  // namespace toriscope
