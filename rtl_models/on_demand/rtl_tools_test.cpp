// SPDX-License-Identifier: Apache-2.0
// What Verilator and the compiler are asked, by scripts in their place that build nothing: the log of a build
// has their command, and its name is what the library's would be.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "base/error_of_test.h"
#include "base/test_file.h"
#include "base/text_file.h"
#include "rtl_models/on_demand/rtl_build.h"

namespace toriscope::rtl_tools_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class rtl_tools_test : public testing::Test {
 protected:
  rtl_tools_test() { setenv("TORISCOPE_RTL_CACHE", test_file("cache").c_str(), 1); }
  ~rtl_tools_test() override {
    for (const char* variable : {"TORISCOPE_RTL_CACHE", "TORISCOPE_VERILATOR", "TORISCOPE_CXX"})
      unsetenv(variable);
  }

  static rtl_design design() {
    rtl_design d;
    d.files = {test_file("m.sv")};
    d.top = "m";
    write_text_file(d.files[0], "module m; endmodule\n");
    return d;
  }

  /// The log of a build that fails. @param version, does  of Verilator: what it says, what it does else
  static std::string log_of(const std::string& version, const rtl_design& d,
                            const std::string& does = "exit 1") {
    const std::string tool = test_file("verilator.sh");
    write_script(tool, "case $1 in --version) echo " + version + ";; --getenv) echo /nowhere;; *) " + does +
                           ";; esac\n");
    setenv("TORISCOPE_VERILATOR", tool.c_str(), 1);
    const std::string said = error_of<rtl_build_error>([&] { build_rtl(d); });
    EXPECT_THAT(said, HasSubstr("; all of the message is in "));
    return said.substr(said.rfind(' ') + 1);
  }
};

/// Of one that builds nothing: the log has what it was asked.
TEST_F(rtl_tools_test, a_verilator_before_5_is_not_asked_for_what_it_does_not_know) {
  const auto asked = [&](const std::string& version) {
    return text_of_file(log_of(version, design()), "log");
  };
  const auto knows = AllOf(HasSubstr(" --no-timing "), HasSubstr(" -fno-dfg "));
  const auto knows_neither = AllOf(Not(HasSubstr("--no-timing")), Not(HasSubstr("-fno-dfg")));
  EXPECT_THAT(asked("Verilator 4.228 2022-10-01"), knows_neither);
  EXPECT_THAT(asked("Verilator of an unknown version"), knows_neither);
  EXPECT_THAT(asked("Verilator 5.000 2022-10-01"), knows);
}

TEST_F(rtl_tools_test, waveforms_registers_and_ports_make_another_build) {
  std::set<std::string> logs;
  rtl_design d = design();
  for (const bool registers : {false, true})
    for (const bool trace : {false, true}) {
      d.with_registers = registers;
      d.with_trace = trace;
      logs.insert(log_of("Verilator 5.098", d));
    }
  EXPECT_EQ(logs.size(), 4u);
  d.pins = {{"sum_o", 3, true}};
  const std::string output = log_of("Verilator 5.098", d);
  d.pins = {{"sum_o", 4, false}};
  EXPECT_NE(log_of("Verilator 5.098", d), output);
}

/// Of one that compiles nothing, behind a Verilator that writes nothing.
TEST_F(rtl_tools_test, compilers_have_flags_of_their_own) {
  const std::string tool = test_file("compiler.sh");
  rtl_design d = design();
  const auto asked = [&](const std::string& version) {
    write_script(tool, "[ $1 = --version ] && echo '" + version + "' && exit\nexit 1\n");
    setenv("TORISCOPE_CXX", tool.c_str(), 1);
    return text_of_file(log_of("Verilator 5.098", d, "mkdir $TMPDIR/obj"), "log");
  };
  EXPECT_THAT(asked("c++ (Debian 12.2.0-14) 12.2.0"),
              AllOf(HasSubstr(" -fno-gnu-unique "), Not(HasSubstr("-latomic"))));
  EXPECT_THAT(asked("Debian clang version 14.0.6"),
              AllOf(HasSubstr(" -latomic"), Not(HasSubstr("-fno-gnu-unique"))));
}

}  // namespace
}  // namespace toriscope::rtl_tools_test
