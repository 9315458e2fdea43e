// SPDX-License-Identifier: Apache-2.0
// Files that are read and written as a whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>

namespace toriscope {

/// What is read at most of a pipe or device, which does not say how long it is.
inline constexpr std::size_t max_bytes_of_stream = std::size_t{1} << 26;

/// All that a file holds which a user has named; pipes will do.
/// @param what       begins errors: "plan p.json"
/// @param max_bytes  of a regular file; of others at most max_bytes_of_stream
/// @param beginning  of a file that begins otherwise only a part is read and returned: the caller says what is wrong
/// @throws std::invalid_argument "WHAT cannot be read: reason", "WHAT is empty", "WHAT is longer than ... bytes",
/// "WHAT is a pipe or device of more than ... bytes", and "PATH is a directory; a file is expected"
std::string text_of_file(const std::string& path, const std::string& what,
                         std::size_t max_bytes = std::size_t{1} << 30, std::string_view beginning = {});

/// All that a regular file of our own holds - in a cache, of an earlier run -; nothing when there is none, or when it
/// cannot be read. Never waits for a pipe.
std::optional<std::string> text_if_there(const std::string& path);

/// mix_text of all that a regular file holds, of any length; nothing as above.
std::optional<std::uint64_t> hash_of_file(const std::string& path);

/// The text becomes the file, whole or not at all (output_file.h). Any number of processes may do so at once.
/// @throws std::runtime_error "cannot write PATH: reason"
void write_text_file(const std::string& path, const std::string& text);

/// The same for a file of our own, in a cache or a directory of results: whatever stands there is replaced.
void replace_text_file(const std::string& path, const std::string& text);

/// Likewise what `write` sends to the stream.
void write_text_file(const std::string& path, const std::function<void(std::ostream&)>& write);

/// And those above it; it may be there. @throws std::runtime_error "cannot make directory PATH: reason"
void make_directory(const std::string& path);

}  // namespace toriscope
