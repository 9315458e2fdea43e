// SPDX-License-Identifier: Apache-2.0
// Where a user keeps what can be made again.
#pragma once

#include <string>

namespace toriscope {

/// $XDG_CACHE_HOME/toriscope or ~/.cache/toriscope, made for this user alone where it is not there; empty where there
/// is none, or where another user owns it or all users may write it: who may write a cache can run code.
std::string user_cache_directory();

/// For temporary files: $TMPDIR, or /tmp where it is not set or empty. @throws std::runtime_error in a line
std::string temporary_directory();

/// A directory of this user alone below the one for temporary files, for users without a cache; it is made where it is
/// not there. Its name is predictable, so a directory that another user may write is rejected.
/// @throws std::runtime_error in a line
std::string private_temporary_directory();

}  // namespace toriscope
