// SPDX-License-Identifier: Apache-2.0
// Lists of sources as simulators take them, and what is said of those that are wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "base/error_of_test.h"
#include "base/scratch_directory.h"
#include "rtl_models/user_rtl/source_list.h"

namespace toriscope::source_list_test {
namespace {

namespace fs = std::filesystem;

/// What is wrong with a list; its path is replaced by "LIST".
std::string complaint_of_list(const std::string& text) {
  const scratch_directory scratch;
  std::ofstream(scratch.file("a.f")) << text;
  std::ofstream(scratch.file("a.sv")) << "module a; endmodule\n";
  std::ofstream(scratch.file(".b.sv")) << "\n";
  fs::create_directory(scratch.file("sub"));
  std::ofstream(scratch.file("sub/b.f")) << "b.sv";
  std::ofstream(scratch.file("sub/b.sv")) << "module b; endmodule\n";
  std::ofstream(scratch.file("sub/long.f")) << std::string(1u << 20, '\n');
  source_list list(scratch.path());
  std::string said;
  try {
    list.add_list("a.f");
    for (const std::string& file : list.sources()) said += file + " ";
    for (const std::string& directory : list.include_directories()) said += "I" + directory + " ";
    for (const std::string& define : list.defines()) said += "D" + define + " ";
  } catch (const std::invalid_argument& error) {
    said = error.what();
  }
  for (std::size_t at; (at = said.find(scratch.path())) != std::string::npos;)
    said.replace(at, scratch.path().size(), "@");
  return said;
}

TEST(source_list, takes_what_simulators_take) {
  EXPECT_EQ(complaint_of_list("// a.sv b.sv\n# c\n/* d\n */ a.sv /* */\n"), "@/a.sv ");
  EXPECT_EQ(complaint_of_list("+incdir+inc+/abs/inc +define+A+B=2\n-Ix -I y -y z -DC=1 -D D -v a.sv"),
            "@/a.sv I@/inc I/abs/inc I@/x I@/y I@/z DA DB=2 DC=1 DD ");
  EXPECT_EQ(complaint_of_list("?.sv *.sv"), "@/a.sv ") << "a match leaves out what is there, and hidden files";
  EXPECT_EQ(complaint_of_list(".*.sv"), "@/.b.sv ");
  EXPECT_EQ(complaint_of_list("-F sub/b.f a.sv"), "@/sub/b.sv @/a.sv ") << "names in it are relative to it";
  EXPECT_EQ(complaint_of_list("a.sv a.sv"), "@/a.sv @/a.sv ") << "Verilator says what is wrong with that";
  EXPECT_EQ(complaint_of_list("+define+A"), "DA ");
  EXPECT_EQ(complaint_of_list("/**/ a.sv"), "@/a.sv ");
  EXPECT_EQ(complaint_of_list("/*/ b.sv */ a.sv"), "@/a.sv ") << "a comment ends behind its begin";
}

TEST(source_list, tells_file_and_line_of_what_is_wrong) {
  EXPECT_EQ(complaint_of_list("a.sv\n\nb.sv"), "@/a.f:3: there is no file @/b.sv");
  EXPECT_EQ(complaint_of_list("/* d\n\n*/b.sv"), "@/a.f:3: there is no file @/b.sv");
  EXPECT_EQ(complaint_of_list("${HOME}/a.sv"),
            "@/a.f:1: '${HOME}/a.sv': variables of the environment are not replaced; write the path");
  EXPECT_THAT(complaint_of_list("-I $HOME"), testing::HasSubstr("variables of the environment"));
  for (const char* const option : {"--exe", "-CFLAGS", "-o", "-Mdir", "-", "--pins-bv", "-fno-dfg", "-fx"})
    EXPECT_THAT(complaint_of_list(option),
                testing::HasSubstr(std::string("option '") + option + "' is not supported"));
  EXPECT_THAT(complaint_of_list("+libext+.v"), testing::HasSubstr("expected +incdir+DIR or +define+NAME"));
  EXPECT_EQ(complaint_of_list("-f"), "@/a.f:1: option '-f' is the last word");
  EXPECT_EQ(complaint_of_list("-f a.f"), "@/a.f:1: lists nest more than 16 levels deep");
  EXPECT_EQ(complaint_of_list("-f sub/b.f"), "@/a.f:1: @/sub/b.f:1: there is no file @/b.sv");
  EXPECT_EQ(complaint_of_list("-F ."), "@/a.f:1: there is no file @/");
  EXPECT_EQ(complaint_of_list(std::string(1u << 20, '\n') + "a.sv"),
            "file list @/a.f is longer than 1048576 bytes, which is more than is read");
  std::string many;
  for (int i = 0; i <= 10000; ++i) many += "a.sv\n";
  EXPECT_THAT(complaint_of_list(many + many + many + many + many + many + many + many + many + many),
              testing::HasSubstr("more than 100000 words in file lists"));
  EXPECT_EQ(complaint_of_list(many), "@/a.f:10001: more than 10000 files");
  many = "+define";
  for (int i = 0; i <= 100000; ++i) many += "+A";
  EXPECT_EQ(complaint_of_list(many), "@/a.f:1: more than 100000 words in file lists");
  many = "";
  for (int i = 0; i < 16; ++i) many += "-f sub/long.f\n";
  EXPECT_EQ(complaint_of_list(many), "@/a.f:16: more than 16777216 bytes in file lists");
}

TEST(source_list, takes_as_many_words_and_bytes_as_it_says) {
  std::string many = "+define";
  for (int i = 0; i < 100000; ++i) many += "+A";
  std::string defines;
  for (int i = 0; i < 100000; ++i) defines += "DA ";
  EXPECT_EQ(complaint_of_list(many), defines);
  many = "a.sv\n";
  for (int i = 0; i < 15; ++i) many += "-f sub/long.f\n";
  many.resize(1u << 20, '\n');
  EXPECT_EQ(complaint_of_list(many), "@/a.sv ") << "16 times 2^20 bytes";
}

/// Each of a chain names the next one.
TEST(source_list, nests_sixteen_lists) {
  for (const std::string option : {"-f ", "-F "})
    for (const int last : {16, 17}) {
      const scratch_directory scratch;
      std::ofstream(scratch.file("a.sv")) << "\n";
      for (int i = 1; i < last; ++i)
        std::ofstream(scratch.file(std::to_string(i))) << option << i + 1;
      std::ofstream(scratch.file(std::to_string(last))) << "a.sv";
      source_list list(scratch.path());
      const std::string said = error_of([&] { list.add_list("1"); });
      EXPECT_EQ(said, last == 16 ? "none" : scratch.file("1") + ":1: lists nest more than 16 levels deep");
      EXPECT_EQ(list.sources().size(), last == 16 ? 1u : 0u);
    }
}

/// 10,000 names, with which a list compares 100,000 at most.
TEST(source_list, compares_names_with_globs) {
  const scratch_directory scratch;
  for (int i = 0; i < 10000; ++i) std::ofstream(scratch.file("f" + std::to_string(i)));
  source_list list(scratch.path());
  list.add("*");
  EXPECT_EQ(list.sources().size(), 10000u);
  EXPECT_TRUE(std::is_sorted(list.sources().begin(), list.sources().end()));
  for (int i = 1; i < 10; ++i) list.add("f?");
  EXPECT_EQ(error_of([&] { list.add("f?"); }), "more than 100000 names that are compared with globs");
  std::ofstream(scratch.file("g"));
  source_list more(scratch.path());
  EXPECT_EQ(error_of([&] { more.add("*"); }), scratch.file("*") + " matches more than 10000 names");
}

}  // namespace
}  // namespace toriscope::source_list_test
