// SPDX-License-Identifier: Apache-2.0
#include "base/text_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <ostream>
#include <stdexcept>
#include <streambuf>
#include <string_view>

#include "base/files_read.h"
#include "base/output_file.h"
#include "base/text_hash.h"

namespace toriscope {
namespace {

/// A file to read from, closed at the end.
class opened_file {
 public:
  opened_file(const std::string& path, int options)
      : file_(open(path.c_str(), O_RDONLY | O_CLOEXEC | options)),
        good_(file_ >= 0 && fstat(file_, &what_) == 0) {}
  ~opened_file() {
    if (file_ >= 0) close(file_);
  }
  opened_file(const opened_file&) = delete;
  opened_file& operator=(const opened_file&) = delete;

  bool good() const { return good_; }
  bool is_directory() const { return good_ && S_ISDIR(what_.st_mode); }
  bool is_regular() const { return good_ && S_ISREG(what_.st_mode); }

  /// All of it, a little more than may be, or a little of what begins otherwise.
  /// @returns whether that went well; else errno says why
  bool read_to(std::string& text, std::size_t max_bytes, std::string_view beginning = {}) const {
    return read_blocks([&](std::string_view block) {
      const bool begins = text.size() < beginning.size();
      text.append(block);
      if (begins && text.compare(0, beginning.size(), beginning, 0, text.size()) != 0) return false;
      reserve(text, max_bytes);
      return text.size() <= max_bytes;
    });
  }

  /// One block after the other, as long as `take` asks for more. @returns as read_to()
  template <class Take>
  bool read_blocks(const Take& take) const {
    char block[1 << 16];
    for (;;) {
      const ssize_t count = read(file_, block, sizeof block);
      if (count < 0) {
        if (errno != EINTR) return false;
      } else if (count == 0 || !take(std::string_view(block, static_cast<std::size_t>(count)))) {
        return true;
      }
    }
  }

 private:
  void reserve(std::string& text, std::size_t max_bytes) const {
    // Pipes and devices say 0.
    const std::size_t size = std::min(static_cast<std::size_t>(what_.st_size), max_bytes);
    if (text.capacity() < size) text.reserve(size);
  }

  int file_;
  struct stat what_ {};
  bool good_;
};

class file_buffer final : public std::streambuf {
 public:
  explicit file_buffer(output_file& file) : file_(file) {}

 private:
  int_type overflow(int_type c) override {
    if (c != traits_type::eof()) {
      const char letter = traits_type::to_char_type(c);
      file_.write({&letter, 1});
    }
    return traits_type::not_eof(c);
  }
  std::streamsize xsputn(const char* text, std::streamsize count) override {
    file_.write({text, static_cast<std::size_t>(count)});
    return count;
  }

  output_file& file_;
};

}  // namespace

std::string text_of_file(const std::string& path, const std::string& what, std::size_t max_bytes,
                         std::string_view beginning) {
  const opened_file file(path, 0);
  if (file.is_directory()) throw std::invalid_argument(path + " is a directory; a file is expected");
  std::string text;
  const std::size_t limit = file.is_regular() ? max_bytes : std::min(max_bytes, max_bytes_of_stream);
  if (!file.good() || !file.read_to(text, limit, beginning))
    throw std::invalid_argument(what + " cannot be read: " + std::strerror(errno));
  if (text.size() > limit && limit < max_bytes)
    throw std::invalid_argument(what + " is a pipe or device of more than " + std::to_string(limit) +
                                " bytes, which is more than is read; name a regular file");
  if (text.size() > max_bytes)
    throw std::invalid_argument(what + " is longer than " + std::to_string(max_bytes) +
                                " bytes, which is more than is read");
  if (text.empty()) throw std::invalid_argument(what + " is empty");
  note_file_read(path);
  return text;
}

std::optional<std::string> text_if_there(const std::string& path) {
  const opened_file file(path, O_NONBLOCK);
  std::string text;
  constexpr std::size_t max_bytes = std::size_t{1} << 30;
  if (!file.is_regular() || !file.read_to(text, max_bytes) || text.size() > max_bytes) return std::nullopt;
  return text;
}

std::optional<std::uint64_t> hash_of_file(const std::string& path) {
  const opened_file file(path, O_NONBLOCK);
  std::uint64_t hash = 0;
  const auto take = [&](std::string_view block) {
    hash = mix_text(block, hash);
    return true;
  };
  if (!file.is_regular() || !file.read_blocks(take)) return std::nullopt;
  return hash;
}

namespace {

void write_whole(const std::string& path, const std::string& text, bool always_replaces) {
  // Another process that tidies up may take our temporary for one that was left behind: then it is written again.
  for (int attempt = 1;; ++attempt) try {
      output_file file(path, always_replaces);
      file.write(text);
      return file.close();
    } catch (const std::runtime_error&) {
      if (attempt == 3) throw;
    }
}

}  // namespace

void write_text_file(const std::string& path, const std::string& text) { write_whole(path, text, false); }
void replace_text_file(const std::string& path, const std::string& text) { write_whole(path, text, true); }

void make_directory(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) throw std::runtime_error("cannot make directory " + path + ": " + error.message());
}

void write_text_file(const std::string& path, const std::function<void(std::ostream&)>& write) {
  output_file file(path);
  file_buffer buffer(file);
  std::ostream out(&buffer);
  write(out);
  file.close();
}

}  // namespace toriscope
