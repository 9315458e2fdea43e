// SPDX-License-Identifier: Apache-2.0
// Saved states as a fuzz target: what is taken is simulated to its end.
#pragma once

#include <string>

namespace toriscope {

/// The first byte is the kind, the others are the state; its file is always whole.
void read_state(const std::string& bytes);

/// Bytes for read_state().
std::string a_state(char kind);

}  // namespace toriscope
