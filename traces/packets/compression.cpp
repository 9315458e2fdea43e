// SPDX-License-Identifier: Apache-2.0
#include "traces/packets/compression.h"

namespace toriscope {
namespace {

struct kind {
  compression value;
  const char* name;
  std::string_view ending;
  std::string_view magic;
};
constexpr kind kinds[] = {{compression::gzip, "gzip", ".gz", "\x1f\x8b"},
                          {compression::zstd, "zstd", ".zst", "\x28\xb5\x2f\xfd"},
                          {compression::bzip2, "bzip2", ".bz2", "BZh"}};

}  // namespace

compression compression_named(std::string_view path) {
  for (const kind& k : kinds)
    if (path.size() > k.ending.size() && path.substr(path.size() - k.ending.size()) == k.ending)
      return k.value;
  return compression::none;
}

compression compression_of(std::string_view first_bytes) {
  for (const kind& k : kinds)
    if (first_bytes.substr(0, k.magic.size()) == k.magic) return k.value;
  return compression::none;
}

const char* to_string(compression c) {
  for (const kind& k : kinds)
    if (k.value == c) return k.name;
  return "none";
}

}  // namespace toriscope
