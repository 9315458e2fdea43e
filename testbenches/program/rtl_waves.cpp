// SPDX-License-Identifier: Apache-2.0
#include "testbenches/program/rtl_waves.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "base/words.h"
#include "traces/vcd_merge.h"
#include "traces/wave_file.h"
#include "traces/wave_selection.h"

namespace toriscope {
namespace {

void add_groups(const std::string& save_file, const std::string& path,
                const std::vector<vcd_variable>& variables) {
  const std::string inside = "rtl." + path + '.';
  std::vector<vcd_variable> pins, registers;
  for (const vcd_variable& v : variables) {
    if (v.name.find('.', inside.size()) == std::string::npos)
      pins.push_back(v);
    else if (ends_in(v.name, "_q"))
      registers.push_back(v);
  }
  add_gtkw_group(save_file, path + " RTL pins", pins);
  add_gtkw_group(save_file, path + " RTL registers", registers);
}

}  // namespace

rtl_waves::rtl_waves(wave_options model) : model_(std::move(model)) { check_wave_with_rtl(model_.file); }

void check_wave_with_rtl(const std::string& file) {
  if (is_fst(file))
    throw std::invalid_argument("cannot write " + file +
                                ": waves from inside RTL routers are VCD; use a name that ends in .vcd");
}

void rtl_waves::trace(const std::string& network, const std::string& path, built_router& router) {
  const std::string name = network + '.' + path;
  if (std::none_of(model_.globs.begin(), model_.globs.end(),
                   [&](const std::string& glob) { return glob_selects(glob, name); }))
    return;
  if (traced_.size() == max_routers) {
    ++left_out_;
    return;
  }
  traced_.push_back({path, directory_.file(std::to_string(traced_.size()) + ".vcd"), &router});
  router.trace(traced_.back().file, model_.from, model_.to);
}

void rtl_waves::merge() {
  const std::string save_file = std::filesystem::path(model_.file).replace_extension(".gtkw").string();
  for (const traced& t : traced_) {
    t.router->end_trace();
    // A run that ends before the window leaves none.
    if (!std::filesystem::exists(model_.file) || !std::filesystem::exists(t.file)) continue;
    add_groups(save_file, t.path, merge_vcd({model_.file, ""}, {t.file, "rtl"}, model_.file));
  }
}

std::string rtl_waves::left_out() const {
  if (left_out_ == 0) return {};
  return fmt::format("\nThe waveform shows the inside of {} RTL routers; {} more were chosen.\n", max_routers,
                     left_out_);
}

}  // namespace toriscope
