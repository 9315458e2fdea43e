// SPDX-License-Identifier: Apache-2.0
// A network goes on from its saved state as if it had never stopped, with any number of threads.
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <stdexcept>

#include "base/state_archive.h"
#include "network/network.h"
#include "network/simulation_context.h"
#include "network/some_packets_test.h"
#include "topologies/registry.h"

namespace toriscope {
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

}  // namespace
}  // namespace toriscope
