// SPDX-License-Identifier: Apache-2.0
// Windows of waveforms: `toriscope run --wave 'GLOB@FROM:TO'`.
#include <gmock/gmock.h>

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>

#include "testbenches/program/program_process.h"
#include "traces/vcd_reader.h"

namespace toriscope::wave_window_test {
namespace {

TEST(wave_window, a_wave_window_after_the_end_of_the_run_is_an_error) {
  const program_directory dir;
  const std::vector<std::string> run = {"run", "--topology", "torus:4x4", "--cycles",
                                        "100", "--warmup",   "0",         "--wave"};
  const process_result none = dir.run(with(run, {"torus.*@5000:6000"}));
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.err, testing::MatchesRegex(
                            "toriscope: --wave: the run ended in cycle [0-9]+, before the window began "
                            "\\(cycle 5000\\); no waveform was written\n"));
  EXPECT_THAT(none.out, testing::HasSubstr("results\n")) << "they are right all the same";
  EXPECT_EQ(dir.run(with(run, {"torus.*@50:6000"})).status, 0) << "a window may end after the run";
  const std::string before = dir.read("toriscope.vcd");
  const process_result old = dir.run(with(run, {"torus.*@5000:6000"}));
  EXPECT_EQ(old.status, 2);
  EXPECT_THAT(old.err, testing::HasSubstr("toriscope.vcd is of another run, and was left as it was\n"));
  EXPECT_EQ(dir.read("toriscope.vcd"), before);
}

const strings frozen = {"run", "--topology",       "ttn:2,2,0",  "--vc-rule", "paper",   "--rate",
                        "0.3", "--allow-deadlock", "--watchdog", "1000",      "--quiet", "--failure-wave",
                        "none"};

/// A script goes by the status: 2 would be an error of the input.
TEST(wave_window, a_deadlock_is_told_though_its_results_cannot_be_written) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  const program_directory dir;
  const process_result r = dir.run(with(frozen, {"--json", "/dev/full"}));
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.err, testing::HasSubstr("toriscope: cannot write /dev/full: No space left on device\n"));
  EXPECT_THAT(r.err, testing::HasSubstr("toriscope: deadlock since cycle 293: "));
}

/// Both are said; and "none" is not the name of a file.
TEST(wave_window, a_wave_window_after_a_deadlock_is_missed) {
  const program_directory dir;
  const process_result r = dir.run(with(frozen, {"--wave", "*@90000:"}));
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.err, testing::StartsWith("toriscope: deadlock since cycle 293: "));
  EXPECT_THAT(r.err,
              testing::ContainsRegex("\ntoriscope: --wave: the run ended in cycle [0-9]+, before the window "
                                     "began \\(cycle 90000\\); no waveform was written\n$"));
  EXPECT_EQ(dir.files(), strings{});
}

TEST(wave_window, a_deadlock_whose_save_file_cannot_be_written_has_no_waveform) {
  const program_directory dir;
  const process_result r = dir.shell(
      "mkdir toriscope-failure.gtkw; $T run --vc-rule paper --vcs 2 --rate 0.3 --allow-deadlock --quiet");
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.err,
              testing::ContainsRegex("\n  no waveform: cannot write [^\n]*toriscope-failure.gtkw: Is a "
                                     "directory\n$"));
}

TEST(wave_window, a_deadlock_of_a_configuration_from_a_pipe_has_no_waveform) {
  const program_directory dir;
  dir.write("c.json", R"({"vc_rule": "paper", "vcs": 2, "rate": 0.3})");
  const process_result r = dir.shell("cat c.json | $T run --config - --allow-deadlock --quiet");
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.err, testing::EndsWith(
                         "\n  no waveform: a run with --config - cannot be repeated; use --config FILE\n"));
  EXPECT_EQ(dir.files(), strings{"c.json"});
}

/// A ring of 80 nodes that all wait for one another. The waveform shows 64 of them; one that was asked for ends
/// with the cycle in which the watchdog found it.
TEST(wave_window, a_deadlock_of_many_nodes_is_shown_in_part) {
  const program_directory dir;
  std::string nodes, links, routes, packets;
  for (unsigned n = 0; n < 80; ++n) {
    const std::string comma = n ? "," : "", name = "n" + std::to_string(n),
                      next = std::to_string((n + 1) % 80);
    nodes += comma + '"' + name + '"';
    links += comma + R"({"from": ")" + name + R"(", "to": "n)" + next +
             R"(", "from_port": "up", "duplex": false})";
    routes += comma + '"' + name + R"(": {"*": {"port": "up", "vcs": [0]}})";
    packets += "0 " + std::to_string(n) + ' ' + std::to_string((n + 40) % 80) + " 200\n";
  }
  dir.write("ring.json",
            R"({"nodes": [)" + nodes + R"(], "links": [)" + links + R"(], "routes": {)" + routes + "}}");
  dir.write("t.txt", packets);
  const process_result r = dir.shell(
      "$T run --topology file:ring.json --vc-rule given --allow-deadlock --vcs 1 --depth 2 --watchdog 100 "
      "--quiet --traffic-file t.txt --wave '*.n0@90:' --wave-file w.vcd --failure-wave f.vcd");
  ASSERT_THAT(r.err, testing::HasSubstr("80 channels wait for each other in a cycle; found in cycle "));
  const std::string shown = dir.read("f.vcd");
  unsigned scopes = 0;
  for (std::size_t at = 0; (at = shown.find("$scope module n", at)) != std::string::npos; ++at)
    scopes += shown.at(at + 15) != 'i';  // its network interface
  EXPECT_EQ(scopes, 64u);
  const std::uint64_t found = std::stoull(r.err.substr(r.err.find("found in cycle ") + 15));
  EXPECT_EQ(vcd_reader::read(dir.file("w.vcd")).times.back(), 1000 * found);
}

/// As failure waves are written (failure_wave.cpp). Such a run ends soon after its window: the first time that it
/// looks is after 64 cycles.
TEST(wave_window, of_a_run_for_its_sake_is_the_same) {
  const program_directory dir;
  for (const char* window : {"*@40:60", "*@40:64"}) {
    const strings run{"run",      "--topology", "mesh:2x2", "--rate", "0.3",  "--warmup",    "0",
                      "--cycles", "100",        "--quiet",  "--wave", window, "--wave-file", "w.vcd"};
    ASSERT_EQ(dir.run(run).status, 0);
    const std::string whole = dir.read("w.vcd"), beside = dir.read("w.gtkw");
    ASSERT_EQ(dir.run(with(run, {"--wave-only"})).status, 0);
    EXPECT_TRUE(dir.read("w.vcd") == whole) << window;
    EXPECT_EQ(dir.read("w.gtkw"), beside) << window;
  }
}

/// Runs a line of three nodes with two VCs, and writes all waves to w.vcd.
void run_with_waves(const program_directory& dir, const strings& more) {
  const process_result r = dir.run(with({"run", "--topology", "mesh:3x1", "--vcs", "2", "--warmup", "0", "--wave", "*",
                                         "--wave-file", "w.vcd", "--quiet"},
                                        more));
  ASSERT_EQ(r.status, 0) << r.err;
}

TEST(wave_files, name_the_vcs_of_each_kind_of_node) {
  const program_directory dir;
  ASSERT_NO_FATAL_FAILURE(run_with_waves(dir, {"--cycles", "20"}));
  EXPECT_EQ(dir.read("w.vcs_1.txt"), "0 y+ vc0\n1 y+ vc1\n2 local vc0\n3 local vc1\n");
  EXPECT_EQ(dir.read("w.vcs_2.txt"), "0 y+ vc0\n1 y+ vc1\n2 y- vc0\n3 y- vc1\n4 local vc0\n5 local vc1\n");
  EXPECT_EQ(dir.read("w.vcs_3.txt"), "0 y- vc0\n1 y- vc1\n2 local vc0\n3 local vc1\n");
}

TEST(wave_files, show_each_flit_in_the_output_buffer_before_the_link) {
  const program_directory dir;
  ASSERT_NO_FATAL_FAILURE(
      run_with_waves(dir, {"--cycles", "60", "--pipeline", "paper2009", "--rate", "0.3", "--packet", "4"}));
  const vcd_contents wave = vcd_reader::read(dir.file("w.vcd"));
  for (const auto& [of_buffer, of_link] : {std::pair{"buffer", "flit"}, {"buffer_tag", "tag"}}) {
    std::set<std::string> buffered, sent;
    for (const std::string vc : {"vc0", "vc1"})
      for (const auto& change : wave.variables.at("mesh.node_0_0.out_y+." + vc + "." + of_buffer).changes)
        buffered.insert(change.second);
    for (const auto& change : wave.variables.at(std::string("mesh.node_1_0.in_y-.") + of_link).changes)
      sent.insert(change.second);
    EXPECT_GT(sent.size(), 3u);
    EXPECT_EQ(buffered, sent) << of_link;
  }
}

/// The cycle finds what stands between the edge before and its own.
TEST(wave_window, may_be_one_cycle) {
  const program_directory dir;
  ASSERT_NO_FATAL_FAILURE(run_with_waves(dir, {"--cycles", "60", "--rate", "0.5"}));
  const vcd_contents whole = vcd_reader::read(dir.file("w.vcd"));
  ASSERT_NO_FATAL_FAILURE(run_with_waves(dir, {"--cycles", "60", "--rate", "0.5", "--wave", "*@40:40"}));
  const vcd_contents part = vcd_reader::read(dir.file("w.vcd"));
  EXPECT_EQ(part.times, (std::vector<std::uint64_t>{39000, 40000}));
  ASSERT_EQ(part.variables.size(), whole.variables.size());
  for (const auto& [name, variable] : part.variables) EXPECT_EQ(part.at(name, 39000), whole.at(name, 39000)) << name;
}

/// Two cycles before a change of what is shown; no link shows a flit.
TEST(wave_files, open_shortly_before_the_first_change) {
  const program_directory dir;
  dir.write("p.txt", "20 0 2 8\n");
  ASSERT_NO_FATAL_FAILURE(run_with_waves(dir, {"--cycles", "60", "--traffic-file", "p.txt", "--wave-groups", "ni"}));
  std::uint64_t first = ~std::uint64_t{0};
  for (const auto& [name, variable] : vcd_reader::read(dir.file("w.vcd")).variables)
    if (name != "mesh.cycle" && variable.changes.size() > 1) first = std::min(first, variable.changes[1].first);
  EXPECT_THAT(first, testing::AllOf(testing::Ge(20000u), testing::Le(21000u)));
  EXPECT_THAT(dir.read("w.gtkw"), testing::HasSubstr("\n[timestart] " + std::to_string(first - 2000) + "\n"));
}

/// Of each port: what passes it.
TEST(wave_files, list_the_packets_on_all_links_at_the_top_of_a_node) {
  const program_directory dir;
  ASSERT_NO_FATAL_FAILURE(run_with_waves(dir, {"--cycles", "20"}));
  const std::string save = dir.read("w.gtkw");
  for (const char* place : {"0_0.in_y+", "0_0.in_local", "0_0.out_local", "1_0.in_y-", "2_0.in_y-"}) {
    const std::string port = std::string(place).substr(4);
    EXPECT_THAT(save, testing::HasSubstr("\n+{" + port + " packet} mesh.node_" + place + ".tag[")) << place;
  }
  EXPECT_EQ(save.find(" packet} mesh.node_0_0.in_y+.flit"), std::string::npos);
}

class wave_windows : public testing::TestWithParam<strings> {};

/// Words are under way on slow links when a window begins, and nodes sleep over the last change of a register.
TEST_P(wave_windows, show_what_the_whole_wave_shows) {
  const program_directory dir;
  const auto wave = [&](std::uint64_t from, std::uint64_t to) {
    const std::string window = "*@" + std::to_string(from) + ":" + std::to_string(to);
    const process_result r = dir.run(with(with({"run", "--quiet", "--warmup", "0", "--cycles", "400"}, GetParam()),
                                          {"--wave", window, "--wave-file", "w.vcd"}));
    EXPECT_EQ(r.status, 0) << r.err;
    return vcd_reader::read(dir.file("w.vcd"));
  };
  const vcd_contents whole = wave(0, 300);
  for (const std::uint64_t from : {50, 203, 204}) {
    const std::uint64_t to = from + 6;
    const vcd_contents part = wave(from, to);
    ASSERT_EQ(part.timescale, "1 ps");
    ASSERT_EQ(part.variables.size(), whole.variables.size());
    std::size_t changes = 0;
    for (const auto& [name, variable] : part.variables) {
      changes += variable.changes.size();
      for (std::uint64_t cycle = from; cycle < to; ++cycle)
        ASSERT_EQ(part.at(name, 1000 * cycle), whole.at(name, 1000 * cycle)) << name << " in cycle " << cycle;
    }
    EXPECT_GT(changes, 700u);
  }
}

INSTANTIATE_TEST_SUITE_P(
    of, wave_windows,
    testing::Values(strings{"--topology", "htn:2,2,2,0", "--link-delay", "1,6", "--rate", "0.2"},
                    strings{"--topology", "ttn:2,2,0", "--link-delay", "1,3", "--rate", "0.05"},
                    strings{"--topology", "torus:4x4", "--link-width", "16", "--rate", "0.1"},
                    strings{"--topology", "mesh:4x4", "--routing", "adaptive", "--vc-reallocation", "atomic", "--rate",
                            "0.1", "--threads", "2"},
                    strings{"--topology", "cmesh:2x2,4", "--pipeline", "paper2009", "--depth", "1", "--rate", "0.1"}));

// The network freezes at once, but the program does not know before.
TEST(wave_window, every_command_writes_fst_by_its_suffix) {
  const program_directory dir;
  const std::vector<std::string> torus{"--topology", "torus:4x4", "--cycles", "100", "--quiet"};
  EXPECT_EQ(dir.run(with(with({"run"}, torus), {"--wave", "*@50:90", "--wave-file", "run.fst"})).status, 0);
  EXPECT_EQ(dir.run(with(with({"explain"}, torus), {"--packet", "3", "--wave", "way.fst"})).status, 0);
  EXPECT_EQ(dir.run({"prove", "--vc-rule", "paper", "--vcs", "2", "--wave", "frozen.fst"}).status, 1);
  for (const std::string name : {"run", "way", "frozen"}) {
    EXPECT_EQ(dir.read(name + ".fst").substr(0, 9), std::string("\0\0\0\0\0\0\0\x01\x49", 9)) << name;
    EXPECT_THAT(dir.read(name + ".gtkw"), testing::HasSubstr(name + ".fst\"")) << name;
  }
}

TEST(wave_window, where_waves_cannot_be_written_it_says_why) {
  const program_directory dir;
  const std::string run = "$T run --topology torus:8x8 --rate .2 --cycles 1000 --quiet --wave '*' --wave-file ";
  for (const std::string file : {"w.fst", "w.vcd"}) {
    const process_result full = dir.shell("ulimit -f 64; " + run + file);
    EXPECT_EQ(full.status, 2) << full.out;
    EXPECT_EQ(full.err, "toriscope: cannot write " + file + ": File too large\n");
    EXPECT_EQ(dir.files(), std::vector<std::string>{});
  }
  EXPECT_EQ(dir.shell("ulimit -f 64; " + run + "w.vcd --json r.json").status, 2);
  EXPECT_EQ(dir.files(), strings{}) << "no results of a run that ended before its time";
  const process_result rtl = dir.shell("mkdir none; PATH=none " + run + "w.fst --rtl 5; /bin/rmdir none");
  EXPECT_EQ(rtl.err,
            "toriscope: cannot write w.fst: waves from inside RTL routers are VCD, and vcd2fst, which would "
            "make an FST of it, cannot be run; install gtkwave, or use a name that ends in .vcd\n");
  const process_result pipe = dir.shell("mkfifo p.fst; cat p.fst >/dev/null & " + run + "p.fst");
  EXPECT_EQ(pipe.status, 2) << pipe.out;
  EXPECT_EQ(pipe.err, "toriscope: cannot write p.fst: Illegal seek\n");
}

TEST(wave_files, of_gtkwave_do_not_appear_beside_a_pipe) {
  const program_directory dir;
  const process_result r = dir.shell(
      "mkfifo p.vcd; cat p.vcd > got & "
      "$T run --topology mesh:2x2 --cycles 20 --quiet --wave '*' --wave-file p.vcd; status=$?; wait; exit $status");
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(dir.files(), (strings{"got", "p.vcd"}));
  EXPECT_GT(vcd_reader::read(dir.file("got")).times.size(), 20u);
}

/// Of a million cycles unless options say more; ends after one cycle, because its state cannot be written.
process_result begun(const program_directory& dir, const std::string& options, const std::string& window,
                     const std::string& file) {
  return dir.shell("$T run --topology mesh:4x4 --warmup 0 --cycles 1000000 --save-state 1:/dev/full --quiet " +
                   options + " --wave '" + window + "' --wave-file " + file);
}
const std::string ended = "toriscope: cannot write /dev/full: No space left on device\n";

/// MB of the window, as a warning says it.
double warned_of(const program_directory& dir, const std::string& options, const std::string& window = "*",
                 const std::string& file = "w.vcd") {
  const process_result r = begun(dir, options, window, file);
  const std::string begin = "toriscope: warning: the waveform will have about ";
  EXPECT_THAT(r.err, testing::StartsWith(begin));
  const std::string more = r.err.substr(begin.size());
  std::size_t digits = 0;
  const double mb = std::stod(more, &digits);
  const bool fst = file == "w.fst";
  EXPECT_EQ(more.substr(digits), std::string(" MB; a shorter window (--wave 'GLOB@FROM:TO'), fewer names") +
                                     (fst ? " or --wave-groups links make it smaller\n"
                                          : ", --wave-groups links or a --wave-file that ends in .fst make it "
                                            "smaller\n") +
                                     ended);
  return mb;
}

/// Bytes of the file.
double written(const program_directory& dir, const std::string& options, const std::string& file = "w.vcd") {
  const process_result r = dir.shell("$T run --topology mesh:4x4 --warmup 0 --cycles 5000 --quiet --wave '*@0:5000' " +
                                     options + " --wave-file " + file);
  EXPECT_EQ(r.status, 0) << r.err;
  return static_cast<double>(dir.read(file).size());
}

std::string flows_to(const std::string& nodes, const std::string& rate) {
  return R"({"flows": [{"from": "*", "to": )" + nodes + R"(, "rate": )" + rate + R"(, "packet": 32}]})";
}

/// Within a factor of two or three (wave_estimate.h), as all sizes here. A reply for each request, and flows between
/// all nodes, are as many flits as a pattern of the same load.
TEST(wave_window, the_size_that_is_warned_of_is_about_that_of_the_file) {
  const program_directory dir;
  dir.write("f.json", flows_to(R"("*")", "0.3"));
  const std::string load = "--rate 0.3 --packet 32";
  const double mb = warned_of(dir, load), fst = warned_of(dir, load, "*", "w.fst");
  const double vcd_bytes = written(dir, load) / 5000, fst_bytes = written(dir, load, "w.fst") / 5000;
  EXPECT_LT(mb / vcd_bytes, 2);
  EXPECT_GT(mb / vcd_bytes, 0.5);
  EXPECT_LT(fst / fst_bytes, 3);
  EXPECT_GT(fst / fst_bytes, 1 / 3.0);
  EXPECT_NEAR(warned_of(dir, "--flows f.json"), mb, 0.05 * mb);
  EXPECT_NEAR(warned_of(dir, "--traffic-mode request_reply --rate 0.1 --packet 32 --reply-packet 64"), mb, 0.05 * mb);
  for (const std::string& same : {load, std::string("--flows f.json")})
    EXPECT_NEAR(warned_of(dir, same, "*@250000:500000"), warned_of(dir, same) / 4, 1) << same;
  EXPECT_EQ(begun(dir, load + " --cycles 10000000", "*@9000000:9000100", "w.vcd").err, ended) << "100 cycles, late";
}

/// The same packets, told as a pattern and as flows; and flows that are told in pieces.
TEST(wave_window, the_size_that_is_warned_of_does_not_depend_on_how_the_traffic_is_told) {
  const program_directory dir;
  std::string transposed, pieces;
  for (int n = 0; n < 16; ++n) {
    const std::string from = R"({"from": )" + std::to_string(n), to = std::to_string(n % 4 * 4 + n / 4);
    if (n % 5 != 0)
      transposed += (transposed.empty() ? "" : ", ") + from + R"(, "to": )" + to +
                    R"(, "rate": 0.25, "packet": "4:1,12:1"})";
    pieces += ", " + from + R"(, "to": "*", "rate": 0.1, "packet": 4})";
  }
  const std::string long_ones = R"({"name": "long", "from": "*", "to": "*", "rate": 0.2, "packet": 32})";
  dir.write("transpose.json", R"({"flows": [)" + transposed + "]}");
  dir.write("pieces.json", R"({"flows": [)" + long_ones + pieces + "]}");
  dir.write("two.json",
            R"({"flows": [)" + long_ones + R"(, {"from": "*", "to": "*", "rate": 0.1, "packet": 4}]})");
  EXPECT_EQ(warned_of(dir, "--traffic transpose --rate 0.25 --packet 4:1,12:1"),
            warned_of(dir, "--flows transpose.json"));
  EXPECT_EQ(warned_of(dir, "--flows pieces.json"), warned_of(dir, "--flows two.json"));
  // 2.6 million flits of long packets fill the link at their source, as a flow does.
  std::string lines;
  for (unsigned i = 0; i < 40; ++i) lines += "1000000 0 15 65535\n";
  dir.write("many", lines);
  dir.write("line.json", R"({"flows": [{"from": 0, "to": 15, "rate": 0.9, "packet": 65535}]})");
  const std::string many = "--traffic-file many --cycles 10000000";
  const double full = warned_of(dir, "--flows line.json");
  EXPECT_EQ(warned_of(dir, many, "*@1000000:2000000"), full);
  EXPECT_EQ(warned_of(dir, many, "*@0:1000000"), full) << "created in the last cycle";
  EXPECT_EQ(begun(dir, many, "*@8000000:10000000", "w.vcd").err, ended) << "created before";
  // The warm-up is of the run.
  EXPECT_NEAR(warned_of(dir, "--flows line.json --warmup 1000000"), 2 * full, 1);
  const std::string load = "--rate 0.3 --packet 32";
  EXPECT_NEAR(warned_of(dir, load + " --warmup 1000000"), 2 * warned_of(dir, load), 1);
  EXPECT_EQ(warned_of(dir, many + " --warmup 9000000 --cycles 1000000", "*@1000000:9000000"),
            warned_of(dir, many, "*@1000000:9000000"));
  // Heads count more, and a sixth is what FST takes.
  EXPECT_GT(warned_of(dir, "--rate 0.3 --packet 2"), 2 * warned_of(dir, load));
  EXPECT_NEAR(6 * warned_of(dir, load, "*", "w.fst"), warned_of(dir, load), 4);
  dir.write("one", "20000000 0 15 32\n");
  EXPECT_GT(warned_of(dir, "--traffic-file one --cycles 30000000"), 0);
}

/// With 0.04 of a flit from each of 15 nodes its port is as full as it gets.
TEST(wave_window, a_port_carries_no_more_than_it_can_in_the_size_that_is_warned_of) {
  const program_directory dir;
  const std::string to_one = "--packet 32 --traffic hotspot --hot-node 5 --hot-probability 1 --rate ";
  EXPECT_NEAR(warned_of(dir, to_one + "0.08"), warned_of(dir, to_one + "0.04"), 1);
}

/// The node that all send to receives no more with three times the load.
TEST(wave_window, links_carry_no_more_than_they_can_in_the_size_that_is_warned_of) {
  const program_directory dir;
  dir.write("0.3", flows_to("[5]", "0.3"));
  dir.write("0.9", flows_to("[5]", "0.9"));
  for (const char* to_one : {"--packet 32 --traffic hotspot --hot-node 5 --hot-probability 1 --rate ", "--flows "}) {
    const std::string load = to_one;
    const double mb = warned_of(dir, load + "0.9"), bytes = written(dir, load + "0.9") / 5000;
    EXPECT_NEAR(mb, warned_of(dir, load + "0.3"), 0.05 * mb) << load;
    EXPECT_LT(mb / bytes, 3) << load;
    EXPECT_GT(mb / bytes, 1 / 3.0) << load;
  }
}

/// Twenty packets of each node are a fiftieth of a thousand.
TEST(wave_window, the_size_that_is_warned_of_is_that_of_the_batch) {
  const program_directory dir;
  const std::string batch = "--traffic-mode batch --packet 32 --wave '*' --batch ";
  const double mb = warned_of(dir, batch + "1000"), few = written(dir, batch + "20") / 1e6;
  EXPECT_LT(mb / few, 2 * 50);
  EXPECT_GT(mb / few, 0.5 * 50);
}

/// Few packets that come seldom: most bytes count the cycles, up to the last packet.
TEST(wave_window, the_size_that_is_warned_of_is_that_of_the_packets_of_a_file) {
  const program_directory dir;
  const auto packets = [&](unsigned apart) {
    std::string lines;
    for (unsigned i = 0; i < 10; ++i)
      lines += std::to_string(i * apart) + ' ' + std::to_string(i) + ' ' + std::to_string(15 - i) + " 32\n";
    return lines;
  };
  dir.write("seldom", packets(1'000'000));
  dir.write("often", packets(5000));
  const std::string seldom = "--traffic-file seldom --cycles 10000000";
  const double mb = warned_of(dir, seldom);
  const double bytes = written(dir, "--traffic-file often --cycles 50000 --wave '*@0:50000'") / 45'000;
  EXPECT_LT(mb / 9 / bytes, 2);
  EXPECT_GT(mb / 9 / bytes, 0.5);
  EXPECT_NEAR(warned_of(dir, seldom, "*@2000000:10000000"), mb * 7 / 9, 1);
  // 2.6 million flits over the same links: they are under way to the end of both windows.
  std::string lines;
  for (unsigned i = 0; i < 40; ++i) lines += "1000000 0 15 65535\n";
  dir.write("many", lines);
  const std::string many = "--traffic-file many --cycles 10000000";
  EXPECT_NEAR(warned_of(dir, many, "*@1000000:3000000"), 2 * warned_of(dir, many, "*@1000000:2000000"), 2);
}

TEST(wave_window, a_large_waveform_is_warned_of) {
  const program_directory dir;
  const std::vector<std::string> run = {
      "run",        "--topology", "ttn:2,2,0", "--vc-rule",      "paper", "--allow-deadlock", "--rate", "0.3",
      "--watchdog", "50",         "--quiet",   "--failure-wave", "none",  "--wave",           "*"};
  const process_result large = dir.run(with(run, {"--cycles", "1000000"}));
  EXPECT_THAT(large.err,
              testing::ContainsRegex(
                  "^toriscope: warning: the waveform will have about [0-9]+ MB; a shorter window "));
  EXPECT_THAT(dir.run(with(run, {"--cycles", "100"})).err, testing::StartsWith("toriscope: deadlock since"));
}

}  // namespace
}  // namespace toriscope::wave_window_test
