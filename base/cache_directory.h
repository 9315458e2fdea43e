// SPDX-License-Identifier: Apache-2.0
// Where a user keeps what can be made again.
#pragma once

#include <string>

namespace toriscope {

/// $XDG_CACHE_HOME/toriscope or ~/.cache/toriscope, which may not be there yet; empty where a user has none.
std::string user_cache_directory();

/// A directory of this user alone below the one for temporary files, for users without a cache; it is made where it is
/// not there. Others can guess its name, so it is only taken when nobody else can have put anything into it.
/// @throws std::runtime_error in a line
std::string private_temporary_directory();

}  // namespace toriscope
