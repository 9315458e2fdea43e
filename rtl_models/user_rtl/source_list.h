// SPDX-License-Identifier: Apache-2.0
// The files of a user's router: names, globs, and file lists as simulators take them with -f.
//
//   file list   files; -v FILE; -f LIST and -F LIST (paths in it are relative to LIST's own directory);
//               +incdir+DIR, -I DIR, -y DIR; +define+NAME=VALUE, -D NAME=VALUE; comments: //, # and /* */
//   paths       relative to the outermost list's directory; no variables of the environment
//   limits      10,000 files, lists of 1 MiB, 16 levels deep, 100,000 words in all
#pragma once

#include <string>
#include <vector>

namespace toriscope {

class source_list {
 public:
  /// @param directory  that names are relative to
  explicit source_list(std::string directory) : directory_(std::move(directory)) {}

  // All throw std::invalid_argument with one line: the file, in lists with the line, and what is wrong.
  /// A file, or those that match: '*' and '?' stand for characters of one name. Files that are there already
  /// are left out of a match.
  void add(const std::string& file) { add(file, directory_); }
  void add_include_directory(const std::string& name);
  void add_list(const std::string& file);

  const std::vector<std::string>& sources() const { return sources_; }
  const std::vector<std::string>& include_directories() const { return include_directories_; }
  const std::vector<std::string>& defines() const { return defines_; }

 private:
  struct word {
    std::string text;
    unsigned line;
  };
  static std::vector<word> words_of(const std::string& list);
  void add(const std::string& file, const std::string& directory);
  void add_matches(const std::string& file, const std::string& directory);
  void count_words(std::size_t more, const char* what);
  void add_file(const std::string& path);
  void add_list(const std::string& path, const std::string& directory, unsigned depth);
  /// @returns whether it takes the next word
  bool add_word(const std::string& word, const std::string* next, const std::string& directory,
                unsigned depth);

  const std::string directory_;
  std::size_t words_ = 0;  ///< of lists, and names that were compared with globs
  std::size_t bytes_ = 0;  ///< of lists
  std::vector<std::string> sources_, include_directories_, defines_;
};

}  // namespace toriscope
