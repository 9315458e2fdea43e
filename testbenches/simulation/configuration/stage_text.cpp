// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/configuration/stage_text.h"

#include <fmt/format.h>

#include <stdexcept>

#include "base/words.h"

namespace toriscope {

std::string stage_text(const stage_counts& counts) {
  return fmt::format("rc={},va={},sa={},st={}", counts.rc, counts.va, counts.sa, counts.st);
}

stage_counts stage_counts_of(const std::string& text) {
  stage_counts counts;
  struct {
    const char* name;
    unsigned* count;
    bool given;
  } stages[] = {{"rc", &counts.rc, false},
                {"va", &counts.va, false},
                {"sa", &counts.sa, false},
                {"st", &counts.st, false}};
  for (const std::string& item : split(text, ',')) {
    bool good = false;
    for (auto& stage : stages) {
      if (item.size() != 4 || !begins_with(item, stage.name) || item[2] != '=') continue;
      good = !stage.given && item[3] >= '0' && item[3] <= '7';
      *stage.count = static_cast<unsigned>(item[3] - '0');
      stage.given = true;
    }
    if (!good)
      throw std::invalid_argument(
          "'" + text +
          "' must be cycles of the stages rc, va, sa and st, 0 to 7 each, at most once, such as "
          "rc=1,va=1,sa=1,st=1");
  }
  return counts;
}

}  // namespace toriscope
