// SPDX-License-Identifier: Apache-2.0
#include "traces/wave_signals.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "base/scratch_directory.h"
#include "traces/wave_bench.h"
#include "traces/wave_selection.h"
#include "traces/wave_size.h"
#include "traces/wave_writer.h"

namespace toriscope {
namespace {

TEST(wave_signals, share_a_scope_where_its_name_is_the_same) {
  wave_options all;
  parse_wave_spec("*", all);
  std::size_t ahead = 0;
  for (const auto& [spec, stages] : {std::pair{"ttn:2,2,0", pipeline::paper2009},
                                     {"cmesh:2x2,3", pipeline::four_stage},
                                     {"mesh:3x3", pipeline::custom}}) {
    const traced_network traced(to_string(stages), spec, stages, 0);
    network& net = *traced.net;
    std::vector<wave_signal> signals = signals_of(net, 0, all);
    for (const wave_signal& s : signals_of(net, 1, all)) signals.push_back(s);
    for (const wave_signal& a : signals)
      for (const wave_signal& b : signals)
        ASSERT_EQ(share_scope(a, b), a.node == b.node && scope_of(net, a) == scope_of(net, b))
            << spec << ": " << scope_of(net, a) << " " << scope_of(net, b);
    for (const wave_signal& s : signals) EXPECT_EQ(s.outgoing, scope_of(net, s).rfind("out_", 0) == 0) << spec;
    for (const wave_signal& s : signals) ahead += scope_of(net, s).find(".ahead") != std::string::npos;
  }
  EXPECT_GT(ahead, 0u);
}

/// In each cycle 36 characters of a time and the cycle; of a signal 'b', its digits, a blank, a letter, a line end.
TEST(wave_size, is_that_of_signals_that_change_in_each_cycle) {
  const traced_network traced("sized", "mesh:2x2", pipeline::single_cycle, 0);
  wave_options interface_of_0;
  parse_wave_spec("sized.node_0_0", interface_of_0);
  parse_wave_groups("ni", interface_of_0);
  const std::vector<wave_signal> signals = select_signals(*traced.net, interface_of_0);
  ASSERT_EQ(signals.size(), 3u);  // a queue, whose length has two digits; a tag; a VC of four bits
  wave_activity busy;
  busy.packet_flits = 1;
  busy.flits_per_cycle = [](node_id, port_id, bool) { return 100.; };
  const double tag = 0.7 * signals[1].width, vc = 0.7 * 4;
  const auto bytes = [&](double cycles) { return expected_wave_bytes(*traced.net, signals, busy, cycles); };
  EXPECT_NEAR(bytes(1000) - bytes(0), 1000 * (36 + (4 + 2) + (4 + tag) + (4 + vc)), 1e-6);
}

TEST(wave_signals, of_no_group_or_a_window_without_cycles_are_refused) {
  const traced_network traced("refused", "mesh:2x2", pipeline::single_cycle, 0);
  wave_options none;
  none.links = none.vcs = none.alloc = none.ni = false;
  EXPECT_THAT([&] { select_signals(*traced.net, none); },
              testing::ThrowsMessage<std::invalid_argument>("no wave group is chosen; there are links, vcs, alloc and "
                                                            "ni"));
  using o = wave_options;
  for (bool o::*group : {&o::links, &o::vcs, &o::alloc, &o::ni}) {
    wave_options one = none;
    one.*group = true;
    EXPECT_FALSE(select_signals(*traced.net, one).empty());
  }
  wave_options window;
  window.from = 9;
  window.to = 8;
  EXPECT_THAT([&] { wave_writer(*traced.net, window); },
              testing::ThrowsMessage<std::invalid_argument>("the wave window 9:8 ends before it begins"));
  const scratch_directory directory;
  window.file = directory.file("w.vcd");
  window.from = 8;
  EXPECT_NO_THROW(wave_writer(*traced.net, window)) << "a window of one cycle";
  for (const cycle_t from : {0u, 1u}) {
    window.from = from;
    EXPECT_EQ(wave_writer(*traced.net, window).begun(), from == 0) << "no cycle is done so far";
  }
}

}  // namespace
}  // namespace toriscope
