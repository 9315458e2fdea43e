// SPDX-License-Identifier: Apache-2.0
// See adaptive_mesh.h.
#include "testbenches/reference/adaptive_mesh.h"

#include <cstdlib>
#include <stdexcept>

namespace toriscope::reference {

namespace {

class adaptive_mesh : public routing_function {
 public:
  adaptive_mesh(std::shared_ptr<const netlist> wiring, unsigned vcs)
      : wiring_(std::move(wiring)), vcs_(vcs) {}

  unsigned state_bits() const override { return 3; }
  unsigned options_at_most() const override { return 3; }

  unsigned route(const route_request& request, route_option* options) const override {
    const auto next = [&request](unsigned option) { return (request.state + 1 + option) % 8; };
    const vc_mask all = static_cast<vc_mask>((1u << vcs_) - 1);
    if (request.node == request.destination) {
      options[0] = {wiring_->local_port(request.node), all, next(0)};
      return 1;
    }
    const auto here = wiring_->digits(request.node);
    const auto there = wiring_->digits(request.destination);
    const int dx = static_cast<int>(there[1]) - static_cast<int>(here[1]);
    const int dy = static_cast<int>(there[0]) - static_cast<int>(here[0]);
    const auto port = [&](const char* plus, const char* minus, int d) {
      return wiring_->port_named(request.node, d > 0 ? plus : minus);
    };
    unsigned count = 0;
    const auto add = [&](port_id out_port, vc_mask vcs) {
      options[count] = {out_port, vcs, next(count)};
      ++count;
    };
    const vc_mask adaptive = static_cast<vc_mask>(all & ~1u);
    if (adaptive != 0) {
      const bool x_first = std::abs(dx) >= std::abs(dy);
      if (dx != 0 && x_first) add(port("x+", "x-", dx), adaptive);
      if (dy != 0) add(port("y+", "y-", dy), adaptive);
      if (dx != 0 && !x_first) add(port("x+", "x-", dx), adaptive);
    }
    add(dx != 0 ? port("x+", "x-", dx) : port("y+", "y-", dy), 1);
    return count;
  }

 private:
  std::shared_ptr<const netlist> wiring_;
  unsigned vcs_;
};

}  // namespace

std::shared_ptr<const routing_function> make_adaptive_mesh(std::shared_ptr<const netlist> wiring,
                                                           unsigned vcs) {
  if (wiring->name() != "mesh" || wiring->radices().size() != 2)
    throw std::invalid_argument("not a mesh of 2 dimensions");
  return std::make_shared<adaptive_mesh>(std::move(wiring), vcs);
}

}  // namespace toriscope::reference
