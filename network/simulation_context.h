// SPDX-License-Identifier: Apache-2.0
// A simulation context of SystemC's for networks that no kernel runs: SystemC elaborates once per process because its
// objects stand in one context, which is closed when the kernel starts. Here each network has its own, which is never
// started, so that networks are made and destroyed at any time, in any number.
//
//   threads  several may step networks at the same time, each its own; entries exclude each other
#pragma once

#include <memory>
#include <mutex>
#include <systemc>

namespace toriscope {

class simulation_context {
 public:
  simulation_context();
  /// After all objects in it.
  ~simulation_context();
  simulation_context(const simulation_context&) = delete;
  simulation_context& operator=(const simulation_context&) = delete;

  /// While one lives, SystemC objects are made and destroyed in the context; of this thread alone.
  class entry {
   public:
    explicit entry(const simulation_context& context);
    ~entry();
    entry(const entry&) = delete;
    entry& operator=(const entry&) = delete;

   private:
    std::unique_lock<std::recursive_mutex> lock_;
    sc_core::sc_simcontext* before_;
  };

 private:
  std::unique_ptr<sc_core::sc_simcontext> context_;
};

}  // namespace toriscope
