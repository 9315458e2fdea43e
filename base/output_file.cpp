// SPDX-License-Identifier: Apache-2.0
#include "base/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <random>
#include <stdexcept>
#include <utility>

#include "base/files_read.h"
#include "base/words.h"

namespace toriscope {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 18;
constexpr const char* input_of_command = "it is an input of this command; name another file";
constexpr mode_t permissions = 0666;  // less the user's mask

std::string complaint(const std::string& path, const std::string& reason) {
  return "cannot write " + path + ": " + reason;
}

/// Of the temporary, before its number: the path, as far as a name may be that long.
std::string part_stem(std::string path) {
  constexpr std::size_t longest = 240;  // of the 255 characters that a name may have
  path.resize(std::min(path.size(), path.rfind('/') + 1 + longest));  // npos is -1
  return path;
}

/// A random name.
std::string part_name(const std::string& path) {
  char number[] = ".01234567";
  std::snprintf(number, sizeof number, ".%08x", std::random_device()());
  return part_stem(path) + number + ".part";
}

/// Those that part_name() named for the path: of processes that were killed between link and rename. One that is not
/// abandoned is made again by its writer.
void remove_abandoned_parts(const std::string& path) {
  const std::filesystem::path stem = part_stem(path);
  const std::string begin = stem.filename().string() + ".";
  std::error_code error;
  const std::filesystem::path directory = path.find('/') == std::string::npos ? "." : stem.parent_path();
  std::filesystem::directory_iterator entry(directory, error), end;
  for (; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.size() == begin.size() + 13 && begins_with(name, begin) && ends_in(name, ".part") &&
        name.find_first_not_of("0123456789abcdef", begin.size()) == begin.size() + 8)
      std::remove(entry->path().c_str());
  }
}

/// Which a program may have open already, and which may stand for files; under whichever name. All are links.
bool is_stream_name(const std::string& path) {
  std::error_code error;
  const std::filesystem::path plain = std::filesystem::absolute(path, error).lexically_normal();
  const std::string directory = std::filesystem::weakly_canonical(plain.parent_path(), error).string();
  const bool of_process = begins_with(directory, "/proc/") && ends_in(directory, "/fd");
  return of_process || directory == "/dev/fd" ||
         (directory == "/dev" && (plain.filename() == "stdout" || plain.filename() == "stderr"));
}

}  // namespace

output_file::output_file(std::string path, bool always_replaces)
    : path_(std::move(path)), always_replaces_(always_replaces) {
  if (path_.empty()) throw std::runtime_error("cannot write a file without a name");
  using file_type = std::filesystem::file_type;
  std::error_code error;
  const file_type kind = std::filesystem::status(path_, error).type();
  if (kind == file_type::directory) throw std::runtime_error(complaint(path_, std::strerror(EISDIR)));
  if (kind == file_type::none)
    throw std::runtime_error(complaint(path_, error.message()));  // too long a name
  // A device must not be replaced by a file.
  const bool is_link = std::filesystem::is_symlink(std::filesystem::symlink_status(path_, error));
  const bool is_plain = kind == file_type::regular || kind == file_type::not_found;
  direct_ = (is_link && is_stream_name(path_)) || (!is_plain && !is_link && !always_replaces);
  if (is_input()) throw std::runtime_error(complaint(path_, input_of_command));
  if (direct_)
    file_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, permissions);
  else
    open_temporary();
  if (file_ < 0) throw std::runtime_error(complaint(path_, std::strerror(errno)));
  buffer_.reserve(buffer_bytes + 4096);
}

output_file::~output_file() { discard(); }

bool output_file::is_input() const { return !direct_ && !always_replaces_ && is_file_read(path_); }

void output_file::open_temporary() {
  const std::string directory = std::filesystem::path(path_).parent_path().string();
  // Its later name comes from /proc.
  if (access("/proc/self/fd", X_OK) == 0)
    file_ = open(directory.empty() ? "." : directory.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, permissions);
  if (file_ < 0) open_named_temporary();  // says so, too, where there can be no file at all
}

void output_file::open_named_temporary() {
  temporary_ = part_name(path_);
  file_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, permissions);
}

void output_file::write(std::string_view text) {
  buffer_ += text;
  if (buffer_.size() >= buffer_bytes) flush();
}

void output_file::overwrite(std::uint64_t place, std::string_view text) {
  flush();
  if (file_ < 0 || !error_.empty()) return;
  errno = ENOSPC;  // where there is space for a part
  const ssize_t count = pwrite(file_, text.data(), text.size(), static_cast<off_t>(place));
  if (count != static_cast<ssize_t>(text.size())) fail();
}

/// To a file without one. @returns false with errno
bool output_file::give_name() {
  const std::string own = "/proc/self/fd/" + std::to_string(file_);
  const auto link_as = [&](const std::string& name) {
    return linkat(AT_FDCWD, own.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
  };
  if (link_as(path_)) return true;
  // A name that is taken can only be replaced by rename(). Another process that tidies up may take our temporary for
  // one that was left behind: then it is made again.
  for (int attempt = 0; attempt < 100 && errno == (attempt == 0 ? EEXIST : ENOENT); ++attempt) {
    temporary_ = part_name(path_);
    if (!link_as(temporary_)) return false;
    if (std::rename(temporary_.c_str(), path_.c_str()) == 0) return remove_abandoned_parts(path_), true;
  }
  return false;
}

void output_file::close() {
  if (file_ >= 0) {
    flush();
    const bool named = !temporary_.empty();
    if (error_.empty() && is_input()) error_ = complaint(path_, input_of_command);  // read since
    if (!named && !direct_ && error_.empty() && !give_name()) fail();
    if (::close(std::exchange(file_, -1)) != 0) fail();
    if (named && error_.empty() && std::rename(temporary_.c_str(), path_.c_str()) != 0) fail();
    if (!error_.empty()) std::remove(temporary_.c_str());  // without a name: nothing
  }
  if (!error_.empty()) throw std::runtime_error(error_);
}

void output_file::discard() {
  if (file_ < 0) return;
  ::close(std::exchange(file_, -1));
  std::remove(temporary_.c_str());
}

void output_file::flush() {
  std::string_view rest = buffer_;
  while (file_ >= 0 && error_.empty() && !rest.empty()) {
    const ssize_t count = ::write(file_, rest.data(), rest.size());
    if (count >= 0)
      rest.remove_prefix(static_cast<std::size_t>(count));
    else if (errno != EINTR)
      fail();
  }
  buffer_.clear();
}

void output_file::fail() {
  if (error_.empty()) error_ = complaint(path_, std::strerror(errno));
}

bool is_abandoned_part(const std::string& name, const std::string& of) {
  // ".tmp": as older versions had it.
  return begins_with(name, of + ".") && (ends_in(name, ".part") || ends_in(name, ".tmp"));
}

}  // namespace toriscope
