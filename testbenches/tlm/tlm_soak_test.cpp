// SPDX-License-Identifier: Apache-2.0
// Random transactions over a network, in both directions of every socket's freedom: every byte and status is
// compared with a reference, and a protocol checker stands on every socket.
//
//   size   100,000 transactions over each network, at both fidelities
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "network/network.h"
#include "network/tlm/tlm_network.h"
#include "network/transaction/transaction_network.h"
#include "testbenches/reference/tier.h"
#include "testbenches/tlm/base_protocol_checker.h"
#include "testbenches/tlm/random_initiator.h"
#include "testbenches/tlm/random_memory.h"
#include "topologies/registry.h"

namespace toriscope::tlm_soak_test {
namespace {

constexpr unsigned callers = 2;
constexpr unsigned streams_per_initiator = callers + 1;
constexpr std::uint64_t range_bytes = 0x10000;

enum class fidelity { cycle, transaction };

struct soak_case {
  const char* name;
  fidelity level;
  const char* spec;
  unsigned vcs;
  phase_style phases;
  unsigned request_queue;
  unsigned initiators;
  unsigned memories;
  unsigned threads = 1;
};

class soak {
 public:
  soak(const soak_case& c, unsigned transactions)
      : case_(c),
        made_(make(c)),
        expected_(std::uint64_t{transactions} / (c.initiators * streams_per_initiator) * c.initiators *
                  streams_per_initiator) {
    net_ = make_network();
    sockets_ = std::make_unique<tlm_network>((std::string(c.name) + "_tlm").c_str(), *net_, map_nodes());
    for (unsigned i = 0; i < c.memories; ++i) add_memory(i);
    for (unsigned i = 0; i < c.initiators; ++i) add_initiator(i, transactions);
  }

  std::uint64_t done() const {
    std::uint64_t sum = 0;
    for (const auto& i : initiators_) sum += i->done();
    return sum;
  }
  bool finished() const { return done() == expected_; }

  void judge() const {
    SCOPED_TRACE(case_.name);
    EXPECT_EQ(done(), expected_);
    std::uint64_t errors = 0;
    for (const auto& i : initiators_) {
      EXPECT_THAT(i->differences(), testing::IsEmpty());
      errors += i->errors();
    }
    std::uint64_t blocking = 0;
    std::uint64_t non_blocking = 0;
    for (const auto& m : memories_) {
      blocking += m->blocking_calls();
      non_blocking += m->non_blocking_calls();
    }
    EXPECT_GT(blocking, expected_ / 5);
    EXPECT_GT(non_blocking, expected_ / 5);
    std::uint64_t ended = 0;
    for (const auto& c : checkers_) {
      EXPECT_THAT(c->violations(), testing::IsEmpty());
      EXPECT_EQ(c->under_way(), 0u);
      ended += c->ended();
    }
    const tlm_counters& counted = sockets_->counters();
    EXPECT_EQ(ended, expected_ + counted.requests);  // at the initiator, and those not rejected at the target
    EXPECT_EQ(counted.requests + counted.refused, expected_);
    EXPECT_EQ(counted.requests, counted.responses);
    EXPECT_GT(counted.request_packets, counted.requests);
    EXPECT_GT(errors, counted.refused);
    EXPECT_TRUE(sockets_->idle());
    EXPECT_TRUE(net_->idle());
    EXPECT_EQ(net_->failure(), nullptr);
    EXPECT_EQ(net_->check_conservation(), "");
    EXPECT_EQ(net_->counters().packets_received, counted.request_packets + counted.response_packets);
  }

 private:
  static topology make(const soak_case& c) {
    topology_options options;
    options.vcs = c.vcs;
    options.message_classes = tlm_network::message_classes;
    return make_topology(c.spec, options);
  }
  /// All that depends on the fidelity.
  std::unique_ptr<packet_network> make_network() {
    network_config config;
    config.router.vcs = case_.vcs;
    config.message_classes = tlm_network::message_classes;
    config.limited_reception = case_.request_queue > 0;
    config.threads = case_.threads;
    if (case_.level == fidelity::transaction)
      return std::make_unique<transaction_network>(case_.name, made_.wiring, made_.routing, config);
    auto chip = std::make_unique<network>(case_.name, made_.wiring, made_.routing, config);
    chip->clk(clock_);
    return chip;
  }

  node_id memory_node(unsigned i) const { return i * made_.wiring->node_count() / case_.memories; }
  node_id initiator_node(unsigned i) const {
    return (i * made_.wiring->node_count() / case_.initiators) | 1u;
  }
  static target_view view(unsigned memory) {
    return {(memory + 1) * range_bytes, memory % 6 != 5, memory % 5 != 3, memory % 7 != 4};
  }

  tlm_config map_nodes() const {
    tlm_config config;
    config.phases = case_.phases;
    config.request_queue = case_.request_queue;
    config.target_outstanding = 3;
    for (unsigned i = 0; i < case_.memories; ++i) {
      address_range range{memory_node(i), view(i).base, range_bytes};
      range.writable = view(i).writable;
      config.map.add(range);
    }
    return config;
  }

  base_protocol_checker& new_checker(const std::string& name) {
    checkers_.push_back(std::make_unique<base_protocol_checker>((name + "_checker").c_str()));
    return *checkers_.back();
  }

  void add_memory(unsigned i) {
    const std::string name = case_.name + ("_memory_" + std::to_string(i));
    random_memory::config config;
    config.bytes = case_.initiators * streams_per_initiator * random_initiator::slice_bytes;
    config.seed = i;
    config.byte_enables = view(i).byte_enables;
    config.streaming = view(i).streaming;
    memories_.push_back(std::make_unique<random_memory>(name.c_str(), config));
    base_protocol_checker& checker = new_checker(name);
    const bool blocking = i % 2 == 0;
    sockets_->initiator_socket(memory_node(i), blocking ? target_call::blocking : target_call::non_blocking)
        .bind(checker.from_initiator);
    checker.to_target.bind(memories_.back()->socket);
  }

  void add_initiator(unsigned i, unsigned transactions) {
    const std::string name = case_.name + ("_initiator_" + std::to_string(i));
    random_initiator::config config;
    for (unsigned m = 0; m < case_.memories; ++m) config.targets.push_back(view(m));
    config.first_stream = i * streams_per_initiator;
    config.callers = callers;
    config.transactions = transactions / (case_.initiators * streams_per_initiator);
    config.seed = i;
    initiators_.push_back(std::make_unique<random_initiator>(name.c_str(), config));
    base_protocol_checker& checker = new_checker(name);
    initiators_.back()->socket.bind(checker.from_initiator);
    checker.to_target.bind(sockets_->target_socket(initiator_node(i)));
  }

  const soak_case case_;
  const topology made_;
  const std::uint64_t expected_;
  sc_core::sc_clock clock_{sc_core::sc_gen_unique_name("clock"), 1, sc_core::SC_NS};
  std::unique_ptr<packet_network> net_;
  std::unique_ptr<tlm_network> sockets_;
  std::vector<std::unique_ptr<random_memory>> memories_;
  std::vector<std::unique_ptr<random_initiator>> initiators_;
  std::vector<std::unique_ptr<base_protocol_checker>> checkers_;
};

TEST(tlm_soak, every_byte_is_what_the_reference_says) {
  const unsigned transactions = is_long_tier() ? 100000 : 25000;
  const soak_case cases[] = {
      {"ttn", fidelity::cycle, "ttn:2,2,0", 8, phase_style::full, 0, 16, 16},
      {"torus", fidelity::cycle, "torus:4x4", 4, phase_style::early, 2, 8, 8},
      {"ttn_transactions", fidelity::transaction, "ttn:2,2,0", 8, phase_style::early, 0, 16, 16},
      {"torus_transactions", fidelity::transaction, "torus:4x4", 4, phase_style::full, 2, 8, 8},
      {"ttn_threads", fidelity::cycle, "ttn:2,2,0", 8, phase_style::full, 0, 16, 16, 2},
      {"torus_threads", fidelity::cycle, "torus:4x4", 4, phase_style::early, 2, 8, 8, 3},
  };
  setenv("TORISCOPE_SHARED_NODES", "0", 1);  // threads share small cycles, too
  std::vector<std::unique_ptr<soak>> soaks;
  for (const soak_case& c : cases) soaks.push_back(std::make_unique<soak>(c, transactions));
  const auto all_finished = [&] {
    for (const auto& s : soaks)
      if (!s->finished()) return false;
    return true;
  };
  // So long that only what hangs is given up.
  for (unsigned i = 0; i < 2 * transactions && !all_finished(); ++i) sc_core::sc_start(1, sc_core::SC_US);
  sc_core::sc_start(1, sc_core::SC_US);
  for (const auto& s : soaks) s->judge();
}

}  // namespace
}  // namespace toriscope::tlm_soak_test
