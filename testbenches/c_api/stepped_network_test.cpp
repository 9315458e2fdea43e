// SPDX-License-Identifier: Apache-2.0
// What a network of the C interface takes at which time: packets, a run, a waveform.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "testbenches/c_api/owned_network.h"
#include "testbenches/program/program_process.h"

namespace toriscope::stepped_network_test {
namespace {

using testing::HasSubstr;

void refuses(int status, const char* why) {
  EXPECT_EQ(status, TORISCOPE_BAD_INPUT);
  EXPECT_THAT(toriscope_error(), HasSubstr(why));
}

TEST(stepped_network, packets_are_numbered_in_the_order_of_their_injection) {
  const owned net = made({{"topology", "mesh:4x4"}});
  std::array<std::uint64_t, 3> numbers{99, 99, 99};
  for (std::uint64_t& number : numbers)
    ASSERT_EQ(toriscope_inject(net.get(), 0, 5, 1, 0, &number), TORISCOPE_OK) << toriscope_error();
  EXPECT_EQ(numbers, (std::array<std::uint64_t, 3>{0, 1, 2}));
}

TEST(stepped_network, a_run_needs_a_network_without_packets) {
  const owned net = made({{"topology", "mesh:4x4"}, {"cycles", 200}});
  ASSERT_EQ(toriscope_inject(net.get(), 0, 5, 1, 0, nullptr), TORISCOPE_OK) << toriscope_error();
  refuses(toriscope_run(net.get()), "done no cycle");
  EXPECT_EQ(toriscope_cycle(net.get()), 0u);
}

/// Its packets are not the user's.
TEST(stepped_network, after_a_run_there_is_no_other_run_and_no_packet) {
  const owned net = made({{"topology", "mesh:4x4"}, {"cycles", 200}});
  ASSERT_EQ(toriscope_run(net.get()), TORISCOPE_OK) << toriscope_error();
  EXPECT_GT(statistics_of(net).packets_received, 10u);
  toriscope_packet packet{};
  EXPECT_EQ(toriscope_receive(net.get(), &packet), 0);
  refuses(toriscope_inject(net.get(), 0, 5, 1, 0, nullptr), "has done its run");
  refuses(toriscope_run(net.get()), "done no cycle");
}

/// A packet of one flit takes 4 + 4 + 5 cycles over two links, if it meets no other.
TEST(stepped_network, packets_are_injected_beside_those_of_a_file_in_their_cycles) {
  const program_directory d;
  d.write("packets.txt", "5 0 3 4\n");
  const owned net =
      made({{"topology", "mesh:4x4"}, {"traffic_file", d.file("packets.txt")}}, TORISCOPE_WITH_TRAFFIC);
  ASSERT_EQ(toriscope_inject(net.get(), 4, 6, 1, 0, nullptr), TORISCOPE_OK) << toriscope_error();
  ASSERT_EQ(toriscope_step(net.get(), 100), TORISCOPE_OK);
  toriscope_packet packet{};
  ASSERT_EQ(toriscope_receive(net.get(), &packet), 1);
  EXPECT_EQ(packet.destination, 6u);
  EXPECT_EQ(packet.ended, 13u);
  EXPECT_EQ(toriscope_receive(net.get(), &packet), 0) << "the file's";
  EXPECT_EQ(statistics_of(net).packets_received, 2u);
}

TEST(stepped_network, a_waveform_that_ends_before_its_window_is_an_error_once) {
  const program_directory d;
  const owned net = made({{"topology", "mesh:4x4"}});
  ASSERT_EQ(toriscope_wave_on(net.get(), "*@100:200", d.file("late.vcd").c_str()), TORISCOPE_OK)
      << toriscope_error();
  ASSERT_EQ(toriscope_step(net.get(), 10), TORISCOPE_OK);
  refuses(toriscope_wave_off(net.get()), "window of the waveform has not begun");
  EXPECT_EQ(d.files(), strings{});
  EXPECT_EQ(toriscope_wave_off(net.get()), TORISCOPE_OK) << toriscope_error();
}

}  // namespace
}  // namespace toriscope::stepped_network_test
