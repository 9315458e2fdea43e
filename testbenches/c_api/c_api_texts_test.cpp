// SPDX-License-Identifier: Apache-2.0
// Texts of the C interface: how long they stay, of which thread an error is, and what is returned without a network.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "testbenches/c_api/owned_network.h"

namespace toriscope::c_api_texts_test {
namespace {

TEST(c_api_texts, stay_until_the_next_call_of_the_same_function) {
  const owned net = made({{"topology", "mesh:2x2"}, {"cycles", 200}});
  const owned other = made({{"topology", "mesh:4x4"}});
  ASSERT_EQ(toriscope_run(net.get()), TORISCOPE_OK) << toriscope_error();
  std::vector<std::pair<const char*, std::string>> texts;
  const auto keep = [&](const char* text) {
    ASSERT_NE(text, nullptr) << toriscope_error();
    texts.emplace_back(text, text);
  };
  keep(toriscope_signals(net.get(), "mesh.node_0_0.ni.queue"));
  keep(toriscope_config(net.get()));
  keep(toriscope_wiring(net.get()));
  keep(toriscope_results(net.get()));
  for (auto* get : {toriscope_config, toriscope_wiring}) keep(get(other.get()));
  keep(toriscope_signals(other.get(), "mesh.node_1_1.ni.queue"));
  EXPECT_EQ(texts.size(), 7u);
  for (const auto& [text, copy] : texts) EXPECT_EQ(text, copy);
}

/// An element or member in a line, as the program writes them.
TEST(c_api_texts, of_json_can_be_read) {
  const owned net = made({{"topology", "mesh:2x2"}});
  const std::string config = toriscope_config(net.get()), wiring = toriscope_wiring(net.get());
  EXPECT_EQ(nlohmann::ordered_json::parse(config).dump(2) + "\n", config);
  const auto tree = nlohmann::ordered_json::parse(wiring);
  EXPECT_EQ(tree.dump(1) + "\n", wiring);
  EXPECT_EQ(tree["nodes"].size(), 4u);
}

/// "Why the last call of this thread that failed did so."
TEST(c_api_texts, an_error_is_that_of_its_thread) {
  toriscope_create(nullptr, 0);
  const std::string before = toriscope_error();
  std::string at_first, afterwards;
  std::thread([&] {
    at_first = toriscope_error();
    toriscope_step(nullptr, 1);
    afterwards = toriscope_error();
  }).join();
  EXPECT_EQ(at_first, "");
  EXPECT_EQ(afterwards, "the network is NULL");
  EXPECT_EQ(before, "the configuration is NULL");
  EXPECT_EQ(toriscope_error(), before);
}

/// "A function that fails returns NULL or a status", whatever a watcher in C++ throws.
TEST(c_api_texts, of_an_exception_that_is_no_error_says_so) {
  const owned net = made({{"topology", "mesh:2x2"}});
  toriscope_step(nullptr, 1);  // another error
  const toriscope_watcher throws = [](void*, std::uint64_t, const char*, std::uint64_t) { throw 7; };
  EXPECT_EQ(toriscope_watch(net.get(), "mesh.node_0_0.ni.queue", throws, nullptr), TORISCOPE_BAD_INPUT);
  EXPECT_STREQ(toriscope_error(), "an exception of a type that is not known");
}

/// As <toriscope/c_api.h> says: NULL where a text is returned, and no node, port or VC.
TEST(c_api_texts, without_a_network_there_is_nothing) {
  for (auto* get : {toriscope_config, toriscope_wiring, toriscope_failure, toriscope_results})
    EXPECT_EQ(get(nullptr), nullptr);
  EXPECT_EQ(toriscope_signals(nullptr, "*"), nullptr);
  EXPECT_EQ(toriscope_find_signal(nullptr, "mesh.node_0_0.ni.queue"), nullptr);
  EXPECT_EQ(toriscope_create_around(R"({"topology": "mesh:2x2"})", 0, nullptr), nullptr);
  EXPECT_STREQ(toriscope_error(), "the text of nodes is NULL");
  EXPECT_EQ(toriscope_terminals(nullptr), 0u);
  EXPECT_EQ(toriscope_ports(nullptr, 0), 0u);
  EXPECT_EQ(toriscope_local_ports(nullptr, 0), 0u);
  EXPECT_EQ(toriscope_vcs(nullptr), 0u);
  EXPECT_EQ(toriscope_cycle(nullptr), 0u);
  EXPECT_EQ(toriscope_wire_flits(nullptr, nullptr, 0), 0u);
  EXPECT_EQ(toriscope_idle(nullptr), 1) << "no packet is under way";
  EXPECT_EQ(toriscope_value(nullptr), TORISCOPE_NONE);
  EXPECT_EQ(toriscope_width(nullptr), 0u);
  toriscope_packet packet{};
  EXPECT_EQ(toriscope_receive(nullptr, &packet), 0);
  EXPECT_EQ(toriscope_find_node(nullptr, "0", 0), UINT32_MAX);
  EXPECT_STREQ(toriscope_error(), "the network is NULL");

  const owned net = made({{"topology", "mesh:2x2"}});
  EXPECT_EQ(toriscope_find_node(net.get(), nullptr, 0), UINT32_MAX);
  EXPECT_STREQ(toriscope_error(), "the text of nodes is NULL");
  EXPECT_EQ(toriscope_find_node(net.get(), "mesh.nod_0_0", 0), UINT32_MAX);
  EXPECT_EQ(toriscope_receive(net.get(), nullptr), 0);
  EXPECT_STREQ(toriscope_error(), "the packet is NULL");
  EXPECT_EQ(toriscope_get_statistics(net.get(), nullptr), TORISCOPE_BAD_INPUT);
  EXPECT_STREQ(toriscope_error(), "the statistics are NULL");
}

}  // namespace
}  // namespace toriscope::c_api_texts_test
