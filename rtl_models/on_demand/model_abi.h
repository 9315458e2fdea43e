// SPDX-License-Identifier: Apache-2.0
// What a shared library of verilated RTL offers: the only thing that the program and a library built on
// demand (rtl_build.h) have in common. Plain types and one C function; it needs no other header of toriscope, so that
// a change elsewhere rebuilds no RTL.
//
// Pins are the bytes in which Verilator keeps them: up to 8, 16, 32, 64 bits an unsigned integer, wider ones
// 32-bit words, the lowest first. (pin_bits.h reads and writes fields of them.)
#pragma once

#include <cstdint>

namespace toriscope {

/// A port of the top module.
struct model_pin {
  const char* name;
  std::uint32_t bits;
  std::uint32_t is_output;
};

/// How an instance starts.
struct model_start {
  const char* name;                   ///< of the instance: %m begins with it
  const char* const* plus_arguments;  ///< "+route_table=FILE" ...
  std::uint32_t plus_argument_count;
  std::int32_t random_seed;  ///< registers start with random bits of this seed; 0: with zeros
};

/// Is told of a register of an instance, or of a memory: `count` words of `bits` bits, `stride_bytes` apart.
using register_visitor = void (*)(void* user, const char* scope, const char* name, void* data,
                                  std::uint32_t bits, std::uint32_t count, std::uint32_t stride_bytes);

struct model_abi {
  static constexpr std::uint32_t current_version = 2;

  std::uint32_t version;
  std::uint32_t pin_count;
  const model_pin* pins;

  void* (*create)(const model_start* start);
  void (*destroy)(void* model);
  /// Where pin number `pin` of an instance is kept.
  void* (*pin_data)(void* model, std::uint32_t pin);
  /// Lets the pins take effect. Not null when an assertion failed: what it said, valid until the next call.
  const char* (*evaluate)(void* model);
  /// Visits all registers, of libraries built with them to be seen; else does nothing.
  void (*visit_registers)(void* model, register_visitor visit, void* user);
  /// Opens a waveform file; 0: the library was built without, or the file cannot be written.
  int (*open_trace)(void* model, const char* file);
  /// Writes what changed, at this time in ps.
  void (*dump_trace)(void* model, std::uint64_t time);
  /// Closes the waveform file, if one is open; so does destroy().
  void (*close_trace)(void* model);
};

/// The name of the C function `const model_abi* toriscope_model()`.
inline constexpr const char* model_entry = "toriscope_model";

}  // namespace toriscope
