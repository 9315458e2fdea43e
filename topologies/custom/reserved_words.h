// SPDX-License-Identifier: Apache-2.0
// Words that cannot name modules: keywords of SystemVerilog (IEEE 1800-2017, Annex B), and what a network or its RTL
// has by that name.
#pragma once

#include <string>

namespace toriscope {

bool is_reserved_word(const std::string& word);

}  // namespace toriscope
