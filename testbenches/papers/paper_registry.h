// SPDX-License-Identifier: Apache-2.0
// The papers that `toriscope reproduce` knows.
#pragma once

#include <string>
#include <vector>

#include "testbenches/papers/paper.h"

namespace toriscope {

struct known_paper {
  std::string name;
  paper (*make)(effort how);
};

/// In the order in which they are reproduced.
const std::vector<known_paper>& known_papers();

/// @param names  empty: all
/// @throws std::invalid_argument one line, when there is no paper of that name
std::vector<paper> papers_named(const std::vector<std::string>& names, effort how);

paper ttn2009(effort how);
paper sttn2009(effort how);
paper rdt(effort how);
paper htn2012(effort how);
paper dally1990(effort how);

}  // namespace toriscope
