// SPDX-License-Identifier: Apache-2.0
// Files of a cache that show when they were changed or cut off: behind the content stands a seal, a checksum of
// content and name. Loaders and linkers do not look behind the end that a file's own header tells.
#pragma once

#include <string>

namespace toriscope {

/// Appends the seal to `file`, for use as `name` (without directory). @throws std::runtime_error
void seal_file(const std::string& file, const std::string& name);

/// Whether `path` is there and is what was sealed under this name.
bool is_sealed(const std::string& path);

}  // namespace toriscope
