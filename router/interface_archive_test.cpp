// SPDX-License-Identifier: Apache-2.0
// The state of a network interface, number by number, with source queues and reception buffers.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "router/archive_bench.h"
#include "router/network_interface.h"

namespace toriscope::interface_archive_test {
namespace {

using namespace archive_bench;  // NOLINT(google-build-using-namespace)

/// The interface of terminal 1.
struct one_interface : packets_under_way {
  explicit one_interface(bool classes = false, bool limited = false)
      : packets_under_way(config_with(pipeline::four_stage)) {
    network.now = now - 1;
    if (classes) network.message_classes = 2;
    network.shared_classes = classes;
    network.limited_reception = limited;
    if (classes) network.packets[3].message_class = network.packets[4].message_class = 1;
    ni = std::make_unique<network_interface>(1, 0, network);
  }
  std::unique_ptr<network_interface> ni;
};

void add_vcs_of_interface(named_numbers& n) {
  n.add("sent", 300);
  n.add("credits0", 0);
  n.add("arriving0", 0);
  n.add("credits1", 2);
  n.add("arriving1", 1);  // packet 0
  n.add("arrived1", 2);
  n.add("credits2", 64);
  n.add("arriving2", 0);
}

/// Of `packets`, the first of which has sent `sent` flits on a VC.
void add_queue(named_numbers& n, const std::string& name, unsigned pointer, const std::vector<packet_id>& packets,
               unsigned sent, unsigned vc) {
  n.add(name + ".pointer", pointer);
  n.add(name + ".length", packets.size());
  packet_id before = 0;
  for (const packet_id packet : packets) {
    n.add(name + ".packet", packet - before);
    before = packet;
  }
  if (packets.empty()) return;
  n.add(name + ".sent", sent);
  if (sent > 0) n.add(name + ".vc", vc);
}

named_numbers plain_interface(const std::vector<packet_id>& queued, unsigned sent, unsigned vc) {
  named_numbers n;
  add_vcs_of_interface(n);
  add_queue(n, "queue", 2, queued, sent, vc);
  return n;
}

TEST(interface_states, are_brought_back_number_by_number) {
  one_interface i;
  const std::string bytes = plain_interface({1, 2}, 1, 0).bytes();
  ASSERT_EQ(i.verdict(bytes, *i.ni), accepted);
  EXPECT_EQ(i.saved(*i.ni), bytes);
  EXPECT_EQ(i.ni->flits_sent(), 300u);
  EXPECT_EQ(i.ni->credits(0), 0u);
  EXPECT_EQ(i.ni->credits(1), 2u);
  EXPECT_EQ(i.ni->credits(2), 64u);
  EXPECT_EQ(i.ni->queue_length(), 2u);
  EXPECT_TRUE(i.ni->is_sending());
  EXPECT_EQ(i.ni->current_packet(), 1u);
  EXPECT_EQ(i.ni->sending_vc(), 0u);
  // The tail of packet 0, of which two flits had come, is the rest of it.
  flit_wire& ejection = flit_wire::make(i.network.memory, 1);
  i.ni->connect(flit_wire::make(i.network.memory, 1), credit_wire::make(i.network.memory, 1), ejection, nullptr);
  ejection.send(now - 1, i.body(0, 2, 1));
  EXPECT_FALSE(i.ni->step(now, arrival_mask{1} << ejection_arrival)) << "VC 0 has no credit";
  EXPECT_EQ(i.network.counters.packets_received, 1u);
  EXPECT_EQ(i.network.counters.flits_ejected, 1u);
}

TEST(interface_states, can_send_where_the_next_flit_has_a_credit) {
  const auto can_send = [](const std::vector<packet_id>& queued, unsigned sent, unsigned vc, unsigned credits) {
    one_interface i;
    named_numbers n = plain_interface(queued, sent, vc);
    n["credits1"] = n["credits2"] = credits;
    EXPECT_EQ(i.verdict(n.bytes(), *i.ni), accepted);
    EXPECT_EQ(i.ni->current_packet(), sent > 0 ? queued[0] : no_packet);
    return i.ni->has_work(0);
  };
  EXPECT_FALSE(can_send({}, 0, 0, 1)) << "nothing is queued";
  EXPECT_TRUE(can_send({1}, 0, 0, 1)) << "on any VC";
  EXPECT_FALSE(can_send({1}, 0, 0, 0));
  EXPECT_TRUE(can_send({1}, 2, 1, 1));
  EXPECT_FALSE(can_send({1}, 2, 0, 1)) << "on VC 0 only";
}

TEST(interface_states, have_numbers_within_their_bounds) {
  for (const auto& [name, value, verdict] : std::vector<changed_number>{
           {"sent", ~std::uint64_t{0}, accepted},
           {"credits0", 65, out_of_range},
           {"arriving1", 9, "flits arrive of a packet that does not exist"},
           {"arrived1", 3, out_of_range},
           {"arrived1", std::uint64_t{1} << 32, too_large},
           {"queue.pointer", 17, out_of_range},
           {"queue.sent", 3, out_of_range},
           {"queue.vc", 3, out_of_range}}) {
    one_interface i;
    named_numbers n = plain_interface({1, 2}, 1, 0);
    n[name] = value;
    EXPECT_EQ(i.verdict(n.bytes(), *i.ni), verdict) << name << ' ' << value;
  }
}

TEST(interface_states, have_the_queues_of_classes_and_the_buffers_of_reception) {
  const auto state = [](const one_interface& i) {
    named_numbers n;
    add_vcs_of_interface(n);
    n.add("class pointer", 2);
    add_queue(n, "class 0", 1, {1, 2}, 2, 2);
    add_queue(n, "class 1", 0, {4}, 0, 0);
    n.add("admitted", of({1}));
    n.add("vc0.flits", 1);
    n.add_word("vc0.flit", i.head(6, 0).bits);
    n.add("vc0.taken", 5);
    n.add("vc1.flits", 0);
    n.add("vc2.flits", 2);
    n.add_word("vc2.flit", i.body(5, 1, 2).bits);
    n.add_word("vc2.tail", i.body(5, 2, 2).bits);
    n.add("vc2.taken", 90);
    return n;
  };
  one_interface i(true, true);
  const std::string bytes = state(i).bytes();
  ASSERT_EQ(i.verdict(bytes, *i.ni), accepted);
  EXPECT_EQ(i.saved(*i.ni), bytes);
  const class_queues& queues = *i.ni->classes();
  EXPECT_EQ(i.ni->queue_length(), 3u);
  EXPECT_EQ(queues.length(0), 2u);
  EXPECT_EQ(queues.length(1), 1u);
  EXPECT_EQ(queues.current_packet(0), 1u);
  EXPECT_EQ(queues.current_packet(1), no_packet);
  EXPECT_EQ(queues.sending_vc(0), 2u);
  EXPECT_EQ(queues.startable(1).mask(), of({0, 1})) << "a packet is under way on VC 2";
  const reception_buffer& buffer = *i.ni->reception();
  EXPECT_FALSE(buffer.empty());
  for (unsigned v = 0; v < vcs; ++v) {
    EXPECT_EQ(buffer.occupancy(v), v == 0 ? 1u : v == 1 ? 0u : 2u);
    EXPECT_EQ(buffer.admitted(v), v == 1);
  }
  EXPECT_EQ(buffer.packet_at(0), 6u);
  EXPECT_EQ(buffer.packet_at(2), 5u);
  EXPECT_EQ(buffer.last_taken(0), now - 5);
  EXPECT_EQ(buffer.last_taken(2), now - 90);
  for (const auto& [name, value, verdict] : std::vector<changed_number>{
           {"class pointer", 3, out_of_range},
           {"admitted", of({0, 2}), accepted},
           {"admitted", of({3}), no_member},
           {"vc0.flit", i.head(6, 1).bits, "a flit is in a buffer of another VC"},
           {"vc2.flits", 3, out_of_range},
           {"class 1.packet", 3, accepted},
           {"class 1.packet", 5, "a packet is in a source queue of another node"}}) {
    one_interface other(true, true);
    named_numbers n = state(other);
    n[name] = value;
    EXPECT_EQ(other.verdict(n.bytes(), *other.ni), verdict) << name << ' ' << value;
  }
}

}  // namespace
}  // namespace toriscope::interface_archive_test
