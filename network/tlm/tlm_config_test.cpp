// SPDX-License-Identifier: Apache-2.0
// Address maps and packet lengths: what they say, and what they reject with a one-line message.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "network/network.h"
#include "network/simulation_context.h"
#include "network/tlm/address_map.h"
#include "network/tlm/tlm_config.h"
#include "network/tlm/tlm_network.h"
#include "topologies/registry.h"

namespace toriscope::tlm_config_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// The line that is thrown.
template <class Function>
std::string refusal(Function f) {
  try {
    f();
  } catch (const std::exception& error) {
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    return error.what();
  }
  return "nothing was rejected";
}

TEST(address_map, finds_the_range_that_all_bytes_are_in) {
  const address_map map{{3, 0x2000, 0x1000}, {1, 0x1000, 0x1000}, {2, 0x8000, 0x10}};
  EXPECT_EQ(map.find(0x0fff), nullptr);
  EXPECT_EQ(map.find(0x1000)->node, 1u);
  EXPECT_EQ(map.find(0x1fff)->node, 1u);
  EXPECT_EQ(map.find(0x1fff, 2), nullptr) << "bytes of two nodes";
  EXPECT_EQ(map.find(0x2000, 0x1000)->node, 3u);
  EXPECT_EQ(map.find(0x2000, 0x1001), nullptr);
  EXPECT_EQ(map.find(0x3000), nullptr);
  EXPECT_EQ(map.find(0x3000, 0), nullptr) << "of no bytes, behind the last one";
  EXPECT_EQ(map.find(0x800f)->node, 2u);
  EXPECT_EQ(map.find(~std::uint64_t{0}), nullptr);
  EXPECT_EQ(address_map().find(0), nullptr);
}

TEST(address_map, a_range_may_end_with_the_last_address) {
  const address_map map{{0, ~std::uint64_t{0} - 15, 16}};
  EXPECT_NE(map.find(~std::uint64_t{0}), nullptr);
  EXPECT_EQ(map.find(~std::uint64_t{0}, 2), nullptr);
}

TEST(address_map, refuses_what_overlaps) {
  const auto with = [](std::uint64_t base, std::uint64_t size) {
    return refusal([&] { address_map{{1, 0x1000, 0x1000}, {3, base, size}}; });
  };
  EXPECT_EQ(with(0x1800, 0x1000), "address map: 0x1800..0x27ff of node 3 overlaps 0x1000..0x1fff of node 1");
  EXPECT_THAT(with(0x800, 0x801), HasSubstr("overlaps"));
  EXPECT_THAT(with(0, 0x10000), HasSubstr("overlaps"));
  EXPECT_THAT(with(0x1200, 1), HasSubstr("overlaps"));
  EXPECT_EQ(refusal([] {
              address_map{{1, 0x1000, 0x1000}, {2, 0x3000, 0x1000}, {3, 0x1000, 0x2001}};
            }),
            "address map: 0x1000..0x3000 of node 3 overlaps 0x3000..0x3fff of node 2")
      << "the one behind it is told first";
  EXPECT_EQ(with(0x800, 0x800), "nothing was rejected");
  EXPECT_EQ(with(0x2000, 1), "nothing was rejected");
  EXPECT_THAT(with(0x5000, 0), HasSubstr("has no bytes"));
  EXPECT_THAT(with(~std::uint64_t{0}, 2), HasSubstr("beyond the last address"));
}

class address_map_file : public testing::Test {
 protected:
  address_map parse(const std::string& ranges) const {
    return parse_address_map("{\"ranges\": [" + ranges + "]}", "address map soc.json", *torus_.wiring);
  }
  std::string refused(const std::string& ranges) const {
    return refusal([&] { parse(ranges); });
  }
  const topology torus_ = make_topology("torus:4x4");
};

TEST_F(address_map_file, says_all_that_a_range_can_have) {
  const address_map map = parse(R"({"node": "node_0_2", "base": "0x1000", "size": 256, "access": "r"},
                                   {"node": 5, "base": 0, "size": "0x10", "target_base": "0x40"})");
  ASSERT_EQ(map.ranges().size(), 2u);
  EXPECT_EQ(map.ranges()[0].node, 5u);
  EXPECT_EQ(map.ranges()[0].target_base, 0x40u);
  EXPECT_TRUE(map.ranges()[0].writable);
  EXPECT_EQ(map.ranges()[1].node, 2u);
  EXPECT_EQ(map.ranges()[1].last(), 0x10ffu);
  EXPECT_TRUE(map.ranges()[1].readable);
  EXPECT_FALSE(map.ranges()[1].writable);
  for (const auto& [path, node] : {std::pair("node_0_0", 0u), std::pair("node_3_3", 15u)}) {
    const address_map one = parse(R"({"node": ")" + std::string(path) + R"(", "base": 0, "size": 1})");
    EXPECT_EQ(one.ranges()[0].node, node);
  }
}

TEST_F(address_map_file, refuses_what_it_does_not_know) {
  EXPECT_EQ(refused(R"({"node": 16, "base": 0, "size": 1})"),
            "address map soc.json: ranges[0].node: expected a node: 0..15 or a path such as \"node_0_0\", not 16");
  for (const char* node : {"node_0_4", "node_4_0", "node_0", ""})
    EXPECT_THAT(refused(R"({"node": ")" + std::string(node) + R"(", "base": 0, "size": 1})"),
                HasSubstr("ranges[0].node: expected a node: 0..15 or a path"))
        << node;
  EXPECT_THAT(refused(R"({"node": 1, "base": "x", "size": 1})"),
              HasSubstr("ranges[0].base: expected a number"));
  for (const char* base : {"", " 1", " -1", "-1", "+1", "1 ", "0x", "0x-1", "0x10000000000000000", "1e3"})
    EXPECT_THAT(refused(R"({"node": 1, "base": ")" + std::string(base) + R"(", "size": 1})"),
                HasSubstr("ranges[0].base: expected a number"))
        << base;
  EXPECT_EQ(parse(R"({"node": 1, "base": "010", "size": 1})").ranges()[0].base, 10u);
  EXPECT_THAT(refused(R"({"node": 1, "base": 0})"), HasSubstr("'size' is missing"));
  EXPECT_THAT(refused(R"({"node": 1, "base": 0, "sizes": 1})"), HasSubstr("did you mean 'size'?"));
  EXPECT_THAT(refused(R"({"node": 1, "base": 0, "size": 1, "access": "x"})"), HasSubstr("\"r\", \"w\" or"));
  EXPECT_THAT(refused("3"), HasSubstr("expected an object {...}"));
  EXPECT_THAT(refused(R"({"node": 1, "base": 0, "size": 2}, {"node": 2, "base": 1, "size": 1})"),
              HasSubstr("ranges[1]: address map: 0x1..0x1 of node 2 overlaps 0x0..0x1 of node 1"));
  EXPECT_THAT(refused("{"), HasSubstr(":1: this is not JSON: column 14"));
  EXPECT_THAT(refusal([&] { read_address_map("/nowhere/map.json", *torus_.wiring); }),
              HasSubstr("/nowhere/map.json cannot be read"));
}

TEST(tlm_config, packets_have_a_header_and_carry_so_many_bytes) {
  tlm_config config;
  config.header_flits = 2;
  config.flit_bytes = 8;
  config.packet_bytes = 64;
  EXPECT_THAT(config.packet_flits(0), ElementsAre(2));
  EXPECT_THAT(config.packet_flits(1), ElementsAre(3));
  EXPECT_THAT(config.packet_flits(64), ElementsAre(10));
  EXPECT_THAT(config.packet_flits(65), ElementsAre(10, 3));
  EXPECT_THAT(config.packet_flits(200), ElementsAre(10, 10, 10, 3));
}

TEST(tlm_config, says_all_that_is_wrong) {
  tlm_config config;
  EXPECT_THAT(config.validate(), testing::IsEmpty());
  config.flit_bytes = 0;
  config.outstanding = 0;
  EXPECT_THAT(config.validate(),
              ElementsAre("flit_bytes: 0; expected at least 1", "outstanding: 0; expected at least 1"));
}

topology torus_in_two_classes() {
  topology_options in_classes;
  in_classes.message_classes = 2;
  return make_topology("torus:4x4", in_classes);
}

/// That torus in a simulation of its own.
struct torus_alone {
  explicit torus_alone(bool limited_reception = false)
      : here(context), chip("torus", torus.wiring, torus.routing, config(limited_reception)) {}
  static network_config config(bool limited_reception) {
    network_config routers;
    routers.message_classes = 2;
    routers.limited_reception = limited_reception;
    return routers;
  }
  const topology torus = torus_in_two_classes();
  const simulation_context context;
  const simulation_context::entry here;
  network chip;
};

TEST(tlm_config, sockets_are_those_of_nodes_that_there_are) {
  const topology torus = torus_in_two_classes();
  network_config routers;
  routers.message_classes = 2;
  network chip("torus", torus.wiring, torus.routing, routers);
  tlm_config config;
  tlm_network sockets("tlm", chip, config);
  EXPECT_EQ(refusal([&] { sockets.target_socket(16); }),
            "tlm: a socket of node 16 was asked for; nodes are 0..15");
  sockets.target_socket(0);
  EXPECT_EQ(refusal([&] { sockets.target_socket<64>(0); }),
            "tlm: the socket of node 0 was asked for before, with another bus width");
  sockets.initiator_socket(1);
  EXPECT_THAT(refusal([&] { sockets.initiator_socket<64>(1); }), HasSubstr("with another bus width"));
  EXPECT_EQ(&sockets.target_socket(0), &sockets.target_socket(0));

  config.map.add({16, 0, 1});
  config.flit_bytes = 0;
  EXPECT_EQ(refusal([&] { tlm_network("refused", chip, config); }),
            "flit_bytes: 0; expected at least 1; address map: a range of node 16; nodes are 0..15");
  const topology plain = make_topology("torus:4x4");
  network one_class("one_class", plain.wiring, plain.routing, {});
  EXPECT_EQ(
      refusal([&] { tlm_network("refused", one_class, {}); }),
      "the network has 1 message class; requests and responses need 2: network_config::message_classes and "
      "topology_options::message_classes");
  for (const unsigned requests : {1u, 4u}) {
    tlm_config queued;
    queued.request_queue = requests;
    EXPECT_EQ(refusal([&] { tlm_network("refused", chip, queued); }),
              "tlm_config::request_queue needs network_config::limited_reception");
  }
}

TEST(tlm_transfer, gives_back_the_status_the_bytes_and_no_permission_for_dmi) {
  unsigned char bytes[4] = {1, 2, 3, 4}, enables[2] = {TLM_BYTE_DISABLED, TLM_BYTE_ENABLED};
  tlm::tlm_generic_payload original;
  original.set_command(tlm::TLM_READ_COMMAND);
  original.set_data_ptr(bytes);
  original.set_data_length(4);
  original.set_byte_enable_ptr(enables);
  original.set_byte_enable_length(2);
  original.set_dmi_allowed(true);
  const tlm_transfer transfer(original, 0x40);
  EXPECT_EQ(transfer.remote.get_address(), 0x40u);
  for (unsigned i = 0; i < 4; ++i) transfer.remote.get_data_ptr()[i] = static_cast<unsigned char>(10 + i);
  transfer.remote.set_response_status(tlm::TLM_OK_RESPONSE);
  transfer.remote.respond_to(original);
  EXPECT_EQ(original.get_response_status(), tlm::TLM_OK_RESPONSE);
  EXPECT_FALSE(original.is_dmi_allowed());
  EXPECT_THAT(bytes, ElementsAre(1, 11, 3, 13));
  original.set_byte_enable_ptr(nullptr);
  original.set_data_length(3);
  const tlm_transfer shorter(original, 0x40);
  std::fill_n(shorter.remote.get_data_ptr(), 3, static_cast<unsigned char>(20));
  shorter.remote.set_response_status(tlm::TLM_OK_RESPONSE);
  for (const unsigned behind : {30u, 31u}) {  // whatever stands behind the bytes of the target
    bytes[3] = static_cast<unsigned char>(behind);
    shorter.remote.respond_to(original);
    EXPECT_THAT(bytes, ElementsAre(20, 20, 20, behind));
  }
}

/// Requests of others to a node without a target: as many are taken at once as the queue has room for.
TEST(tlm_network, takes_as_many_requests_as_the_queue_has_room_for) {
  const topology torus = torus_in_two_classes();
  network_config routers;
  routers.message_classes = 2;
  routers.limited_reception = true;
  for (const unsigned room : {1u, 2u}) {
    const simulation_context context;
    const simulation_context::entry here(context);
    network chip("torus", torus.wiring, torus.routing, routers);
    tlm_config config;
    config.request_queue = room;
    tlm_network sockets("tlm", chip, config);
    chip.leave_kernel({1, sc_core::SC_NS});
    for (const node_id from : {1u, 4u, 6u, 9u}) chip.send({from, 5, 20, tlm_network::request_class});
    unsigned most = 0;
    while (chip.cycles_done() < 300) {
      chip.step();
      unsigned taken = 0;
      for (unsigned v = 0; v < routers.router.vcs; ++v) taken += chip.at(5).ni().reception()->admitted(v);
      most = std::max(most, taken);
    }
    EXPECT_EQ(most, room);
    EXPECT_EQ(chip.counters().packets_received, 4u);
  }
}

TEST(tlm_network, takes_all_requests_where_nothing_is_said_of_a_queue) {
  torus_alone made(true);
  network& chip = made.chip;
  tlm_network sockets("tlm", chip, {});
  chip.leave_kernel({1, sc_core::SC_NS});
  chip.send({1, 5, 20, tlm_network::request_class});
  while (chip.cycles_done() < 100) chip.step();
  EXPECT_EQ(chip.counters().packets_received, 1u);
}

TEST(tlm_config, has_the_defaults_of_the_manual) {
  const tlm_config config;
  EXPECT_EQ(config.header_flits, 1u);
  EXPECT_EQ(config.flit_bytes, 8u);
  EXPECT_EQ(config.packet_bytes, 64u);
  EXPECT_EQ(config.outstanding, 4u);
  EXPECT_EQ(config.target_outstanding, 1u);
  EXPECT_EQ(config.call, target_call::blocking);
  EXPECT_EQ(config.phases, phase_style::full);
  EXPECT_EQ(config.request_queue, 0u);
  EXPECT_TRUE(config.map.ranges().empty());
  const address_range range;
  EXPECT_EQ(range.node, 0u);
  EXPECT_EQ(range.base, 0u);
  EXPECT_EQ(range.size, 0u);
  EXPECT_EQ(range.target_base, 0u);
  EXPECT_TRUE(range.readable && range.writable);
}

TEST(tlm_config, needs_each_of_its_numbers) {
  for (const auto& [name, number] :
       {std::pair{"header_flits", &tlm_config::header_flits}, {"flit_bytes", &tlm_config::flit_bytes},
        {"packet_bytes", &tlm_config::packet_bytes}, {"outstanding", &tlm_config::outstanding},
        {"target_outstanding", &tlm_config::target_outstanding}}) {
    tlm_config config;
    config.*number = 1;
    EXPECT_THAT(config.validate(), testing::IsEmpty());
    config.*number = 0;
    EXPECT_THAT(config.validate(), ElementsAre(std::string(name) + ": 0; expected at least 1"));
  }
}

TEST_F(address_map_file, ranges_are_for_both_directions_from_address_0_on_unless_they_say_more) {
  const address_map map = parse(R"({"node": 1, "base": 0, "size": 1}, {"node": 2, "base": 1, "size": 1, "access": "w"},
                                   {"node": 3, "base": 2, "size": 1, "access": "rw", "target_base": 7},
                                   {"node": 15, "base": "0X3", "size": "1", "access": "r"})");
  ASSERT_EQ(map.ranges().size(), 4u);
  for (unsigned i = 0; i < 4; ++i) {
    const address_range& range = map.ranges()[i];
    EXPECT_EQ(range.base, i);
    EXPECT_EQ(range.last(), i);
    EXPECT_EQ(range.target_base, i == 2 ? 7u : 0u) << i;
    EXPECT_EQ(range.readable, i != 1) << i;
    EXPECT_EQ(range.writable, i != 3) << i;
  }
  EXPECT_EQ(map.ranges()[3].node, 15u);
}

TEST_F(address_map_file, a_range_says_what_is_wrong_with_it) {
  EXPECT_THAT(refused(R"({"node": 1, "base": 0, "size": 0})"),
              HasSubstr("ranges[0]: address map: a range of node 1 has no bytes; expected a size of at least 1"));
  EXPECT_THAT(refused(R"({"node": 1, "base": "0xffffffffffffffff", "size": 2})"),
              HasSubstr("0xffffffffffffffff..0x0 of node 1 goes beyond the last address of 64 bits"));
}

/// A payload of an initiator, which counts who holds it.
struct held_payload final : tlm::tlm_generic_payload, private tlm::tlm_mm_interface {
  held_payload() { set_mm(this); }
  void free(tlm::tlm_generic_payload*) override { ++given_back; }
  unsigned given_back = 0;
};

// By return value, before any simulation has begun: the source itself rejects them.
TEST(tlm_network, rejects_what_it_cannot_send_with_a_status_and_without_dmi) {
  torus_alone made;
  network& chip = made.chip;
  tlm_config config;
  config.phases = phase_style::early;
  config.map.add({1, 0x1000, 0x100});
  config.map.add({2, 0x2000, 0x100});  // without a target
  address_range to_read{1, 0x3000, 0x100}, to_write{1, 0x4000, 0x100};
  to_read.writable = to_write.readable = false;
  config.map.add(to_read);
  config.map.add(to_write);
  tlm_network sockets("tlm", chip, config);
  sockets.initiator_socket(1);
  auto& entry = dynamic_cast<tlm_entry&>(*sockets.target_socket(0).get_base_export().get_interface());

  unsigned char bytes[16] = {}, enable = TLM_BYTE_ENABLED;
  unsigned rejected = 0;
  const auto status = [&](tlm::tlm_command command, std::uint64_t address, unsigned length, unsigned width,
                          const std::function<void(held_payload&)>& change = {}) {
    held_payload p;
    p.set_command(command);
    p.set_address(address);
    p.set_data_ptr(bytes);
    p.set_data_length(length);
    p.set_streaming_width(width);
    p.set_dmi_allowed(true);
    if (change) change(p);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    EXPECT_EQ(entry.nb_transport_fw(p, phase, delay), tlm::TLM_COMPLETED);
    EXPECT_FALSE(p.is_dmi_allowed());
    EXPECT_EQ(p.given_back, 1u);
    EXPECT_EQ(sockets.counters().refused, ++rejected);
    return p.get_response_status();
  };
  const auto read = tlm::TLM_READ_COMMAND, write = tlm::TLM_WRITE_COMMAND, ignore = tlm::TLM_IGNORE_COMMAND;
  const auto without_data = [](held_payload& p) { p.set_data_ptr(nullptr); };
  const auto without_enables = [&](held_payload& p) {
    p.set_byte_enable_ptr(&enable);
    p.set_byte_enable_length(0);
  };
  EXPECT_EQ(status(read, 0xfff, 1, 1), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(status(read, 0x10ff, 2, 2), tlm::TLM_ADDRESS_ERROR_RESPONSE) << "beyond the end of its range";
  EXPECT_EQ(status(read, 0x10ff, 2, 16), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(status(read, 0x2000, 1, 1), tlm::TLM_ADDRESS_ERROR_RESPONSE) << "no target";
  EXPECT_EQ(status(ignore, 0xfff, 0, 0), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(status(write, 0x3000, 1, 1), tlm::TLM_COMMAND_ERROR_RESPONSE);
  EXPECT_EQ(status(read, 0x4000, 1, 1), tlm::TLM_COMMAND_ERROR_RESPONSE);
  EXPECT_EQ(status(read, 0x1000, 0, 1), tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(status(write, 0x1000, 1, 0), tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(status(write, 0x1000, 4, 4, without_enables), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  EXPECT_EQ(status(write, 0x1000, 4, 4, without_data), tlm::TLM_GENERIC_ERROR_RESPONSE);
  const tlm_counters& counted = sockets.counters();
  for (const std::uint64_t none : {counted.requests, counted.responses, counted.lost, counted.request_packets,
                                   counted.response_packets})
    EXPECT_EQ(none, 0u);
  EXPECT_EQ(sockets.outstanding(0), 0u);
  EXPECT_EQ(sockets.outstanding(3), 0u) << "a node without sockets";
  EXPECT_TRUE(sockets.idle());
}

TEST(tlm_transfer, has_the_bytes_that_its_packets_carry) {
  std::vector<unsigned char> bytes(100), enables(100, TLM_BYTE_ENABLED);
  const auto carried = [&](tlm::tlm_command command, unsigned length, unsigned enable_length,
                           tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE) {
    tlm::tlm_generic_payload original;
    original.set_command(command);
    original.set_data_ptr(bytes.data());
    original.set_data_length(length);
    original.set_byte_enable_ptr(enable_length > 0 ? enables.data() : nullptr);
    original.set_byte_enable_length(enable_length);
    const tlm_transfer transfer(original, 0);
    EXPECT_EQ(transfer.response_bytes(), 0u) << "no answer yet";
    transfer.remote.set_response_status(status);
    return std::pair(transfer.request_bytes(), transfer.response_bytes());
  };
  using there_and_back = std::pair<std::uint64_t, std::uint64_t>;
  const auto read = tlm::TLM_READ_COMMAND, write = tlm::TLM_WRITE_COMMAND, ignore = tlm::TLM_IGNORE_COMMAND;
  EXPECT_EQ(carried(write, 20, 0), there_and_back(20, 0));
  EXPECT_EQ(carried(write, 20, 1), there_and_back(21, 0));
  EXPECT_EQ(carried(write, 20, 8), there_and_back(21, 0));
  EXPECT_EQ(carried(write, 20, 9), there_and_back(22, 0));
  EXPECT_EQ(carried(write, 20, 100), there_and_back(23, 0)) << "an enable for each byte at most";
  EXPECT_EQ(carried(read, 20, 0), there_and_back(0, 20));
  EXPECT_EQ(carried(read, 20, 16), there_and_back(2, 20));
  EXPECT_EQ(carried(read, 20, 0, tlm::TLM_BURST_ERROR_RESPONSE), there_and_back(0, 0));
  EXPECT_EQ(carried(ignore, 20, 0), there_and_back(0, 0));
}

TEST(tlm_exit, hands_over_the_requests_of_a_source_in_the_order_in_which_they_were_sent) {
  torus_alone made;
  network& chip = made.chip;
  tlm_network sockets("tlm", chip, {});
  auto& exit = dynamic_cast<tlm_exit&>(sockets.initiator_socket(7).get_base_interface());
  tlm::tlm_generic_payload payload;
  const auto waiting_after = [&](node_id source, std::uint64_t sequence, bool lost = false) {
    const auto transfer = std::make_shared<tlm_transfer>(payload, 0);
    transfer->source = source;
    transfer->sequence = sequence;
    transfer->lost = lost;
    exit.arrived(transfer);
    return exit.waiting();
  };
  EXPECT_EQ(waiting_after(0, 1), 0u) << "it has overtaken another one";
  EXPECT_EQ(waiting_after(3, 0), 1u) << "the first one of another source";
  EXPECT_EQ(waiting_after(0, 2, true), 1u);
  EXPECT_EQ(waiting_after(0, 0), 3u) << "two more, for the third is lost";
  EXPECT_EQ(waiting_after(0, 3), 4u);
}

/// What is reported; "none": nothing.
template <class Call>
std::string report_of(Call call) {
  try {
    call();
  } catch (const sc_core::sc_report& report) {
    EXPECT_STREQ(report.get_msg_type(), "toriscope/tlm");
    return report.get_msg();
  }
  return "none";
}

TEST(tlm_network, names_the_socket_at_which_something_is_wrong) {
  torus_alone made;
  network& chip = made.chip;
  tlm_network sockets("tlm", chip, {});
  auto& entry = dynamic_cast<tlm_entry&>(*sockets.target_socket(2).get_base_export().get_interface());
  auto& exit = sockets.initiator_socket(7, target_call::non_blocking).get_base_interface();
  held_payload first, second;
  const auto forward = [&](held_payload& p, tlm::tlm_phase phase) {
    return report_of([&] {
      sc_core::sc_time delay;
      EXPECT_EQ(entry.nb_transport_fw(p, phase, delay), tlm::TLM_ACCEPTED);
    });
  };
  const auto backward = [&](tlm::tlm_phase phase) {
    return report_of([&] {
      sc_core::sc_time delay;
      EXPECT_EQ(exit.nb_transport_bw(first, phase, delay), tlm::TLM_ACCEPTED);
    });
  };
  const std::string at_entry = "tlm_node_0_2_entry: ", at_exit = "tlm_node_1_3_exit: ";
  EXPECT_EQ(forward(first, tlm::UNINITIALIZED_PHASE), "none") << "may be ignored";
  EXPECT_EQ(forward(first, tlm::END_REQ), at_entry + "an initiator does not send END_REQ or BEGIN_RESP");
  EXPECT_EQ(forward(first, tlm::BEGIN_RESP), at_entry + "an initiator does not send END_REQ or BEGIN_RESP");
  EXPECT_EQ(forward(first, tlm::END_RESP), at_entry + "END_RESP without a BEGIN_RESP before it");
  EXPECT_EQ(forward(first, tlm::BEGIN_REQ), "none");
  EXPECT_EQ(first.get_ref_count(), 1);
  EXPECT_EQ(forward(second, tlm::BEGIN_REQ), at_entry + "BEGIN_REQ before the END_REQ of the transaction before");
  EXPECT_EQ(second.get_ref_count(), 0);
  EXPECT_EQ(backward(tlm::UNINITIALIZED_PHASE), "none") << "may be ignored";
  for (const auto phase : {tlm::BEGIN_REQ, tlm::END_RESP})
    EXPECT_EQ(backward(phase), at_exit + "a target does not send BEGIN_REQ or END_RESP");
  for (const auto phase : {tlm::END_REQ, tlm::BEGIN_RESP})
    EXPECT_EQ(backward(phase), at_exit + "END_REQ or BEGIN_RESP for a transaction that is not under way");
  first.release();
}

}  // namespace
}  // namespace toriscope::tlm_config_test
