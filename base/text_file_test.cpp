// SPDX-License-Identifier: Apache-2.0
#include "base/text_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <ostream>

#include "base/cache_directory.h"
#include "base/error_of_test.h"
#include "base/output_file.h"
#include "base/scratch_files.h"
#include "base/text_hash.h"

namespace toriscope::text_file_test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class files : public scratch_files {};

std::string reading(const std::string& path) {
  return error_of([&] { text_of_file(path, "plan " + path); });
}

TEST_F(files, are_read_as_they_are) {
  const std::string text("a\0b\r\n", 5);
  make("f", text);
  EXPECT_EQ(text_of_file(file("f"), "f"), text);
  EXPECT_EQ(text_if_there(file("f")), text);
  make("empty", "");
  EXPECT_EQ(text_if_there(file("empty")), "");
  make("large", std::string(3000000, 'x'));
  EXPECT_EQ(text_of_file(file("large"), "f").size(), 3000000u);
  EXPECT_EQ(hash_of_file(file("large")), mix_text(std::string(3000000, 'x')));
}

TEST_F(files, that_cannot_be_read) {
  EXPECT_EQ(reading("/no/such"), "plan /no/such cannot be read: No such file or directory");
  EXPECT_EQ(reading(scratch_.path()), scratch_.path() + " is a directory; a file is expected");
  make("empty", "");
  EXPECT_EQ(reading(file("empty")), "plan " + file("empty") + " is empty");
  EXPECT_EQ(error_of([] { text_of_file("/dev/zero", "plan /dev/zero", 1000000); }),
            "plan /dev/zero is longer than 1000000 bytes, which is more than is read");
  EXPECT_EQ(hash_of_file("/no/such"), std::nullopt);
  EXPECT_EQ(hash_of_file("/dev/zero"), std::nullopt);
  EXPECT_EQ(text_if_there("/no/such"), std::nullopt);
  EXPECT_EQ(text_if_there(scratch_.path()), std::nullopt);
  EXPECT_EQ(text_if_there("/dev/zero"), std::nullopt);
  make("block", std::string(1 << 16, 'x'));
  EXPECT_EQ(text_of_file(file("block"), "f", 1 << 16).size(), 1u << 16);
  make("block", std::string((1 << 16) + 1, 'x'));
  EXPECT_EQ(error_of([&] { text_of_file(file("block"), "f", 1 << 16); }),
            "f is longer than 65536 bytes, which is more than is read");
  EXPECT_EQ(reading("/proc/self/mem"), "plan /proc/self/mem cannot be read: Input/output error");
  ASSERT_EQ(mkfifo(file("pipe").c_str(), 0600), 0);
  EXPECT_EQ(text_if_there(file("pipe")), std::nullopt) << "without waiting for a writer";
}

TEST_F(files, without_a_size_are_read_up_to_a_limit) {
  const std::string limit = std::to_string(max_bytes_of_stream);
  EXPECT_EQ(reading("/dev/zero"), "plan /dev/zero is a pipe or device of more than " + limit +
                                      " bytes, which is more than is read; name a regular file");
  ASSERT_EQ(mkfifo(file("pipe").c_str(), 0600), 0);
  const std::string text(max_bytes_of_stream, 'x');  // which is more than a pipe holds
  const pid_t writer = fork();
  if (writer == 0) {
    std::ofstream(file("pipe")) << text;
    _exit(0);
  }
  EXPECT_TRUE(text_of_file(file("pipe"), "f") == text);
  waitpid(writer, nullptr, 0);
}

TEST_F(files, that_begin_otherwise_are_not_read_to_the_end) {
  make("f", "magic 1\n" + std::string(3000000, 'x'));
  const auto read_bytes = [&](const char* beginning) {
    return text_of_file(file("f"), "f", 4000000, beginning).size();
  };
  EXPECT_EQ(read_bytes("magic 1\n"), 3000008u);
  EXPECT_LT(read_bytes("magic 2\n"), 100000u);
  EXPECT_LT(text_of_file("/dev/zero", "f", std::size_t{1} << 36, "magic").size(), 100000u);
  make("short", "mag");
  EXPECT_EQ(text_of_file(file("short"), "f", 100, "magic"), "mag");
}

TEST_F(files, are_written_whole) {
  write_text_file(file("f"), "one");
  EXPECT_EQ(read("f"), "one");
  write_text_file(file("f"), [](std::ostream& out) { out << "two " << 2; });
  EXPECT_EQ(read("f"), "two 2");
  EXPECT_EQ(count(), 1u);
  struct stat found {};
  ASSERT_EQ(stat(file("f").c_str(), &found), 0);
  const mode_t mask = umask(0);
  umask(mask);
  EXPECT_EQ(found.st_mode & 0777, 0666 & ~mask);
}

TEST_F(files, that_are_not_finished_leave_no_trace) {
  make("f", "old");
  {
    output_file unfinished(file("f"));
    unfinished.write(std::string(1000000, 'x'));
    EXPECT_EQ(read("f"), "old");
  }
  EXPECT_EQ(
      error_of([&] { write_text_file(file("f"), [](std::ostream&) { throw std::runtime_error("why"); }); }),
      "why");
  EXPECT_EQ(read("f"), "old");
  EXPECT_EQ(count(), 1u);
}

TEST_F(files, of_killed_writers_leave_no_trace) {
  EXPECT_EXIT(
      {
        output_file unfinished(file("f"));
        unfinished.write(std::string(1000000, 'x'));
        std::raise(SIGKILL);
      },
      testing::KilledBySignal(SIGKILL), "");
  EXPECT_EQ(count(), 0u);
}

TEST_F(files, that_cannot_be_written) {
  EXPECT_EQ(writing(""), "cannot write a file without a name");
  EXPECT_EQ(writing("/dev/full"), "cannot write /dev/full: No space left on device");
  EXPECT_EQ(writing("/no/such/f"), "cannot write /no/such/f: No such file or directory");
  EXPECT_EQ(writing(scratch_.path()), "cannot write " + scratch_.path() + ": Is a directory");
  EXPECT_EQ(writing("/dev/null/f"), "cannot write /dev/null/f: Not a directory");
  EXPECT_THAT(writing(file(std::string(300, 'x'))), HasSubstr("File name too long"));
  EXPECT_EQ(writing("/dev/null"), "none");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_EQ(count(), 0u);
}

TEST_F(files, written_by_two_at_once_are_of_the_last) {
  output_file first(file("f")), second(file("f"));
  first.write("first");
  second.write("second");
  second.close();
  EXPECT_EQ(read("f"), "second");
  first.close();
  EXPECT_EQ(read("f"), "first");
  EXPECT_EQ(count(), 1u);
  const std::string long_name(250, 'x');
  write_text_file(file(long_name), "a");
  write_text_file(file(long_name), "b");
  EXPECT_EQ(read(long_name), "b");
  // Of a name as long as this 240 characters are those of the temporary.
  make(long_name.substr(0, 240) + ".01234567.part", "left");
  make(long_name.substr(0, 239) + ".01234567.part", "kept");
  write_text_file(file(long_name), "c");
  EXPECT_EQ(read(long_name.substr(0, 240) + ".01234567.part"), "none");
  EXPECT_EQ(read(long_name.substr(0, 239) + ".01234567.part"), "kept");
}

TEST_F(files, take_away_what_killed_writers_of_them_left) {
  const std::string kept[] = {"f.0123456.part", "f.0123456x.part", "f.01234567.part.part", "g.01234567.part"};
  for (const std::string& name : kept) make(name, "kept");
  make("f", "old");
  make("f.01234567.part", "left");
  make("f.89abcdef.part", "left");
  write_text_file(file("f"), "new");
  EXPECT_EQ(read("f"), "new");
  for (const std::string& name : kept) EXPECT_EQ(read(name), "kept") << name;
  EXPECT_EQ(count(), std::size(kept) + 1);
}

TEST_F(files, do_not_follow_links_that_others_lay) {
  make("victim", "mine");
  fs::create_symlink(file("victim"), file("f.part"));
  fs::create_symlink(file("victim"), file("g"));
  write_text_file(file("f"), "text");
  write_text_file(file("g"), "text");
  EXPECT_EQ(read("victim"), "mine");
  EXPECT_EQ(read("g"), "text");
  fs::create_symlink("/dev/full", file("h"));
  write_text_file(file("h"), "text");
  EXPECT_EQ(read("h"), "text") << "in place of the link to a device";
  fs::create_directory(file("fd"));
  for (const char* name : {"stdout", "stderr", "fd/1"}) {
    fs::create_symlink(file("victim"), file(name));
    write_text_file(file(name), "text");
    EXPECT_EQ(read("victim"), "mine") << name << " of no process";
    EXPECT_EQ(read(name), "text");
  }
}

TEST_F(files, of_our_own_replace_pipes) {
  ASSERT_EQ(mkfifo(file("pipe").c_str(), 0600), 0);
  replace_text_file(file("pipe"), "text");  // writing into it would wait for a reader
  EXPECT_EQ(read("pipe"), "text");
}

TEST(output_file, knows_what_killed_writers_left) {
  EXPECT_TRUE(is_abandoned_part("plan.json.0123abcd.part", "plan.json"));
  EXPECT_TRUE(is_abandoned_part("plan.json.host.17.tmp", "plan.json"));
  EXPECT_TRUE(is_abandoned_part("plan.json.host.17.tmp.part", "plan.json"));
  EXPECT_FALSE(is_abandoned_part("plan.json", "plan.json"));
  EXPECT_FALSE(is_abandoned_part("plan.json.bak", "plan.json"));
  EXPECT_FALSE(is_abandoned_part("curves.csv.0.part", "plan.json"));
}

TEST(scratch_directory, of_killed_processes_goes_with_the_next) {
  const scratch_directory parent;
  const pid_t killed = fork();
  if (killed == 0) {
    const scratch_directory left(parent.path());
    write_text_file(left.file("text"), "text");
    std::raise(SIGKILL);
  }
  waitpid(killed, nullptr, 0);
  const auto inside = [&] {
    return std::distance(fs::directory_iterator(parent.path()), fs::directory_iterator());
  };
  EXPECT_EQ(inside(), 1);
  for (const char* name : {"toriscope_scratch_1", "toriscope_result", "other"})
    fs::create_directory(parent.file(name));
  fs::create_symlink("other", parent.file("toriscope_scratch_aaaaaa"));
  write_text_file(parent.file("toriscope_scratch_bbbbbb"), "a file");
  fs::create_directory(parent.file("toriscope_scratch_cccccc"));
  const bool is_root = geteuid() == 0;
  if (is_root) {
    ASSERT_EQ(chown(parent.file("toriscope_scratch_cccccc").c_str(), 65534, 65534), 0);
  }
  const scratch_directory first(parent.path()), second(parent.path());
  EXPECT_EQ(inside(), is_root ? 8 : 7) << "what others made, and the two that are in use";
  EXPECT_TRUE(fs::exists(first.path()));
  const auto open_files = [] {
    return std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator());
  };
  const auto before = open_files();
  { const scratch_directory third(parent.path()); }
  EXPECT_EQ(open_files(), before);
}

TEST(cache_directory, of_a_user_is_not_one_that_others_may_write) {
  const scratch_directory home;
  setenv("XDG_CACHE_HOME", home.path().c_str(), 1);
  const std::string path = home.path() + "/toriscope";
  const mode_t before = umask(0);
  EXPECT_EQ(user_cache_directory(), path);
  umask(before);
  struct stat found {};
  ASSERT_EQ(stat(path.c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777, 0700u) << "whatever the mask";
  chmod(path.c_str(), 0775);
  EXPECT_EQ(user_cache_directory(), path);
  ASSERT_EQ(stat(path.c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777, 0700u) << "a group's write permission is taken away";
  chmod(path.c_str(), 0755);
  EXPECT_EQ(user_cache_directory(), path);
  ASSERT_EQ(stat(path.c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777, 0755u) << "others may read it";
  chmod(path.c_str(), 0777);
  EXPECT_EQ(user_cache_directory(), "");
  if (geteuid() == 0) {
    chmod(path.c_str(), 0700);
    ASSERT_EQ(chown(path.c_str(), 65534, 65534), 0);
    EXPECT_EQ(user_cache_directory(), "") << "another user's";
  }
  fs::remove(path);
  write_text_file(path, "");
  EXPECT_EQ(user_cache_directory(), "") << "a file";
  unsetenv("XDG_CACHE_HOME");
}

TEST(cache_directory, is_below_the_home_of_its_user_where_the_environment_names_none) {
  const char* const known = std::getenv("HOME");
  const std::string before = known ? known : "";
  const scratch_directory home;
  setenv("HOME", home.path().c_str(), 1);
  unsetenv("XDG_CACHE_HOME");
  const std::string path = home.path() + "/.cache/toriscope";
  EXPECT_EQ(user_cache_directory(), path);
  EXPECT_TRUE(fs::is_directory(path));
  setenv("XDG_CACHE_HOME", "", 1);
  EXPECT_EQ(user_cache_directory(), path) << "empty, as if not set";
  unsetenv("XDG_CACHE_HOME");
  setenv("HOME", "", 1);
  EXPECT_EQ(user_cache_directory(), "");
  known ? setenv("HOME", before.c_str(), 1) : unsetenv("HOME");
}

TEST(cache_directory, below_the_temporary_one_is_of_its_user_alone) {
  const scratch_directory parent;
  setenv("TMPDIR", parent.path().c_str(), 1);
  const std::string made = private_temporary_directory();
  EXPECT_EQ(private_temporary_directory(), made);
  EXPECT_EQ(fs::status(made).permissions(), fs::perms::owner_all);
  for (const unsigned writable : {0770u, 0702u}) {
    fs::permissions(made, static_cast<fs::perms>(writable));
    EXPECT_THAT(error_of(private_temporary_directory), HasSubstr("others may write " + made))
        << (writable == 0770 ? "their group" : "all but their group");
  }
  fs::permissions(made, static_cast<fs::perms>(0755));
  EXPECT_EQ(private_temporary_directory(), made) << "others may read it";
  if (geteuid() == 0) {
    ASSERT_EQ(chown(made.c_str(), 65534, 65534), 0);
    EXPECT_THAT(error_of(private_temporary_directory), HasSubstr("others may write " + made)) << "another user's";
  }
  fs::remove(made);
  write_text_file(made, "");
  fs::permissions(made, fs::perms::owner_all);
  EXPECT_THAT(error_of(private_temporary_directory), HasSubstr("others may write " + made)) << "a file";
  fs::remove(made);
  fs::create_symlink("/", made);
  EXPECT_THAT(error_of(private_temporary_directory), HasSubstr("others may write " + made));
  setenv("TMPDIR", "/no/such", 1);
  EXPECT_THAT(error_of(private_temporary_directory), HasSubstr("TMPDIR"));
  setenv("TMPDIR", "", 1);
  EXPECT_EQ(temporary_directory(), "/tmp") << "empty, as if not set";
  unsetenv("TMPDIR");
}

}  // namespace
}  // namespace toriscope::text_file_test
