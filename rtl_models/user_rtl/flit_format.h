// SPDX-License-Identifier: Apache-2.0
// What stands where in the flits of a user's router, and how it is made from the model's flits.
//
// A format is a list of fields: bits, and the expression that fills them. Only the tag has to survive the
// router: by it the adapter knows a packet again when its head leaves; then the flits of the model that entered
// are what leaves, whatever the router's flits have no room for. Fields that are nothing but `tag`,
// `index`, `head`, `tail` or `payload`, and the type, are compared when they leave.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "rtl_models/user_rtl/expression.h"
#include "rtl_models/user_rtl/wide_flit.h"

namespace toriscope {

struct flit_format {
  struct field {
    bit_field bits;
    expression value;
    std::string member = {};  ///< of the structure that a flit is, in place of bits
  };
  /// One field that tells heads from bodies and tails.
  struct type_field {
    bit_field bits;
    std::uint64_t head = 0, body = 0, tail = 0;
    std::optional<std::uint64_t> single;  ///< head and tail in one; none: there are no such flits
    std::string member = {};              ///< as in a field
  };

  unsigned width = 0;
  std::optional<type_field> type;
  std::vector<field> all;   ///< in every flit
  std::vector<field> head;  ///< in heads as well
  std::vector<field> body;  ///< in others as well
  std::vector<field> idle;  ///< while no flit is shown; otherwise all bits are zero
  std::optional<field> valid;  ///< where it is a bit of the flit, set in every one

  /// The field that holds the tag in every head; none: packets cannot be told apart.
  bit_field tag() const;
  /// The field that holds the VC in every flit; none if there are no VCs.
  bit_field vc() const;

  /// Gives the fields that are members their bits. @param bits_of  takes a member; what it throws, this throws
  void resolve(const std::function<bit_field(const std::string&)>& bits_of);

  /// @throws std::invalid_argument one line: fields that overlap or do not fit into the width
  void check() const;

  /// Whether a flit says that it is a head; nothing, if it has no room to say so.
  std::optional<bool> says_head(const wide_flit& flit) const;

  wide_flit encode(const quantity_values& values) const;
  /// What the pins show while there is no flit.
  wide_flit idle_flit(const quantity_values& of_node) const;
  /// "0x2_0000abcd": its bits.
  std::string text(const wide_flit& flit) const;
  /// What is wrong with a flit that has left; empty: nothing. @param values  as it entered
  std::string difference(const wide_flit& flit, const quantity_values& values) const;
};

}  // namespace toriscope
