// SPDX-License-Identifier: Apache-2.0
// What must never be lost at transaction level, made to be lost: it is told.
#include <gmock/gmock.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

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
  static transaction_channel& channel(packet_model& m, std::size_t n) { return m.channels_.at(n); }
  static const std::vector<transaction_lane>& lanes(const packet_model& m) { return m.lanes_; }
  static const std::vector<packet_model::source_queue>& queues(const packet_model& m) { return m.queues_; }
  static void count_a_receipt(packet_model& m) { ++m.counters_.packets_received; }
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
  const std::vector<std::string> names = {"node_0_0", "node_0_1", "node_1_0", "node_1_1"};
  for (terminal_id from = 0; from < 4; ++from)
    for (const std::uint8_t of_class : {0, 1}) {
      packet_model model(t.wiring, t.routing, config);
      model.create({from, 3 - from, 1, of_class}, 5);
      EXPECT_EQ(model.check_conservation(), "");
      faults::drop<faults::event::start_packet>(model);
      EXPECT_EQ(model.check_conservation(), names[from] + ": packet 0 is first in its source queue and is never sent");
    }
}

std::string place_behind(const netlist& wiring, const netlist_link& l) {
  return wiring.path(l.to) + ".in_" + wiring.port_name(l.to, l.to_port);
}

/// A network of two nodes with limited reception, and its channels: those of the links, and of each terminal the ways
/// into the network, out of it, and into the buffer of the interface.
class two_nodes : public testing::Test {
 protected:
  two_nodes() {
    config_.router.vcs = 2;
    config_.limited_reception = true;
    for (const netlist_link& l : made_.wiring->links()) places_.push_back(place_behind(*made_.wiring, l));
    for (const char* way : {".in_local", ".out_local", ".reception"})
      for (const char* node : {"node_0_0", "node_0_1"}) places_.push_back(std::string(node) + way);
  }
  packet_model made() const { return {made_.wiring, made_.routing, config_}; }

  const topology made_ = network_for("mesh:1x2", 2);
  network_config config_;
  std::vector<std::string> places_;
};

TEST_F(two_nodes, are_named_where_packets_are_counted_wrongly) {
  ASSERT_EQ(places_.size(), 8u);
  for (std::size_t n = 0; n < places_.size(); ++n) {
    packet_model model = made();
    ++faults::channel(model, n).senders;
    EXPECT_EQ(model.check_conservation(),
              places_[n] + ": 1 packets are counted before and 0 behind, and there are 0 and 0");
    faults::channel(model, n).senders = 0;
    faults::channel(model, n).readers = 2;
    EXPECT_EQ(model.check_conservation(),
              places_[n] + ": 0 packets are counted before and 2 behind, and there are 0 and 0");
  }
  packet_model model = made();
  model.create({0, 1, 4, 0}, 0);
  model.do_cycle(0);
  EXPECT_EQ(model.check_conservation(), "");
  faults::channel(model, 2).senders = 3;
  EXPECT_EQ(model.check_conservation(),
            "node_0_0.in_local: 3 packets are counted before and 0 behind, and there are 1 and 0");
}

/// Interfaces do not allocate VCs: those behind them have no owner.
TEST_F(two_nodes, are_named_where_a_vc_is_taken) {
  for (std::size_t n = 0; n < places_.size(); ++n)
    for (const unsigned vc : {0u, 1u}) {
      packet_model model = made();
      faults::channel(model, n).owned.add(vc);
      const std::string said = places_[n] + ".vc" + std::to_string(vc) + ": the VC is taken, and no packet holds it";
      const bool of_interface = n / 2 == 1 || n / 2 == 3;
      EXPECT_EQ(model.check_conservation(), of_interface ? "" : said);
    }
}

/// docs/model.md: "at its end all buffers are empty, all credits present, all pointers 0".
TEST_F(two_nodes, begin_with_all_pointers_at_0) {
  packet_model model = made();
  for (std::size_t n = 0; n < places_.size(); ++n) {
    EXPECT_EQ(faults::channel(model, n).vc_pointer, 0u);
    EXPECT_EQ(faults::channel(model, n).port_pointer, 0u);
    EXPECT_EQ(model.flits_sent(static_cast<wire_id>(n)), 0u);
  }
  EXPECT_EQ(faults::lanes(model).size(), places_.size() * 2);
  for (const transaction_lane& lane : faults::lanes(model)) {
    EXPECT_EQ(lane.vc_pointer, 0u);
    EXPECT_EQ(lane.owner_pointer, 0u);
    EXPECT_EQ(lane.first, no_segment);
  }
  EXPECT_EQ(faults::queues(model).size(), 2u);
  for (const auto& queue : faults::queues(model)) EXPECT_EQ(queue.vc_pointer, 0u);
  EXPECT_EQ(model.packet_hash(), 0u);
}

TEST_F(two_nodes, say_how_many_packets_are_lost) {
  packet_model queued = made();
  for (int k = 0; k < 3; ++k) queued.create({1, 0, 4, 0}, 0);
  EXPECT_EQ(queued.check_conservation(), "");
  faults::forget_queued_packets(queued);
  EXPECT_EQ(queued.check_conservation(),
            "3 packets are under way, and 1 of them are in source queues or on links");
  faults::count_a_receipt(queued);
  EXPECT_EQ(queued.check_conservation(), "of 3 packets 1 were received and 3 are under way");
  packet_model sending = made();
  for (const node_id n : {0u, 1u}) sending.create({n, 1 - n, 4, 0}, 0);
  sending.do_cycle(0);
  faults::empty_a_buffer(sending);
  EXPECT_EQ(sending.check_conservation(), "2 packets on VCs are in no buffer");
}

/// By hand: the head is sent in 0 and shown in 1; RC, VA in 2, SA in 3. The buffers are too short for packets to go
/// uncontended, so that flits are counted slot by slot. What the interface may send by cycle 2 it has sent: all, or as
/// much as the buffer takes. The link can send then, and nothing before or behind it goes on without that.
TEST(packet_model, tells_of_a_link_that_sleeps_before_a_flit) {
  const topology t = network_for("mesh:1x2", 2);
  for (const auto& [depth, flits] : {std::pair(1u, 2u), {2u, 3u}, {3u, 2u}, {3u, 5u}}) {
    network_config config;
    config.router.vcs = 2;
    config.router.depth = depth;
    packet_model model(t.wiring, t.routing, config);
    model.create({0, 1, flits, 0}, 0);
    for (cycle_t now = 0; now <= 2; ++now) model.do_cycle(now);
    const netlist_link& first = t.wiring->link(0);
    const std::string place = place_behind(*t.wiring, first.from == 0 ? first : t.wiring->link(1));
    EXPECT_EQ(told_of_sleep(model), place + ".vc0: packet 0 stops: it can send, and no arbitration is due")
        << depth << ' ' << flits;
  }
}

/// Two packets of one interface compete from cycle 600 on; the message comes after 1000 cycles without an arbitration.
TEST(packet_model, tells_of_sleep_after_1000_cycles) {
  const topology t = network_for("mesh:1x2", 2);
  packet_model model(t.wiring, t.routing, two_classes_on_vcs(2));
  for (const std::uint8_t of_class : {0, 1}) model.create({0, 1, 8, of_class}, 600);
  model.do_cycle(600);
  faults::sleep_until(model, 1599);
  EXPECT_EQ(model.check_conservation(), "");
  faults::sleep_until(model, 1600);
  EXPECT_EQ(model.check_conservation(),
            "node_0_0.in_local.vc1: packet 1 stops: it can send, and no arbitration is due");
}

/// The second packet waits for the one VC of the link, which nothing tells it of when it is free.
TEST(packet_model, tells_of_a_head_that_waits_beside_a_free_vc) {
  const topology t = network_for("mesh:1x2", 1);
  network_config config;
  config.router.vcs = 1;
  config.router.vc_reallocation = vc_reallocation::atomic;
  packet_model model(t.wiring, t.routing, config);
  for (int k = 0; k < 2; ++k) model.create({0, 1, 4, 0}, 0);
  std::string wrong;
  for (cycle_t now = 0; now < 100 && wrong.empty(); ++now) {
    model.do_cycle(now);
    faults::tell_no_head_of_free_vcs(model);
    wrong = model.check_conservation();
  }
  EXPECT_EQ(wrong, "packet 1 from 00 to 01 waits for a VC at 00, of which one is free");
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
