// SPDX-License-Identifier: Apache-2.0
// A run whose packets and hops go into an FTR file: make it before the network, build the network with its probe, add
// its sink, and close it when the run is over.
#pragma once

#include <memory>
#include <string>

#include "network/packet_network.h"
#include "testbenches/simulation/observation/hop_follower.h"
#include "testbenches/simulation/observation/hop_probe.h"
#include "testbenches/simulation/observation/transaction_recorder.h"

namespace toriscope {

class transaction_recording {
 public:
  /// @param observer  of this network, where there is one already; null: none
  /// @throws std::runtime_error "cannot write PATH: reason"
  transaction_recording(const std::string& path, const netlist& wiring, const network_config& config,
                        transaction_detail detail, router_observer* observer)
      : recorder_(path, wiring, config.router.vcs, detail) {
    if (detail == transaction_detail::packets) return;
    if (!observer && hop_probe::supports(config)) {
      plain_ = std::make_unique<hop_probe>(wiring, config, recorder_);
      return;
    }
    if (!observer) {
      own_ = std::make_unique<router_observer>(wiring, config);
      observer = own_.get();
    }
    all_ = std::make_unique<hop_follower>(wiring, *observer, recorder_);
    observer->listen(*all_);
  }

  packet_sink& sink() { return recorder_; }
  /// What the network is built with; null: that of the observer given, or none.
  router_probe* probe() {
    if (plain_) return plain_.get();
    return own_.get();
  }
  /// The run is over. @throws std::runtime_error "cannot write PATH: reason"
  void close(const packet_network& net) {
    if (plain_) plain_->end_at(net.cycles_done());
    if (all_) all_->end_at(net.cycles_done());
    recorder_.close(net.packets(), net.cycles_done());
  }

 private:
  transaction_recorder recorder_;
  std::unique_ptr<hop_probe> plain_;
  std::unique_ptr<router_observer> own_;
  std::unique_ptr<hop_follower> all_;
};

}  // namespace toriscope
