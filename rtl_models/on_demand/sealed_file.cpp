// SPDX-License-Identifier: Apache-2.0
#include "rtl_models/on_demand/sealed_file.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string_view>

#include "base/text_file.h"
#include "base/text_hash.h"

namespace toriscope {
namespace {

constexpr std::string_view mark = "\ntoriscope seal ";
constexpr std::size_t seal_bytes = mark.size() + 16;

std::string seal_of(std::string_view content, const std::string& name) {
  std::uint64_t hash = mix(mix_text(name), content.size());
  for (; content.size() >= 8; content.remove_prefix(8)) {
    std::uint64_t word{};
    std::memcpy(&word, content.data(), sizeof word);
    hash = mix(hash, word);
  }
  return std::string(mark) + hex_text(mix(hash, mix_text(content)));
}

}  // namespace

void seal_file(const std::string& file, const std::string& name) {
  const std::string seal = seal_of(text_if_there(file).value_or(""), name);
  std::ofstream out(file, std::ios::binary | std::ios::app);
  out << seal;
  out.close();
  if (!out) throw std::runtime_error("cannot write " + file);
}

bool is_sealed(const std::string& path) {
  if (std::filesystem::is_symlink(path)) return false;
  const std::string all = text_if_there(path).value_or("");
  if (all.size() < seal_bytes) return false;
  const std::string_view content = std::string_view(all).substr(0, all.size() - seal_bytes);
  return std::string_view(all).substr(content.size()) ==
         seal_of(content, std::filesystem::path(path).filename().string());
}

}  // namespace toriscope
