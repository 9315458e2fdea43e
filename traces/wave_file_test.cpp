// SPDX-License-Identifier: Apache-2.0
#include "traces/wave_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/error_of_test.h"
#include "base/scratch_directory.h"
#include "traces/gtkw.h"
#include "traces/open_files_test.h"
#include "traces/vcd_reader.h"
#include "traces/wave_options.h"
#include "traces/wave_selection.h"

namespace toriscope::wave_file_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

std::string scratch(const std::string& name) {
  static const scratch_directory directory;
  return directory.file(name);
}

std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(wave_file, prints_what_changed_and_when) {
  const std::string path = scratch("changes.vcd");
  wave_file vcd(path, "1 ps", {"for people"});
  const auto a = vcd.add("top.x+", "flit", 64);
  const auto b = vcd.add("top.x+", "tag", 5);
  const auto c = vcd.add("top", "bit", 1);
  vcd.set(a, 5);
  vcd.begin(10);
  vcd.advance(20);  // nothing happens at 20
  vcd.advance(30);
  vcd.set(a, std::uint64_t{1} << 63);
  vcd.set(b, 3);
  vcd.set(c, 1);
  vcd.set(b, wave_file::none);  // back again: no change
  vcd.advance(40);
  vcd.set(a, ~std::uint64_t{0});
  vcd.close(50);

  const vcd_contents read = vcd_reader::read(path);
  EXPECT_EQ(read.timescale, "1 ps");
  EXPECT_THAT(read.times, ElementsAre(10, 30, 40, 50));
  EXPECT_THAT(read.variables.at("top.x+.flit").changes,
              ElementsAre(Pair(10, "b101"), Pair(30, "b1" + std::string(63, '0')),
                          Pair(40, "b" + std::string(64, '1'))));
  EXPECT_THAT(read.variables.at("top.x+.tag").changes, ElementsAre(Pair(10, "bz")));
  EXPECT_THAT(read.variables.at("top.bit").changes, ElementsAre(Pair(10, "z"), Pair(30, "1")));
}

TEST(wave_file, knows_which_variables_have_changed_since_it_began) {
  wave_file vcd(scratch("changed.vcd"), "1 ps", {});
  std::vector<wave_file::variable> all;
  for (unsigned v = 0; v < 130; ++v) all.push_back(vcd.add("top", "v" + std::to_string(v), 8));
  vcd.set(all[7], 1);
  vcd.begin(10);
  vcd.advance(20);
  const std::vector<unsigned> changed{3, 62, 63, 64, 129};
  for (const unsigned v : changed) EXPECT_TRUE(vcd.set(all[v], 5));
  EXPECT_FALSE(vcd.set(all[3], 5)) << "it has that value";
  vcd.set(all[66], 1);
  vcd.set(all[66], wave_file::none);  // back again
  vcd.close(30);
  std::vector<unsigned> found;
  for (unsigned v = 0; v < 130; ++v)
    if (vcd.changed(all[v])) found.push_back(v);
  EXPECT_EQ(found, changed);
  EXPECT_EQ(vcd.value(all[3]), 5u);
  EXPECT_EQ(vcd.value(all[7]), 1u);
}

TEST(wave_file, that_ends_with_its_last_change_says_so_once) {
  for (const std::uint64_t end : {30, 31}) {
    const std::string path = scratch("end.vcd");
    wave_file vcd(path, "1 ps", {});
    const auto bit = vcd.add("top", "bit", 1);
    vcd.begin(10);
    vcd.advance(30);
    vcd.set(bit, 1);
    vcd.close(end);
    EXPECT_THAT(text_of(path), testing::EndsWith(end == 30 ? "#30\n1!\n" : "#30\n1!\n#31\n"));
  }
}

/// A bit says which of 4096 variables have changed: here it is the one of the last alone.
TEST(wave_file, shows_the_last_of_8193_variables) {
  const std::string path = scratch("8193.vcd");
  wave_file vcd(path, "1 ps", {});
  for (unsigned v = 0; v < 8193; ++v) vcd.add("top", "v" + std::to_string(v), 1);
  vcd.begin(0);
  vcd.set(8192, 0);
  vcd.advance(10);
  vcd.set(8192, 1);
  vcd.close(20);
  EXPECT_THAT(vcd_reader::read(path).variables.at("top.v8192").changes, ElementsAre(Pair(0, "0"), Pair(10, "1")));
}

TEST(wave_file, has_an_identifier_for_every_variable) {
  const std::string path = scratch("many.vcd");
  wave_file vcd(path, "1 ns", {});
  for (unsigned v = 0; v < 20000; ++v)
    vcd.add("m" + std::to_string(v / 100), "v" + std::to_string(v), 2 + v % 63);
  vcd.begin(0);
  vcd.close(1);
  EXPECT_EQ(vcd_reader::read(path).variables.size(), 20000u);  // the reader rejects duplicates
}

TEST(wave_file, appears_when_it_is_complete) {
  const std::string path = scratch("whole.vcd");
  { std::ofstream(path) << "old"; }
  {
    wave_file vcd(path, "1 ps", {});
    vcd.add("top", "v", 2);
    vcd.begin(0);
    EXPECT_EQ(text_of(path), "old");
  }
  EXPECT_EQ(text_of(path), "old") << "given up without close()";
  EXPECT_FALSE(std::filesystem::exists(path + ".part"));
  wave_file vcd(path, "1 ps", {});
  vcd.add("top", "v", 2);
  vcd.begin(0);
  vcd.close(5);
  EXPECT_THAT(text_of(path), testing::EndsWith("#5\n"));
  EXPECT_FALSE(std::filesystem::exists(path + ".part"));
}

TEST(wave_file, complains_in_one_line) {
  EXPECT_EQ(error_of<std::runtime_error>([] { wave_file("/no/such/place.vcd", "1 ps", {}); }),
            "cannot write /no/such/place.vcd: No such file or directory");
  EXPECT_EQ(error_of<std::runtime_error>([] { wave_file(testing::TempDir(), "1 ps", {}); }),
            "cannot write " + testing::TempDir() + ": Is a directory");
  EXPECT_EQ(error_of<std::runtime_error>([] { wave_file("", "1 ps", {}); }),
            "cannot write a file without a name");
}

TEST(wave_file, notices_a_full_disk) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  wave_file vcd("/dev/full", "1 ps", {});
  const auto v = vcd.add("top", "v", 64);
  vcd.begin(0);
  for (unsigned t = 1; t < 600000; ++t) {
    vcd.advance(t);
    vcd.set(v, t);
  }
  EXPECT_EQ(vcd.error(), "cannot write /dev/full: No space left on device") << "noticed on the way";
  EXPECT_EQ(error_of<std::runtime_error>([&] { vcd.close(600000); }),
            "cannot write /dev/full: No space left on device");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full")) << "a device is not replaced by a file";
}

/// Many more changes than may wait at once, in less time than they are written in.
TEST(wave_file, that_is_written_more_slowly_than_it_changes_lets_the_changes_wait) {
  wave_file vcd("/dev/null", "1 ps", {});
  std::vector<wave_file::variable> all;
  for (unsigned v = 0; v < 4096; ++v) all.push_back(vcd.add("top", "v" + std::to_string(v), 64));
  vcd.begin(0);
  for (std::uint64_t time = 1; time < 250; ++time) {
    vcd.advance(time);
    for (const wave_file::variable v : all) vcd.set(v, ~std::uint64_t{0} - time - v);
  }
  EXPECT_NO_THROW(vcd.close(250));
  EXPECT_EQ(vcd.error(), "");
}

TEST(wave_file, that_cannot_be_written_gives_its_space_back_at_once) {
  if (!open_files_are_shown()) GTEST_SKIP() << "open files are not shown here";
  const std::filesystem::path path = scratch("too_large.vcd");
  const auto open_beside_it = [&] { return open_files_in(path.parent_path()); };
  const unsigned others = open_beside_it();
  wave_file vcd(path, "1 ps", {});
  const auto a = vcd.add("top", "word", 64);
  EXPECT_EQ(open_beside_it(), others + 1);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{4096, before.rlim_max};
  const auto on_excess = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  vcd.begin(0);
  for (std::uint64_t time = 1; time < 50000; ++time) {
    vcd.advance(time);
    vcd.set(a, time << 32);
  }
  EXPECT_THAT(error_of<std::runtime_error>([&] { vcd.close(50000); }), testing::EndsWith(": File too large"));
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, on_excess);
  EXPECT_EQ(open_beside_it(), others);
}

TEST(glob, star_crosses_dots_and_plus_is_a_letter) {
  EXPECT_TRUE(glob_matches("*", "a.b+.c"));
  EXPECT_TRUE(glob_matches("ttn.*.in_x+.*", "ttn.bm_0_0.node_0_0.in_x+.vc0.state"));
  EXPECT_TRUE(glob_matches("*node_?_1*flit", "ttn.node_0_1.in_x+.flit"));
  EXPECT_TRUE(glob_matches("a*b*c", "a__b_b_c"));
  EXPECT_FALSE(glob_matches("ttn.*.in_x+.*", "ttn.bm_0_0.node_0_0.in_x-.vc0.state"));
  EXPECT_FALSE(glob_matches("node_?", "node_10"));
  EXPECT_FALSE(glob_matches("a*b", "a_bc"));
  EXPECT_FALSE(glob_matches("", "a"));
}

TEST(wave_spec, is_read) {
  wave_options w;
  parse_wave_spec("ttn.bm_0_0.*@100:200", w);
  EXPECT_THAT(w.globs, ElementsAre("ttn.bm_0_0.*"));
  EXPECT_EQ(w.from, 100u);
  EXPECT_EQ(w.to, 200u);
  parse_wave_spec("a.*,b.*", w);
  EXPECT_THAT(w.globs, ElementsAre("a.*", "b.*"));
  EXPECT_EQ(w.from, 0u);
  EXPECT_EQ(w.to, wave_options::to_the_end);
  parse_wave_spec("*@7:", w);
  EXPECT_EQ(w.from, 7u);
  EXPECT_EQ(w.to, wave_options::to_the_end);
  parse_wave_spec("*@:7", w);
  EXPECT_EQ(w.from, 0u);
  EXPECT_EQ(w.to, 7u);
  parse_wave_spec("*@7:7", w);
  EXPECT_EQ(w.from, 7u);
  EXPECT_EQ(w.to, 7u);
  parse_wave_spec("*@:", w);
  EXPECT_EQ(w.from, 0u);
  EXPECT_EQ(w.to, wave_options::to_the_end);
}

TEST(wave_spec, says_what_is_wrong_and_changes_nothing) {
  wave_options w;
  const auto refused = [&](const char* text) {
    return error_of<std::invalid_argument>([&] { parse_wave_spec(text, w); });
  };
  EXPECT_THAT(refused("*@100"), HasSubstr("no ':' in the window '100'; right would be GLOB@FROM:TO"));
  EXPECT_THAT(refused("*@1x:2"), HasSubstr("'1x' is not a cycle number"));
  EXPECT_THAT(refused("*@1:-2"), HasSubstr("'-2' is not a cycle number"));
  EXPECT_THAT(refused("*@1:99999999999999999999"), HasSubstr("is not a cycle number"));
  EXPECT_THAT(refused("*@9:8"), HasSubstr("ends before it begins"));
  EXPECT_THAT(refused("@1:2"), HasSubstr("an empty pattern"));
  EXPECT_THAT(refused("a,,b"), HasSubstr("an empty pattern"));
  EXPECT_THAT(w.globs, ElementsAre("*"));
  EXPECT_EQ(w.from, 0u);
  EXPECT_EQ(w.to, wave_options::to_the_end);
}

TEST(wave_groups, are_read) {
  wave_options w;
  parse_wave_groups("links,ni", w);
  EXPECT_TRUE(w.links && w.ni && !w.vcs && !w.alloc);
  EXPECT_EQ(error_of<std::invalid_argument>([&] { parse_wave_groups("links,vc", w); }),
            "wave group 'vc' is unknown; there are links, vcs, alloc, ni and all");
  parse_wave_groups("all", w);
  EXPECT_TRUE(w.links && w.ni && w.vcs && w.alloc);
  const auto chosen = [&](const char* text) {
    parse_wave_groups(text, w);
    return std::vector<bool>{w.links, w.vcs, w.alloc, w.ni};
  };
  EXPECT_EQ(chosen("links"), (std::vector<bool>{true, false, false, false}));
  EXPECT_EQ(chosen("vcs"), (std::vector<bool>{false, true, false, false}));
  EXPECT_EQ(chosen("alloc"), (std::vector<bool>{false, false, true, false}));
  EXPECT_EQ(chosen("ni"), (std::vector<bool>{false, false, false, true}));
  EXPECT_EQ(chosen("ni,alloc,vcs"), (std::vector<bool>{false, true, true, true}));
  EXPECT_THROW(parse_wave_groups("links,", w), std::invalid_argument);
  EXPECT_EQ(w.links, false) << "left as it was";
}

TEST(gtkw_times, a_cycle_is_the_mean_distance_of_edges) {
  gtkw_times times;
  times.begin = 100;
  times.end = 130;
  EXPECT_EQ(times.period(), 30u) << "no edge";
  times.note_edge(105);
  EXPECT_EQ(times.period(), 30u) << "one edge";
  times.note_edge(115);
  times.note_edge(125);
  EXPECT_EQ(times.period(), 10u);
  times.end = times.begin + 1;
  times.edges = 1;
  EXPECT_EQ(times.period(), 1u);
  times.end = times.begin;
  EXPECT_EQ(times.period(), 1u) << "at least 1";
  times = {};
  for (const std::uint64_t edge : {5, 6, 7}) times.note_edge(edge);
  EXPECT_EQ(times.period(), 1u);
  times.last_edge = times.first_edge;
  EXPECT_EQ(times.period(), 1u) << "at least 1";
}

}  // namespace
}  // namespace toriscope::wave_file_test
