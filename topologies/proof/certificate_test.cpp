// SPDX-License-Identifier: Apache-2.0
// Certificates: the checker takes what the prover gives, and nothing that was tampered with.
#include "topologies/proof/certificate.h"

#include <gmock/gmock.h>

#include <functional>
#include <random>
#include <set>

#include "topologies/path.h"
#include "topologies/proof/certificate_checker.h"
#include "topologies/proof/deadlock_proof.h"
#include "topologies/vc_classes.h"

namespace toriscope::certificate_test {
namespace {

using testing::HasSubstr;

struct certified {
  topology made;
  std::vector<std::uint32_t> numbers;
  certificate_check check() const {
    return check_certificate(*made.wiring, *made.routing, 4, all_vcs(4), numbers);
  }
};

certified certify(const char* spec) {
  certified result{make_topology(spec), {}};
  result.numbers = prove(*result.made.wiring, *result.made.routing, 4).numbers;
  return result;
}

TEST(certificate, of_a_proof_holds) {
  for (const char* spec : {"ttn:2,2,0", "ttn:2,2,2", "torus:6x5", "mesh:4x4x3"}) {
    const certificate_check found = certify(spec).check();
    EXPECT_TRUE(found.holds) << spec << ": " << found.objection;
    EXPECT_TRUE(found.complete);
    EXPECT_GT(found.steps, 1000u);
  }
}

// Any two channels that follow each other on a route must stand in order: equal or swapped, they fail.
TEST(certificate, mutated_is_refused) {
  certified sound = certify("ttn:2,2,0");
  const netlist& net = *sound.made.wiring;
  std::mt19937 random(4);
  for (int i = 0; i < 50; ++i) {
    const node_id source = random() % net.node_count();
    const node_id destination = random() % net.node_count();
    const auto hops = walk(net, *sound.made.routing, source, destination, 4);
    if (hops.size() < 2) continue;
    const std::size_t h = random() % (hops.size() - 1);
    certified mutant = sound;
    std::uint32_t& first = mutant.numbers[hops[h].link * 4 + hops[h].vc];
    std::uint32_t& second = mutant.numbers[hops[h + 1].link * 4 + hops[h + 1].vc];
    ASSERT_LT(first, second);
    if (i % 2 == 0)
      first = second;
    else
      std::swap(first, second);
    const certificate_check found = mutant.check();
    EXPECT_FALSE(found.holds);
    EXPECT_THAT(found.objection, HasSubstr(" may ask for "));
  }
}

/// A line of three: the links 0 and 1 join the nodes 0 and 1, the links 2 and 3 the nodes 1 and 2.
TEST(certificate, counts_what_it_compares_and_says_where_a_number_is_too_small) {
  topology_options options;
  options.vcs = 1;
  const topology line = make_topology("mesh:1x3", options);
  const auto check = [&](const std::vector<std::uint32_t>& numbers) {
    return check_certificate(*line.wiring, *line.routing, 1, 1, numbers);
  };
  // To the ends two packets ask for a link at their sources and one for the next; to the middle two for one.
  const certificate_check sound = check({0, 1, 1, 0});
  EXPECT_TRUE(sound.holds);
  EXPECT_EQ(sound.steps, 3u + 2 + 3);
  EXPECT_EQ(check({5, 1, 5, 0}).objection,
            "a packet at 01 to 02 that has come over a channel numbered 5 may ask for x+ vc0, numbered 5");
  EXPECT_EQ(check({0, 8, 1, 9}).objection,
            "a packet at 01 to 00 that has come over a channel numbered 9 may ask for x- vc0, numbered 8");
}

TEST(certificate, of_a_network_without_links_holds) {
  const certified crossbar = certify("crossbar:4");
  const certificate_check found = crossbar.check();
  EXPECT_TRUE(found.holds) << found.objection;
  EXPECT_TRUE(found.complete);
  EXPECT_EQ(found.steps, 0u);
}

TEST(certificate, of_another_network_is_refused) {
  certified mixed = certify("torus:6x5");
  mixed.numbers = certify("torus:5x6").numbers;
  EXPECT_FALSE(mixed.check().holds);
  mixed.numbers = certify("torus:5x5").numbers;
  EXPECT_THAT(mixed.check().objection, HasSubstr("400 numbers for 480 channels"));
}

TEST(certificate, of_a_rule_that_is_cyclic_there_is_none) {
  topology_options options;
  options.vc_rule = "paper";
  options.vcs = 2;
  const topology made = make_topology("ttn:2,2,0", options);
  const std::size_t channels = made.wiring->links().size() * 2;
  std::mt19937 random(7);
  std::vector<std::uint32_t> numbers(channels);
  for (std::uint32_t& n : numbers) n = static_cast<std::uint32_t>(random());
  EXPECT_FALSE(check_certificate(*made.wiring, *made.routing, 2, 3, numbers).holds);
}

/// Routes as another function does, and what is done to the answer.
class altered_routing final : public routing_function {
 public:
  using alteration = std::function<void(const route_request& request, route_option& option)>;
  altered_routing(const routing_function& sound, alteration alter)
      : sound_(sound), alter_(std::move(alter)) {}
  unsigned route(const route_request& request, route_option* options) const override {
    const unsigned count = sound_.route(request, options);
    alter_(request, options[0]);
    return count;
  }
  unsigned state_bits() const override { return sound_.state_bits(); }

 private:
  const routing_function& sound_;
  const alteration alter_;
};

TEST(certificate, some_destinations_only) {
  const certified sound = certify("torus:6x5");
  const std::uint64_t links = sound.made.wiring->links().size();
  std::set<terminal_id> destinations;
  const altered_routing noted(*sound.made.routing, [&](const route_request& request, route_option&) {
    destinations.insert(request.destination);
  });
  const auto check = [&](std::uint64_t affordable) {
    destinations.clear();
    return check_certificate(*sound.made.wiring, noted, 4, all_vcs(4), sound.numbers, affordable * links);
  };
  const certificate_check found = check(5);
  EXPECT_TRUE(found.holds);
  EXPECT_FALSE(found.complete);
  EXPECT_EQ(destinations, (std::set<terminal_id>{0, 7, 14, 21, 28})) << "odd steps pass through all columns";
  EXPECT_FALSE(check(29).complete);
  EXPECT_TRUE(check(30).complete);
  EXPECT_EQ(destinations.size(), 30u);
}

TEST(certificate, says_what_is_wrong_with_a_route) {
  const certified sound = certify("mesh:3x3");
  const netlist& net = *sound.made.wiring;
  // A packet from a corner to the next node.
  const auto objection = [&](const std::function<void(route_option&)>& alter,
                             vc_mask escape_vcs = all_vcs(4)) {
    const altered_routing altered(*sound.made.routing,
                                  [&](const route_request& request, route_option& option) {
                                    option.vcs &= escape_vcs;
                                    if (request.node == 0 && request.destination == 1) alter(option);
                                  });
    const certificate_check found = check_certificate(net, altered, 4, escape_vcs, sound.numbers);
    EXPECT_FALSE(found.holds);
    return found.objection;
  };
  const std::string packet = "a packet at " + net.address(0) + " to " + net.address(1) + " ";
  const auto to_port = [](unsigned port) {
    return [port](route_option& option) { option.out_port = static_cast<port_id>(port); };
  };
  EXPECT_EQ(objection(to_port(net.port_count(0))), packet + "is sent to a port that there is not");
  EXPECT_EQ(objection(to_port(net.local_port(0))), packet + "leaves the network there");
  for (const vc_mask vcs : {0, 0x10})
    EXPECT_EQ(objection([=](route_option& option) { option.vcs = vcs; }),
              packet + "is sent to VCs that there are not");
  EXPECT_EQ(objection([](route_option& option) { option.vcs = 0xc; }, 0x7),
            packet + "has no option of escape VCs only");
}

/// Stands still.
struct no_options final : routing_function {
  unsigned route(const route_request&, route_option*) const override { return 0; }
  unsigned state_bits() const override { return 0; }
};

TEST(certificate, says_that_a_packet_has_no_way_on) {
  const certified mesh = certify("mesh:3x3");
  EXPECT_EQ(check_certificate(*mesh.made.wiring, no_options{}, 4, all_vcs(4), mesh.numbers).objection,
            "a packet at 00 to 00 has no way on");
}

TEST(certificate, says_that_a_link_or_a_vc_is_not_there) {
  const certified one_way = certify("ucube:3,2");
  const netlist& net = *one_way.made.wiring;
  const altered_routing back(*one_way.made.routing, [&](const route_request& request, route_option& option) {
    for (port_id p = 0; request.node == 0 && p < net.local_port(0); ++p)
      if (net.ports(0)[p].out == no_link) option.out_port = p;
  });
  EXPECT_THAT(check_certificate(net, back, 4, all_vcs(4), one_way.numbers).objection,
              HasSubstr("is sent to a port without a link"));

  const certified mesh = certify("mesh:3x3");
  std::vector<own_node_values> values(9);
  values[1].vcs = 2;
  mesh.made.wiring->set_node_values(values);
  const auto check = [&](vc_mask to_node_1) {
    const netlist& wiring = *mesh.made.wiring;
    const altered_routing narrow(*mesh.made.routing, [&](const route_request& request, route_option& option) {
      const bool arrives = wiring.is_local(request.node, option.out_port);
      const link_id link = arrives ? no_link : wiring.ports(request.node)[option.out_port].out;
      option.vcs = link != no_link && wiring.link(link).to == 1 ? to_node_1 : 0xf;
    });
    return check_certificate(wiring, narrow, 4, all_vcs(4), mesh.numbers);
  };
  EXPECT_TRUE(check(0x3).holds);
  EXPECT_THAT(check(0x4).objection, HasSubstr("is sent to VCs that there are not"));
}

TEST(certificate, keeps_every_choice) {
  certificate c;
  c.options.spec = "htn:4,4,2,1";
  c.options.links = "B";
  c.options.ties = "positive";
  c.options.gates = "nearest";
  c.options.routing = "dor";
  c.options.vc_rule = "safe";
  c.options.vcs = 12;
  c.options.message_classes = 3;
  const topology_options back = certificate_from_text(to_text(c), "f").options;
  EXPECT_EQ(back.spec, "htn:4,4,2,1");
  EXPECT_EQ(back.links, "B");
  EXPECT_EQ(back.ties, "positive");
  EXPECT_EQ(back.gates, "nearest");
  EXPECT_EQ(back.routing, "dor");
  EXPECT_EQ(back.vc_rule, "safe");
  EXPECT_EQ(back.vcs, 12u);
  EXPECT_EQ(back.message_classes, 3u);
}

TEST(certificate, as_text_and_back) {
  certificate c;
  c.options.spec = "mesh:2x1";
  c.options.vcs = 3;
  c.options.ties = "";
  c.options.routing = "dor";
  c.options.vc_rule = "single";
  c.escape_vcs = 6;
  c.numbers = {1, 2, 3, 70000, 0, 6};
  const std::string text = to_text(c);
  EXPECT_EQ(text,
            "toriscope certificate 1\ntopology mesh:2x1\nlinks U\nties\ngates\nrouting dor\nvc_rule single\n"
            "vcs 3\nmessage_classes 1\nescape_vcs 1 2\nnumbers 2\n1 2 3\n70000 0 6\n");
  const certificate back = certificate_from_text(text, "f");
  EXPECT_EQ(to_text(back), text);
  EXPECT_EQ(back.numbers, c.numbers);

  const auto refused = [&](const std::string& what, const std::string& by) {
    std::string broken = text;
    broken.replace(broken.find(what), what.size(), by);
    try {
      certificate_from_text(broken, "f");
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string("taken");
  };
  EXPECT_THAT(refused("certificate 1", "certificate 2"), HasSubstr("f:1: not a certificate"));
  EXPECT_THAT(refused("ties\n", ""), HasSubstr("f:4: expected a line that begins with 'ties'"));
  EXPECT_THAT(refused("1 2 3", "1 2"), HasSubstr("f:12: expected 3 numbers"));
  EXPECT_THAT(refused("1 2 3", "1 2 x"), HasSubstr("f:12: expected numbers"));
  EXPECT_THAT(refused("70000 0 6\n", ""), HasSubstr("f:13: the file is cut off"));
  EXPECT_THAT(refused("numbers 2", "numbers 1"), HasSubstr("more lines than links"));
  EXPECT_THAT(refused("escape_vcs 1 2", "escape_vcs 3"), HasSubstr("no VC 3"));
  EXPECT_EQ(refused("numbers 2", "numbers 1"),
            "f:12: more lines than links; toriscope prove --certificate writes such files");
  EXPECT_THAT(refused("vcs 3", "vcsx 3"), HasSubstr("f:8: expected a line that begins with 'vcs'"));
  for (const char* none_or_two : {"vcs", "vcs ", "vcs 3 4"})
    EXPECT_THAT(refused("vcs 3", none_or_two), HasSubstr("f:8: expected one number")) << none_or_two;
  for (const char* beyond : {"vcs 0", "vcs 17"})
    EXPECT_THAT(refused("vcs 3", beyond), HasSubstr("f:8: expected 1 to 16 VCs"));
  EXPECT_THAT(refused("vcs 3", "vcs 16"), HasSubstr("f:12: expected 16 numbers"));
  EXPECT_THAT(refused("1 2 3", "1,2 3"), HasSubstr("f:12: expected numbers"));
  EXPECT_THAT(refused("70000", "4294967296"), HasSubstr("f:13: expected numbers"));
  EXPECT_THAT(refused("1 2 3", "1 2 3 4"), HasSubstr("f:12: expected 3 numbers"));
  EXPECT_EQ(refused("1 2 3\n", "1 2 3 \n"), "taken") << "a space at the end";
  EXPECT_EQ(refused("70000", "4294967295"), "taken");
}

}  // namespace
}  // namespace toriscope::certificate_test
