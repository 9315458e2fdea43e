// SPDX-License-Identifier: Apache-2.0
#include "rtl_models/user_rtl/source_list.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <stdexcept>

#include "base/glob.h"
#include "base/text_file.h"
#include "base/words.h"

namespace toriscope {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_files = 10000;
constexpr std::size_t most_words = 100000;  // of all lists, and of names that are compared with a glob
constexpr std::size_t longest_list = std::size_t{1} << 20;
constexpr std::size_t most_bytes = 16 * longest_list;  // of all lists, one that is read again included
constexpr unsigned deepest = 16;
constexpr std::size_t longest_name = 1000;  // in messages
constexpr std::size_t longest_word = 200;   // likewise

std::string path_at(const std::string& name, const std::string& directory) {
  const fs::path named(name);
  const std::string found =
      (named.is_absolute() ? named : fs::path(directory) / named).lexically_normal().string();
  return found[0] == '-' ? "./" + found : found;  // no option of Verilator
}

}  // namespace

void source_list::add_include_directory(const std::string& name) {
  include_directories_.push_back(path_at(name, directory_));
}

void source_list::add_list(const std::string& file) {
  const std::string path = path_at(file, directory_);
  add_list(path, fs::path(path).parent_path().string(), 1);
}

void source_list::add(const std::string& file, const std::string& directory) {
  if (file.find_first_of("*?") != std::string::npos)
    add_matches(file, directory);
  else
    add_file(path_at(file, directory));
}

void source_list::add_file(const std::string& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error))
    throw std::invalid_argument("there is no file " + one_line(path, longest_name));
  if (sources_.size() >= most_files)
    throw std::invalid_argument("more than " + std::to_string(most_files) + " files");
  sources_.push_back(path);
}

void source_list::add_matches(const std::string& file, const std::string& directory) {
  const fs::path pattern = path_at(file, directory);
  std::vector<fs::path> found = {pattern.is_absolute() ? pattern.root_path() : fs::path()};
  for (const fs::path& part : pattern.relative_path()) {
    const std::string glob = part.string();
    std::vector<fs::path> next;
    for (const fs::path& at : found) {
      if (glob.find_first_of("*?") == std::string::npos) {
        next.push_back(at / part);
        continue;
      }
      std::error_code error;
      for (fs::directory_iterator entry(at.empty() ? "." : at, error), end; entry != end;
           entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        if ((name[0] != '.' || glob[0] == '.') && glob_matches(glob, name)) next.push_back(at / name);
        if (next.size() > most_files)
          throw std::invalid_argument(one_line(pattern.string(), longest_name) + " matches more than " +
                                      std::to_string(most_files) + " names");
        count_words(1, "names that are compared with globs");
      }
    }
    found = std::move(next);
  }
  std::sort(found.begin(), found.end());
  const std::size_t before = sources_.size();
  bool any = false;
  for (const fs::path& path : found) {
    std::error_code error;
    if (!fs::is_regular_file(path, error)) continue;
    any = true;
    const auto end = sources_.begin() + static_cast<std::ptrdiff_t>(before);
    if (std::find(sources_.begin(), end, path.string()) == end) add_file(path.string());
  }
  if (!any) throw std::invalid_argument("no file matches " + one_line(pattern.string(), longest_name));
}

void source_list::count_words(std::size_t more, const char* what) {
  words_ += more;
  if (words_ > most_words)
    throw std::invalid_argument("more than " + std::to_string(most_words) + " " + what);
}

std::vector<source_list::word> source_list::words_of(const std::string& list) {
  std::vector<word> words;
  unsigned line = 1;
  bool within = false;  // a word goes on
  for (std::size_t at = 0; at < list.size(); ++at) {
    const char c = list[at];
    const bool fresh = !within;
    if (fresh && (c == '#' || list.compare(at, 2, "//") == 0)) {
      at = std::min(list.find('\n', at), list.size()) - 1;
    } else if (fresh && list.compare(at, 2, "/*") == 0) {
      const std::size_t end = std::min(list.find("*/", at + 2), list.size());
      line += static_cast<unsigned>(std::count(list.begin() + static_cast<std::ptrdiff_t>(at),
                                               list.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
      at = end + 1;
    } else if (std::isspace(static_cast<unsigned char>(c))) {
      within = false;
      line += c == '\n';
    } else {
      if (fresh) words.push_back({{}, line});
      within = true;
      words.back().text += c;
    }
  }
  return words;
}

void source_list::add_list(const std::string& path, const std::string& directory, unsigned depth) {
  if (depth > deepest)
    throw std::invalid_argument("lists nest more than " + std::to_string(deepest) + " levels deep");
  std::error_code error;
  if (!fs::is_regular_file(path, error))
    throw std::invalid_argument("there is no file " + one_line(path, longest_name));
  const std::string text = text_of_file(path, "file list " + path, longest_list);
  bytes_ += text.size();
  if (bytes_ > most_bytes)
    throw std::invalid_argument("more than " + std::to_string(most_bytes) + " bytes in file lists");
  const std::vector<word> words = words_of(text);
  count_words(words.size(), "words in file lists");
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string* const next = i + 1 < words.size() ? &words[i + 1].text : nullptr;
    try {
      i += add_word(words[i].text, next, directory, depth);
    } catch (const std::invalid_argument& wrong) {
      if (depth > 1 && begins_with(wrong.what(), "lists nest")) throw;
      throw std::invalid_argument(one_line(path, longest_name) + ":" + std::to_string(words[i].line) + ": " +
                                  wrong.what());
    }
  }
}

bool source_list::add_word(const std::string& word, const std::string* next, const std::string& directory,
                           unsigned depth) {
  const auto check = [](const std::string& text) -> const std::string& {
    if (text.find('$') != std::string::npos)
      throw std::invalid_argument("'" + one_line(text, longest_word) +
                                  "': variables of the environment are not replaced; write the path");
    return text;
  };
  check(word);
  if (word[0] == '+') {
    const std::vector<std::string> parts = split(word.substr(1), '+');
    if (parts.size() < 2 || (parts[0] != "incdir" && parts[0] != "define"))
      throw std::invalid_argument("'" + one_line(word, longest_word) +
                                  "': expected +incdir+DIR or +define+NAME");
    count_words(parts.size() - 2, "words in file lists");
    for (std::size_t i = 1; i < parts.size(); ++i)
      if (parts[0] == "define")
        defines_.push_back(parts[i]);
      else
        include_directories_.push_back(path_at(parts[i], directory));
    return false;
  }
  if (word[0] != '-') {
    add(word, directory);
    return false;
  }
  const std::string option = word.substr(0, 2);
  if (word.size() < 2 || std::string("fFvyID").find(option[1]) == std::string::npos ||
      (word.size() > 2 && option != "-I" && option != "-D"))
    throw std::invalid_argument(
        "option '" + one_line(word, longest_word) +
        "' is not supported: files, -f, -F, -v, -y, -I, -D, +incdir+ and +define+ are");
  const bool takes_next = word.size() == 2;
  if (takes_next && !next) throw std::invalid_argument("option '" + word + "' is the last word");
  const std::string value = check(takes_next ? *next : word.substr(2));
  const std::string path = path_at(value, directory);
  if (option == "-f")
    add_list(path, directory, depth + 1);
  else if (option == "-F")
    add_list(path, fs::path(path).parent_path().string(), depth + 1);
  else if (option == "-v")
    add_file(path);
  else if (option == "-D")
    defines_.push_back(value);
  else
    include_directories_.push_back(path);
  return takes_next;
}

}  // namespace toriscope
