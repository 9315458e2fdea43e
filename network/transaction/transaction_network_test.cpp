// SPDX-License-Identifier: Apache-2.0
// The transaction level under the SystemC kernel: its cycles are those of a clock of 1 ns, for sinks and for processes.
#include "network/transaction/transaction_network.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <systemc>

#include "network/simulation_context.h"
#include "topologies/registry.h"

namespace toriscope {
namespace {

struct looks_when_received : packet_sink {
  explicit looks_when_received(const packet_network& n) : net(n) {}
  void packet_received(packet_id, const packet_record& record, cycle_t received) override {
    EXPECT_EQ(net.cycles_done(), received);
    EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::sc_time(static_cast<double>(received), sc_core::SC_NS));
    created.push_back(record.created);
  }
  const packet_network& net;
  std::vector<cycle_t> created;
};

/// Sends a packet at each of these times.
class sender : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(sender);
  sender(sc_core::sc_module_name, packet_network& net, std::vector<double> ns)
      : net_(net), ns_(std::move(ns)) {
    SC_THREAD(send);
  }

 private:
  void send() {
    for (const double at : ns_) {
      wait(sc_core::sc_time(at, sc_core::SC_NS) - sc_core::sc_time_stamp());
      net_.send({0, 5, 3, 0});
    }
  }
  packet_network& net_;
  std::vector<double> ns_;
};

/// Answers each packet of three flits to terminal 5 in the cycle in which it is received.
struct answers : packet_sink {
  explicit answers(packet_network& n) : net(n) {}
  void packet_received(packet_id, const packet_record& record, cycle_t received) override {
    EXPECT_EQ(net.cycles_done(), received);
    if (record.flits == 3) net.send({5, 0, 1, 0});
    ends.emplace_back(record.created, received);
  }
  packet_network& net;
  std::vector<std::pair<cycle_t, cycle_t>> ends;
};

TEST(transaction_network, without_a_kernel_creates_what_a_sink_sends_in_the_cycle_after) {
  const topology made = make_topology("torus:4x4");
  const simulation_context context;
  const simulation_context::entry here(context);
  transaction_network net("net", made.wiring, made.routing, {});
  net.leave_kernel();
  answers seen(net);
  net.add_sink(&seen);
  net.send({0, 5, 3, 0});
  net.run_without_kernel(300);
  EXPECT_EQ(net.cycles_done(), 300u);
  net.send({0, 5, 3, 0});
  net.run_without_kernel(600);
  ASSERT_EQ(seen.ends.size(), 4u);
  EXPECT_EQ(seen.ends[0].first, 0u);
  EXPECT_EQ(seen.ends[1].first, seen.ends[0].second + 1);
  EXPECT_EQ(seen.ends[2].first, 300u);
  EXPECT_EQ(seen.ends[3].first, seen.ends[2].second + 1);
}

TEST(transaction_network, creates_what_a_process_sends_at_the_next_edge) {
  const topology made = make_topology("torus:4x4");
  transaction_network net("net", made.wiring, made.routing, {});
  looks_when_received seen(net);
  net.add_sink(&seen);
  EXPECT_THROW(net.send({0, 16, 3, 0}), std::invalid_argument) << "there is no such terminal";
  EXPECT_THROW(net.send({0, 5, 0, 0}), std::invalid_argument) << "no flits";
  sender sends("sends", net, {5.5, 5.75, 7, 200.25});
  sc_core::sc_start(400, sc_core::SC_NS);
  EXPECT_EQ(seen.created, (std::vector<cycle_t>{6, 6, 8, 201}));
  EXPECT_TRUE(net.idle());
}

}  // namespace
}  // namespace toriscope
