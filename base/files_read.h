// SPDX-License-Identifier: Apache-2.0
// Which files a program has read for its user: none of its outputs may replace one of them (output_file.h).
#pragma once

#include <string>

namespace toriscope {

/// From now on files that are read are noted. For a program, each of whose inputs is read for one command; the user of
/// a library may write where he has read.
void protect_files_read();
/// Of regular files, after protect_files_read().
void note_file_read(const std::string& path);
/// It may be replaced: the state that a run goes on from, by a later one.
void release_file_read(const std::string& path);
/// Whether this name, not what a link leads to, is that of such a file.
bool is_file_read(const std::string& path);

}  // namespace toriscope
