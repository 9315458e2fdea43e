// SPDX-License-Identifier: Apache-2.0
#include "testbenches/program/rtl_waves.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "base/measured_process.h"
#include "base/text_file.h"
#include "base/words.h"
#include "rtl_models/user_rtl/built_pins.h"
#include "traces/gtkw.h"
#include "traces/vcd_merge.h"
#include "traces/wave_file.h"
#include "traces/wave_selection.h"

namespace toriscope {
namespace {

namespace fs = std::filesystem;

/// @param model  its file becomes the name of a VCD in a directory of its own, if it was an FST
wave_options vcd_of(wave_options& model, const scratch_directory& directory) {
  if (is_fst(model.file)) {
    fs::create_directory(directory.file("model"));
    model.file =
        directory.file("model/" + fs::path(model.file).filename().replace_extension(".vcd").string());
  }
  return model;
}

void add_group(gtkw_rows& rows, const std::string& name, const std::vector<vcd_variable>& variables) {
  rows.begin_group(name, false);
  for (const vcd_variable& v : variables) rows.add(v);
  rows.end_group();
}

void add_groups(gtkw_rows& rows, const std::string& path, const std::vector<vcd_variable>& variables) {
  const std::string inside = "rtl." + path + '.';
  std::vector<vcd_variable> pins, registers;
  for (const vcd_variable& v : variables) {
    if (v.name.find('.', inside.size()) == std::string::npos)
      pins.push_back(v);
    else if (ends_in(v.name, "_q"))
      registers.push_back(v);
  }
  add_group(rows, path + " RTL pins", pins);
  add_group(rows, path + " RTL registers", registers);
}

}  // namespace

rtl_waves::rtl_waves(wave_options& model)
    : fst_(is_fst(model.file) ? model.file : ""),
      model_((check_wave_with_rtl(model.file), vcd_of(model, directory_))) {}

void check_wave_with_rtl(const std::string& file) {
  if (is_fst(file) && run_tool({"vcd2fst", "--help"}).status == 127)
    throw std::invalid_argument(
        "cannot write " + file +
        ": waves from inside RTL routers are VCD, and vcd2fst, which "
        "would make an FST of it, cannot be run; install gtkwave, or use a name that ends in .vcd");
}

void rtl_waves::finish() const {
  if (fst_.empty() || !fs::exists(model_.file)) return;
  const std::string made = directory_.file("made.fst");
  if (const measured_process done = run_tool({"vcd2fst", model_.file, made}); done.status != 0)
    throw std::runtime_error("cannot write " + fst_ + ": vcd2fst fails: " + one_line(done.out));
  write_text_file(fst_, text_of_file(made, made));
  // The save file and its words, which name where they are.
  const fs::path from = fs::path(model_.file).parent_path();
  const fs::path to = fs::absolute(fst_).lexically_normal().parent_path();
  for (const auto& beside : fs::directory_iterator(from)) {
    if (beside.path() == model_.file) continue;
    std::string text = text_of_file(beside.path().string(), beside.path().string());
    const std::string dump = "[dumpfile] \"" + model_.file + '"',
                      save = "[savefile] \"" + from.string() + '/';
    if (const std::size_t at = text.find(dump); at != std::string::npos)
      text.replace(at, dump.size(), "[dumpfile] \"" + (to / fs::path(fst_).filename()).string() + '"');
    if (const std::size_t at = text.find(save); at != std::string::npos)
      text.replace(at, save.size(), "[savefile] \"" + to.string() + '/');
    write_text_file((to / beside.path().filename()).string(), text);
  }
}

rtl_waves::traced* rtl_waves::choose(const std::string& network, const std::string& path,
                                     traced_clock& clock) {
  const std::string name = network + '.' + path;
  if (std::none_of(model_.globs.begin(), model_.globs.end(),
                   [&](const std::string& glob) { return glob_selects(glob, name); }))
    return nullptr;
  if (traced_.size() == max_routers) {
    ++left_out_;
    return nullptr;
  }
  traced_.push_back({path, directory_.file(std::to_string(traced_.size()) + ".vcd"), &clock});
  return &traced_.back();
}

void rtl_waves::trace(const std::string& network, const std::string& path, built_router& router) {
  if (const traced* const t = choose(network, path, router.clock()))
    t->clock->trace(t->file, model_.from, model_.to);
}

void rtl_waves::trace(const std::string& network, const std::string& path, const user_rtl_made& router,
                      bool credits) {
  traced* const t = choose(network, path, router.pins.clock());
  if (!t) return;
  t->pins = router.pin_names;
  for (const adapter_config::port& port : router.config.ports) t->ports.push_back(port.name);
  t->fields = std::make_unique<pin_fields>(fields_file(*t), path, router, credits);
  t->clock->trace(t->file, model_.from, model_.to,
                  [fields = t->fields.get()](std::uint64_t ps) { fields->show(ps); });
}

void rtl_waves::merge() {
  const std::string save_file = gtkw_name(model_.file);
  gtkw_rows on_top, below;
  for (traced& t : traced_) {
    t.clock->end_trace();
    const bool has_fields = t.fields && t.fields->close();
    // A run that ends before the window leaves none, and a pipe cannot be read again.
    if (!fs::is_regular_file(model_.file) || !fs::exists(t.file)) continue;
    const vcd_merged inside =
        merge_vcd({model_.file, ""}, {t.file, "rtl", t.fields ? max_signals : ~std::size_t{}}, model_.file);
    t.left_out = inside.left_out;
    if (has_fields)
      add_user_rows(t, inside.variables,
                    merge_vcd({model_.file, ""}, {fields_file(t), "pins"}, model_.file).variables, on_top);
    else
      add_groups(below, t.path, inside.variables);
  }
  if (!fs::is_regular_file(model_.file) || !fs::exists(save_file)) return;
  on_top.put_on_top_of(save_file);
  below.append_to(save_file);
}

void rtl_waves::add_user_rows(const traced& t, const std::vector<vcd_variable>& inside,
                              const std::vector<vcd_variable>& fields, gtkw_rows& rows) const {
  const bool first = &t == &traced_.front();
  rows.begin_group(t.path + " RTL", first);
  const std::string pins = "pins." + t.path + '.';
  for (unsigned r = 0; r < t.ports.size(); ++r) {
    rows.begin_group("port " + t.ports[r], first && t.fields->used(r));
    for (const char* const side : {"in_", "out_"}) {
      const std::string scope = pins + side + t.ports[r] + '.';
      for (const vcd_variable& v : fields)
        if (begins_with(v.name, scope))
          rows.add(v, side + t.ports[r] + ' ' + v.name.substr(scope.size()), true, wave_colour::green);
    }
    rows.end_group();
  }
  const std::string module = "rtl." + t.path + ".toriscope_pins.rtl.";
  const auto is_pin = [&](const std::string& name) {
    return std::find(t.pins.begin(), t.pins.end(), name.substr(0, name.find('['))) != t.pins.end();
  };
  for (const bool of_pins : {true, false}) {
    rows.begin_group(of_pins ? "its pins" : "its inside", of_pins && first);
    for (const vcd_variable& v : inside) {
      const std::string name = v.name.substr(std::min(module.size(), v.name.size()));
      if (is_pin(name) == of_pins) rows.add(v, name);
    }
    rows.end_group();
  }
  rows.end_group();
}

std::string rtl_waves::left_out() const {
  std::string text;
  if (left_out_ > 0)
    text += fmt::format("\nThe waveform shows the inside of {} RTL routers; {} more were chosen.\n",
                        max_routers, left_out_);
  for (const traced& t : traced_)
    if (t.left_out > 0)
      text += fmt::format(
          "\nThe waveform shows {} of the {} signals inside the RTL of {}, those of the upper levels.\n",
          max_signals, max_signals + t.left_out, t.path);
  return text;
}

}  // namespace toriscope
