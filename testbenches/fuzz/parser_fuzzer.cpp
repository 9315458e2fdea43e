// SPDX-License-Identifier: Apache-2.0
// libFuzzer's entry: feeds the parser that TORISCOPE_FUZZ names (scripts/fuzz.sh).
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <string>

#include "testbenches/fuzz/parser_targets.h"

namespace {

const toriscope::parser_target& named_target() {
  const char* const name = std::getenv("TORISCOPE_FUZZ");
  for (const toriscope::parser_target& t : toriscope::parser_targets())
    if (name && name == std::string(t.name)) return t;
  std::fprintf(stderr, "TORISCOPE_FUZZ names no parser; one of:\n");
  for (const toriscope::parser_target& t : toriscope::parser_targets()) std::fprintf(stderr, "%s\n", t.name);
  std::exit(2);
}

}  // namespace

/// SystemC's library asks for it.
extern "C" int sc_main(int, char**) { return 0; }

/// The seeds become files of the corpus, for libFuzzer to begin with, and the words its dictionary (-dict=).
extern "C" int LLVMFuzzerInitialize(int*, char***) {
  const toriscope::parser_target& target = named_target();
  if (const char* const directory = std::getenv("TORISCOPE_FUZZ_SEEDS"))
    for (std::size_t i = 0; i < target.seeds.size(); ++i)
      std::ofstream(std::string(directory) + "/seed_" + std::to_string(i), std::ios::binary) << target.seeds[i];
  if (const char* const file = std::getenv("TORISCOPE_FUZZ_WORDS")) {
    std::ofstream words(file);
    for (const std::string& word : target.words) {
      words << '"';
      for (const char c : word) {
        char escaped[5];
        std::snprintf(escaped, sizeof escaped, "\\x%02x", static_cast<unsigned char>(c));
        words << escaped;
      }
      words << "\"\n";
    }
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const toriscope::parser_target& target = named_target();
  try {
    toriscope::check_parser(target, {reinterpret_cast<const char*>(data), size});
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s: %s\n", target.name, e.what());
    std::abort();
  }
  return 0;
}
