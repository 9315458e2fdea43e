// SPDX-License-Identifier: Apache-2.0
// A small design of our own, built on demand: pins, registers and waveforms of its instances; that the cache
// spares the second build; and each error of the guide, in one line.
#include "rtl_models/on_demand/rtl_build.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>

#include "base/error_of_test.h"
#include "base/scratch_directory.h"
#include "base/test_file.h"
#include "base/text_file.h"
#include "rtl_models/on_demand/rtl_library.h"
#include "rtl_models/on_demand/sealed_file.h"
#include "rtl_models/on_demand/traced_clock.h"
#include "rtl_models/rtl_router.h"
#include "rtl_models/rtl_sources.h"

namespace toriscope {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

/// Adds up what it is given; sum_o has 80 bits, the upper 16 of which are constant.
constexpr const char* adder = R"(
module adder #(parameter int WIDTH = 8, parameter int TOP = 16'hbeef) (
    input logic clk_i, input logic rst_i, input logic [WIDTH-1:0] term_i, output logic [79:0] sum_o);
  logic [63:0] sum_q;
  always_ff @(posedge clk_i)
    if (rst_i) sum_q <= '0;
    else begin
      $display("adds %0d", term_i);
      sum_q <= sum_q + 64'(term_i);
      assert (term_i != '1) else $error("a term of all ones\033[m");
      if (term_i == WIDTH'(9)) begin
        $finish;
        $finish;
      end
    end
  assign sum_o = {16'(TOP), sum_q};
endmodule
)";

class rtl_build_test : public testing::Test {
 protected:
  rtl_build_test() {
    fs::create_directories(directory_);
    setenv("XDG_CACHE_HOME", (directory_ + "/cache").c_str(), 1);
    setenv("TORISCOPE_RTL_CXXFLAGS", TORISCOPE_TEST_RTL_CXXFLAGS, 1);
    unsetenv("TORISCOPE_VERILATOR");
    unsetenv("TORISCOPE_CXX");
    std::ofstream(directory_ + "/adder.sv") << adder;
  }

  static std::string directory() { return testing::TempDir() + "rtl_build_test_" + std::to_string(getpid()); }
  static void TearDownTestSuite() { fs::remove_all(directory()); }

  rtl_design design() const {
    rtl_design d;
    d.what = "the adder";
    d.files = {directory_ + "/adder.sv"};
    d.top = "adder";
    d.parameters = {{"WIDTH", "12"}};
    d.pins = {{"clk_i", 1, false}, {"rst_i", 1, false}, {"term_i", 12, false}, {"sum_o", 80, true}};
    return d;
  }

  /// What is said about this design; empty when it can be built.
  static std::string complaint(const rtl_design& d) {
    try {
      build_rtl(d);
    } catch (const rtl_build_error& error) {
      EXPECT_THAT(error.what(), Not(HasSubstr("\n")));
      return error.what();
    }
    return {};
  }

  std::size_t files_ending_in(const std::string& extension) const {
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(directory_ + "/cache/toriscope/rtl"))
      count += entry.path().extension() == extension;
    return count;
  }

  static void edge(rtl_instance& i) {
    rtl_bits clk = i.pin("clk_i");
    clk.set(0);
    i.evaluate();
    clk.set(1);
    i.evaluate();
  }

  // One directory for all tests of the process: what one has built, the next finds.
  const std::string directory_ = directory();
};

TEST_F(rtl_build_test, instances_of_one_library) {
  const auto library = std::make_shared<const rtl_library>(build_rtl(design()));
  rtl_instance a(library, {"a", {}, 0});
  rtl_instance b(library, {"b", {}, 4711});
  a.pin("term_i").set(5);
  b.pin("term_i").set(700);
  a.evaluate();
  b.evaluate();
  EXPECT_EQ(a.pin("sum_o").get(0, 64), 0u);
  EXPECT_NE(b.pin("sum_o").get(0, 64), 0u) << "the registers do not start with random bits";
  for (rtl_instance* i : {&a, &b}) {
    i->pin("rst_i").set(1);
    edge(*i);
    i->pin("rst_i").set(0);
    for (int t = 0; t < 3; ++t) edge(*i);
  }
  EXPECT_EQ(a.pin("sum_o").get(0, 64), 15u);
  EXPECT_EQ(b.pin("sum_o").get(0, 64), 2100u);
  EXPECT_EQ(a.pin("sum_o").get(60, 20), 0xbeef0u) << "a field over the words of a wide pin";
  EXPECT_THROW(a.pin("sum_i"), std::out_of_range);
  EXPECT_TRUE(a.registers().empty());
  EXPECT_THROW(a.open_trace(directory_ + "/none.vcd"), std::runtime_error);

  a.pin("term_i").set(0xfff);
  try {
    edge(a);
    ADD_FAILURE() << "the assertion was not told";
  } catch (const rtl_assertion& said) {
    EXPECT_THAT(said.what(), AllOf(HasSubstr("a term of all ones\\x1b[m"), Not(HasSubstr("\n"))));
    EXPECT_THAT(said.what(), Not(HasSubstr("adds 5"))) << "that was printed in an earlier cycle";
  }
  a.pin("term_i").set(1);
  EXPECT_NO_THROW(edge(a)) << "goes on after an assertion";
  a.pin("term_i").set(9);
  for (int t = 0; t < 2; ++t)
    EXPECT_THAT(error_of([&] { edge(a); }), MatchesRegex("adds 9 .*adder.sv:[0-9]+: Verilog \\$finish.*"));
  a.pin("term_i").set(1);
  EXPECT_NO_THROW(edge(a));
}

TEST_F(rtl_build_test, a_library_goes_with_the_last_who_uses_it) {
  const scratch_directory scratch;
  const std::string file = scratch.file("model.so");  // which no other case has loaded
  std::filesystem::copy_file(build_rtl(design()), file);
  rtl_library{file};
  EXPECT_EQ(dlopen(file.c_str(), RTLD_LAZY | RTLD_NOLOAD), nullptr);
}

TEST_F(rtl_build_test, files_of_a_route_table) {
  std::ofstream(directory_ + "/routes.hex") << "5\na\n3\nc\n";
  std::ofstream(directory_ + "/t.hex") << "1\n7\n6\n2\n";
  rtl_design d;
  d.what = "the route table";
  d.files = {rtl_source_directory() + "/route_table.sv"};
  d.top = "route_table";
  d.parameters = {{"PORTS", "2"},
                  {"FIELD_BITS", "2"},
                  {"ANSWER_BITS", "4"},
                  {"FILE", '"' + directory_ + "/routes.hex\""}};
  const auto library = std::make_shared<const rtl_library>(build_rtl(d));
  const auto answer = [&](const std::string& name, const std::vector<std::string>& plus_arguments) {
    rtl_instance table(library, {name, plus_arguments, 0});
    table.pin("field_i").set(1 << 2 | 2);
    table.evaluate();
    return table.pin("answer_o").get(0, 8);
  };
  EXPECT_EQ(answer("t", {}), 0xa3u) << "the parameter";
  EXPECT_EQ(answer("t", {"+route_tables=" + directory_}), 0x76u) << "by its path, which is one letter";
  EXPECT_EQ(answer("outer.t", {"+route_tables=" + directory_}), 0x76u) << "without its outer scope";
  try {
    answer("u", {"+route_tables=" + directory_});
    ADD_FAILURE() << "a missing table was not reported";
  } catch (const rtl_assertion& said) {
    EXPECT_THAT(said.what(), HasSubstr("no route table for u"));
  }
}

TEST_F(rtl_build_test, registers_and_waveform) {
  rtl_design d = design();
  d.with_registers = d.with_trace = true;
  const auto library = std::make_shared<const rtl_library>(build_rtl(d));
  rtl_instance a(library, {"a", {}, 0});
  a.open_trace(directory_ + "/adder.vcd");
  a.pin("term_i").set(3);
  edge(a);
  a.dump_trace(0);
  std::vector<rtl_register> sums;
  for (const rtl_register& r : a.registers())
    if (r.name == "sum_q") sums.push_back(r);
  ASSERT_EQ(sums.size(), 1u);
  ASSERT_EQ(sums[0].words.size(), 1u);
  EXPECT_EQ(sums[0].words[0].size(), 64u);
  EXPECT_EQ(sums[0].words[0].get(), 3u);
  sums[0].words[0].set(40, 1, 1);  // a bit flips
  edge(a);
  a.dump_trace(1);
  EXPECT_EQ(a.pin("sum_o").get(0, 64), (std::uint64_t{1} << 40) + 6);

  // Cycles 1 and 2 at three clocks in a cycle of 1000 ps: a clock falls half a clock before it rises.
  rtl_instance b(library, {"b", {}, 0});
  traced_clock clock(b, "clk_i", 3);
  std::vector<std::uint64_t> times;
  const auto noted = [&](std::uint64_t ps) { times.push_back(ps); };
  b.pin("term_i").set(1);
  clock.trace(directory_ + "/clocks.vcd", 1, 2, noted);
  for (int i = 0; i < 12; ++i) clock.edge();
  EXPECT_EQ(b.pin("sum_o").get(0, 64), 12u);
  EXPECT_THAT(times,
              testing::ElementsAre(834, 1000, 1167, 1333, 1500, 1666, 1834, 2000, 2167, 2333, 2500, 2666));

  // From the second edge behind begin() on, one that ends with an assertion included.
  times.clear();
  rtl_instance c(library, {"c", {}, 0});
  traced_clock one(c, "clk_i");
  for (int i = 0; i < 3; ++i) one.edge();
  one.begin();
  one.trace(directory_ + "/one.vcd", 0, 9, noted);
  EXPECT_TRUE(one.traces());
  one.edge();
  EXPECT_TRUE(times.empty());
  one.edge();
  c.pin("term_i").set(0xfff);
  EXPECT_THROW(one.edge(), rtl_assertion);
  EXPECT_THAT(times, testing::ElementsAre(500, 1000, 1500, 2000));
  one.end_trace();
  EXPECT_FALSE(one.traces());
  EXPECT_THAT(text_of_file(directory_ + "/one.vcd", "waveform"), HasSubstr("#2000\n"));
  c.pin("term_i").set(1);
  one.edge();
  EXPECT_EQ(times.size(), 4u);
}

TEST_F(rtl_build_test, is_built_once) {
  const std::string file = build_rtl(design());
  const fs::file_time_type built = fs::last_write_time(file);
  EXPECT_EQ(build_rtl(design()), file);
  EXPECT_EQ(fs::last_write_time(file), built);
  rtl_design other = design();
  other.parameters[0].second = "13";
  other.pins[2].bits = 13;
  EXPECT_NE(build_rtl(other), file) << "other parameters";
  std::ofstream(directory_ + "/adder.sv", std::ios::app) << "// changed\n";
  EXPECT_NE(build_rtl(design()), file) << "other sources";

  other = design();
  other.read_files = {directory_ + "/included.svh"};
  std::ofstream(other.read_files[0]) << "// version 1\n";
  const std::string including = build_rtl(other);
  std::ofstream(other.read_files[0]) << "// version 2\n";
  EXPECT_NE(build_rtl(other), including) << "other included files";
  other = design();
  other.verilator_options = {"-DA", "-DB"};
  const std::string two_macros = build_rtl(other);
  other.verilator_options = {"-DA -DB"};
  EXPECT_NE(build_rtl(other), two_macros) << "one macro whose value has a space";
}

TEST_F(rtl_build_test, without_a_home_the_cache_is_where_its_user_alone_writes) {
  const std::string home = std::getenv("HOME") ? std::getenv("HOME") : "";
  unsetenv("XDG_CACHE_HOME");
  unsetenv("HOME");
  setenv("TMPDIR", directory_.c_str(), 1);
  const std::string expected = directory_ + "/toriscope-" + std::to_string(geteuid());
  EXPECT_EQ(rtl_cache_directory(), expected + "/rtl");
  fs::permissions(expected, fs::perms::all);
  EXPECT_THAT(error_of([&] { build_rtl(design()); }), HasSubstr("others may write " + expected));
  unsetenv("TMPDIR");
  if (!home.empty()) setenv("HOME", home.c_str(), 1);
}

TEST_F(rtl_build_test, what_was_changed_in_the_cache_is_built_again) {
  const std::string file = build_rtl(design());
  const auto size = fs::file_size(file);
  const auto expect_whole = [&] {
    EXPECT_EQ(build_rtl(design()), file);
    EXPECT_EQ(fs::file_size(file), size);
    rtl_instance a(std::make_shared<const rtl_library>(file), {"a", {}, 0});
    a.pin("term_i").set(5);
    edge(a);
    EXPECT_EQ(a.pin("sum_o").get(0, 64), 5u);
  };
  // Each into a file of its own, as the one before may be mapped.
  const auto replace_by = [&](const std::string& content) {
    write_text_file(file + ".new", content);
    fs::rename(file + ".new", file);
  };
  const std::string whole = text_of_file(file, "library");
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{5000}, whole.size() - 1}) {
    replace_by(whole.substr(0, bytes));
    EXPECT_FALSE(is_sealed(file)) << bytes;
  }
  std::string flipped = whole;
  flipped[flipped.size() / 2] ^= 4;
  replace_by(flipped);
  expect_whole();
  // The file of another design under this name; and Verilator's own library, cut off.
  rtl_design other = design();
  other.parameters.emplace_back("TOP", "7");
  replace_by(text_of_file(build_rtl(other), "library"));
  for (const auto& entry : fs::directory_iterator(fs::path(file).parent_path()))
    if (entry.path().extension() == ".o") fs::resize_file(entry.path(), 3000);
  expect_whole();
  // A link is not followed, wherever it leads to.
  const std::string elsewhere = file + ".elsewhere";
  fs::rename(file, elsewhere);
  fs::create_symlink(elsewhere, file);
  expect_whole();
  EXPECT_FALSE(fs::is_symlink(file));
  fs::remove(file);
  fs::create_directory(file);
  EXPECT_THAT([&] { build_rtl(design()); }, testing::ThrowsMessage<rtl_build_error>(
                                                "cannot put " + file + " into the cache: Is a directory"));
}

TEST_F(rtl_build_test, bits_of_a_vector_that_depend_on_each_other) {
  // Rows of one packed array, each made of the one before: Verilator 5.006 with its data flow optimisation gives
  // several grants at once for half of the requests.
  std::ofstream(directory_ + "/scan.sv") << R"(
module scan (input logic [4:0] req_i, output logic [4:0] grant_o);
  wire [3:0][4:0] rows;
  wire [4:0] fill = '0;
  assign rows[0] = req_i;
  for (genvar j = 0; j < 3; j++) begin : gen_row
    wire [4:0] shifted = 5'({fill, rows[j]} >> (1 << j));
    assign rows[j+1] = rows[j] | shifted;
  end
  assign grant_o = rows[3] & ~(rows[3] >> 1);
endmodule
)";
  rtl_design d;
  d.what = "the scan";
  d.files = {directory_ + "/scan.sv"};
  d.top = "scan";
  d.pins = {{"req_i", 5, false}, {"grant_o", 5, true}};
  rtl_instance scan(std::make_shared<const rtl_library>(build_rtl(d)), {"scan", {}, 0});
  rtl_bits requests = scan.pin("req_i");
  for (unsigned asked = 0; asked < 32; ++asked) {
    unsigned highest = 0;
    for (unsigned bit = 0; bit < 5; ++bit)
      if (asked >> bit & 1u) highest = 1u << bit;
    requests.set(asked);
    scan.evaluate();
    EXPECT_EQ(scan.pin("grant_o").get(), highest) << asked;
  }
}

TEST_F(rtl_build_test, data_flow_optimisation_is_off_unless_it_is_asked_for) {
  const std::string said = directory_ + "/said.txt", tool = directory_ + "/verilator.sh";
  write_script(tool, "echo \"$@\" >> " + said + "\nexec verilator \"$@\"");
  setenv("TORISCOPE_VERILATOR", tool.c_str(), 1);
  rtl_design d = design();
  d.verilator_options = {"-O1"};
  build_rtl(d);
  EXPECT_THAT(text_of_file(said, "words"), testing::ContainsRegex(" -O3 .* -O1 .*-fno-dfg"));
  fs::remove(said);
  build_rtl(d);
  EXPECT_EQ(text_of_file(said, "words"), "--version\n") << "of a model in the cache";
  fs::remove(said);
  d.verilator_options = {"-fdfg"};
  build_rtl(d);
  EXPECT_THAT(text_of_file(said, "words"), AllOf(HasSubstr(" -fdfg "), Not(HasSubstr("-fno-dfg"))));
}

/// The first Verilator edits the source before it reads it.
TEST_F(rtl_build_test, sources_edited_while_they_are_built_are_not_taken_for_the_old_ones) {
  const std::string tool = directory_ + "/edits.sh", source = directory_ + "/adder.sv";
  write_script(tool, "case \"$*\" in --cc*) sed -i s/beef/cafe/ " + source + ";; esac\nexec verilator \"$@\"");
  rtl_design d = design();
  d.parameters = {{"WIDTH", "21"}};
  d.pins[2].bits = 21;
  const auto top_of = [](const std::string& file) {
    rtl_instance i(std::make_shared<const rtl_library>(file), {"a", {}, 0});
    i.evaluate();
    return i.pin("sum_o").get(64, 16);
  };
  setenv("TORISCOPE_VERILATOR", tool.c_str(), 1);
  const std::string edited = build_rtl(d);
  unsetenv("TORISCOPE_VERILATOR");
  EXPECT_EQ(top_of(edited), 0xcafeu);
  EXPECT_EQ(build_rtl(d), edited);
  std::ofstream(source) << adder;
  EXPECT_EQ(top_of(build_rtl(d)), 0xbeefu);
}

/// Of a Verilator that builds nothing: the log is called what the library would be.
TEST_F(rtl_build_test, another_verilator_or_other_flags_make_another_build) {
  const std::string tool = directory_ + "/fails.sh";
  setenv("TORISCOPE_VERILATOR", tool.c_str(), 1);
  const auto log_of = [&](const std::string& version) {
    write_script(tool, "case $1 in --version) echo Verilator " + version +
                           ";; --getenv) echo /nowhere;; *) exit 1;; esac");
    const std::string said = complaint(design());
    EXPECT_THAT(said, HasSubstr("/adder_"));
    return said.substr(said.rfind(' ') + 1);
  };
  const std::string log = log_of("5.098");
  EXPECT_EQ(log_of("5.098"), log);
  EXPECT_NE(log_of("5.099"), log);
  setenv("TORISCOPE_RTL_CXXFLAGS", "-O3 -g", 1);
  EXPECT_NE(log_of("5.098"), log);
}

TEST_F(rtl_build_test, warnings_are_kept) {
  rtl_design d = design();
  d.verilator_options = {"-Wno-lint"};
  EXPECT_FALSE(fs::exists(rtl_warnings_file(build_rtl(d))));
  std::ofstream(directory_ + "/loud.sv") << "module loud (input logic [3:0] a_i, output logic b_o);\n"
                                            "  assign b_o = a_i;\nendmodule\n";
  d = {};
  d.files = {directory_ + "/loud.sv"};
  d.top = "loud";
  EXPECT_THAT(text_of_file(rtl_warnings_file(build_rtl(d)), "warnings"),
              testing::ContainsRegex("%Warning-WIDTH.*loud.sv:2:"));
}

TEST_F(rtl_build_test, tools_that_are_not_there) {
  setenv("TORISCOPE_VERILATOR", "/nowhere/verilator", 1);
  EXPECT_THAT(complaint(design()),
              AllOf(HasSubstr("'/nowhere/verilator' cannot be run"), HasSubstr("install")));
  unsetenv("TORISCOPE_VERILATOR");
  setenv("TORISCOPE_CXX", "/nowhere/c++", 1);
  EXPECT_THAT(complaint(design()),
              AllOf(HasSubstr("'/nowhere/c++' cannot be run"), HasSubstr("TORISCOPE_CXX")));
}

TEST_F(rtl_build_test, rtl_that_does_not_compile) {
  rtl_design d = design();
  d.files = {directory_ + "/broken.sv"};
  EXPECT_THAT(complaint(d), AllOf(HasSubstr("broken.sv"), HasSubstr("cannot be read")));
  std::ofstream(d.files[0]) << "module adder (input logic clk_i;\nendmodule\n";
  const std::string said = complaint(d);
  EXPECT_THAT(said, AllOf(HasSubstr("Verilator does not take the adder"), HasSubstr("broken.sv:1"),
                          HasSubstr("syntax error")));
  const std::size_t path = said.rfind(' ') + 1;
  EXPECT_THAT(text_of_file(said.substr(path), "log"), HasSubstr("syntax error")) << said;

  d = design();
  d.parameters = {{"WIDHT", "12"}};
  EXPECT_THAT(complaint(d), HasSubstr("WIDHT"));
  d = design();
  d.top = "subtracter";
  EXPECT_THAT(complaint(d), HasSubstr("subtracter"));
}

TEST_F(rtl_build_test, ports_that_do_not_match) {
  rtl_design d = design();
  d.pins.push_back({"carry_o", 1, true});
  EXPECT_THAT(complaint(d),
              AllOf(HasSubstr("has no port 'carry_o' (an output of 1 bit)"), HasSubstr("sum_o")));
  d = design();
  d.parameters[0].second = "11";
  EXPECT_THAT(complaint(d), AllOf(HasSubstr("port 'term_i' has 11 bits"), HasSubstr("must have 12 bits")));
  d = design();
  d.pins[3].is_output = false;
  EXPECT_THAT(complaint(d), HasSubstr("port 'sum_o' is an output; it must be an input"));
  d = design();
  d.pins.erase(d.pins.begin());
  EXPECT_THAT(complaint(d), HasSubstr("input 'clk_i' without a driver"));
}

/// Verilator keeps a field in the least of 8, 16, 32 and 64 bits, a wider one in words of 32.
TEST(rtl_bits, have_the_words_of_verilator) {
  for (const unsigned bits : {1u, 8u, 9u, 16u, 17u, 32u, 33u, 64u, 65u, 96u}) {
    std::uint64_t words[2] = {0, 0};
    rtl_bits field(words, bits);
    field.set(bits - 1, 1, 1);
    EXPECT_EQ(words[0], bits > 64 ? 0 : std::uint64_t{1} << (bits - 1)) << bits;
    EXPECT_EQ(words[1], bits > 64 ? std::uint64_t{1} << (bits - 65) : 0) << bits;
    EXPECT_EQ(field.get(bits - 1, 1), 1u);
    if (bits > 64) continue;
    field.set(~std::uint64_t{0});
    EXPECT_EQ(words[0], ~std::uint64_t{0} >> (64 - bits)) << bits;
    EXPECT_EQ(field.get(), words[0]);
  }
}

}  // namespace
}  // namespace toriscope
