// SPDX-License-Identifier: Apache-2.0
#include "testbenches/program/pin_fields.h"

#include <algorithm>

#include "rtl_models/user_rtl/built_pins.h"

namespace toriscope {
namespace {

/// Of an expression, for a waveform: "dest_x-x".
std::string name_of_field(const std::string& expression) {
  std::string name;
  for (const char c : expression)
    if (c != ' ') name += c == '.' || c == '(' || c == ')' || c == '%' ? '_' : c;
  return name;
}

}  // namespace

unsigned pin_fields::field::width() const { return std::max({all.count, head.count, body.count}); }

pin_fields::pin_fields(const std::string& file, const std::string& path, const user_rtl_made& router,
                       bool credits)
    : router_(router),
      file_(file, "1 ps", {"ports of a user-supplied router, by its description"}),
      used_(router.config.ports.size()) {
  const auto named = [this](const std::string& name) -> field& {
    for (field& f : fields_)
      if (f.name == name) return f;
    return fields_.emplace_back(field{name, {}, {}, {}});
  };
  const flit_format& format = router_.config.format;
  if (format.type) named("type").all = format.type->bits;
  for (const flit_format::field& f : format.all) named(name_of_field(f.value.text())).all = f.bits;
  for (const flit_format::field& f : format.head) named(name_of_field(f.value.text())).head = f.bits;
  for (const flit_format::field& f : format.body) named(name_of_field(f.value.text())).body = f.bits;
  const auto declare = [&](const std::string& scope) {
    side s{
        file_.add(scope, "valid", 1), file_.add(scope, credits ? "credit" : "ready", router_.config.vcs), {}};
    for (const field& f : fields_) s.fields.push_back(file_.add(scope, f.name, f.width()));
    return s;
  };
  for (const adapter_config::port& port : router_.config.ports) {
    in_.push_back(declare(path + ".in_" + port.name));
    out_.push_back(declare(path + ".out_" + port.name));
  }
}

void pin_fields::show(std::uint64_t ps) {
  if (!file_.begun())
    file_.begin(ps);
  else
    file_.advance(ps);
  last_ps_ = ps;
  const built_pins& pins = router_.pins;
  for (unsigned r = 0; r < in_.size(); ++r) {
    show(in_[r], pins.in_valid(r), pins.in_back(r), pins.in_flit(r));
    show(out_[r], pins.out_valid(r), pins.out_back(r), pins.out_flit(r));
    if (pins.in_valid(r) || pins.out_valid(r)) used_[r] = true;
  }
}

void pin_fields::show(const side& s, bool valid, std::uint32_t back, const wide_flit& flit) {
  file_.set(s.valid, valid);
  file_.set(s.back, back);
  const std::optional<bool> head = router_.config.format.says_head(flit);
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    const field& f = fields_[i];
    const bit_field bits = f.all                           ? f.all
                           : f.head && head.value_or(true) ? f.head
                           : head.value_or(false)          ? bit_field{}
                                                           : f.body;
    file_.set(s.fields[i], valid && bits ? bits.of(flit) : wave_file::none);
  }
}

bool pin_fields::close() {
  if (!file_.begun()) {
    file_.discard();
    return false;
  }
  file_.close(last_ps_);
  return true;
}

}  // namespace toriscope
