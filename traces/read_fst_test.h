// SPDX-License-Identifier: Apache-2.0
// For tests: FST as GTKWave's own reader sees it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>

#include "traces/vcd_reader.h"

namespace toriscope {

inline bool fst2vcd_is_there() { return std::system("command -v fst2vcd >/dev/null 2>&1") == 0; }

/// What GTKWave's reader finds. It prints leading zeros, and a z for every bit.
inline vcd_contents read_fst(const std::string& path) {
  const std::string vcd = path + ".vcd";
  if (std::system(("fst2vcd -f '" + path + "' -o '" + vcd + ".long' >/dev/null 2>&1").c_str()) != 0)
    throw std::runtime_error("fst2vcd " + path);
  std::ifstream in(vcd + ".long");
  std::ofstream out(vcd);
  for (std::string line; std::getline(in, line);) {
    const std::size_t end = line.find(' ');
    if (line[0] == 'b')
      line = 'b' + line.substr(std::min(line[1] == 'z' ? end - 1 : line.find_first_not_of('0', 1), end - 1));
    out << line << '\n';
  }
  out.close();
  return vcd_reader::read(vcd);
}

inline void expect_equal(const vcd_contents& a, const vcd_contents& b) {
  EXPECT_EQ(a.times, b.times);
  ASSERT_EQ(a.variables.size(), b.variables.size());
  for (const auto& [name, variable] : a.variables) {
    ASSERT_TRUE(b.variables.count(name)) << name;
    EXPECT_EQ(variable.width, b.variables.at(name).width) << name;
    EXPECT_EQ(variable.changes, b.variables.at(name).changes) << name;
  }
}

}  // namespace toriscope
