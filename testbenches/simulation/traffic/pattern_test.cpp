// SPDX-License-Identifier: Apache-2.0
// Patterns against the textbook definitions, written here once more, on strings of bits and lists of digits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>

#include "base/error_of_test.h"
#include "testbenches/simulation/traffic/bare_netlist.h"
#include "testbenches/simulation/traffic/hotspot_pattern.h"
#include "testbenches/simulation/traffic/node_address.h"
#include "testbenches/simulation/traffic/pattern_registry.h"
#include "testbenches/simulation/traffic/permutations.h"

namespace toriscope::pattern_test {
namespace {

std::shared_ptr<const netlist> flat(std::vector<unsigned> radices) {
  const auto n = static_cast<unsigned>(radices.size());
  return bare_netlist("torus", std::move(radices), {{"node", n}});
}

std::shared_ptr<const netlist> hierarchical(unsigned levels) {
  std::vector<hierarchy_level> hierarchy(levels, {"bm", 2});
  hierarchy.back().prefix = "node";
  return bare_netlist("ttn", std::vector<unsigned>(2 * levels, 4), hierarchy);
}

std::string to_bits(node_id n, unsigned bits) {
  std::string text;
  for (unsigned b = 0; b < bits; ++b) text.insert(text.begin(), (n >> b) % 2 ? '1' : '0');
  return text;
}

node_id from_bits(const std::string& text) {
  return static_cast<node_id>(std::stoul("0" + text, nullptr, 2));
}

void expect_bijection(const permutation& p) {
  EXPECT_EQ(std::set<node_id>(p.begin(), p.end()).size(), p.size());
  EXPECT_EQ(*std::max_element(p.begin(), p.end()), p.size() - 1);
}

struct bit_rule {
  const char* name;
  permutation (*table)(const netlist&);
  std::function<std::string(std::string)> text;
};

std::string mirrored(std::string s) { return {s.rbegin(), s.rend()}; }
std::string inverted(std::string s) {
  for (char& c : s) c = c == '0' ? '1' : '0';
  return s;
}
std::string rotated(std::string s) { return s.substr(1) + s.front(); }
std::string rotated_right(std::string s) { return s.back() + s.substr(0, s.size() - 1); }

TEST(permutations, of_bits_equal_the_textbook) {
  const bit_rule rules[] = {{"bit_reversal", bit_reversal, mirrored},
                            {"complement", complement, inverted},
                            {"bit_flip", bit_flip, [](std::string s) { return inverted(mirrored(s)); }},
                            {"shuffle", shuffle, rotated},
                            {"bit_rotation", bit_rotation, rotated_right}};
  for (const bit_rule& rule : rules)
    for (const unsigned bits : {1u, 2u, 5u, 8u}) {
      const auto net = flat({1u << bits});
      const permutation p = rule.table(*net);
      expect_bijection(p);
      for (node_id n = 0; n < p.size(); ++n)
        ASSERT_EQ(p[n], from_bits(rule.text(to_bits(n, bits)))) << rule.name << ' ' << bits << ' ' << n;
    }
}

TEST(permutations, of_bits_refuse_other_sizes) {
  for (const char* name : {"bit_reversal", "complement", "bit_flip", "shuffle", "bit_rotation"}) {
    const std::string error = error_of([&] { make_pattern(name, flat({6, 6})); });
    EXPECT_EQ(error,
              std::string(name) + " works on the bits of node numbers and needs 2^b nodes; torus has 36");
  }
}

TEST(permutations, of_digits_equal_the_textbook) {
  for (const auto& net : {flat({8, 8}), flat({5, 5, 5}), flat({3, 4, 3}), hierarchical(2), hierarchical(3)}) {
    const permutation half = tornado(*net), next = neighbour(*net);
    expect_bijection(half);
    expect_bijection(next);
    for (node_id n = 0; n < net->node_count(); ++n) {
      const std::vector<unsigned> from = net->digits(n);
      for (std::size_t i = 0; i < from.size(); ++i) {
        const unsigned k = net->radices()[i];
        const auto half_way = static_cast<unsigned>(std::ceil(k / 2.0)) - 1;
        ASSERT_EQ(net->digits(half[n])[i], (from[i] + half_way) % k);
        ASSERT_EQ(net->digits(next[n])[i], from[i] == k - 1 ? 0 : from[i] + 1);
      }
    }
  }
}

/// Dally and Towles 2004, Table 3.1: d_i = s_((i + b/2) mod b), bit i counted from the right.
std::string with_halves_exchanged(const std::string& s) {
  const std::size_t b = s.size();
  std::string d(b, '?');
  for (std::size_t i = 0; i < b; ++i) d[b - 1 - i] = s[b - 1 - (i + b / 2) % b];
  return d;
}

TEST(permutations, transpose_of_bits_equals_the_textbook) {
  const std::vector<std::vector<unsigned>> shapes = {
      {2, 2},    {2, 2, 2, 2, 2, 2},          {4, 4, 4}, {4, 4, 4, 4}, {8, 8}, {16},
      {2, 8, 4}, std::vector<unsigned>(10, 2)};
  for (const auto& radices : shapes) {
    const auto net = flat(radices);
    const permutation across = transpose(*net);
    expect_bijection(across);
    unsigned bits = 0;
    while (1u << bits < net->node_count()) ++bits;
    for (node_id n = 0; n < net->node_count(); ++n)
      ASSERT_EQ(to_bits(across[n], bits), with_halves_exchanged(to_bits(n, bits)))
          << radices.size() << ' ' << n;
  }
  // The hypercube of 64 nodes, by hand: 000001 sends to 001000, 110001 to 001110.
  const permutation hypercube = transpose(*flat(std::vector<unsigned>(6, 2)));
  EXPECT_EQ(hypercube[1], 8u);
  EXPECT_EQ(hypercube[49], 14u);
}

TEST(permutations, transpose_of_digits_exchanges_halves) {
  for (const auto& net : {flat({5, 5}), flat({6, 6}), flat({3, 5, 3, 5}), hierarchical(2), hierarchical(3)}) {
    const permutation across = transpose(*net);
    expect_bijection(across);
    for (node_id n = 0; n < net->node_count(); ++n) {
      const std::vector<unsigned> from = net->digits(n);
      std::vector<unsigned> to;
      std::size_t first = 0;
      for (const auto& level : net->hierarchy()) {
        for (std::size_t i = 0; i < level.digits; ++i)
          to.push_back(from[first + (i + level.digits / 2) % level.digits]);
        first += level.digits;
      }
      ASSERT_EQ(net->digits(across[n]), to);
    }
  }
}

TEST(permutations, transpose_of_an_address) {
  const auto ttn = hierarchical(3);
  EXPECT_EQ(ttn->address(transpose(*ttn)[parse_node("23.11.12", *ttn)]), "32.11.21");
  // Levels of three dimensions are reversed, the place of a CCC node in its cycle stays.
  const auto htn = bare_netlist("htn", {5, 5, 4, 4, 4}, {{"bm", 2}, {"node", 3}});
  EXPECT_EQ(htn->address(transpose(*htn)[parse_node("31.021", *htn)]), "13.120");
  const auto ccc = bare_netlist("ccc", {2, 2, 2, 2, 4}, {{"cycle", 4}, {"node", 1}});
  EXPECT_EQ(ccc->address(transpose(*ccc)[parse_node("1101.3", *ccc)]), "0111.3");
  const auto of_three = bare_netlist("h3dt", {3, 3, 3, 3, 3}, {{"bm", 2}, {"node", 3}});
  EXPECT_EQ(of_three->address(transpose(*of_three)[parse_node("12.012", *of_three)]), "21.210");
}

TEST(permutations, transpose_is_rejected_where_it_is_not_defined) {
  const auto error = [](std::vector<unsigned> radices) {
    return error_of([&] { make_pattern("transpose", flat(radices)); });
  };
  EXPECT_EQ(error({4, 8}),
            "transpose needs as many rows as columns; torus has digits of radix 4 and 8 to be exchanged");
  EXPECT_EQ(error({2, 2, 2, 2, 2}),
            "transpose needs an even number of dimensions, or of address bits; torus has 32 nodes in 5");
  for (const auto& radices : {std::vector<unsigned>{8, 8, 8}, {5, 5, 5}, {32}, {3, 4, 3}, {12, 3, 1}})
    EXPECT_THAT(error(radices), testing::HasSubstr("even number of dimensions, or of address bits"));
  const auto ccc = bare_netlist("ccc", {2, 2, 2, 3}, {{"cycle", 3}, {"node", 1}});
  EXPECT_EQ(error_of([&] { make_pattern("transpose", ccc); }),
            "transpose needs an even number of binary digits at every level; ccc has 3");
}

TEST(pattern_registry, a_pattern_that_uses_no_link_is_rejected) {
  const auto hypercube = flat(std::vector<unsigned>(6, 2));
  EXPECT_EQ(
      error_of([&] { make_pattern("tornado", hypercube); }),
      "traffic tornado: every node of torus would send all its packets to itself, and no link would be used; "
      "choose another pattern");
  pattern_options options;
  options.include_self = true;
  options.local_square = 1;
  EXPECT_THAT(error_of([&] { make_pattern("local", flat({4, 4}), options); }), testing::HasSubstr("itself"));
  EXPECT_EQ(error_of([] { make_pattern("tornado", flat({2, 3})); }), "none");
  EXPECT_THAT(error_of([] { make_pattern("tornado", flat({2})); }), testing::HasSubstr("itself"));
  options.only_self = true;
  EXPECT_EQ(error_of([&] { make_pattern("tornado", hypercube, options); }), "none");
}

TEST(pattern_registry, one_node_that_sends_to_another_is_enough) {
  pattern_options options;
  options.include_self = true;
  options.hot_probability = 1;
  for (const char* hot : {"0", "1"}) {
    options.hot_nodes = {hot};
    const auto pattern = make_pattern("hotspot", flat({2}), options);
    EXPECT_EQ(self_traffic_of(*pattern, *flat({2})).nodes, 1u) << hot;
    EXPECT_EQ(self_traffic_of(*pattern, *flat({2})).share, 0.5) << hot;
  }
}

/// Of four nodes one is named twice: a quarter of its packets are for itself, as a hot node, and a quarter of
/// the others.
TEST(pattern_registry, adds_up_all_that_a_node_sends_to_itself) {
  pattern_options options;
  options.include_self = true;
  options.hot_probability = 0.25;
  options.hot_nodes = {"1", "1"};
  const self_traffic own = self_traffic_of(*make_pattern("hotspot", flat({4}), options), *flat({4}));
  EXPECT_EQ(own.nodes, 0u);
  EXPECT_DOUBLE_EQ(own.share, (4 * 0.75 / 4 + 0.25) / 4);
}

TEST(pattern_registry, counts_the_nodes_that_send_to_themselves) {
  const auto count = [](const std::string& name, std::vector<unsigned> radices, bool self = false) {
    pattern_options options;
    options.include_self = self;
    const auto net = flat(std::move(radices));
    return self_traffic_of(*make_pattern(name, net, options), *net);
  };
  EXPECT_EQ(count("transpose", {8, 8}).nodes, 8u);
  EXPECT_DOUBLE_EQ(count("transpose", {8, 8}).share, 1.0 / 8);
  EXPECT_EQ(count("bit_reversal", {2, 2, 2, 2}).nodes, 4u);
  EXPECT_EQ(count("complement", {8, 8}).nodes, 0u);
  EXPECT_EQ(count("uniform", {4, 4}, true).nodes, 0u);
  EXPECT_DOUBLE_EQ(count("uniform", {4, 4}, true).share, 1.0 / 16);
  EXPECT_DOUBLE_EQ(count("uniform", {4, 4}).share, 0);
}

TEST(uniform, others_only_and_evenly) {
  const auto pattern = make_pattern("uniform", flat({4, 4}));
  random_stream random(3);
  std::map<node_id, int> count;
  constexpr int draws = 15000;
  for (int i = 0; i < draws; ++i) ++count[pattern->destination(5, random)];
  EXPECT_EQ(count.count(5), 0u);
  EXPECT_EQ(count.size(), 15u);
  for (const auto& [node, n] : count)
    EXPECT_NEAR(n, 1000, 4 * 30.6) << node;  // sigma = sqrt(15000 / 15 * 14 / 15)
}

TEST(uniform, self_when_asked_for) {
  pattern_options options;
  options.include_self = true;
  const auto pattern = make_pattern("uniform", flat({2, 2}), options);
  random_stream random(3);
  std::set<node_id> seen;
  for (int i = 0; i < 200; ++i) seen.insert(pattern->destination(2, random));
  EXPECT_EQ(seen, (std::set<node_id>{0, 1, 2, 3}));
}

TEST(uniform, a_single_node_sends_to_itself) {
  random_stream random(3);
  EXPECT_EQ(make_pattern("uniform", flat({1}))->destination(0, random), 0u);
}

TEST(hotspot, the_papers_hot_nodes) {
  const auto hot = [](const netlist& net, const std::string& node) {
    return net.address(hotspot_pattern::paper_hot_node(net, parse_node(node, net)));
  };
  const auto ttn = hierarchical(3);
  EXPECT_EQ(hot(*ttn, "23.11.12"), "23.00.00");
  EXPECT_EQ(hot(*ttn, "00.33.33"), "00.00.00");
  EXPECT_EQ(hot(*hierarchical(2), "21.03"), "00.00");
  const auto uneven = bare_netlist("uneven", {3, 2, 2, 2, 2, 2}, {{"top", 1}, {"bm", 2}, {"node", 3}});
  EXPECT_EQ(hot(*uneven, "2.11.111"), "2.00.000");

  // 64 x 64: parts of 16 x 16, central coordinates 7 and 8, the lower one.
  const auto torus = flat({64, 64});
  std::set<node_id> all;
  for (node_id n = 0; n < 4096; ++n) all.insert(hotspot_pattern::paper_hot_node(*torus, n));
  std::set<node_id> expected;
  for (const node_id row : {7, 23, 39, 55})
    for (const node_id column : {7, 23, 39, 55}) expected.insert(row * 64 + column);
  EXPECT_EQ(all, expected);
  EXPECT_EQ(hotspot_pattern::paper_hot_node(*torus, 17 * 64 + 63), 23u * 64 + 55);
}

TEST(hotspot, parts_of_odd_sizes_cover_the_network) {
  for (const unsigned k : {1u, 2u, 3u, 5u, 6u, 7u, 9u}) {
    const auto ring = flat({k});
    std::set<node_id> hot;
    for (node_id n = 0; n < k; ++n) {
      const node_id h = hotspot_pattern::paper_hot_node(*ring, n);
      EXPECT_EQ(hotspot_pattern::paper_hot_node(*ring, h), h) << "a hot node lies in its own part";
      hot.insert(h);
    }
    EXPECT_EQ(hot.size(), std::min(4u, k));
  }
  // Parts begin at ceil(j k / 4).
  const auto hot_nodes = [](unsigned k) {
    const auto ring = flat({k});
    std::vector<node_id> hot;
    for (node_id n = 0; n < k; ++n) hot.push_back(hotspot_pattern::paper_hot_node(*ring, n));
    return hot;
  };
  EXPECT_EQ(hot_nodes(3), (std::vector<node_id>{0, 1, 2}));
  EXPECT_EQ(hot_nodes(5), (std::vector<node_id>{0, 0, 2, 3, 4}));
  EXPECT_EQ(hot_nodes(6), (std::vector<node_id>{0, 0, 2, 3, 3, 5}));
  EXPECT_EQ(hot_nodes(7), (std::vector<node_id>{0, 0, 2, 2, 4, 4, 6}));
  EXPECT_EQ(hot_nodes(9), (std::vector<node_id>{1, 1, 1, 3, 3, 5, 5, 7, 7}));
}

TEST(hotspot, share_of_the_hot_node) {
  pattern_options options;
  options.hot_probability = 0.2;
  options.hot_nodes = {"00.00"};
  const auto net = hierarchical(2);
  const auto pattern = make_pattern("hotspot", net, options);
  random_stream random(8);
  constexpr int draws = 50000;
  const double expected = 0.2 + 0.8 / 255;
  int hot = 0;
  for (int i = 0; i < draws; ++i) hot += pattern->destination(77, random) == 0;
  EXPECT_NEAR(hot, draws * expected, 4 * std::sqrt(draws * expected * (1 - expected)));
  for (int i = 0; i < 1000; ++i)
    EXPECT_NE(pattern->destination(0, random), 0u) << "a hot node sends to others";
}

TEST(hotspot, wrong_options) {
  pattern_options options;
  for (const auto& [share, fits] : {std::pair{0., true}, {1., true}, {-0.1, false}, {1.5, false}}) {
    options.hot_probability = share;
    EXPECT_EQ(error_of([&] { make_pattern("hotspot", flat({4}), options); }),
              fits ? "none" : "the hot-spot probability must be between 0 and 1");
  }
  options.hot_probability = 0.5;
  options.hot_nodes = {"4"};
  EXPECT_EQ(error_of([&] { make_pattern("hotspot", flat({4}), options); }),
            "node '4' is out of range; expected a number from 0 to 3");
}

TEST(pattern_registry, every_pattern_makes_and_says_what_it_is) {
  for (const pattern_kind& kind : pattern_kinds()) {
    const auto pattern = make_pattern(kind.name, hierarchical(2));
    random_stream random(1);
    for (node_id n = 0; n < 256; ++n) EXPECT_LT(pattern->destination(n, random), 256u) << kind.name;
    EXPECT_FALSE(kind.summary.empty());
    EXPECT_EQ(kind.summary.find('\n'), std::string::npos);
    EXPECT_FALSE(kind.description.empty());
    EXPECT_FALSE(kind.source.empty());
  }
}

TEST(pattern_registry, unknown_name) {
  EXPECT_EQ(error_of([] { make_pattern("unifrom", flat({4})); }),
            "unknown traffic pattern 'unifrom'; did you mean 'uniform'?");
}

TEST(node_address, names_paths_and_last_parts) {
  netlist net("n", {4}, {{"node", 1}});
  for (unsigned n = 0; n < 4; ++n) net.add_node({"p0"});
  net.set_node_names({"die0.cpu-0", "die0.hub", "die1.hub", "die1.mem"},
                     {"die0.cpu_0", "die0.hub", "die1.hub", "die1.mem"});
  net.set_terminals({0, 3, 3});
  for (const char* text : {"0", "die0.cpu-0", "die0.cpu_0", "cpu-0"})
    EXPECT_EQ(parse_node(text, net), 0u) << text;
  EXPECT_EQ(parse_node("die1.hub", net), 2u);
  EXPECT_EQ(parse_node("mem", net), 3u);
  EXPECT_EQ(parse_node("3", net), 3u);
  const std::string expected = "' does not exist; expected a number from 0 to 3 or a name, such as ";
  for (const char* text : {"4", "em", "e1.mem", ".mem", "die1.mem.", "abcde"})
    EXPECT_THAT(error_of([&] { parse_node(text, net); }), testing::StartsWith("node '" + (text + expected))) << text;
  EXPECT_THAT(error_of([&] { parse_node("die0.cpu-1", net); }), testing::EndsWith(expected.substr(2) + "die0.cpu-0, " +
                                                                                  "die0.hub, die1.hub"));
  const std::string longest(200, 'q');
  EXPECT_THAT(error_of([&] { parse_node(longest, net); }), testing::StartsWith("node '" + (longest + expected)));
  EXPECT_THAT(error_of([&] { parse_node(longest + "q", net); }),
              testing::StartsWith("node '" + longest.substr(0, 150) + " ... " + longest.substr(150) + expected));
  EXPECT_EQ(error_of([&] { parse_node("hub", net); }),
            "node 'hub' does not exist; expected a number from 0 to 3 or a name, such as die0.hub, die1.hub, "
            "die1.mem")
      << "there are two";
  EXPECT_EQ(parse_terminal("cpu-0", net), 0u);
  EXPECT_EQ(parse_terminal("mem.t1", net), 2u);
  EXPECT_EQ(parse_terminal("die1.mem.t0", net), 1u);
  EXPECT_THAT(error_of([&] { parse_terminal("die1.hub", net); }),
              testing::StartsWith("terminal 'die1.hub' does not"));
  net.set_terminals({0, 3});
  for (const char* text : {"die1.hub", "2"})
    EXPECT_EQ(error_of([&] { parse_terminal(text, net); }),
              "terminal '" + std::string(text) +
                  "' does not exist; expected a number from 0 to 1 or a name, such as die1.mem, die0.cpu-0");
}

TEST(node_address, numbers_and_addresses) {
  const auto ttn = hierarchical(2);
  for (node_id n = 0; n < 256; ++n) {
    EXPECT_EQ(parse_node(std::to_string(n), *ttn), n);
    EXPECT_EQ(parse_node(ttn->address(n), *ttn), n);
  }
  const auto wide = bare_netlist("htn", {2, 12, 4}, {{"bm", 2}, {"node", 1}});
  EXPECT_EQ(parse_node(wide->address(95), *wide), 95u);
  EXPECT_EQ(parse_node("000000001_2.0_3", *ttn), parse_node("12.03", *ttn)) << "nine characters are a digit";
  for (const char* text :
       {"", "256", "-1", "1x", "40.00", "04.00", "00.40", "12.04",
        "0000000001_2.03", "12.3", "12.033", "1203.", ".12.03", "12..03", "1_2_.03", "12.03.00"})
    EXPECT_THAT(error_of([&] { parse_node(text, *ttn); }),
                testing::AllOf(
                    testing::StartsWith("node '" + std::string(text) + "' "),
                    testing::EndsWith("expected a number from 0 to 255 or an address from 00.00 to 33.33")));
}

}  // namespace
}  // namespace toriscope::pattern_test
