// SPDX-License-Identifier: Apache-2.0
// The page with its data, and the files that a browser hands back.
#include "testbenches/experiments/report/figure_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "base/error_of_test.h"
#include "base/scratch_directory.h"
#include "testbenches/experiments/report/report_page.h"

namespace toriscope::figure_files_test {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

class figure_files : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) const {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name) << text;
    return (root_ / name).string();
  }

  const scratch_directory scratch_;
  const fs::path root_ = scratch_.path();
};

TEST_F(figure_files, figures_are_what_the_browser_hands_back) {
  const std::string browser =
      write("browser",
            "#!/bin/sh\nfor page; do :; done\n"
            "echo \"<html><pre id=\\\"toriscope-figures\\\">a.svg PHN2Zz4=\nb.png iVBO/w==</pre> c d<\"\n"
            "echo '</html> of the page that was opened'\n"
            "printf %s \"$page\" > \"$0.page\"\necho \"$TMPDIR $*\" > \"$0.given\"\n");
  fs::permissions(browser, fs::perms::owner_all);
  setenv("CHROMIUM", browser.c_str(), 1);
  EXPECT_EQ(write_figures("a report\t\x10.html", (root_ / "figures").string()), 2U);
  std::ifstream svg(root_ / "figures/a.svg"), png(root_ / "figures/b.png", std::ios::binary);
  std::ifstream page(browser + ".page");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(svg), {}), "<svg>");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(png), {}), "\x89PN\xff");
  EXPECT_THAT(
      std::string(std::istreambuf_iterator<char>(page), {}),
      testing::AllOf(testing::StartsWith("file:///"), testing::EndsWith("/a%20report%09%10.html#figures")));
  std::ifstream given(browser + ".given");
  std::string profile, arguments;
  given >> profile;
  std::getline(given, arguments);
  EXPECT_THAT(arguments, HasSubstr(" --user-data-dir=" + profile + " ")) << "and its temporary files, too";
  EXPECT_EQ(arguments.find(" --no-sandbox ") != std::string::npos, geteuid() == 0);
  const auto error = [&] { return error_of([&] { write_figures("a.html", root_.string()); }); };
  setenv("CHROMIUM", "/bin/false", 1);
  EXPECT_EQ(error(), "/bin/false failed with status 1: no message");
  setenv("CHROMIUM", "/bin/true", 1);
  EXPECT_EQ(error(), "Chromium did not draw the figures of a.html");
  unsetenv("CHROMIUM");
}

TEST_F(figure_files, a_browser_is_the_one_chosen_or_the_first_in_the_path) {
  const std::string chromium = write("bin/google-chrome", "");
  fs::permissions(chromium, fs::perms::owner_all);
  write("bin/chromium", "no program");
  const std::string before = std::getenv("PATH");
  unsetenv("CHROMIUM");
  setenv("PATH", ("/no/such:" + (root_ / "bin").string()).c_str(), 1);
  const std::string in_path = error_of([] { throw std::runtime_error(find_chromium()); });
  setenv("CHROMIUM", "", 1);
  const std::string not_chosen = error_of([] { throw std::runtime_error(find_chromium()); });
  setenv("CHROMIUM", "/my/chromium", 1);
  const std::string chosen = find_chromium();
  unsetenv("CHROMIUM");
  setenv("PATH", "/no/such", 1);
  const std::string none = error_of(find_chromium);
  setenv("PATH", before.c_str(), 1);
  EXPECT_EQ(in_path, chromium);
  EXPECT_EQ(not_chosen, chromium) << "empty, as if not set";
  EXPECT_EQ(chosen, "/my/chromium");
  EXPECT_THAT(none, HasSubstr("--figures needs Chromium, which is not installed"));
}

/// Without npm there is no page.
TEST_F(figure_files, the_page_is_whole_and_has_no_markup_of_its_data) {
  std::string page;
  if (error_of([&] { page = report_page({{"a", "</script>&"}}); }) != "none")
    GTEST_SKIP() << "built without it";
  EXPECT_THAT(page, testing::StartsWith("<!doctype html>"));
  EXPECT_THAT(page, HasSubstr("{\"a\":\"\\u003c/script>&\"}"));
  EXPECT_THAT(page, testing::Not(HasSubstr("@@DATA@@")));
}

}  // namespace
}  // namespace toriscope::figure_files_test
