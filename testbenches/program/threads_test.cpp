// SPDX-License-Identifier: Apache-2.0
// `toriscope run --threads N`: whatever is simulated and whatever is written, it is what one thread gives, to the byte.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <ostream>
#include <string>

#include "base/json.h"
#include "testbenches/program/program_process.h"

namespace toriscope::threads_test {
namespace {

using json = nlohmann::ordered_json;

struct threaded_run {
  const char* name;
  strings options;
  strings files = {};  ///< that it writes beside the JSON result
  int status = 0;
};

void PrintTo(const threaded_run& r, std::ostream* out) { *out << r.name; }

const strings window{"--warmup", "200", "--cycles", "500"};

class threads : public testing::TestWithParam<threaded_run> {};

/// What a run leaves: the result without "performance", files, and what it says.
std::map<std::string, std::string> outcome(const program_directory& dir, const threaded_run& run,
                                           unsigned threads) {
  strings arguments =
      with({"run", "--quiet", "--json", "result.json", "--threads", std::to_string(threads)}, run.options);
  const process_result r = dir.run(arguments);
  EXPECT_EQ(r.status, run.status) << r.err;
  json result = json::parse(dir.read("result.json"));
  EXPECT_EQ(result["performance"].contains("threads"), threads > 1);
  result.erase("performance");
  std::map<std::string, std::string> all{{"result", result.dump(1)}, {"messages", r.err}};
  for (const std::string& file : run.files) all[file] = dir.read(file);
  return all;
}

TEST_P(threads, give_what_one_gives) {
  setenv("TORISCOPE_SHARED_NODES", "0", 1);  // small networks, too
  const program_directory dir;
  dir.write("t.txt", "0 0 1 16\n0 63 2 16\n3 5 60 8\n100 1 2 16\n100 40 13 16\n");
  const auto one = outcome(dir, GetParam(), 1);
  for (const unsigned n : {2u, 3u, 4u, 8u}) {
    const auto several = outcome(dir, GetParam(), n);
    for (const auto& [what, text] : one)
      EXPECT_TRUE(text == several.at(what)) << what << " of " << n << " threads";
  }
}

strings run_of(const strings& network) { return with(with(network, {"--wire-hash"}), window); }

INSTANTIATE_TEST_SUITE_P(
    networks, threads,
    testing::Values(
        threaded_run{"torus", run_of({"--topology", "torus:8x8", "--rate", "0.4"})},
        threaded_run{"overloaded", run_of({"--topology", "torus:8x8", "--rate", "1", "--drain", "0"})},
        threaded_run{"hierarchy",
                     run_of({"--topology", "ttn:2,2,0", "--rate", "0.05", "--link-delay", "1,3"})},
        threaded_run{"uneven_parts",
                     run_of({"--topology", "mesh:9x7", "--rate", "0.3", "--pipeline", "paper2009"})},
        threaded_run{"beyond_the_caches",
                     run_of({"--topology", "torus:20x20", "--rate", "0.1", "--pipeline", "single_cycle"})},
        threaded_run{"selection", run_of({"--topology", "htn:4,4,2,1", "--rate", "0.05", "--routing", "ls+cs",
                                          "--gateways", "nearest"})},
        threaded_run{"adaptive", run_of({"--topology", "mesh:8x8", "--rate", "0.3", "--routing", "adaptive",
                                         "--limited-reception"})},
        threaded_run{"policies", run_of({"--topology", "torus:8x8", "--rate", "0.4", "--va-allocator",
                                         "islip", "--sa-allocator", "islip", "--iterations", "2", "--arbiter",
                                         "age", "--speculative"})},
        threaded_run{"narrow_and_slow", run_of({"--topology", "torus:8x8", "--rate", "0.2", "--link-width",
                                                "16", "--link-delay", "4", "--vc-reallocation", "atomic",
                                                "--injection-delay", "3", "--credit-delay", "2"})},
        threaded_run{"terminals", run_of({"--topology", "cmesh:4x4,4", "--rate", "0.1"})},
        threaded_run{"one_direction",
                     run_of({"--topology", "butterfly:4,3", "--rate", "0.3", "--limited-reception"})},
        threaded_run{"queues_compared",
                     run_of({"--topology", "dragonfly:2,4,2", "--rate", "0.3", "--routing", "ugal"})},
        threaded_run{"ways_in_turn", run_of({"--topology", "fattree:4,3", "--rate", "0.3"})},
        threaded_run{"every_credit", run_of({"--topology", "torus:8x8", "--rate", "0.4", "--check", "full"})},
        threaded_run{"classes",
                     run_of({"--topology", "torus:8x8", "--rate", "0.4", "--message-classes", "2"})}),
    [](const auto& p) { return std::string(p.param.name); });

INSTANTIATE_TEST_SUITE_P(
    workloads, threads,
    testing::Values(
        threaded_run{"dead_links", run_of({"--topology", "torus:8x8", "--rate", "0.3", "--fail-link",
                                           "9.x+@300,20.y-,35.x-@301"})},
        threaded_run{"request_reply",
                     run_of({"--topology", "torus:8x8", "--rate", "0.4", "--traffic-mode", "request_reply"})},
        threaded_run{"reply_queue", run_of({"--topology", "torus:8x8", "--rate", "0.4", "--traffic-mode",
                                            "request_reply", "--reply-queue", "2"})},
        threaded_run{"batch",
                     {"--topology", "torus:8x8", "--traffic-mode", "batch", "--batch", "5", "--wire-hash"}},
        threaded_run{"dependencies",
                     {"--topology", "torus:8x8", "--traffic-file", "t.txt", "--file-timing", "dependencies"}},
        threaded_run{
            "precision",
            {"--topology", "torus:8x8", "--rate", "0.3", "--precision", "5%", "--max-cycles", "20000"}},
        threaded_run{"deadlock",
                     {"--rate", "0.5", "--vc-rule", "paper", "--vcs", "2", "--allow-deadlock", "--watchdog",
                      "200", "--failure-wave", "f.vcd", "--wire-hash"},
                     {"f.vcd"},
                     1}),
    [](const auto& p) { return std::string(p.param.name); });

INSTANTIATE_TEST_SUITE_P(
    outputs, threads,
    testing::Values(threaded_run{"waves",
                                 run_of({"--topology", "torus:8x8", "--rate", "0.3", "--wave", "*@100:400",
                                         "--wave-file", "w.vcd"}),
                                 {"w.vcd", "w.gtkw"}},
                    threaded_run{"links_read",
                                 run_of({"--topology", "ttn:2,2,0", "--rate", "0.05", "--observe-links",
                                         "--link-stats", "l.csv"}),
                                 {"l.csv"}},
                    threaded_run{"observation",
                                 run_of({"--topology", "torus:8x8", "--rate", "0.4", "--stalls", "s.csv",
                                         "--events", "e.json", "--link-stats", "l.json"}),
                                 {"s.csv", "e.json", "l.json"}},
                    threaded_run{"packets",
                                 run_of({"--topology", "torus:8x8", "--rate", "0.4", "--packet-stats",
                                         "p.csv", "--time-series", "t.csv"}),
                                 {"p.csv", "t.csv"}},
                    threaded_run{
                        "transactions",
                        run_of({"--topology", "torus:8x8", "--rate", "0.4", "--transactions", "t.ftr"}),
                        {"t.ftr"}},
                    threaded_run{"whole_packets",
                                 run_of({"--topology", "torus:8x8", "--rate", "0.4", "--transactions",
                                         "t.ftr", "--transaction-detail", "packets"}),
                                 {"t.ftr"}}),
    [](const auto& p) { return std::string(p.param.name); });

TEST(threads_of_a_run, record_the_packets_that_one_records) {
  setenv("TORISCOPE_SHARED_NODES", "0", 1);  // small networks, too
  const program_directory dir;
  for (const char* threads : {"1", "3"})
    ASSERT_EQ(dir.run({"record", "--topology", "torus:8x8", "--rate", "0.3", "--cycles", "300", "--quiet", "--threads",
                       threads, "--output", std::string(threads) + ".csv"})
                  .status,
              0);
  const std::string one = dir.read("1.csv");
  const auto packets = [](const std::string& text) {  // the header has the command, the end the sum of all
    const std::size_t first = text.find("\n0 ");
    return text.substr(first, text.find("# end ") - first);
  };
  EXPECT_GT(one.size(), 10000u);
  EXPECT_TRUE(packets(dir.read("3.csv")) == packets(one));
}

TEST(threads_of_a_run, are_not_part_of_its_result_and_can_come_from_a_file) {
  const program_directory dir;
  dir.write("c.json", R"({"topology": "torus:4x4", "threads": 2})");
  const json result = json::parse(
      dir.run({"run", "--config", "c.json", "--quiet", "--json", "-", "--cycles", "100", "--warmup", "0"})
          .out);
  EXPECT_EQ(result["performance"]["threads"], 2);
  EXPECT_FALSE(result["config"]["network"].contains("threads"));
  EXPECT_EQ(dir.run({"run", "--threads", "0"}).status, 2);
  EXPECT_THAT(dir.run({"run", "--threads", "0"}).err, testing::HasSubstr("--threads: "));
  EXPECT_EQ(dir.run({"run", "--topology", "torus:4x4", "--fidelity", "transaction", "--threads", "2"}).status,
            2);
  EXPECT_EQ(dir.run({"run", "--topology", "ring:4", "--cycles", "100", "--threads", "256", "--quiet"}).status,
            0)
      << "more threads than nodes";
}

}  // namespace
}  // namespace toriscope::threads_test
