// SPDX-License-Identifier: Apache-2.0
// The file of a state: what is in it, what is said of a file that does not fit, and when a run saves it.
#include "testbenches/simulation/state_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <set>
#include <string>

#include "base/error_of_test.h"
#include "base/json.h"
#include "base/scratch_directory.h"
#include "base/state_archive.h"
#include "base/text_file.h"
#include "base/text_hash.h"
#include "base/words.h"
#include "testbenches/simulation/configuration/parameters.h"
#include "testbenches/simulation/simulate.h"
#include "testbenches/simulation/simulation.h"

namespace toriscope::state_file_test {
namespace {

using testing::HasSubstr;

class state_file_test : public testing::Test {
 protected:
  std::string file() const { return scratch_.file("state"); }
  std::string contents() const { return text_of_file(file(), "state"); }
  /// Behind the name of the file; "none": it is read.
  std::string refusal(const run_config& config = {}) const {
    const std::string why =
        error_of<std::invalid_argument>([&] { read_state_file(file(), config, config.hashes_of_files()); });
    const std::string begin = "state " + file() + ": ";
    return begins_with(why, begin) ? why.substr(begin.size()) : why;
  }
  std::string refusal_of(const std::string& text) const {
    write_text_file(file(), text);
    return refusal();
  }
  /// A file with this header and the state "state", whose checksum fits.
  std::string refusal_of_header(const std::string& header) const {
    const std::string head = "toriscope state 4\n" + header + "\n", state = "state";
    return refusal_of(head + state + hex_text(mix(checksum_of(head), checksum_of(state))));
  }
  nlohmann::ordered_json header() const {
    const std::string text = contents();
    const std::size_t begin = text.find('\n') + 1;
    return nlohmann::ordered_json::parse(text.substr(begin, text.find('\n', begin) - begin));
  }

  scratch_directory scratch_;
};

TEST_F(state_file_test, is_read_as_it_was_written) {
  for (const std::string& state : {std::string(), std::string("x"), std::string("a\nb\0c\n", 6)}) {
    write_state_file(file(), {}, "", {7, state});
    const state_file read = read_state_file(file(), {}, "");
    EXPECT_EQ(read.cycle, 7u);
    EXPECT_EQ(read.state, state);
  }
}

TEST_F(state_file_test, has_a_header_with_what_the_state_depends_on) {
  run_config config;
  config.traffic.flows = scratch_.file("flows");
  write_text_file(config.traffic.flows, "content");
  write_state_file(file(), config, config.hashes_of_files(), {7, "state"});
  const nlohmann::ordered_json head = header();
  EXPECT_EQ(head["cycle"], 7);
  EXPECT_EQ(head["bytes"], 5);
  EXPECT_EQ(head["files"], config.hashes_of_files());
  std::set<std::string> named, shaping;
  for (const auto& item : head["config"].items()) named.insert(item.key());
  const std::set<std::string> free{"network.checks", "network.watchdog_cycles", "network.threads",
                                   "measurement.drain_cycles", "measurement.clock_ghz"};
  for (const parameter& p : parameters())
    if (free.count(p.path) == 0) shaping.insert(p.path);
  EXPECT_EQ(named, shaping);
  EXPECT_EQ(refusal(config), "none");
  write_text_file(config.traffic.flows, "other content");
  EXPECT_EQ(refusal(config), "a file that the configuration names has changed since the run that saved it began");
}

TEST_F(state_file_test, is_of_a_run_with_the_same_configuration) {
  write_state_file(file(), {}, "", {7, "state"});
  run_config config;
  config.network.watchdog_cycles = 77;
  config.network.threads = 3;
  config.measurement.drain_cycles = 78;
  config.measurement.clock_ghz = 1.5;
  config.network.checks = config.network.checks == check_level::full ? check_level::cheap : check_level::full;
  EXPECT_EQ(refusal(config), "none") << "no state depends on these";
  config.traffic.seed = 2;
  EXPECT_EQ(refusal(config),
            "saved by a run with traffic.seed 1, not 2; go on with the same configuration");
  config.topology.spec = "mesh:2x2";
  EXPECT_EQ(refusal(config),
            "saved by a run with topology.spec \"ttn:2,2,0\", not \"mesh:2x2\"; go on with the same configuration")
      << "the first one";
}

TEST_F(state_file_test, other_files_are_told_from_states_of_another_version) {
  const std::string no_state = "not a state of a run; toriscope run --save-state writes one";
  for (const std::string text : {"{}", "toriscope", "toriscope\nstate 4\n", " toriscope state 4\n{}\n"})
    EXPECT_EQ(refusal_of(text), no_state) << text;
  EXPECT_EQ(refusal_of("toriscope state 12\n{}\n"), "its format is version 12; this program reads 4");
  EXPECT_EQ(refusal_of("toriscope state 12"), "its format is version 12; this program reads 4");
  const std::string longest(23, 'v');  // a first line of 39 characters
  EXPECT_EQ(refusal_of("toriscope state " + longest + "\n"),
            "its format is version " + longest + "; this program reads 4");
  EXPECT_EQ(refusal_of("toriscope state " + longest + "v\n"), no_state);
}

TEST_F(state_file_test, of_a_device_only_the_beginning_is_read) {
  EXPECT_EQ(error_of<std::invalid_argument>([] { read_state_file("/dev/zero", {}, ""); }),
            "state /dev/zero: not a state of a run; toriscope run --save-state writes one");
}

TEST_F(state_file_test, whose_header_cannot_be_read_is_rejected) {
  for (const char* text :
       {"toriscope state 4\n", "toriscope state 4\n{", "toriscope state 4\n{\"bytes\": 5}"})
    EXPECT_EQ(refusal_of(text), "cut off within its header") << text;
  const std::string damaged = "damaged: its header cannot be read";
  EXPECT_EQ(refusal_of("toriscope state 4\n\n"), damaged);
  for (const char* text : {"", "x", "[]", "[\"bytes\", \"cycle\"]", "{}", R"({"bytes": 5})", R"({"cycle": 7})",
                           R"({"bytes": "5", "cycle": 7})", R"({"bytes": -5, "cycle": 7})",
                           R"({"bytes": 5, "cycle": 7.5})", R"({"bytes": 5, "cycle": null})"})
    EXPECT_EQ(refusal_of_header(text), damaged) << text;
}

TEST_F(state_file_test, that_was_cut_off_or_altered_is_rejected) {
  write_state_file(file(), {}, "", {7, "state"});
  const std::string whole = contents();
  const std::size_t head = whole.find('\n', whole.find('\n') + 1) + 1;
  ASSERT_EQ(whole.size(), head + 5 + 16);
  for (std::size_t length = head; length < whole.size(); ++length)
    EXPECT_EQ(refusal_of(whole.substr(0, length)), "cut off: it has " + std::to_string(length) +
                                                       " bytes, less than the " + std::to_string(whole.size()) +
                                                       " that its header says");
  const std::string damaged = "damaged: its checksum is another one";
  EXPECT_EQ(refusal_of(whole + "x"), damaged);
  for (const std::size_t place : {whole.find("\"cycle\":7") + 8, head, head + 4, head + 5, whole.size() - 1}) {
    std::string text = whole;
    text[place] = text[place] == '8' ? '9' : '8';
    EXPECT_EQ(refusal_of(text), damaged) << place;
  }
  EXPECT_EQ(refusal_of(whole), "none");
}

/// With a checksum that fits.
TEST_F(state_file_test, whose_header_lacks_something_is_rejected) {
  write_state_file(file(), {}, "", {7, "state"});
  const nlohmann::ordered_json right = header();
  const auto of_changed = [&](const std::function<void(nlohmann::ordered_json&)>& change) {
    nlohmann::ordered_json tree = right;
    change(tree);
    return refusal_of_header(tree.dump());
  };
  using tree = nlohmann::ordered_json;
  EXPECT_EQ(of_changed([](tree&) {}), "none");
  const std::string version = right["version"];
  EXPECT_EQ(of_changed([](tree& t) { t["version"] = "0.0.7"; }), "saved by version \"0.0.7\"; this is " + version);
  EXPECT_EQ(of_changed([](tree& t) { t.erase("version"); }), "saved by version null; this is " + version);
  EXPECT_EQ(of_changed([](tree& t) { t.erase("config"); }), "damaged: it has no configuration");
  EXPECT_EQ(of_changed([](tree& t) { t["config"] = 3; }), "damaged: it has no configuration");
  EXPECT_EQ(of_changed([](tree& t) { t["config"].erase("router.vcs"); }),
            "saved by a run with router.vcs null, not 4; go on with the same configuration");
  const std::string other_files = "a file that the configuration names has changed since the run that saved it began";
  EXPECT_EQ(of_changed([](tree& t) { t["files"] = " 0123456789abcdef"; }), other_files);
  EXPECT_EQ(of_changed([](tree& t) { t.erase("files"); }), other_files);
}

/// A run of 200 cycles in which a packet of 4 flits goes over 3 links, and after cycle 100 one of 2 flits over 1 link.
class saved_state_test : public state_file_test {
 protected:
  saved_state_test() { write_text_file(scratch_.file("packets"), "0 0 3 4\n100 0 1 2\n"); }

  named_config config_of(const std::string& network) const {
    return config_from_text(R"({"topology": {"spec": )" + network + R"(}, "traffic": {"file": ")" +
                                scratch_.file("packets") + R"("}, "measurement": {"measure_cycles": 200}})",
                            "test.json");
  }
  /// @param from  a state to go on from; empty: none
  std::unique_ptr<simulation> made(const std::string& from = "",
                                   const std::string& network = R"("mesh:4x1")") const {
    const named_config named = config_of(network);
    auto run = std::make_unique<simulation>(named.config, named.given);
    run->leave_kernel();
    if (!from.empty()) run->go_on_from(from);
    run->elaborate();
    return run;
  }
  /// Makes the state of this cycle.
  void save(cycle_t cycle) const {
    const auto run = made();
    run->save_state(cycle, 0, file());
    run->run();
    ASSERT_EQ(run->saved_at(), cycle);
    ASSERT_EQ(run->cycles(), 200u);
  }
  static nlohmann::json figures_of(const simulation& run) { return nlohmann::json::parse(as_json(run.results())); }
};

TEST_F(saved_state_test, is_of_the_files_as_they_were_before_the_run) {
  const auto run = made();
  run->save_state(50, 0, file());
  write_text_file(scratch_.file("packets"), "0 0 3 4\n");
  run->run();
  EXPECT_EQ(error_of<std::invalid_argument>([&] { made(file()); }),
            "state " + file() + ": a file that the configuration names has changed since the run that saved it began");
  write_text_file(scratch_.file("packets"), "0 0 3 4\n100 0 1 2\n");
  EXPECT_EQ(error_of<std::invalid_argument>([&] { made(file()); }), "none");
}

TEST_F(saved_state_test, a_run_that_goes_on_counts_what_it_simulates_itself) {
  const auto whole = made();
  whole->run();
  EXPECT_EQ(whole->saved_at(), 0u);
  EXPECT_EQ(whole->resumed_at(), 0u);
  EXPECT_EQ(figures_of(*whole)["performance"]["flit_hops"], 4 * (3 + 1) + 2 * (1 + 1));
  save(50);
  const auto rest = made(file());
  EXPECT_EQ(rest->resumed_at(), 50u);
  rest->run();
  EXPECT_EQ(rest->cycles(), 200u);
  const nlohmann::json figures = figures_of(*rest);
  EXPECT_EQ(figures["results"], figures_of(*whole)["results"]);
  EXPECT_EQ(figures["performance"]["flit_hops"], 2 * (1 + 1)) << "the first packet arrived before";
  EXPECT_EQ(figures["performance"]["router_cycles"], 4 * 150);
  EXPECT_THAT(rest->headline(), testing::EndsWith("\ngoes on after cycle 50, from " + file() + "\n"));
}

TEST_F(saved_state_test, a_run_saves_in_the_cycles_that_are_due) {
  save(140);
  const std::string from = scratch_.file("from"), again = scratch_.file("again");
  replace_text_file(from, contents());
  struct saving {
    const char* begin;  ///< a file to go on from; empty: none
    cycle_t first, interval, last;
  };
  const saving all[] = {{"", 140, 0, 140}, {"", 70, 70, 140}, {"", 60, 70, 200}, {"", 1, 1, 200}, {"", 201, 0, 0},
                        // from the state of cycle 140
                        {"from", 150, 0, 150}, {"from", 70, 70, 0}, {"from", 60, 60, 180}, {"from", 1, 1, 200},
                        {"from", 140, 140, 0}, {"from", 50, 30, 200}, {"from", 150, 30, 180}};
  for (const saving& s : all) {
    SCOPED_TRACE(s.begin + (" " + std::to_string(s.first)) + " " + std::to_string(s.interval));
    const auto run = made(*s.begin ? from : "");
    run->save_state(s.first, s.interval, again);
    run->run();
    EXPECT_EQ(run->saved_at(), s.last);
    if (s.last > 0) {
      EXPECT_EQ(read_state_file(again, run->config(), run->config().hashes_of_files()).cycle, s.last);
    }
  }
}

TEST_F(saved_state_test, a_state_that_is_more_or_of_another_cycle_is_damaged) {
  save(50);
  const run_config config = made()->config();
  const std::string state = read_state_file(file(), config, config.hashes_of_files()).state;
  const auto said = [&](const state_file& saved) {
    write_state_file(file(), config, config.hashes_of_files(), saved);
    return error_of<std::invalid_argument>([&] { made(file()); });
  };
  EXPECT_EQ(said({50, state}), "none");
  EXPECT_EQ(said({51, state}), "state " + file() + ": damaged: it is of another cycle than its header says");
  EXPECT_EQ(said({50, state + "x"}), "state " + file() + ": damaged: there is more than a state has");
}

/// Ranks compare them before the run.
TEST_F(saved_state_test, is_part_of_what_ranks_have_in_common) {
  const auto input = [this](const std::string& from) {
    const named_config named = config_of(R"("mesh:4x1")");
    simulation run(named.config, named.given);
    if (!from.empty()) run.go_on_from(from);
    return run.input();
  };
  save(50);
  const std::string first = scratch_.file("first");
  replace_text_file(first, contents());
  save(110);
  EXPECT_EQ(input(first), input(first));
  EXPECT_NE(input(first), input(file()));
  EXPECT_NE(input(first), input(""));
}

/// Four packets in a ring of one VC, each to the node behind its own, the long way.
TEST_F(saved_state_test, of_a_run_that_has_failed_is_not_saved) {
  write_text_file(scratch_.file("ring.json"), R"({"nodes": 4, "links": [
      {"from": 0, "to": 1, "from_port": "n"}, {"from": 1, "to": 2, "from_port": "n"},
      {"from": 2, "to": 3, "from_port": "n"}, {"from": 3, "to": 0, "from_port": "n"}],
      "routes": {"0": {"*": "n"}, "1": {"*": "n"}, "2": {"*": "n"}, "3": {"*": "n"}}})");
  write_text_file(scratch_.file("packets"), "0 0 3 20\n0 1 0 20\n0 2 1 20\n0 3 2 20\n");
  const std::string ring = R"("file:)" + scratch_.file("ring.json") +
                           R"(", "vc_rule": "given"}, "router": {"vcs": 1, "depth_flits": 2},
                              "network": {"watchdog_cycles": 50)";
  const auto failing = made("", ring);
  failing->run();
  ASSERT_TRUE(failing->failure());
  const cycle_t end = failing->cycles();
  for (const cycle_t cycle : {end - 1, end}) {
    const auto run = made("", ring);
    run->save_state(cycle, 0, file());
    run->run();
    EXPECT_EQ(run->saved_at(), cycle < end ? cycle : 0);
  }
}

TEST_F(saved_state_test, the_transaction_level_has_no_state) {
  EXPECT_EQ(made()->has_no_state(), "");
  const named_config named =
      config_from_text(R"({"topology": {"spec": "mesh:4x1"}, "network": {"fidelity": "transaction"}})", "test.json");
  EXPECT_EQ(simulation(named.config, named.given).has_no_state(),
            "the state of the transaction level cannot be saved");
}

TEST_F(saved_state_test, a_run_that_records_its_packets_has_no_state) {
  struct : packet_writer {
    void write(const trace_packet&) override {}
    void close(cycle_t) override {}
  } file;
  const named_config named = config_of(R"("mesh:4x1")");
  simulation run(named.config, named.given);
  run.record_to(file);
  EXPECT_EQ(run.has_no_state(), "the state of a run that records its packets cannot be saved");
}

}  // namespace
}  // namespace toriscope::state_file_test
