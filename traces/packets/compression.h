// SPDX-License-Identifier: Apache-2.0
// How a file is compressed: read off its first bytes, chosen by its name when it is written.
#pragma once

#include <string>
#include <string_view>

namespace toriscope {

enum class compression { none, gzip, zstd, bzip2 };

/// By the ending of the name: ".gz", ".zst", ".bz2"; none: any other.
compression compression_named(std::string_view path);
/// By the first bytes of the file, four of them or all.
compression compression_of(std::string_view first_bytes);
const char* to_string(compression c);

}  // namespace toriscope
