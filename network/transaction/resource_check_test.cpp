// SPDX-License-Identifier: Apache-2.0
// What must never be lost at transaction level, made to be lost: it is told.
#include <gmock/gmock.h>

#include <stdexcept>
#include <string>

#include "network/transaction/packet_model.h"
#include "topologies/registry.h"

namespace toriscope {

/// What faults in the model would leave behind.
struct packet_model_faults {
  using event = packet_model::event;

  /// All events of a kind are forgotten.
  template <event Kind>
  static void drop(packet_model& m) {
    decltype(m.events_) others;
    others.advance(m.events_.now());
    m.events_.for_each([&](unsigned kind, std::uint32_t what, cycle_t when) {
      if (kind != Kind) others.add(kind, what, when);
    });
    m.events_ = std::move(others);
  }
  static void tell_no_head_of_free_vcs(packet_model& m) {
    m.events_.for_each([&m](unsigned kind, std::uint32_t what, cycle_t) {
      if (kind == event::vc_free) m.channels_[what / m.vcs_].owned.remove(what % m.vcs_);
    });
    drop<event::vc_free>(m);
  }
  static void free_vcs(packet_model& m) {
    for (transaction_channel& c : m.channels_) c.owned = {};
  }
  static void count_a_sender(packet_model& m) { ++m.channels_.front().senders; }
  static void empty_a_buffer(packet_model& m) {
    for (transaction_lane& lane : m.lanes_)
      if (lane.first != no_segment && m.segments_[lane.first].up == no_segment)
        lane.first = lane.last = no_segment;
  }
  /// The lane of the first segment that another one follows in its lane.
  static transaction_lane& lane_of_two(packet_model& m) {
    for (transaction_lane& lane : m.lanes_)
      if (lane.first != no_segment && m.segments_[lane.first].behind != no_segment) return lane;
    throw std::logic_error("no lane has two packets");
  }
  static void free_a_segment(packet_model& m) { m.unused_.push_back(lane_of_two(m).first); }
  static void move_a_segment(packet_model& m) { ++m.segments_[lane_of_two(m).first].lane; }
  static void close_a_circle(packet_model& m) {
    const transaction_lane& lane = lane_of_two(m);
    m.segments_[lane.last].behind = lane.first;
  }
  static void forget_the_last(packet_model& m) {
    transaction_lane& lane = lane_of_two(m);
    lane.last = lane.first;
  }
  /// A segment that is looked at before its neighbour in the chain has another one.
  template <segment_id segment::*Neighbour>
  static void cut_a_chain(packet_model& m) {
    for (const transaction_lane& lane : m.lanes_) {
      if (lane.first == no_segment) continue;
      segment& s = m.segments_[lane.first];
      if (s.*Neighbour == no_segment || m.segments_[s.*Neighbour].lane < s.lane) continue;
      s.*Neighbour = lane.first;
      return;
    }
    throw std::logic_error("no packet has two segments");
  }
  static void forget_arrivals_of_heads(packet_model& m) {
    for (segment& s : m.segments_) s.head_due = never;
  }
  /// The arbitrations of an interface are forgotten.
  static void drop_arbitrations_of_interface(packet_model& m, terminal_id t) {
    const std::uint32_t stepper = m.wiring().node_count() + t;
    decltype(m.events_) others;
    others.advance(m.events_.now());
    m.events_.for_each([&](unsigned kind, std::uint32_t what, cycle_t when) {
      if (kind != event::arbitration || what != stepper) others.add(kind, what, when);
    });
    m.events_ = std::move(others);
  }
  /// All arbitrations are forgotten, and it is cycle `now`.
  static void sleep_until(packet_model& m, cycle_t now) {
    drop<event::arbitration>(m);
    m.events_.advance(now);
  }
  static void forget_contenders(packet_model& m) {
    for (auto& list : m.contending_) list.clear();
  }
  static void forget_waiting_heads(packet_model& m) {
    for (auto& list : m.waiting_) list.clear();
  }
  static void forget_queued_packets(packet_model& m) {
    for (auto& q : m.queues_) q.last = q.first;
  }
};

namespace {

topology network_for(const char* spec, unsigned vcs) {
  topology_options options;
  options.vcs = vcs;
  return make_topology(spec, options);
}

network_config two_classes_on_vcs(unsigned vcs) {
  network_config config;
  config.router.vcs = vcs;
  config.message_classes = 2;
  config.shared_classes = true;
  return config;
}

struct fault_case {
  const char* said;
  void (*make)(packet_model&);
  vc_reallocation reallocation = vc_reallocation::atomic;
};
void PrintTo(const fault_case& c, std::ostream* out) { *out << c.said; }

class faulty : public testing::TestWithParam<fault_case> {};

TEST_P(faulty, is_told) {
  const topology t = network_for("torus:4x4", 2);
  network_config config;
  config.router.vcs = 2;
  config.router.depth = 4;
  config.router.vc_reallocation = GetParam().reallocation;
  packet_model model(t.wiring, t.routing, config);
  for (unsigned k = 0; k < 400; ++k) model.create({k % 16, k % 3 ? 7 * k % 16 : 5, 1 + k % 20, 0}, 0);
  std::string wrong;
  for (cycle_t now = 0; now < 2000 && wrong.empty(); ++now) {
    model.do_cycle(now);
    if (now >= 100) GetParam().make(model);
    if (now >= 99) wrong = model.check_conservation();
  }
  EXPECT_THAT(wrong, testing::HasSubstr(GetParam().said));
  if (const std::size_t vc = wrong.find(".vc"); vc != std::string::npos) {
    EXPECT_THAT(wrong.substr(vc), testing::MatchesRegex("\\.vc[01][^0-9].*")) << "a link has two VCs";
  }
}

using faults = packet_model_faults;

/// What is said when nothing is wrong yet, and then nothing happens any more.
std::string told_of_sleep(packet_model& model) {
  EXPECT_EQ(model.check_conservation(), "");
  faults::sleep_until(model, 2000);
  return model.check_conservation();
}

/// Two packets of one interface compete, flit by flit. The head of the first one is under way, and arrives; that of the
/// second one has not been sent.
TEST(packet_model, tells_of_a_head_that_is_never_sent) {
  const topology t = network_for("mesh:1x2", 2);
  packet_model model(t.wiring, t.routing, two_classes_on_vcs(2));
  for (const std::uint8_t of_class : {0, 1}) model.create({0, 1, 8, of_class}, 0);
  model.do_cycle(0);
  EXPECT_EQ(told_of_sleep(model), "node_0_0.in_local.vc1: packet 1 stops: it can send, and no arbitration is due");
}

/// Two packets of the interface in the middle meet one from the left on the link to the right. What the interface has
/// sent has gone on, so that nothing comes back to wake it.
TEST(packet_model, tells_of_an_interface_that_sleeps) {
  const topology t = network_for("mesh:1x3", 3);
  packet_model model(t.wiring, t.routing, two_classes_on_vcs(3));
  for (const std::uint8_t of_class : {0, 1}) model.create({1, 2, 8, of_class}, 0);
  model.create({0, 2, 20, 0}, 0);
  for (cycle_t now = 0; now < 60; ++now) {
    model.do_cycle(now);
    if (now >= 6) faults::drop_arbitrations_of_interface(model, 1);
  }
  EXPECT_EQ(told_of_sleep(model), "node_0_1.in_local.vc0: packet 0 stops: it can send, and no arbitration is due");
}

/// By hand: heads that are shown to their routers in 1 are shown to the one between them in 5, get VCs there in 6, and
/// compete from 7 on. The flits behind them come without waking anybody.
TEST(packet_model, tells_of_packets_that_sleep_where_they_meet) {
  const topology t = network_for("mesh:1x3", 2);
  network_config config;
  config.router.vcs = 2;
  packet_model model(t.wiring, t.routing, config);
  for (const node_id from : {0u, 2u}) model.create({from, 1, 6, 0}, 0);
  for (cycle_t now = 0; now <= 6; ++now) model.do_cycle(now);
  EXPECT_EQ(told_of_sleep(model), "node_0_1.out_local.vc0: packet 0 stops: it can send, and no arbitration is due");
}

TEST(packet_model, names_the_terminal_that_never_sends) {
  const topology t = network_for("mesh:2x2", 2);
  network_config config;
  config.router.vcs = 2;
  config.message_classes = 2;
  packet_model model(t.wiring, t.routing, config);
  model.create({3, 0, 1, 1}, 5);
  faults::drop<faults::event::start_packet>(model);
  EXPECT_EQ(model.check_conservation(), "node_1_1: packet 0 is first in its source queue and is never sent");
}

INSTANTIATE_TEST_SUITE_P(
    all, faulty,
    testing::Values(
        fault_case{"the VC is taken, and no packet holds it", faults::drop<faults::event::vc_free>},
        fault_case{"a packet holds the VC, and it is free", faults::free_vcs},
        fault_case{"packets are counted before", faults::count_a_sender},
        fault_case{"packets on VCs are in no buffer", faults::empty_a_buffer},
        fault_case{"a packet that has left holds the buffer", faults::free_a_segment,
                   vc_reallocation::non_atomic},
        fault_case{"a packet that has left holds the buffer", faults::move_a_segment,
                   vc_reallocation::non_atomic},
        fault_case{"a packet that has left holds the buffer", faults::close_a_circle,
                   vc_reallocation::non_atomic},
        fault_case{"its last packet is not the one that got the VC last", faults::forget_the_last,
                   vc_reallocation::non_atomic},
        fault_case{"stops: its flits come from nowhere", faults::cut_a_chain<&segment::up>},
        fault_case{"stops: its flits go nowhere", faults::cut_a_chain<&segment::down>},
        fault_case{"stops: its head is never due", faults::forget_arrivals_of_heads},
        fault_case{"stops: its tail is never sent", faults::drop<faults::event::tail_gone>},
        fault_case{"stops: it can send, and no arbitration is due", faults::drop<faults::event::arbitration>},
        fault_case{"stops: it does not compete for the link", faults::forget_contenders},
        fault_case{"stops: its head does not ask for a VC", faults::drop<faults::event::head_ready>},
        fault_case{"stops: its head waits in no list", faults::forget_waiting_heads},
        fault_case{"stops: it is never received", faults::drop<faults::event::received>},
        fault_case{"and is never sent", faults::drop<faults::event::start_packet>},
        fault_case{", of which one is free", faults::tell_no_head_of_free_vcs},
        fault_case{"of them are in source queues or on links", faults::forget_queued_packets}));

}  // namespace
}  // namespace toriscope
