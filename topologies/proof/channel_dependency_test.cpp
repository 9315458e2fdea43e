// SPDX-License-Identifier: Apache-2.0
// The proof itself, on rings small enough to be followed by hand, and on routing functions that misbehave.
#include "topologies/proof/channel_dependency.h"

#include <gmock/gmock.h>

#include "base/error_of_test.h"
#include "topologies/cubes/cube.h"
#include "topologies/path.h"

namespace toriscope::channel_dependency_test {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

/// Round a one-way ring of 4 by x+ (port 0; x- is 1, local 2).
class ring_routing : public routing_function {
 public:
  unsigned route(const route_request& request, route_option* options) const override {
    if (request.node == request.destination)
      options[0] = {2, all_, 0};
    else
      options[0] = hop_from(request);
    return 1;
  }
  unsigned state_bits() const override { return 1; }

 protected:
  explicit ring_routing(vc_mask all) : all_(all) {}
  virtual route_option hop_from(const route_request& request) const = 0;
  vc_mask all_;
};

struct one_vc : ring_routing {
  one_vc() : ring_routing(1) {}
  route_option hop_from(const route_request&) const override { return {0, 1, 0}; }
};

struct dateline : ring_routing {
  dateline() : ring_routing(3) {}
  route_option hop_from(const route_request& r) const override {
    const bool after = r.node == 3 || r.state != 0;
    return {0, static_cast<vc_mask>(after ? 2 : 1), after ? 1u : 0u};
  }
};

/// Any VC at any time: what classes are there to prevent.
struct both_vcs : ring_routing {
  both_vcs() : ring_routing(3) {}
  route_option hop_from(const route_request&) const override { return {0, 3, 0}; }
};

/// Chooses by the VC it came in, which the proof has to try out: from VC 1 a packet never leaves that VC.
struct keeps_its_vc : ring_routing {
  keeps_its_vc() : ring_routing(3) {}
  route_option hop_from(const route_request& r) const override {
    if (r.in_port == 2) return {0, static_cast<vc_mask>(1 << r.in_vc), 0};
    return {0, static_cast<vc_mask>(r.in_vc == 1 ? 2 : (r.node == 3 ? 2 : 1)), 0};
  }
};

const netlist& ring() {
  static const auto net = build_cube({"ucube", {4}, true, true});
  return *net;
}

TEST(channel_dependency, a_ring_with_one_vc_is_a_cycle) {
  const auto found = find_channel_dependencies(ring(), one_vc{}, 1);
  EXPECT_FALSE(found.acyclic());
  EXPECT_EQ(found.channels, 4u);
  EXPECT_EQ(found.dependencies, 4u);
  ASSERT_EQ(found.cycle.size(), 4u);
  EXPECT_EQ(found.in_words(ring()), "cycle of 4: 0 x+ vc0 -> 1 x+ vc0 -> 2 x+ vc0 -> 3 x+ vc0 -> 0 x+ vc0");
}

TEST(channel_dependency, a_dateline_cuts_it) {
  const auto found = find_channel_dependencies(ring(), dateline{}, 2);
  EXPECT_TRUE(found.acyclic());
  // 0 1 2 in VC 0, then 3 0 1 in VC 1 (no packet goes further than 3 hops): 5 steps from one to the next.
  EXPECT_EQ(found.dependencies, 5u);
  EXPECT_EQ(found.in_words(ring()), "acyclic: 8 channels, 5 dependencies");
}

TEST(channel_dependency, all_vcs_of_a_set_are_followed) {
  const auto found = find_channel_dependencies(ring(), both_vcs{}, 2);
  EXPECT_EQ(found.dependencies, 16u);
  EXPECT_EQ(found.cycle.size(), 4u);
}

TEST(channel_dependency, the_vc_a_packet_stands_in_is_followed) {
  const auto found = find_channel_dependencies(ring(), keeps_its_vc{}, 2);
  ASSERT_EQ(found.cycle.size(), 4u);
  for (const channel& c : found.cycle) EXPECT_EQ(c.vc, 1);
}

TEST(channel_dependency, some_destinations_only) {
  const auto found = find_channel_dependencies(ring(), one_vc{}, 1, {3});
  EXPECT_TRUE(found.acyclic());
  EXPECT_EQ(found.dependencies, 2u);
}

struct wrong_port : one_vc {
  route_option hop_from(const route_request&) const override { return {1, 1, 0}; }
};
struct no_vc : one_vc {
  route_option hop_from(const route_request&) const override { return {0, 0, 0}; }
};
struct vc_too_high : one_vc {
  route_option hop_from(const route_request&) const override { return {0, 2, 0}; }
};
struct wide_state : one_vc {
  route_option hop_from(const route_request&) const override { return {0, 1, 2}; }
};
struct leaves_early : one_vc {
  route_option hop_from(const route_request&) const override { return {2, 1, 0}; }
};
struct goes_round : one_vc {
  unsigned route(const route_request&, route_option* options) const override {
    options[0] = {0, 1, 0};
    return 1;
  }
};

TEST(channel_dependency, refuses_what_a_routing_function_may_not_do) {
  const auto prove = [](const routing_function& r) {
    return [&r] { find_channel_dependencies(ring(), r, 1); };
  };
  EXPECT_THAT(prove(wrong_port{}),
              ThrowsMessage<std::logic_error>(HasSubstr("a port without an outgoing link")));
  EXPECT_THAT(prove(no_vc{}), ThrowsMessage<std::logic_error>(HasSubstr("no such VC")));
  EXPECT_THAT(prove(vc_too_high{}), ThrowsMessage<std::logic_error>(HasSubstr("no such VC")));
  EXPECT_THAT(prove(wide_state{}), ThrowsMessage<std::logic_error>(HasSubstr("a state beyond its bits")));
  EXPECT_THAT(prove(leaves_early{}), ThrowsMessage<std::logic_error>(HasSubstr("leaves the network there")));
}

TEST(path, walks_the_ring) {
  const auto hops = walk(ring(), dateline{}, 2, 1, 2);
  ASSERT_EQ(hops.size(), 3u);
  EXPECT_EQ(hops[0].node, 2u);
  EXPECT_EQ(hops[0].vc, 0);
  EXPECT_EQ(hops[1].node, 3u);
  EXPECT_EQ(hops[1].vc, 1);
  EXPECT_EQ(hops[1].state, 1u);
  EXPECT_EQ(ring().link(hops[2].link).to, 1u);
  EXPECT_TRUE(walk(ring(), dateline{}, 2, 2, 2).empty());
  const auto all = measure_routes(ring(), dateline{}, 2);
  EXPECT_EQ(all.diameter, 3u);
  EXPECT_EQ(all.total, 24u);
  EXPECT_DOUBLE_EQ(all.mean_all, 1.5);
  EXPECT_DOUBLE_EQ(all.mean_distinct, 2);
}

TEST(path, refuses_what_a_routing_function_may_not_do) {
  const auto go = [](const routing_function& r) { return [&r] { walk(ring(), r, 0, 2, 1); }; };
  EXPECT_THAT(go(wrong_port{}),
              ThrowsMessage<std::logic_error>("route 0 -> 2 at 0: port 1 has no outgoing link"));
  EXPECT_THAT(go(no_vc{}), ThrowsMessage<std::logic_error>(HasSubstr("no such VC")));
  EXPECT_THAT(go(wide_state{}), ThrowsMessage<std::logic_error>(HasSubstr("a state beyond its bits")));
  EXPECT_THAT(go(leaves_early{}), ThrowsMessage<std::logic_error>(HasSubstr("leaves the network there")));
  EXPECT_THAT(go(goes_round{}), ThrowsMessage<std::logic_error>(HasSubstr("never arrives")));
}

/// As one_vc, with what it says of itself, and as many options.
struct boasts : one_vc {
  unsigned route(const route_request& request, route_option* options) const override {
    one_vc::route(request, options);
    options[1] = options[0];
    return count;
  }
  unsigned state_bits() const override { return bits; }
  unsigned options_at_most() const override { return most; }
  unsigned count = 1, bits = 1, most = 1;
};
struct no_port : one_vc {
  route_option hop_from(const route_request&) const override { return {3, 1, 0}; }
};

TEST(channel_dependency, refuses_more_options_states_or_ports_than_there_may_be) {
  const auto error = [](unsigned count, unsigned bits, unsigned most) {
    boasts routing;
    routing.count = count;
    routing.bits = bits;
    routing.most = most;
    return error_of<std::logic_error>([&] { find_channel_dependencies(ring(), routing, 1); });
  };
  EXPECT_EQ(error(1, 1, 1), "none");
  EXPECT_EQ(error(2, 1, 2), "none");
  EXPECT_EQ(error(1, 31, 8), "none");
  EXPECT_EQ(error(0, 1, 1), "route to 0 at 0: wrong number of options");
  EXPECT_EQ(error(2, 1, 1), "route to 0 at 0: wrong number of options");
  EXPECT_EQ(error(1, 1, 9), "too many options at most");
  EXPECT_EQ(error(1, 32, 1), "more than 31 bits of route state");
  EXPECT_EQ(error_of<std::logic_error>([] { find_channel_dependencies(ring(), no_port{}, 1); }),
            "route to 0 at 1: no such port");
}

}  // namespace
}  // namespace toriscope::channel_dependency_test
