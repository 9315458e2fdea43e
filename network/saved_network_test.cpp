// SPDX-License-Identifier: Apache-2.0
// A network goes on from its saved state as if it had never stopped, with any number of threads.
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/error_of_test.h"
#include "base/state_archive.h"
#include "network/network.h"
#include "network/simulation_context.h"
#include "network/some_packets_test.h"
#include "topologies/registry.h"

namespace toriscope::saved_network_test {
namespace {

struct running {
  explicit running(const topology& t, unsigned threads) {
    network_config config;
    config.threads = threads;
    config.wire_hash = true;
    for (link_id l = 3; l < 64; l += 6) config.dead_links.push_back({l, l < 20 ? 0 : 3 * l});  // 63, 81, ... 189
    net = std::make_unique<network>("torus", t.wiring, t.routing, config);
    net->set_source(&source);
    net->leave_kernel({1, sc_core::SC_NS});
  }
  void run_to(cycle_t cycle) {
    while (net->cycles_done() < cycle) net->step();
  }
  simulation_context context;
  simulation_context::entry here{context};
  some_packets source{16};
  std::unique_ptr<network> net;
};

void expect_same(const network& one, const network& other) {
  for (std::uint64_t network_counters::*const count : all_counters)
    EXPECT_EQ(one.counters().*count, other.counters().*count);
  EXPECT_EQ(one.packet_hash(), other.packet_hash());
  EXPECT_EQ(one.wire_hash(), other.wire_hash());
  EXPECT_EQ(one.packets().alive(), other.packets().alive());
}

TEST(saved_networks, have_their_counts_and_go_on) {
  setenv("TORISCOPE_SHARED_NODES", "0", 1);  // small networks, too, have parts
  const topology torus = make_topology("torus:4x4");
  for (const unsigned threads : {1u, 3u})
    for (const unsigned later : {1u, 2u}) {
      running saved(torus, threads);
      saved.run_to(200);
      state_archive written;
      saved.net->archive(written);
      running read(torus, later);
      state_archive bytes(written.bytes());
      read.net->archive(bytes);
      expect_same(*read.net, *saved.net);
      EXPECT_GT(read.net->counters().flits_discarded, 0u);
      EXPECT_GT(read.net->counters().packets_refused, 0u);
      saved.run_to(500);
      read.run_to(500);
      expect_same(*read.net, *saved.net);
    }
  unsetenv("TORISCOPE_SHARED_NODES");
}

TEST(saved_networks, have_the_links_that_are_dead_by_then) {
  const topology torus = make_topology("torus:4x4");
  running whole(torus, 1);
  whole.run_to(300);
  for (cycle_t death = 63; death < 200; death += 18)
    for (const cycle_t stop : {death - 1, death, death + 1}) {
      running saved(torus, 1);
      saved.run_to(stop);
      state_archive written;
      saved.net->archive(written);
      running read(torus, 1);
      state_archive bytes(written.bytes());
      read.net->archive(bytes);
      read.run_to(300);
      expect_same(*read.net, *whole.net);
    }
}

TEST(saved_networks, have_no_packets_of_processes) {
  const topology torus = make_topology("torus:4x4");
  running sending(torus, 1);
  sending.run_to(5);
  state_archive fine, refused;
  sending.net->archive(fine);
  sending.net->send({0, 1, 1});
  EXPECT_THROW(sending.net->archive(refused), std::invalid_argument);
}

TEST(saved_networks, are_of_a_cycle_that_there_can_be) {
  const topology torus = make_topology("torus:4x4");
  running sending(torus, 1);
  sending.run_to(1);
  state_archive written;
  sending.net->archive(written);
  const std::string rest = written.bytes().substr(1);  // behind the number of cycles done
  const auto said = [&](std::uint64_t cycles) {
    state_archive number;
    number.number(cycles);
    const std::string bytes = number.bytes() + rest;
    running read(torus, 1);
    return error_of<damaged_state>([&] {
      state_archive a{std::string_view(bytes)};
      read.net->archive(a);
    });
  };
  const std::string out_of_range = "the cycle is out of its range";
  EXPECT_EQ(said(0), out_of_range);
  EXPECT_EQ(said(1), "none");
  EXPECT_EQ(said(cycle_t{1} << 50), out_of_range);
  EXPECT_NE(said((cycle_t{1} << 50) - 1), out_of_range);
}

/// A network of two nodes after a cycle in which nothing happens: the state ends with the flits and the credits of six
/// wires, none of each; ejection links have no credits. What is said of other numbers for the credits of the second
/// wire, which takes nine cycles.
std::string said_of_credits(const std::vector<std::uint64_t>& numbers) {
  const topology mesh = make_topology("mesh:2x1");
  mesh.wiring->link(1).delay_cycles = 9;
  const auto make = [&](const char* name) {
    auto net = std::make_unique<network>(name, mesh.wiring, mesh.routing, network_config());
    net->leave_kernel({1, sc_core::SC_NS});
    return net;
  };
  const simulation_context context;
  const simulation_context::entry here(context);
  const auto quiet = make("quiet");
  quiet->step();
  state_archive written, credits;
  quiet->archive(written);
  for (std::uint64_t n : numbers) credits.number(n);
  const std::string& old = written.bytes();
  const std::size_t place = old.size() - 10 + 3;
  EXPECT_EQ(old.substr(old.size() - 10), std::string(10, '\0'));
  const std::string bytes = old.substr(0, place) + credits.bytes() + old.substr(place + 1);
  return error_of<damaged_state>([&] {
    state_archive a{std::string_view(bytes)};
    make("read")->archive(a);
    a.end();
  });
}

TEST(saved_networks, have_words_on_wires_in_the_order_in_which_they_come) {
  const std::string out_of_range = "a number is out of its range", order = "words on a wire are not in order";
  const topology mesh = make_topology("mesh:2x1");
  const netlist_link& link = mesh.wiring->link(1);
  const std::string buffer = mesh.wiring->path(link.to) + ".in_" + mesh.wiring->port_name(link.to, link.to_port);
  const auto slots = [&](const char* vc, const char* count) {
    return "credits of " + buffer + "." + vc + ": " + count + " slots are accounted for, the buffer has 8";
  };
  using numbers = std::vector<std::uint64_t>;
  EXPECT_EQ(said_of_credits({0}), "none");
  EXPECT_EQ(said_of_credits({1, 0, 1}), slots("vc0", "9")) << "read, and one too many";
  EXPECT_EQ(said_of_credits({1, 8, 4}), slots("vc2", "9"));
  EXPECT_EQ(said_of_credits({1, 9, 1}), out_of_range);
  EXPECT_EQ(said_of_credits({1, 0, 0}), "a credit is none");
  EXPECT_EQ(said_of_credits({1, 0, 8}), slots("vc3", "9"));
  EXPECT_EQ(said_of_credits({1, 0, 16}), "a credit is none") << "of a VC that is none";
  EXPECT_EQ(said_of_credits({1, 0, 65536}), "a number is too large");
  EXPECT_EQ(said_of_credits({2, 3, 1, 4, 1}), slots("vc0", "10"));
  EXPECT_EQ(said_of_credits({2, 3, 1, 3, 1}), order);
  EXPECT_EQ(said_of_credits({2, 3, 1, 2, 1}), order);
  numbers nine{9};
  for (std::uint64_t ahead = 0; ahead < 9; ++ahead) nine.insert(nine.end(), {ahead, 1});
  EXPECT_EQ(said_of_credits(nine), slots("vc0", "17"));
  EXPECT_EQ(said_of_credits({10, 0, 1}), out_of_range);
}

}  // namespace
}  // namespace toriscope::saved_network_test
