// SPDX-License-Identifier: Apache-2.0
#include "base/output_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <utility>

namespace toriscope {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 18;

std::string complaint(const std::string& path, const std::string& reason) {
  return "cannot write " + path + ": " + reason;
}

}  // namespace

output_file::output_file(std::string path) : path_(std::move(path)), temporary_(path_) {
  if (path_.empty()) throw std::runtime_error("cannot write a file without a name");
  std::error_code ignored;
  const auto kind = std::filesystem::status(path_, ignored).type();
  if (kind == std::filesystem::file_type::directory)
    throw std::runtime_error(complaint(path_, std::strerror(EISDIR)));
  // A device must not be replaced by a file.
  if (kind == std::filesystem::file_type::regular || kind == std::filesystem::file_type::not_found)
    temporary_ += ".part";
  file_ = std::fopen(temporary_.c_str(), "wb");
  if (!file_) throw std::runtime_error(complaint(path_, std::strerror(errno)));
  std::setvbuf(file_, nullptr, _IONBF, 0);  // it has its own buffer
  buffer_.reserve(buffer_bytes + 4096);
}

output_file::~output_file() { discard(); }

void output_file::write(std::string_view text) {
  buffer_ += text;
  if (buffer_.size() >= buffer_bytes) flush();
}

void output_file::close() {
  if (file_) {
    flush();
    if (std::fclose(std::exchange(file_, nullptr)) != 0) fail();
    if (error_.empty() && temporary_ != path_ && std::rename(temporary_.c_str(), path_.c_str()) != 0) fail();
    if (!error_.empty() && temporary_ != path_) std::remove(temporary_.c_str());
  }
  if (!error_.empty()) throw std::runtime_error(error_);
}

void output_file::discard() {
  if (!file_) return;
  std::fclose(std::exchange(file_, nullptr));
  if (temporary_ != path_) std::remove(temporary_.c_str());
}

void output_file::flush() {
  if (file_ && error_.empty() && !buffer_.empty() &&
      std::fwrite(buffer_.data(), 1, buffer_.size(), file_) != buffer_.size())
    fail();
  buffer_.clear();
}

void output_file::fail() {
  if (error_.empty()) error_ = complaint(path_, std::strerror(errno));
}

}  // namespace toriscope
