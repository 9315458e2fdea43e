// SPDX-License-Identifier: Apache-2.0
#include "rtl_models/route_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <sstream>

#include "rtl_models/hashed_rows.h"
#include "topologies/registry.h"

namespace toriscope::route_table_test {
namespace {

struct routed_network {
  topology made;
  flit_layout layout;
  unsigned vcs;

  explicit routed_network(const std::string& spec, unsigned v, const std::string& routing = {}) : vcs(v) {
    topology_options options;
    options.vcs = v;
    options.routing = routing;
    made = make_topology(spec, options);
    layout = flit_layout(made.wiring->terminal_count(), made.routing->state_bits());
  }
  route_tables tables(std::vector<node_id> nodes) const {
    return {*made.wiring, *made.routing, layout, vcs, std::move(nodes)};
  }
  route_tables tables_of_all() const {
    std::vector<node_id> nodes(made.wiring->node_count());
    std::iota(nodes.begin(), nodes.end(), 0u);
    return tables(nodes);
  }
};

unsigned log2_up(unsigned n) {
  unsigned result = 0;
  while ((1u << result) < n) ++result;
  return result;
}

/// A file, read as sv/route_table.sv describes it.
class table_file {
 public:
  table_file(std::istream& in, const rtl_parameters& p) : p_(p) {
    for (std::string word; in >> word;) {
      std::string bits;  // the lowest first
      for (auto digit = word.rbegin(); digit != word.rend(); ++digit)
        for (int b = 0; b < 4; ++b)
          bits += std::stoi(std::string(1, *digit), nullptr, 16) >> b & 1 ? '1' : '0';
      words_.push_back(bits);
    }
  }
  std::size_t words() const { return words_.size(); }

  std::vector<route_option> answer(unsigned input_vc, route_state state, terminal_id destination) const {
    const unsigned field_bits = p_.state_bits + p_.destination_bits;
    std::uint64_t key = std::uint64_t{state} << p_.destination_bits | destination;
    if (p_.table.class_bits)
      key |= number(words_.at(words_.size() - p_.ports * p_.vcs + input_vc), 0, p_.table.class_bits)
             << field_bits;
    const unsigned key_bits = p_.table.class_bits + field_bits;
    if (p_.table.index_bits == 0) return options(words_.at(key));
    for (unsigned way = 0; way < 4; ++way) {
      std::size_t index = 0;
      for (unsigned b = 0; b < key_bits; ++b) {
        const unsigned piece = b / p_.table.index_bits;
        index ^= (key >> b & 1u) << (b + piece * way) % p_.table.index_bits;
      }
      const std::string& word = words_.at((std::size_t{way} << p_.table.index_bits) + index);
      if (word.find('1') != std::string::npos &&
          number(word, p_.table.options * option_bits(), key_bits) == key)
        return options(word);
    }
    return {};
  }

 private:
  unsigned option_bits() const { return p_.state_bits + p_.vcs + log2_up(p_.ports); }

  static std::uint64_t number(const std::string& bits, std::size_t first, std::size_t count) {
    std::uint64_t value = 0;
    for (std::size_t b = 0; b < count && first + b < bits.size(); ++b)
      value |= std::uint64_t{bits[first + b] == '1'} << b;
    return value;
  }

  std::vector<route_option> options(const std::string& word) const {
    std::vector<route_option> result;
    const unsigned port_bits = log2_up(p_.ports);
    for (unsigned k = 0; k < p_.table.options; ++k) {
      const unsigned at = k * option_bits();
      const route_option option{
          static_cast<port_id>(number(word, at, port_bits)),
          static_cast<vc_mask>(number(word, at + port_bits, p_.vcs)),
          static_cast<route_state>(number(word, at + port_bits + p_.vcs, p_.state_bits))};
      if (option.vcs) result.push_back(option);
    }
    return result;
  }

  rtl_parameters p_;
  std::vector<std::string> words_;
};

std::map<node_id, table_file> files_of(const route_tables& tables, const std::vector<node_id>& nodes) {
  std::map<node_id, table_file> files;
  for (const node_id n : nodes) {
    std::stringstream text;
    tables.write(n, text);
    files.emplace(n, table_file(text, tables.parameters({}, false, 0)));
    EXPECT_EQ(files.at(n).words(), tables.words());
  }
  return files;
}

/// Random packets take random VCs and options on their way; wherever they come to one of the nodes, its file
/// says what the routing function says. Returns how often that was.
unsigned follow_random_packets(const routed_network& t, const std::vector<node_id>& nodes, unsigned packets) {
  const route_tables tables = t.tables(nodes);
  const std::map<node_id, table_file> files = files_of(tables, nodes);
  const netlist& wiring = *t.made.wiring;
  const unsigned ports = tables.parameters({}, false, 0).ports;
  unsigned asked = 0;
  std::mt19937 random(1);
  for (unsigned packet = 0; packet < packets; ++packet) {
    const netlist_terminal source = wiring.terminal(random() % wiring.terminal_count());
    const auto in_vc = static_cast<std::uint8_t>(random() % t.vcs);
    const terminal_id destination = random() % wiring.terminal_count();
    route_request r{source.node, source.port, in_vc, destination, 0};
    for (unsigned hops = 0; hops < wiring.node_count(); ++hops) {
      const port_id local = wiring.local_port(r.node);
      const unsigned tied = ports - wiring.port_count(r.node);  // they stand before the local ports
      const auto of_rtl = [&](port_id p) { return p < local ? p : p + tied; };
      route_option options[routing_function::max_options];
      const unsigned count = t.made.routing->route(r, options);
      if (const auto file = files.find(r.node); file != files.end()) {
        ++asked;
        const auto found = file->second.answer(of_rtl(r.in_port) * t.vcs + r.in_vc, r.state, r.destination);
        EXPECT_EQ(found.size(), count);
        if (found.size() != count) return 0;
        for (unsigned k = 0; k < count; ++k) {
          EXPECT_EQ(found[k].out_port, of_rtl(options[k].out_port));
          EXPECT_EQ(found[k].vcs, options[k].vcs);
          EXPECT_EQ(found[k].state, options[k].state);
        }
      }
      const route_option& taken = options[random() % count];
      if (taken.out_port >= local) break;
      const netlist_link& next = wiring.link(wiring.ports(r.node)[taken.out_port].out);
      unsigned v = random() % t.vcs;
      while (!(taken.vcs >> v & 1u)) v = (v + 1) % t.vcs;
      r = {next.to, next.to_port, static_cast<std::uint8_t>(v), destination, taken.state};
    }
  }
  return asked;
}

TEST(route_table, answers_as_the_routing_function_does) {
  for (const char* spec : {"torus:4x4", "torus:3x5", "mesh:3x3", "torus:8x8", "cmesh:2x3,3", "fattree:2,4"}) {
    SCOPED_TRACE(spec);
    const routed_network t(spec, 4);
    std::vector<node_id> nodes(t.made.wiring->node_count());
    std::iota(nodes.begin(), nodes.end(), 0u);
    EXPECT_GT(follow_random_packets(t, nodes, 2000), 4000u);
  }
  EXPECT_EQ(follow_random_packets(routed_network("crossbar:8", 4), {0}, 2000), 2000u);
  EXPECT_GT(follow_random_packets(routed_network("ttn:2,2,0", 4), {0, 17, 100, 255}, 20000), 2000u);
  EXPECT_GT(follow_random_packets(routed_network("htn:4,4,2,1", 4), {0, 100, 1023}, 20000), 200u);
}

// 25 bits are asked with: nothing but a hashed table fits.
TEST(route_table, hashes_what_would_be_too_large) {
  const routed_network t("rdt:alpha,32", 5, "floating3");
  const route_tables tables = t.tables({0, 100, 777});
  const rtl_parameters p = tables.parameters({}, false, 0);
  EXPECT_GE(p.destination_bits + p.state_bits, 25u);
  EXPECT_GT(p.table.index_bits, 0u);
  EXPECT_GT(p.table.options, 1u);
  EXPECT_LT(tables.words(), 5000u);
  EXPECT_GT(follow_random_packets(t, {0, 100, 777}, 20000), 200u);
}

TEST(route_table, routers_of_all_nodes_are_built_alike) {
  const routed_network t("mesh:3x3", 2);
  const route_tables tables = t.tables({0, 4});  // a corner has two neighbours, the centre four
  router_config config;
  config.pipeline = pipeline::four_stage;
  config.vc_reallocation = vc_reallocation::atomic;
  config.vcs = 2;
  config.depth = 6;
  EXPECT_EQ(
      to_string(tables.parameters(config, true, 0)),
      "PORTS 5, VCS 2, DEPTH 6, DST_BITS 4, STATE_BITS 0, FOUR_STAGE 1, LOCAL_PORTS 1, LOCAL_CREDITS 1, "
      "DRAINED 1, OPTIONS 1, CLASS_BITS 0, INDEX_BITS 0, IN_VCS 2, OUT_DEPTH 0, "
      "NARROW 0, WEIGHT_BITS 0");
  EXPECT_EQ(tables.words(), 16u);
  const auto files = files_of(tables, {0, 4});
  const port_id local_port_of_rtl = 4;
  EXPECT_EQ(files.at(0).answer(local_port_of_rtl * 2, 0, 0).at(0).out_port, local_port_of_rtl);
  EXPECT_THROW(tables.requests(5), std::out_of_range);
}

// A leaf of a fat tree of four levels has two terminals and two links, its switches have four links.
TEST(route_table, local_ports_are_the_last_ones_in_all_nodes) {
  const routed_network t("fattree:2,4", 2);
  const netlist& wiring = *t.made.wiring;
  const node_id leaf = wiring.terminal(3).node;
  node_id spine = 0;
  while (wiring.local_ports(spine) > 0 || wiring.port_count(spine) < 4) ++spine;
  const rtl_parameters p = t.tables({leaf, spine}).parameters({}, false, 0);
  EXPECT_EQ(p.local_ports, wiring.local_ports(leaf));
  EXPECT_EQ(p.ports, wiring.port_count(spine) + wiring.local_ports(leaf));
  EXPECT_EQ(p.destination_bits, 4u);
  EXPECT_EQ(t.tables({spine}).parameters({}, false, 0).local_ports, 0u);
  const auto files = files_of(t.tables({leaf, spine}), {leaf, spine});
  for (const terminal_id to : {2u, 3u}) {
    const unsigned first = p.ports - p.local_ports;
    ASSERT_EQ(wiring.terminal(to).node, leaf);
    EXPECT_EQ(files.at(leaf).answer(first * 2, 0, to).at(0).out_port,
              first + wiring.terminal(to).port - wiring.local_port(leaf));
  }
}

/// What looks at the link that a packet came by: back where it came from, but from the own node to port 0.
class there_and_back final : public routing_function {
 public:
  explicit there_and_back(const netlist& wiring) : wiring_(wiring) {}
  unsigned route(const route_request& r, route_option* options) const override {
    const port_id local = wiring_.local_port(r.node);
    options[0] = {r.node == r.destination ? local : r.in_port == local ? port_id{0} : r.in_port, 1, 0};
    return 1;
  }
  unsigned state_bits() const override { return 0; }

 private:
  const netlist& wiring_;
};

TEST(route_table, input_vcs_of_a_class_agree) {
  const routed_network t("torus:4", 2);
  const route_tables tables(*t.made.wiring, there_and_back(*t.made.wiring), flit_layout(4, 0), 1, {2});
  // Heads that come from the own node and by port 0 agree, those that come by port 1 do not.
  EXPECT_EQ(tables.parameters({}, false, 0).table.class_bits, 1u);
  const auto files = files_of(tables, {2});
  const node_id elsewhere = 0;
  EXPECT_EQ(files.at(2).answer(0, 0, elsewhere).at(0).out_port, 0);
  EXPECT_EQ(files.at(2).answer(1, 0, elsewhere).at(0).out_port, 1);
  EXPECT_EQ(files.at(2).answer(2, 0, elsewhere).at(0).out_port, 0);
  EXPECT_EQ(files.at(2).answer(2, 0, 2).at(0).out_port, 2);
}

/// To and fro without end; the route state counts the hops.
class wanderer final : public routing_function {
 public:
  unsigned route(const route_request& r, route_option* options) const override {
    options[0] = {0, 1, (r.state + 1) & 0x1fffff};
    return 1;
  }
  unsigned state_bits() const override { return 21; }
};

TEST(route_table, refuses_what_does_not_fit) {
  const routed_network t("mesh:2", 1);
  try {
    const route_tables tables(*t.made.wiring, wanderer(), flit_layout(2, 21), 1, {0});
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("does not fit: the node is asked more than 1048576"),
              std::string::npos)
        << error.what();
  }
}

std::string text_of(const route_tables& tables, node_id node) {
  std::ostringstream text;
  tables.write(node, text);
  return text.str();
}

/// {VCs, port} by destination: to the right by port 0, to the left by port 1, to the own node by port 2.
TEST(route_table, words_of_a_file) {
  EXPECT_EQ(text_of(routed_network("mesh:3", 2).tables_of_all(), 1), "d\ne\nc\n0\n") << "there is no node 3";
  EXPECT_EQ(text_of(routed_network("mesh:2", 3).tables_of_all(), 0), "f\ne\n") << "of one digit";
  EXPECT_EQ(routed_network("crossbar:8", 4).tables({0}).parameters({}, false, 0).ports, 8u);
}

/// From the node itself to three destinations, from each side to two of them, on either VC.
TEST(route_table, requests_of_a_node) {
  EXPECT_EQ(routed_network("mesh:3", 2).tables_of_all().requests(1), 2u * (3 + 2 + 2));
  EXPECT_EQ(routed_network("mesh:3", 2).tables_of_all().requests(0), 2u * (3 + 1));
}

/// Two ways with the weights 2 and 3, but at the destination.
class weighed_ways final : public routing_function {
 public:
  explicit weighed_ways(const netlist& wiring) : wiring_(wiring) {}
  unsigned route(const route_request& r, route_option* options) const override {
    for (const port_id p : {port_id{0}, port_id{1}}) options[p] = {p, 1, 0};
    if (r.node != r.destination) return 2;
    options[0].out_port = wiring_.local_port(r.node);
    return 1;
  }
  unsigned state_bits() const override { return 0; }
  unsigned options_at_most() const override { return 2; }
  bool compares_queues() const override { return true; }
  void weigh(const route_request&, unsigned count, unsigned* weights) const override {
    for (unsigned k = 0; k < count; ++k) weights[k] = 2 + k;
  }

 private:
  const netlist& wiring_;
};

/// {3, VC 0, port 1, 2, VC 0, port 0}: 2, 1 and 2 bits each. What is the only option has no weight.
TEST(route_table, weights_of_options) {
  const routed_network t("torus:4", 2);
  const route_tables tables(*t.made.wiring, weighed_ways(*t.made.wiring), flit_layout(4, 0), 1, {2});
  EXPECT_EQ(tables.parameters({}, false, 0).table.weight_bits, 2u);
  EXPECT_EQ(text_of(tables, 2), "3b4\n3b4\n006\n3b4\n");
}

/// To and fro; the route state counts the hops up to a number.
class counter final : public routing_function {
 public:
  counter(unsigned bits, route_state most) : bits_(bits), most_(most) {}
  unsigned route(const route_request& r, route_option* options) const override {
    options[0] = {0, 1, std::min(r.state + 1, most_)};
    return 1;
  }
  unsigned state_bits() const override { return bits_; }

 private:
  unsigned bits_;
  route_state most_;
};

/// Small ones are dense, and so are larger ones all of which is asked: 8,192 words of 14 bits take less than
/// as many of 27.
TEST(route_table, the_form_that_takes_fewer_bits) {
  const routed_network t("mesh:2", 1);
  const auto tables = [&](unsigned state_bits, route_state most) {
    return route_tables(*t.made.wiring, counter(state_bits, most), flit_layout(2, state_bits), 1, {0});
  };
  EXPECT_EQ(tables(11, 2).words(), 4096u);
  EXPECT_EQ(tables(12, 4095).words(), 8192u);
  // Three states are asked with, each for two destinations.
  const route_tables few = tables(12, 2);
  EXPECT_EQ(few.words(), 8u);
  const std::string text = text_of(few, 0);
  std::istringstream lines(text);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 8);
  unsigned rows = 0;
  for (std::string line; lines >> line;) rows += line.find_first_not_of('0') != std::string::npos;
  EXPECT_EQ(rows, 6u) << text;
}

/// The key in pieces, piece j turned left by j * way bits, all added modulo 2; behind the ways before.
std::size_t row_of(std::uint64_t key, unsigned way, unsigned index_bits) {
  std::size_t index = 0;
  for (unsigned b = 0; b < 64; ++b) index ^= (key >> b & 1u) << (b + b / index_bits * way) % index_bits;
  return (std::size_t{way} << index_bits) + index;
}

TEST(hashed_rows, each_key_has_one_of_its_rows) {
  std::mt19937_64 random(3);
  std::set<std::uint64_t> drawn{0};
  while (drawn.size() < 230) drawn.insert(random() >> 24);
  const std::vector<std::uint64_t> keys(drawn.begin(), drawn.end());
  const auto rows = hashed_rows::arrange(keys, 6);
  ASSERT_TRUE(rows);
  ASSERT_EQ(rows->size(), 256u);
  EXPECT_EQ(std::count(rows->begin(), rows->end(), 0u), 256 - 230);
  for (std::uint32_t k = 0; k < keys.size(); ++k) {
    unsigned found = 0;
    for (unsigned way = 0; way < 4; ++way) found += (*rows)[row_of(keys[k], way, 6)] == k + 1;
    EXPECT_EQ(found, 1u) << keys[k];
  }
}

TEST(hashed_rows, the_first_way_that_is_free) {
  const auto rows = hashed_rows::arrange({12345}, 6);
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->at(row_of(12345, 0, 6)), 1u);
  EXPECT_FALSE(hashed_rows::arrange({1, 2, 3, 4, 5, 6, 7, 8, 9}, 1)) << "in 8 rows";
}

TEST(route_table, refuses_a_file_that_cannot_be_written) {
  const routed_network t("mesh:3x3", 1);
  EXPECT_THROW(t.tables_of_all().write_file(0, "/dev/full"), std::runtime_error);
  EXPECT_THROW(t.tables_of_all().write_file(0, "/nowhere/table.hex"), std::runtime_error);
}

}  // namespace
}  // namespace toriscope::route_table_test
