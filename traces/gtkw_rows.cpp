// SPDX-License-Identifier: Apache-2.0
#include "traces/gtkw_rows.h"

#include <algorithm>

#include "base/text_file.h"

namespace toriscope {
namespace {

// GTKWave's flags of a group's two ends.
constexpr const char* begin_open = "@800200\n";
constexpr const char* begin_closed = "@c00200\n";
constexpr const char* end_open = "@1000200\n";
constexpr const char* end_closed = "@1401200\n";

std::string contents(const std::string& save_file) { return text_if_there(save_file).value_or(""); }

}  // namespace

void gtkw_rows::begin_group(const std::string& name, bool open) {
  text_ += (open ? begin_open : begin_closed) + ('-' + name + '\n');
  groups_.push_back({name, open});
}

void gtkw_rows::end_group() {
  text_ += (groups_.back().open ? end_open : end_closed) + ('-' + groups_.back().name + '\n');
  groups_.pop_back();
}

void gtkw_rows::comment(const std::string& text) { text_ += "@200\n-" + text + '\n'; }

void gtkw_rows::add(const vcd_variable& v, const std::string& alias, bool decimal, wave_colour colour) {
  // One bit, decimal, hexadecimal.
  text_ += v.width == 1 ? "@28\n" : decimal ? "@24\n" : "@22\n";
  if (colour != wave_colour::normal) text_ += "[color] " + std::to_string(static_cast<int>(colour)) + '\n';
  if (!alias.empty()) text_ += "+{" + alias + "} ";
  text_ += v.name + v.range + '\n';
}

void gtkw_rows::append_to(const std::string& save_file) const {
  write_text_file(save_file, contents(save_file) + text_);
}

void gtkw_rows::put_on_top_of(const std::string& save_file) const {
  std::string text = contents(save_file);
  const auto first = [&](const char* begin) {
    return std::min(text.find(std::string("\n") + begin), text.size() - 1);
  };
  text.insert(std::min(first(begin_open), first(begin_closed)) + 1, text_);
  write_text_file(save_file, text);
}

}  // namespace toriscope
