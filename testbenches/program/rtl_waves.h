// SPDX-License-Identifier: Apache-2.0
// Waves from inside RTL routers, brought into the waveform of the model: one file, one GTKWave view.
//
//   which   routers of nodes that the patterns of the waveform choose as a whole, 16 at most
//   names   below the scope "rtl", as in the RTL: "rtl.bm_0_0.node_0_3.router.gen_input[0].unit..."; in the
//           save file a group of the pins and one of the registers (named *_q) for each router
#pragma once

#include <string>
#include <vector>

#include "base/scratch_directory.h"
#include "rtl_models/on_demand/built_routers.h"
#include "traces/wave_options.h"

namespace toriscope {

/// @throws std::invalid_argument when a waveform of that name cannot hold what is inside RTL routers
void check_wave_with_rtl(const std::string& file);

class rtl_waves {
 public:
  static constexpr std::size_t max_routers = 16;

  /// @param model  the waveform that they are brought into
  /// @throws std::invalid_argument when that is not a VCD
  explicit rtl_waves(wave_options model);

  /// Traces the router if it is chosen. The library must be built with_trace.
  /// @param network, path  of its node: "ttn", "bm_0_0.node_0_3"
  void trace(const std::string& network, const std::string& path, built_router& router);
  /// To be called when the model's waveform has been closed. @throws std::runtime_error
  void merge();
  /// A line about routers chosen but left out; empty when there are none.
  std::string left_out() const;

 private:
  struct traced {
    std::string path;
    std::string file;
    built_router* router;
  };

  const wave_options model_;
  scratch_directory directory_;
  std::vector<traced> traced_;
  std::size_t left_out_ = 0;
};

}  // namespace toriscope
