// SPDX-License-Identifier: Apache-2.0
// Noxim (Catania et al., TOMACS 2016) as a peer: a mesh with XY routing. It moves one flit per two cycles
// over a link (alternating-bit handshake), so it saturates at about half our load, and its zero-load figure
// is another: a head flit that passes H routers takes 2 H cycles. A packet keeps the VC that its source drew.
#pragma once

#include "testbenches/experiments/peers/simulator.h"

namespace toriscope {

class noxim final : public simulator {
 public:
  /// @param program    path of the user's binary
  /// @param power      Noxim's own table of energies (bin/power.yaml of its sources), without which it won't
  /// start
  /// @param directory  where configuration files are written
  noxim(std::string program, std::string power, std::string directory);

  std::string name() const override { return "Noxim"; }
  /// Its traffic leaves the own node out. `neighbour` means packets from the first to the last node only.
  outcome run(const workload& work) override;

  static std::string configuration(const workload& work);
  /// What it printed; the cycles and routers are those of the work. @throws std::runtime_error
  static outcome parse(const std::string& text, const workload& work);

 private:
  std::string program_;
  std::string power_;
  std::string directory_;
};

}  // namespace toriscope
