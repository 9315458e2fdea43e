// SPDX-License-Identifier: Apache-2.0
#include "rtl_models/user_rtl/flit_format.h"

#include <stdexcept>

namespace toriscope {
namespace {

bit_field field_of(quantity q, const std::vector<flit_format::field>& fields) {
  for (const flit_format::field& f : fields)
    if (f.value.is(q)) return f.bits;
  return {};
}

/// Calls visit(fields) for the lists that a flit with these values has.
template <class Format, class Visit>
void for_lists(Format& format, bool head, Visit&& visit) {
  if (format.valid) visit(std::vector{*format.valid});
  visit(format.all);
  visit(head ? format.head : format.body);
}

std::uint64_t type_value(const flit_format::type_field& type, const quantity_values& values) {
  const bool tail = values[quantity::tail] != 0;
  if (values[quantity::head] == 0) return tail ? type.tail : type.body;
  if (!tail) return type.head;
  if (!type.single)
    throw std::invalid_argument(
        "a packet of one flit, and flit.type has no value 'single': send longer packets (--packet 2)");
  return *type.single;
}

bool has_to_survive(const expression& value) {
  for (const quantity q : {quantity::tag, quantity::index, quantity::head, quantity::tail, quantity::payload})
    if (value.is(q)) return true;
  return false;
}

std::string changed(bit_field bits, const std::string& what, std::uint64_t in, std::uint64_t out) {
  return "bits " + to_string(bits) + " (" + what + ") entered as " + std::to_string(in) + " and left as " +
         std::to_string(out);
}

}  // namespace

bit_field flit_format::tag() const {
  const bit_field anywhere = field_of(quantity::tag, all);
  return anywhere ? anywhere : field_of(quantity::tag, head);
}

bit_field flit_format::vc() const { return field_of(quantity::vc, all); }

void flit_format::resolve(const std::function<bit_field(const std::string&)>& bits_of) {
  const auto set = [&](auto& f) {
    if (!f.member.empty()) f.bits = bits_of(f.member);
  };
  for (auto* list : {&all, &head, &body, &idle})
    for (field& f : *list) set(f);
  if (valid) set(*valid);
  if (type) set(*type);
}

void flit_format::check() const {
  if (width == 0 || width > widest_flit)
    throw std::invalid_argument("flits of " + std::to_string(width) + " bits: 1 .. " +
                                std::to_string(widest_flit) + " are possible");
  std::vector<bool> taken;
  const auto take = [&](bit_field bits) {
    if (bits.first + bits.count > width)
      throw std::invalid_argument("flit bits " + to_string(bits) + ": a flit has " + std::to_string(width) +
                                  " bits, " + std::to_string(width - 1) + ":0");
    for (unsigned b = bits.first; b < bits.first + bits.count; ++b) {
      if (taken[b])
        throw std::invalid_argument("flit bits " + to_string(bits) + ": bit " + std::to_string(b) +
                                    " belongs to two fields");
      taken[b] = true;
    }
  };
  const auto take_all = [&](const std::vector<field>& fields) {
    for (const field& f : fields) take(f.bits);
  };
  for (const bool is_head : {true, false}) {
    taken.assign(width, false);
    if (type) take(type->bits);
    for_lists(*this, is_head, take_all);
  }
  taken.assign(width, false);
  if (valid) take(valid->bits);
  take_all(idle);
}

std::optional<bool> flit_format::says_head(const wide_flit& flit) const {
  if (type) {
    const std::uint64_t says = type->bits.of(flit);
    return says == type->head || says == type->single;
  }
  const bit_field bit = field_of(quantity::head, all);
  if (!bit) return std::nullopt;
  return bit.of(flit) != 0;
}

wide_flit flit_format::encode(const quantity_values& values) const {
  wide_flit flit{};
  if (type) type->bits.set(flit, type_value(*type, values));
  for_lists(*this, values[quantity::head] != 0, [&](const std::vector<field>& fields) {
    for (const field& f : fields) f.bits.set(flit, static_cast<std::uint64_t>(f.value.evaluate(values)));
  });
  return flit;
}

wide_flit flit_format::idle_flit(const quantity_values& of_node) const {
  wide_flit flit{};
  for (const field& f : idle) f.bits.set(flit, static_cast<std::uint64_t>(f.value.evaluate(of_node)));
  return flit;
}

std::string flit_format::text(const wide_flit& flit) const {
  std::string hex = "0x";
  for (unsigned digit = (width + 3) / 4; digit-- > 0;) {
    hex += "0123456789abcdef"[flit[digit / 8] >> digit % 8 * 4 & 15];
    if (digit > 0 && digit % 8 == 0) hex += '_';
  }
  return hex;
}

std::string flit_format::difference(const wide_flit& flit, const quantity_values& values) const {
  std::string wrong;
  const auto compare = [&](bit_field bits, const std::string& what, std::uint64_t in) {
    if (wrong.empty() && bits.of(flit) != bits.cut(in))
      wrong = changed(bits, what, bits.cut(in), bits.of(flit));
  };
  if (type) compare(type->bits, "type", type_value(*type, values));
  for_lists(*this, values[quantity::head] != 0, [&](const std::vector<field>& fields) {
    for (const field& f : fields)
      if (has_to_survive(f.value))
        compare(f.bits, f.value.text(), static_cast<std::uint64_t>(f.value.evaluate(values)));
  });
  return wrong;
}

}  // namespace toriscope
