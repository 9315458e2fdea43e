// SPDX-License-Identifier: Apache-2.0
#include "rtl_models/export/export_directory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "base/error_of_test.h"
#include "base/files_read.h"
#include "base/test_file.h"
#include "base/text_file.h"

namespace toriscope::export_directory_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// One of this name that has a list.
std::string directory_with_list(const std::string& name, const std::string& list) {
  make_directory(test_file(name));
  write_text_file(test_file(name) + "/export.txt", list);
  return test_file(name);
}

std::string error_of_list(const std::string& list) {
  return error_of([&] {
    export_directory("--sv", directory_with_list("listed", list), export_directory::kind::listed).check();
  });
}

TEST(export_directory, lines_of_its_list) {
  EXPECT_EQ(error_of_list("0123456789abcdef\n"), "none") << "a hash alone is no file";
  EXPECT_EQ(error_of_list("0123456789abcdef a/b/c.sv\n"), "none");
  // The middle of a name of more than 200 characters is left out.
  const std::string a(198, 'a');
  EXPECT_THAT(
      error_of_list("0123456789abcdef ../" + a + "\n"),
      HasSubstr(" names '../" + a.substr(0, 147) + " ... " + a.substr(0, 50) + "', which is not a file of "));
}

/// The outermost of the directories that a file is in.
TEST(export_directory, no_link_leads_to_a_file) {
  const std::string path = directory_with_list("linked", "0123456789abcdef a/b/c.sv\n");
  make_directory(path + "/elsewhere/b");
  std::filesystem::create_directory_symlink("elsewhere", path + "/a");
  export_directory linked("--sv", path, export_directory::kind::listed);
  EXPECT_THAT(error_of([&] { linked.check(); }),
              HasSubstr("linked/a is a symbolic link where a directory is exp"));
}

/// Until the last file has its place the list names those of the export before, too: what is left there is
/// no one else's.
TEST(export_directory, an_export_that_is_cut_short_has_listed_the_files_of_both) {
  const std::string path = test_file("cut");
  export_directory first("--sv", path, export_directory::kind::listed);
  write_text_file(first.staging() + "/first.sv", "1");
  first.check();
  first.install();
  export_directory second("--sv", path, export_directory::kind::listed);
  make_directory(second.staging() + "/rtl");
  write_text_file(second.staging() + "/rtl/second.sv", "2");
  second.check();
  write_text_file(path + "/rtl", "since");
  EXPECT_NE(error_of([&] { second.install(); }), "none");
  EXPECT_THAT(text_of_file(path + "/export.txt", "list"),
              AllOf(HasSubstr(" first.sv\n"), HasSubstr(" rtl/second.sv\n")));
}

/// Here it is an input of the command: it is not replaced, and that is known before another file is.
TEST(export_directory, a_list_that_cannot_be_written_is_found_before) {
  const std::string path = directory_with_list("input", "{}\n");
  export_directory into("--sv", path, export_directory::kind::listed);
  EXPECT_EXIT(
      {
        protect_files_read();
        note_file_read(path + "/export.txt");
        std::cerr << error_of([&] { into.check(); });
        std::_Exit(0);
      },
      testing::ExitedWithCode(0), "export.txt: it is an input of this command");
}

}  // namespace
}  // namespace toriscope::export_directory_test
