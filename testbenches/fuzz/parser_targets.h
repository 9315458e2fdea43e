// SPDX-License-Identifier: Apache-2.0
// Every parser of text or bytes that others may have made, as one function of bytes each: for libFuzzer
// (parser_fuzzer.cpp, scripts/fuzz.sh) and for a short test with any compiler (parser_targets_test.cpp).
#pragma once

#include <string>
#include <vector>

namespace toriscope {

struct parser_target {
  const char* name;
  /// Reads the bytes. Throws std::invalid_argument where they are wrong; anything else is a defect.
  void (*read)(const std::string& bytes);
  /// Sound inputs to begin with.
  std::vector<std::string> seeds;
  /// Words of the format, for mutations.
  std::vector<std::string> words;
};

const std::vector<parser_target>& parser_targets();

/// Whether the bytes were taken.
/// @throws std::logic_error when the target throws anything but std::invalid_argument, when its message is not one line
/// of at most 4,096 bytes (or of four times a longer input: who prints it cuts it), or when what was read is not read
/// again as the same
bool check_parser(const parser_target& target, const std::string& bytes);

}  // namespace toriscope
