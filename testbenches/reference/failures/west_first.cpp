// SPDX-License-Identifier: Apache-2.0
#include "testbenches/reference/failures/west_first.h"

#include <utility>

namespace toriscope {
namespace {

class west_first final : public routing_function {
 public:
  west_first(std::shared_ptr<const netlist> mesh, unsigned vcs)
      : mesh_(std::move(mesh)), all_(static_cast<vc_mask>((1u << vcs) - 1)) {}

  unsigned state_bits() const override { return 0; }
  unsigned options_at_most() const override { return 2; }

  unsigned route(const route_request& r, route_option* options) const override {
    const unsigned width = mesh_->radices()[1];
    const unsigned x = r.node % width, y = r.node / width;
    const unsigned to_x = r.destination % width, to_y = r.destination / width;
    unsigned count = 0;
    const auto add = [&](port_id port) { options[count++] = {port, all_, 0}; };
    if (to_x < x) {
      add(mesh_->port_named(r.node, "x-"));
      return count;
    }
    if (to_x > x) add(mesh_->port_named(r.node, "x+"));
    if (to_y > y) add(mesh_->port_named(r.node, "y+"));
    if (to_y < y) add(mesh_->port_named(r.node, "y-"));
    if (count == 0) add(mesh_->local_port(r.node));
    return count;
  }

 private:
  std::shared_ptr<const netlist> mesh_;
  vc_mask all_;
};

}  // namespace

std::shared_ptr<const routing_function> make_west_first(std::shared_ptr<const netlist> mesh, unsigned vcs) {
  return std::make_shared<west_first>(std::move(mesh), vcs);
}

}  // namespace toriscope
