// SPDX-License-Identifier: Apache-2.0
// Files on their way to their names: in places where others do not look, and where not all is as usual.
#include "base/output_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>

#include "base/error_of_test.h"
#include "base/files_read.h"
#include "base/output_directory.h"
#include "base/resources.h"
#include "base/scratch_files.h"
#include "base/text_file.h"

namespace toriscope::output_file_test {
namespace {

namespace fs = std::filesystem;

class output_files : public scratch_files {};

/// The lowest number that no open file has.
int lowest_free() {
  const int number = open("/dev/null", O_RDONLY | O_CLOEXEC);
  close(number);
  return number;
}

TEST_F(output_files, are_written_over_in_places) {
  output_file out(file("f"));
  out.write("abcdef");
  out.overwrite(2, "XY");
  out.write("gh");
  out.close();
  EXPECT_EQ(read("f"), "abXYefgh");
  out.overwrite(0, "late");
  EXPECT_EQ(out.error(), "") << "it is closed";
  output_file nowhere("/dev/full");
  nowhere.overwrite(0, "text");
  EXPECT_EQ(nowhere.error(), "cannot write /dev/full: No space left on device");
  // There is space for half of it.
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  output_file full(file("g"));
  full.write("abcd");
  full.overwrite(0, "ABCD");
  const rlimit eight = {8, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &eight);
  full.overwrite(6, "1234");
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(error_of([&] { full.close(); }), "cannot write " + file("g") + ": No space left on device");
  EXPECT_EQ(count(), 1u);
}

TEST_F(output_files, are_read_and_written_where_standard_input_is_closed) {
  make("f", "old");
  make("out", "");
  const std::string known = scratch_.path();
  const int direct = open(file("out").c_str(), O_RDWR | O_CLOEXEC), input = fcntl(0, F_DUPFD_CLOEXEC, 10);
  const std::string name = "/dev/fd/" + std::to_string(direct);
  close(0);
  const std::string text = text_of_file(file("f"), "f");
  const int after_reading = lowest_free();
  std::size_t unfinished = 0;
  {
    output_file left(file("f"));
    left.write("left");
    unfinished = count();
  }
  const int after_leaving = lowest_free();
  const std::string written = error_of([&] {
    output_file out(file("f"));
    out.write(std::string(1000000, 'x'));
    out.overwrite(0, "new");
    out.close();
  });
  const int after_writing = lowest_free();
  bool kept = false;
  {
    const scratch_directory first(known);
    const scratch_directory second(known);
    kept = fs::exists(first.path()) && fs::exists(second.path());
  }
  const int after_scratch = lowest_free();
  output_file closed(name);
  close(0);  // as if the last of it could not be written
  const std::string error = error_of([&] { closed.close(); });
  dup2(input, 0);
  close(input);
  close(direct);
  EXPECT_EQ(text, "old");
  EXPECT_EQ(unfinished, 2u) << "f and out, without a name for what is on its way";
  EXPECT_EQ(written, "none");
  EXPECT_EQ(read("f").substr(0, 4), "newx");
  EXPECT_EQ(read("f").size(), 1000000u);
  EXPECT_TRUE(kept);
  EXPECT_EQ(error, "cannot write " + name + ": Bad file descriptor");
  for (const int number : {after_reading, after_leaving, after_writing, after_scratch}) EXPECT_EQ(number, 0);
}

/// Elsewhere than in /proc nothing gives a name to a file without one. Only root can go there.
TEST_F(output_files, have_a_name_before_they_are_whole_where_there_is_no_proc) {
  if (geteuid() != 0) GTEST_SKIP() << "who may not change the root directory";
  const auto in_child = [&]() noexcept {
    if (chroot(scratch_.path().c_str()) != 0 || chdir("/") != 0) std::_Exit(1);
    std::string seen;
    const auto look = [&seen] {
      std::set<std::string> names;
      for (const auto& entry : fs::directory_iterator("/")) {
        std::string name = entry.path().filename().string();
        if (name.size() > 14) name.replace(name.size() - 13, 8, "*");
        names.insert(name);
      }
      for (const std::string& name : names) seen += name + ' ';
      seen += '\n';
    };
    {
      output_file out("/f");
      out.write("one");
      look();
      out.close();
      look();
      output_file unfinished("g");
      look();
    }
    look();
    output_file impossible("/d");
    fs::create_directory("/d");
    seen += error_of([&] { impossible.close(); }) + '\n';
    look();
    seen += writing("/none/f") + '\n' + std::to_string(resident_bytes()) + '\n';
    std::ofstream("/seen") << seen;
    std::_Exit(0);
  };
  const pid_t child = fork();
  if (child == 0) in_child();
  waitpid(child, nullptr, 0);
  EXPECT_EQ(read("seen"),
            "f.*.part \nf \nf g.*.part \nf \ncannot write /d: Is a directory\nd f \n"
            "cannot write /none/f: No such file or directory\n0\n");
  EXPECT_EQ(read("f"), "one");
}

TEST_F(output_files, that_become_directories_are_not_written) {
  output_file out(file("f"));
  fs::create_directory(file("f"));
  EXPECT_EQ(error_of([&] { out.close(); }), "cannot write " + file("f") + ": Is a directory");
  EXPECT_EQ(count(), 1u);
}

/// What is true of files that a program reads for its user, in a process of its own.
TEST_F(output_files, that_were_read_are_not_replaced) {
  make("before", "text");
  make("in", "text");
  fs::create_symlink(file("in"), file("link"));
  const std::string refused = ": it is an input of this command; name another file";
  const auto in_child = [&]() noexcept {
    text_of_file(file("before"), "f");
    protect_files_read();
    std::string seen = writing(file("before")) + '\n';
    output_file late(file("before"));
    for (const char* name : {"in", "before"}) text_of_file(file(name), "f");
    seen += error_of([&] { late.close(); }) + '\n';
    seen += writing(file("in")) + '\n' + writing(file("link")) + '\n';
    release_file_read(file("in"));
    seen += writing(file("in")) + '\n';
    seen += error_of([&] { replace_text_file(file("before"), "own"); }) + '\n';
    note_file_read("/dev/null");
    seen += is_file_read("/dev/null") ? "noted\n" : "no file\n";
    seen += is_file_read("/no/such") ? "noted\n" : "none\n";
    replace_text_file(file("seen"), seen);
    std::_Exit(0);
  };
  const pid_t child = fork();
  if (child == 0) in_child();
  waitpid(child, nullptr, 0);
  EXPECT_EQ(read("seen"), "none\ncannot write " + file("before") + refused + "\ncannot write " + file("in") +
                              refused + "\nnone\nnone\nnone\nno file\nnone\n");
  EXPECT_EQ(read("before"), "own");
}

TEST_F(output_files, that_are_open_are_written_in_their_place) {
  make("f", "older and longer");
  const int known = open(file("f").c_str(), O_RDWR | O_CLOEXEC);
  {
    output_file out("/dev/fd/" + std::to_string(known));
    EXPECT_EQ(read("f"), "") << "from its beginning";
    const std::string much(1 << 18, 'x');
    out.write(much);
    EXPECT_EQ(fs::file_size(file("f")), much.size()) << "little is kept in memory";
    out.write("end");
    out.close();
    EXPECT_EQ(read("f"), much + "end");
  }
  close(known);
}

TEST_F(output_files, are_made_in_directories_that_can_be_written) {
  const auto check = [](const std::string& path) {
    return error_of([&] { check_writable_directory(path); });
  };
  make("f", "text");
  fs::create_symlink(file("nowhere"), file("dangling"));
  fs::create_directory_symlink(scratch_.path(), file("here"));
  for (const char* name : {"", "new", "new/below", "here", "here/new"})
    EXPECT_EQ(check(file(name)), "none") << name;
  for (const char* name : {"f", "dangling"})
    EXPECT_EQ(check(file(name)), "cannot write " + file(name) + ": " + file(name) + " is not a directory");
  EXPECT_EQ(check(file("dangling/new")),
            "cannot write " + file("dangling/new") + ": " + file("dangling") + " is not a directory");
  if (geteuid() != 0) return;
  const auto as_another_user = [&](mode_t mode, const std::string& path) {
    chmod(scratch_.path().c_str(), mode);
    EXPECT_EXIT(
        {
          if (setgid(65534) != 0 || setuid(65534) != 0) std::_Exit(1);
          std::cerr << check(path);
          std::_Exit(0);
        },
        testing::ExitedWithCode(0),
        mode == 0777 ? "^none$" : "^cannot write " + path + ": Permission denied$");
  };
  for (const mode_t mode : {0755, 0776, 0777}) as_another_user(mode, scratch_.path());
  as_another_user(0700, file("new"));  // what there is may not be seen
}

}  // namespace
}  // namespace toriscope::output_file_test
