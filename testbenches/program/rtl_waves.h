// SPDX-License-Identifier: Apache-2.0
// Waves from inside RTL routers, brought into the waveform of the model: one file, one GTKWave view.
//
//   which    routers of nodes that the patterns of the waveform choose as a whole, 16 at most; of a user's router no
//            more than 2000 signals, those of the upper levels
//   names    below the scope "rtl", as in the RTL: "rtl.bm_0_0.node_0_3.router.gen_input[0].unit..."; in the save file
//            a group of the pins and one of the registers (named *_q) for each router
//   a user's router  also below "pins", what its description calls them: "pins.node_1_1.in_east.dest_x". In the save
//            file these are on top, then the pins and the inside of the module by its own names
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/scratch_directory.h"
#include "rtl_models/on_demand/built_routers.h"
#include "testbenches/program/pin_fields.h"
#include "traces/gtkw_rows.h"
#include "traces/wave_options.h"

namespace toriscope {

/// @throws std::invalid_argument when a waveform of that name cannot hold what is inside RTL routers: FST needs
/// vcd2fst, which comes with GTKWave
void check_wave_with_rtl(const std::string& file);

class rtl_waves {
 public:
  static constexpr std::size_t max_routers = 16;
  static constexpr std::size_t max_signals = 2000;

  /// @param model  the waveform that they are brought into; its file becomes what the model's waveform is to be
  /// written to, a VCD for now where it is an FST
  /// @throws std::invalid_argument as check_wave_with_rtl()
  explicit rtl_waves(wave_options& model);

  /// Traces the router if it is chosen. The library must be built with_trace.
  /// @param network, path  of its node: "ttn", "bm_0_0.node_0_3"
  void trace(const std::string& network, const std::string& path, built_router& router);
  void trace(const std::string& network, const std::string& path, const user_rtl_made& router, bool credits);
  /// To be called when the model's waveform has been closed. @throws std::runtime_error
  void merge();
  /// After all merging: makes the FST where one is asked for. @throws std::runtime_error
  void finish() const;
  /// Lines about routers chosen but left out, and signals; empty when there are none.
  std::string left_out() const;

 private:
  struct traced {
    std::string path;
    std::string file;
    traced_clock* clock;
    // Of a user's router:
    std::vector<std::string> pins{};
    std::unique_ptr<pin_fields> fields{};
    std::vector<std::string> ports{};
    std::size_t left_out = 0;
  };
  /// The new entry; null: this router is not shown.
  traced* choose(const std::string& network, const std::string& path, traced_clock& clock);
  std::string fields_file(const traced& t) const { return t.file + ".fields"; }
  void add_user_rows(const traced& t, const std::vector<vcd_variable>& inside,
                     const std::vector<vcd_variable>& fields, gtkw_rows& rows) const;

  scratch_directory directory_;
  const std::string fst_;  ///< to be made; empty: none
  const wave_options model_;
  std::vector<traced> traced_;
  std::size_t left_out_ = 0;
};

}  // namespace toriscope
