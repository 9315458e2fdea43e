// SPDX-License-Identifier: Apache-2.0
// What is wrong with a configuration that was filled in by a program, without the checks of files and options.
#include "testbenches/simulation/configuration/run_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "base/scratch_directory.h"
#include "base/text_file.h"
#include "base/text_hash.h"

namespace toriscope::run_config_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

std::vector<std::string> errors_of(const std::function<void(run_config&)>& change) {
  run_config config;
  change(config);
  return config.validate();
}

TEST(run_config, defaults_are_right) { EXPECT_THAT(run_config().validate(), testing::IsEmpty()); }

TEST(run_config, shares_and_rates_are_0_to_1) {
  for (const double right : {0.0, 1.0}) {
    EXPECT_THAT(errors_of([&](run_config& c) { c.traffic.rate_flits_per_node_cycle = right; }), testing::IsEmpty());
    EXPECT_THAT(errors_of([&](run_config& c) { c.traffic.hot_probability = right; }), testing::IsEmpty());
  }
  for (const double wrong : {-0.001, 1.001, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THAT(errors_of([&](run_config& c) { c.traffic.rate_flits_per_node_cycle = wrong; }),
                ElementsAre("rate: expected 0 to 1 flits per node and cycle"));
    EXPECT_THAT(errors_of([&](run_config& c) { c.traffic.hot_probability = wrong; }),
                ElementsAre("hot-probability: expected 0 to 1"));
  }
}

TEST(run_config, lengths_arrivals_and_budgets_are_what_they_can_be) {
  EXPECT_THAT(errors_of([](run_config& c) { c.traffic.packet_flits = "0"; }),
              ElementsAre(StartsWith("packet length '0': a packet has 1 to 65535 flits")));
  EXPECT_THAT(errors_of([](run_config& c) { c.traffic.arrivals = "often"; }), ElementsAre(HasSubstr("'often'")));
  EXPECT_THAT(errors_of([](run_config& c) { c.topology.equal = "pins:x"; }), ElementsAre(HasSubstr("pins:x")));
  const auto replies = [](const char* lengths) {
    return errors_of([lengths](run_config& c) {
      c.traffic.mode = traffic_mode::request_reply;
      c.network.message_classes = 2;
      c.traffic.reply_flits = lengths;
    });
  };
  EXPECT_THAT(replies("65535"), testing::IsEmpty());
  EXPECT_THAT(replies("65536"), ElementsAre(StartsWith("packet length '65536': a packet has 1 to 65535 flits")));
}

TEST(run_config, files_and_flows_need_the_open_loop) {
  const auto batch = [](run_config& c) { c.traffic.mode = traffic_mode::batch; };
  EXPECT_THAT(errors_of(batch), testing::IsEmpty());
  EXPECT_THAT(errors_of([&](run_config& c) { batch(c), c.traffic.file = "t"; }),
              ElementsAre("traffic-file: supported with --traffic-mode open only"));
  EXPECT_THAT(errors_of([&](run_config& c) { batch(c), c.traffic.flows = "f"; }),
              ElementsAre("flows: supported with --traffic-mode open only"));
  EXPECT_THAT(errors_of([](run_config& c) { c.traffic.file = "t"; }), testing::IsEmpty());
  EXPECT_THAT(errors_of([](run_config& c) { c.traffic.flows = "f"; }), testing::IsEmpty());
  EXPECT_THAT(errors_of([](run_config& c) { c.traffic.file = "t", c.traffic.flows = "f"; }),
              ElementsAre("flows: --traffic-file names all packets; leave one of them out"));
}

TEST(run_config, a_precision_needs_drawn_packets_of_the_open_loop) {
  const std::string unsupported = "precision: supported with --traffic-mode open and without --traffic-file only";
  const auto precise = [](run_config& c) { c.measurement.precision = 0.1; };
  EXPECT_THAT(errors_of(precise), testing::IsEmpty());
  EXPECT_THAT(errors_of([&](run_config& c) { precise(c), c.traffic.mode = traffic_mode::batch; }),
              ElementsAre(unsupported));
  EXPECT_THAT(errors_of([&](run_config& c) { precise(c), c.traffic.file = "t"; }), ElementsAre(unsupported));
  EXPECT_THAT(errors_of([&](run_config& c) { precise(c), c.traffic.flows = "f"; }),
              ElementsAre("precision: not supported with --flows; use --cycles"));
}

TEST(run_config, a_budget_and_widths_exclude_each_other) {
  const auto budget = [](run_config& c) { c.topology.equal = "pins:256"; };
  const std::string both = "equal: link widths are given, too; leave one of them out";
  EXPECT_THAT(errors_of(budget), testing::IsEmpty());
  EXPECT_THAT(errors_of([&](run_config& c) { budget(c), c.topology.link_width_bits = {32}; }), ElementsAre(both));
  EXPECT_THAT(errors_of([&](run_config& c) { budget(c), c.topology.link_overrides = {"0.x+:width=8"}; }),
              ElementsAre(both));
  EXPECT_THAT(errors_of([&](run_config& c) { budget(c), c.topology.link_overrides = {"0.x+:delay=8"}; }),
              testing::IsEmpty());
}

TEST(run_config, requests_and_replies_are_two_classes) {
  const auto classes = [](unsigned count) {
    return errors_of([count](run_config& c) {
      c.traffic.mode = traffic_mode::request_reply;
      c.network.message_classes = count;
    });
  };
  EXPECT_THAT(classes(2), testing::IsEmpty());
  EXPECT_THAT(classes(4),
              ElementsAre("message-classes: --traffic-mode request_reply has 2, requests and replies, not 4"));
}

TEST(run_config, message_classes_and_threads_are_in_their_ranges) {
  const auto classes = [](unsigned vcs, unsigned count, bool shared) {
    return errors_of([=](run_config& c) {
      c.network.router.vcs = vcs;
      c.network.message_classes = count;
      c.network.shared_classes = shared;
    });
  };
  EXPECT_THAT(classes(4, 3, true), testing::IsEmpty());
  EXPECT_THAT(classes(4, 3, false),
              ElementsAre("message-classes: 4 VCs cannot be divided evenly among 3 message classes; the number of VCs "
                          "must be a multiple of it, or the classes shared"));
  EXPECT_THAT(classes(1, 2, false), ElementsAre(testing::StartsWith("message-classes: 1 VC cannot be divided")));
  EXPECT_THAT(classes(4, 0, false), ElementsAre("message-classes: 0 is out of range, 1..16 are possible"));
  EXPECT_THAT(classes(16, 16, false), testing::IsEmpty());
  EXPECT_THAT(classes(16, 17, true), ElementsAre("message-classes: 17 is out of range, 1..16 are possible"));
  for (const unsigned right : {1u, 256u})
    EXPECT_THAT(errors_of([&](run_config& c) { c.network.threads = right; }), testing::IsEmpty());
  for (const unsigned wrong : {0u, 257u})
    EXPECT_THAT(errors_of([&](run_config& c) { c.network.threads = wrong; }),
                ElementsAre("threads: " + std::to_string(wrong) + " is out of range, 1..256 are possible"));
}

TEST(run_config, stage_counts_are_of_the_custom_pipeline) {
  const auto staged = [](pipeline kind, unsigned vcs = 4) {
    return errors_of([=](run_config& c) {
      c.stages_named = true;
      c.network.router.pipeline = kind;
      c.network.router.vcs = vcs;
    });
  };
  EXPECT_THAT(staged(pipeline::custom), testing::IsEmpty());
  EXPECT_THAT(staged(pipeline::single_cycle),
              ElementsAre("stages: the single_cycle pipeline has its own stage counts; use --pipeline custom or leave "
                          "--stages out"));
  EXPECT_THAT(staged(pipeline::single_cycle, 0), ElementsAre(StartsWith("vcs: "))) << "one thing after the other";
}

TEST(run_config, links_do_not_fail_at_the_transaction_level) {
  const auto failing = [](fidelity level) {
    return errors_of([level](run_config& c) {
      c.fidelity = level;
      c.topology.dead_links = {"0.x+"};
    });
  };
  EXPECT_THAT(failing(fidelity::cycle), testing::IsEmpty());
  EXPECT_THAT(failing(fidelity::transaction),
              ElementsAre("fail-link: links cannot fail at the transaction level; use --fidelity cycle"));
}

TEST(run_config, routing_knows_classes_that_have_their_own_vcs) {
  run_config config;
  config.network.router.vcs = 6;
  config.network.message_classes = 3;
  EXPECT_EQ(config.routing_options().message_classes, 3u);
  EXPECT_EQ(config.routing_options().vcs, 6u);
  config.network.shared_classes = true;
  EXPECT_EQ(config.routing_options().message_classes, 1u);
}

// Ranks, and states that are read, compare them: each file counts, and what is in it.
TEST(run_config, hashes_of_files_are_of_all_files_that_are_read) {
  const scratch_directory scratch;
  const auto file = [&](const char* name) {
    const std::string path = scratch.file(name);
    write_text_file(path, std::string("content of ") + name);
    return path;
  };
  const auto hashes_of = [](const std::vector<std::string>& files) {
    std::string text;
    for (const std::string& path : files) text += " " + hex_text(hash_of_file(path).value());
    return text;
  };
  run_config config;
  EXPECT_EQ(config.hashes_of_files(), "");
  const std::string network = file("network"), assignment = file("assignment"), packets = file("packets"),
                    flows = file("flows");
  config.topology.spec = "file:" + network;
  EXPECT_EQ(config.hashes_of_files(), hashes_of({network}));
  config.traffic.flows = flows;
  EXPECT_EQ(config.hashes_of_files(), hashes_of({network, flows}));
  config.topology.spec = "rdt:" + assignment + ",32";
  config.traffic.file = packets;
  EXPECT_EQ(config.hashes_of_files(), hashes_of({assignment, packets, flows}));
  const std::string comma = file("assignment, new");
  config.topology.spec = "rdt:" + comma + ",32";
  EXPECT_EQ(config.hashes_of_files(), hashes_of({comma, packets, flows}));
  const std::string before = config.hashes_of_files();
  write_text_file(packets, "other content");
  EXPECT_NE(config.hashes_of_files(), before);
}

}  // namespace
}  // namespace toriscope::run_config_test
