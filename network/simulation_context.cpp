// SPDX-License-Identifier: Apache-2.0
#include "network/simulation_context.h"

#include <utility>

namespace toriscope {
namespace {

/// SystemC has one variable for the present context of the whole process.
std::recursive_mutex& present_context() {
  static std::recursive_mutex guard;
  return guard;
}

}  // namespace

simulation_context::simulation_context() {
  const std::lock_guard<std::recursive_mutex> lock(present_context());
  context_ = std::make_unique<sc_core::sc_simcontext>();
}

simulation_context::~simulation_context() {
  const entry here(*this);
  context_.reset();
}

simulation_context::entry::entry(const simulation_context& context)
    : lock_(present_context()), before_(std::exchange(sc_core::sc_curr_simcontext, context.context_.get())) {}

simulation_context::entry::~entry() { sc_core::sc_curr_simcontext = before_; }

}  // namespace toriscope
