// SPDX-License-Identifier: Apache-2.0
// Verilated RTL in a shared library (model_abi.h), and instances of it with their pins.
//
//   use   auto rtl = std::make_shared<const rtl_library>(build_rtl(design));   // rtl_build.h
//         rtl_instance one(rtl, {"node_3"});
//         const rtl_pin clk = one.pin("clk_i");  clk.set(1);  one.evaluate();
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "rtl_models/on_demand/model_abi.h"
#include "rtl_models/pin_bits.h"

namespace toriscope {

class rtl_library {
 public:
  /// @throws std::runtime_error one line: it cannot be loaded, or is another version's
  explicit rtl_library(const std::string& file);
  ~rtl_library();
  rtl_library(const rtl_library&) = delete;
  rtl_library& operator=(const rtl_library&) = delete;

  const model_abi& model() const { return *model_; }
  const std::string& file() const { return file_; }

 private:
  std::string file_;
  void* handle_;
  const model_abi* model_;
};

/// A field of bits, of a pin or a register of an instance.
class rtl_bits {
 public:
  rtl_bits() = default;
  rtl_bits(void* data, unsigned bits) : data_(data), bits_(bits) {}

  unsigned size() const { return bits_; }
  /// All of them, of a field of at most 64.
  void set(std::uint64_t value) { set(0, bits_, value); }
  std::uint64_t get() const { return get(0, bits_); }
  /// The `count` bits (1..64) from `first` on.
  void set(unsigned first, unsigned count, std::uint64_t value) {
    with_words([&](auto& words) { set_pin_bits(words, first, count, value); });
  }
  std::uint64_t get(unsigned first, unsigned count) const {
    std::uint64_t value{};
    with_words([&](auto& words) { value = pin_bits(words, first, count); });
    return value;
  }

 private:
  template <class Use>
  void with_words(Use&& use) const {
    if (bits_ <= 8) return use(*static_cast<std::uint8_t*>(data_));
    if (bits_ <= 16) return use(*static_cast<std::uint16_t*>(data_));
    if (bits_ <= 32) return use(*static_cast<std::uint32_t*>(data_));
    if (bits_ <= 64) return use(*static_cast<std::uint64_t*>(data_));
    auto* words = static_cast<std::uint32_t*>(data_);
    use(words);
  }

  void* data_ = nullptr;
  unsigned bits_ = 0;
};

/// How an instance starts.
struct rtl_instance_start {
  std::string name = "top";                 ///< what %m begins with
  std::vector<std::string> plus_arguments;  ///< "+route_table=FILE"
  int random_state_seed = 0;                ///< registers start with random bits of this seed; 0: with zeros
};

/// A register, or the words of a memory.
struct rtl_register {
  std::string scope;  ///< "node_3.gen_input[0].unit"
  std::string name;   ///< "count_q"
  std::vector<rtl_bits> words;
};

class rtl_instance {
 public:
  rtl_instance(std::shared_ptr<const rtl_library> library, const rtl_instance_start& start);
  ~rtl_instance();
  rtl_instance(const rtl_instance&) = delete;
  rtl_instance& operator=(const rtl_instance&) = delete;

  /// @throws std::out_of_range when there is none
  rtl_bits pin(const std::string& name) const;
  /// Lets the pins take effect. @throws rtl_assertion (rtl_router.h) with its message
  void evaluate();

  /// All registers and memories; none unless the design was built with_registers.
  std::vector<rtl_register> registers() const;
  /// Writes a waveform from now on. @throws std::runtime_error unless the design was built with_trace
  void open_trace(const std::string& file);
  /// Writes what changed. @param time_ps  later than the last one
  void dump_trace(std::uint64_t time_ps) { library_->model().dump_trace(model_, time_ps); }
  void close_trace() { library_->model().close_trace(model_); }

 private:
  std::shared_ptr<const rtl_library> library_;
  void* model_;
};

}  // namespace toriscope
