// SPDX-License-Identifier: Apache-2.0
// Graphs of other programs against the same network in a network file. The texts are as networkx 3.6 wrote them.
#include "topologies/custom/graph_file.h"

#include <gmock/gmock.h>

#include <fstream>

#include "base/error_of_test.h"
#include "base/test_file.h"
#include "base/words.h"
#include "topologies/custom/custom_network.h"
#include "topologies/registry.h"

namespace toriscope {
namespace {

using testing::HasSubstr;

network_file graph(const std::string& text) { return parse_network(text, "network file g"); }
std::string why_not(const std::string& text) {
  return error_of([&] { graph(text); });
}

/// Everything of a network, a line each.
std::vector<std::string> described(const network_file& file) {
  const auto net = build_custom(file);
  std::vector<std::string> lines{net->name()};
  for (node_id n = 0; n < net->node_count(); ++n) {
    lines.push_back(net->address(n) + " " + std::to_string(net->local_ports(n)) + " vcs " +
                    std::to_string(net->vcs_of(n, 4)));
    if (!net->positions().empty())
      lines.back() +=
          " at " + std::to_string(net->positions()[n].x) + " " + std::to_string(net->positions()[n].y);
  }
  for (link_id l = 0; l < net->links().size(); ++l) {
    const netlist_link& link = std::as_const(*net).link(l);
    lines.push_back(net->port_name(link.from, link.from_port) + " of " + net->address(link.from) + " to " +
                    net->port_name(link.to, link.to_port) + " of " + net->address(link.to) + " delay " +
                    std::to_string(net->own_values(l).delay_cycles) + " width " +
                    std::to_string(net->own_values(l).width_bits) + " length " + std::to_string(link.length));
  }
  return lines;
}

const char* const square = R"({"name": "ring4",
  "nodes": [{"name": "a", "position": [0, 0], "terminals": 2}, {"name": "b", "position": [1, 0]},
            {"name": "c", "position": [0, 1]}, {"name": "d", "position": [1, 1], "vcs": 2}],
  "links": [{"from": "a", "to": "b", "delay": 2}, {"from": "a", "to": "c"}, {"from": "b", "to": "d"},
            {"from": "c", "to": "d", "width": 32}]})";

std::string graphml(const std::string& edgedefault, const std::string& edges) {
  return R"(<?xml version='1.0' encoding='utf-8'?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
  <key id="d6" for="node" attr.name="vcs" attr.type="long" />
  <key id="d5" for="edge" attr.name="width" attr.type="long" />
  <key id="d4" for="edge" attr.name="delay" attr.type="long" />
  <key id="d3" for="node" attr.name="terminals" attr.type="long" />
  <key id="d2" for="node" attr.name="y" attr.type="long" />
  <key id="d1" for="node" attr.name="x" attr.type="double" />
  <key id="d0" for="graph" attr.name="name" attr.type="string" />
  <graph edgedefault=")" +
         edgedefault + R"(">
    <node id="a"><data key="d1">0.0</data><data key="d2">0</data><data key="d3">2</data></node>
    <node id="b"><data key="d1">1.0</data><data key="d2">0</data><data key="d3">1</data></node>
    <node id="c"><data key="d1">0.0</data><data key="d2">1</data><data key="d3">1</data></node>
    <node id="d"><data key="d1">1.0</data><data key="d2">1</data><data key="d3">1</data><data key="d6">2</data></node>
)" + edges +
         R"(    <data key="d0">ring4</data>
  </graph>
</graphml>)";
}

const char* const undirected_edges = R"(
    <edge source="a" target="b"><data key="d4">2</data></edge>
    <edge source="a" target="c" />
    <edge source="b" target="d" />
    <edge source="c" target="d"><data key="d5">32</data></edge>
)";
const char* const directed_edges = R"(
    <edge source="a" target="b"><data key="d4">2</data></edge>
    <edge source="a" target="c" />
    <edge source="b" target="a"><data key="d4">2</data></edge>
    <edge source="b" target="d" />
    <edge source="c" target="a" />
    <edge source="c" target="d"><data key="d5">32</data></edge>
    <edge source="d" target="b" />
    <edge source="d" target="c"><data key="d5">32</data></edge>
)";

/// @param edges  as the key is called: "edges" from networkx 3.6 on, "links" before
std::string node_link(bool directed, const std::string& edges) {
  const std::string back = R"(, {"source": "b", "target": "a", "delay": 2}, {"source": "c", "target": "a"},
      {"source": "d", "target": "b"}, {"source": "d", "target": "c", "width": 32})";
  return R"({"directed": )" + std::string(directed ? "true" : "false") +
         R"(, "multigraph": false, "graph": {"name": "ring4"},
    "nodes": [{"x": 0.0, "y": 0, "terminals": 2, "id": "a"}, {"x": 1.0, "y": 0, "terminals": 1, "id": "b"},
              {"x": 0.0, "y": 1, "terminals": 1, "id": "c"}, {"x": 1.0, "y": 1, "terminals": 1, "vcs": 2, "id": "d"}],
    ")" + edges +
         R"(": [{"source": "a", "target": "b", "delay": 2}, {"source": "a", "target": "c"}, {"source": "b", "target": "d"},
      {"width": 32, "source": "c", "target": "d"})" +
         (directed ? back : "") + "]}";
}

TEST(graph_file, is_the_network_that_a_network_file_says) {
  const std::vector<std::string> expected = described(graph(square));
  EXPECT_EQ(described(graph(graphml("undirected", undirected_edges))), expected);
  EXPECT_EQ(described(graph(graphml("directed", directed_edges))), expected);
  EXPECT_EQ(described(graph("\xef\xbb\xbf" + graphml("directed", directed_edges))), expected) << "a byte-order mark";
  for (const char* edges : {"links", "edges"})
    for (const bool directed : {false, true})
      EXPECT_EQ(described(graph(node_link(directed, edges))), expected) << edges << directed;
}

TEST(graph_file, is_read_as_a_topology) {
  const std::string path = test_file("graph_file_test.graphml");
  std::ofstream(path) << graphml("undirected", undirected_edges);
  topology_options options;
  options.spec = "file:" + path;
  EXPECT_EQ(make_topology(options).wiring->terminal_count(), 5u);
}

TEST(graph_file, one_way_edges_and_edges_that_differ_stay_links_of_their_own) {
  const network_file file = graph(R"({"directed": true, "nodes": [{"id": 0}, {"id": 1}, {"id": 2}],
      "edges": [{"source": 0, "target": 1, "delay": 2}, {"source": 1, "target": 0, "delay": 5},
                {"source": 1, "target": 2}, {"source": 2, "target": 0}]})");
  ASSERT_EQ(file.links.size(), 4u);
  for (const file_link& l : file.links) EXPECT_FALSE(l.duplex);
  EXPECT_EQ(file.links[0].delay_cycles, 2u);
  EXPECT_EQ(file.links[1].delay_cycles, 5u);
  EXPECT_EQ(file.nodes[2].name, "2");
}

TEST(graph_file, parallel_edges_get_ports_of_their_own) {
  const auto net =
      build_custom(graph(R"({"directed": false, "multigraph": true, "nodes": [{"id": "a"}, {"id": "b"}],
      "edges": [{"source": "a", "target": "b", "key": 0}, {"source": "b", "target": "a", "key": 1},
                {"source": "a", "target": "b", "key": 2}]})"));
  EXPECT_EQ(net->links().size(), 6u);
  EXPECT_EQ(net->ports(0).size(), 3u);
}

TEST(graph_file, an_edge_beside_another_names_both_of_its_ports_or_none) {
  for (const std::string port : {"from_port", "to_port"}) {
    const std::string text = R"({"directed": false, "multigraph": true, "nodes": [{"id": "a"}, {"id": "b"}],
        "edges": [{"source": "a", "target": "b"}, {"source": "a", "target": "b", ")" +
                             port + R"(": "up"}]})";
    EXPECT_EQ(error_of<std::invalid_argument>([&] { graph(text); }),
              "network file g: links[1]: 'a' and 'b' are linked already; links side by side need names for their "
              "ports (from_port, to_port)");
  }
}

TEST(graph_file, takes_names_and_positions_as_programs_write_them) {
  const network_file tuples = graph(R"x({"directed": false,
      "nodes": [{"id": [0, 1], "pos": [1.5, 2]}, {"id": [0, 2], "pos": "(3, 4.5)"}],
      "links": [{"source": [0, 1], "target": [0, 2], "weight": 2.5}]})x");
  EXPECT_EQ(tuples.nodes[0].name, "0_1");
  EXPECT_EQ(tuples.nodes[0].position, (std::vector<double>{1.5, 2}));
  EXPECT_EQ(tuples.nodes[1].position, (std::vector<double>{3, 4.5}));
  // yEd: the label stands in the drawing of the node.
  const network_file drawn = graph(R"(<graphml xmlns:y="http://www.yworks.com/xml/graphml">
    <key for="node" id="d6" yfiles.type="nodegraphics"/>
    <graph edgedefault="directed" id="G">
      <node id="n0"><data key="d6"><y:ShapeNode><y:Geometry x="1" y="2"/><y:NodeLabel>7</y:NodeLabel></y:ShapeNode></data></node>
      <node id="n1"><data key="d6"><y:ShapeNode><y:NodeLabel>cpu</y:NodeLabel></y:ShapeNode></data></node>
      <node id="n2"/>
      <edge id="e0" source="n0" target="n1"/><edge id="e1" source="n1" target="n2"/><edge id="e2" source="n2" target="n0"/>
    </graph></graphml>)");
  EXPECT_EQ(drawn.name, "G");
  EXPECT_EQ(drawn.nodes[0].name, "7");
  EXPECT_EQ(drawn.nodes[1].name, "cpu");
  EXPECT_EQ(drawn.nodes[2].name, "n2");
  EXPECT_TRUE(drawn.nodes[0].position.empty()) << "pixels are no node pitches";
}

TEST(graph_file, has_the_name_of_the_graph_where_that_is_one) {
  for (const std::string given : {"ring_4", "two words", "ring-4", "4ring", "r\u00f6hre", "module", ""}) {
    const network_file file = graph(R"({"directed": false, "graph": {"name": ")" + given +
                                    R"("}, "nodes": [{"id": 0}, {"id": 1}], "links": [{"source": 0, "target": 1}]})");
    EXPECT_EQ(file.name, given == "ring_4" ? given : "custom") << given;
  }
}

/// Nodes in a row, and how deep the data of the first are nested.
std::string row(unsigned nodes, unsigned depth) {
  std::string text = "<graphml><!-- a '<' in a comment --><?a '<b>'?><graph edgedefault='undirected'>", open, close;
  for (unsigned d = 2; d < depth; ++d) open += "<a b='/>'>", close += "</a>";
  for (unsigned n = 0; n < nodes; ++n)
    text += "<node id='" + std::to_string(n) + "'>" + (n == 0 ? open + close : "<a/>") + "</node>";
  for (unsigned n = 1; n < nodes; ++n)
    text += "<edge source='" + std::to_string(n - 1) + "' target='" + std::to_string(n) + "'/>";
  return text + "</graph></graphml>";
}

TEST(graph_file, nests_a_hundred_deep_and_has_any_number_of_elements) {
  EXPECT_EQ(graph(row(400, 3)).links.size(), 399u);
  EXPECT_EQ(graph(row(3, 99)).nodes.size(), 3u) << "the node itself is a level";
  EXPECT_EQ(why_not(row(3, 100)), "network file g: it nests more than 100 levels deep");
}

/// A quote in what the reader of XML skips hid all tags behind it, and the reader ended the program.
TEST(graph_file, quotes_outside_of_tags_hide_no_levels) {
  const auto graph_behind = [](const std::string& markup) { return markup + row(3, 3); };
  std::string levels;
  for (unsigned i = 0; i < 200000; ++i) levels += "<a>";
  for (const char* const markup :
       {"<?pi \" ?>", "<?xml version='1.0' \"?>", "<!DOCTYPE graphml ' >", "<!DOCTYPE graphml [ > <a ' ]>",
        "<!DOCTYPE\ta [[<a '>]><a '>]>", "<!ELEMENT ' >", "<!--> <a ' -->", "<?> <a ' ?>"}) {
    EXPECT_EQ(graph(graph_behind(markup)).nodes.size(), 3u) << markup;
    EXPECT_EQ(why_not(markup + levels), "network file g: it nests more than 100 levels deep") << markup;
  }
  for (const char* const markup : {"<![CDATA[ \" ]]>", "<![CDATA[ <a b='> ]]>"}) {
    EXPECT_EQ(graph("<graphml>" + (markup + row(3, 3).substr(9))).nodes.size(), 3u) << markup;
    EXPECT_EQ(why_not("<graphml>" + (markup + levels)), "network file g: it nests more than 100 levels deep");
  }
}

TEST(graph_file, takes_whole_numbers_that_were_written_with_a_point) {
  const network_file file = graph(R"({"directed": false,
      "nodes": [{"id": 0, "terminals": 0.0}, {"id": 1, "terminals": 2.0, "vcs": 3.0}],
      "links": [{"source": 0, "target": 1, "delay": 4.0, "width": 1e2}]})");
  EXPECT_EQ(file.nodes[0].terminals, 0u);
  EXPECT_EQ(file.nodes[1].terminals, 2u);
  EXPECT_EQ(file.links[0].delay_cycles, 4u);
  EXPECT_EQ(file.links[0].width_bits, 100u);
  for (const char* number : {"2.5", "-1.0", "1e15", "1e300"})
    EXPECT_THAT(why_not(std::string(R"({"directed": false, "nodes": [{"id": 0}, {"id": 1, "terminals": )") + number +
                        "}], \"links\": []}"),
                HasSubstr("network file g: nodes[1].terminals: expected a whole number"));
}

/// The data of a node or an edge in GraphML; keys are called as what they are.
std::string data_of(const nlohmann::json& values) {
  std::string text;
  for (const auto& [key, value] : values.items())
    text += "<data key='" + key + "'>" + (value.is_string() ? value.get<std::string>() : value.dump()) + "</data>";
  return text;
}

TEST(graph_file, takes_every_value_and_texts_as_texts) {
  using nlohmann::json;
  const json node = json::parse(R"({"name": "7", "terminals": 2, "group": "true", "level": 3, "vcs": 2, "depth": 5,
      "pipeline": "single_cycle", "position": [1, 2], "comment": "2024"})");
  const json edge = json::parse(R"({"delay": 4, "width": 16, "length": 6, "level": 5, "duplex": false,
      "from_port": "0", "to_port": "1", "comment": "8"})");
  std::string keys = "<key id='label' attr.name='label'/>";
  for (const json& values : {node, edge})
    for (const auto& entry : values.items()) keys += "<key id='" + entry.key() + "' attr.name='" + entry.key() + "'/>";
  const std::string xml = "<graphml>" + keys + "<graph edgedefault='undirected'><node id='a'>" + data_of(node) +
                          "</node><node id='b'>" + data_of({{"label", "9"}}) +
                          "</node><edge source='a' target='b'>" + data_of(edge) + "</edge></graph></graphml>";
  json tree = {{"directed", false}, {"nodes", {node, {{"id", "b"}, {"label", "9"}}}}, {"links", {edge}}};
  tree["nodes"][0]["id"] = "a";
  tree["links"][0].update({{"source", "a"}, {"target", "b"}});
  for (const std::string& text : {xml, tree.dump()}) {
    const network_file file = graph(text);
    const file_node& a = file.nodes.at(0);
    EXPECT_EQ(a.name, "7");
    EXPECT_EQ(a.terminals, 2u);
    EXPECT_EQ(a.group, "true");
    EXPECT_EQ(a.level, 3u);
    EXPECT_EQ(a.own.vcs, 2u);
    EXPECT_EQ(a.own.depth, 5u);
    EXPECT_EQ(a.own.pipeline, "single_cycle");
    EXPECT_EQ(a.position, (std::vector<double>{1, 2}));
    EXPECT_EQ(a.comment, "2024");
    EXPECT_EQ(file.nodes.at(1).name, "9");
    const file_link& link = file.links.at(0);
    EXPECT_EQ(link.delay_cycles, 4u);
    EXPECT_EQ(link.width_bits, 16u);
    EXPECT_EQ(link.length, 6u);
    EXPECT_EQ(link.level, 5u);
    EXPECT_FALSE(link.duplex);
    EXPECT_EQ(link.from_port, "0");
    EXPECT_EQ(link.to_port, "1");
    EXPECT_EQ(link.comment, "8");
  }
}

TEST(graph_file, is_one_by_its_links_alone) {
  const network_file file = graph(R"({"nodes": [{"id": "a"}, {"id": "b"}],
                                      "links": [{"source": "a", "target": "b"}]})");
  ASSERT_EQ(file.links.size(), 1u);
  EXPECT_EQ(file.nodes[1].name, "b");
}

TEST(graph_file, refuses) {
  EXPECT_THAT(why_not("<graphml>\n<graph>\n</graphml>"), HasSubstr("network file g:3: this is not XML: "));
  EXPECT_EQ(why_not(R"({"directed": false, "links": []})"),
            "network file g: unknown key 'directed'; known: name, comment, nodes, links, routes")
      << "without nodes it is no graph";
  EXPECT_EQ(why_not("<svg/>"), "network file g: expected GraphML: an element graphml with a graph in it");
  std::string deep;
  for (unsigned i = 0; i < 200000; ++i) deep += "<a b='>'>";
  EXPECT_EQ(why_not(deep), "network file g: it nests more than 100 levels deep");
  const auto edges = [](const std::string& text) { return graphml("undirected", text); };
  EXPECT_EQ(why_not(edges(R"(<edge source="a" target="e"/>)")),
            "network file g: links[0]: there is no node with id 'e'; did you mean 'a'?");
  EXPECT_EQ(
      why_not(edges(
          R"(<edge source="a" target="b"/><edge source="a" target="b"><data key="d4">0</data></edge>)")),
      "network file g: links[1].delay: expected a whole number from 1 to 1000, not 0");
  EXPECT_EQ(why_not(edges("<node id='g'><graph><node id='h'/></graph></node>")),
            "network file g: node 'g' is a group, with a graph of its own; expected nodes alone");
  EXPECT_EQ(why_not(edges("<hyperedge/>")), "network file g: a hyperedge; expected edges, each between two nodes");
  EXPECT_EQ(why_not("<graphml><graph><node id='a'/></graph><graph/></graphml>"),
            "network file g: two graphs; expected one");
  EXPECT_EQ(why_not(edges(R"(<node id="a"/>)")),
            "network file g: nodes[4]: there is a node with id 'a' already");
  const std::string id(201, 'x');
  EXPECT_THAT(why_not(edges("<node id='" + id + "'/><node id='" + id + "'/>")),
              testing::StartsWith("network file g: nodes[5]: there is a node with id '" + id.substr(0, 150) + " ... " +
                                  id.substr(0, 50) + "' already"));
  EXPECT_EQ(why_not(R"({"directed": false, "nodes": [{"id": 0, "terminal": 3}], "links": []})"),
            "network file g: nodes[0]: attribute 'terminal'; did you mean 'terminals'?");
  EXPECT_EQ(
      why_not(
          R"({"directed": false, "nodes": [{"id": 0}, {"id": 1}], "edges": [{"source": 0, "target": 1, "width": "wide"}]})"),
      "network file g: links[0].width: expected a whole number from 1 to 65535, not \"wide\"");
  EXPECT_EQ(why_not(R"({"directed": false, "nodes": [{"name": 0}], "edges": []})"),
            "network file g: nodes[0]: 'id' is missing");
  EXPECT_EQ(why_not(R"({"directed": false, "nodes": [{"id": 0}, {"id": 1}], "edges": [{"source": 0}]})"),
            "network file g: edges[0]: 'target' is missing");
  EXPECT_EQ(why_not(R"({"directed": false, "nodes": 4, "edges": []})"),
            "network file g: nodes: expected a list [...]");
}

TEST(graph_file, reads_coordinates_and_names_in_their_order) {
  const network_file file = graph(R"({"directed": false,
      "nodes": [{"id": 0, "x": 1, "y": 2, "z": 3, "name": "n", "label": "l"}, {"id": 1, "x": 5, "label": "l1"},
                {"id": 2, "y": 5, "name": 7, "label": "m"}, {"id": 3, "name": 7}, {"id": 4, "x": 1, "y": 2}],
      "links": []})");
  EXPECT_EQ(file.nodes[0].position, (std::vector<double>{1, 2, 3}));
  EXPECT_TRUE(file.nodes[1].position.empty()) << "x alone";
  EXPECT_TRUE(file.nodes[2].position.empty()) << "y alone";
  EXPECT_EQ(file.nodes[4].position, (std::vector<double>{1, 2}));
  EXPECT_EQ(file.nodes[0].name, "n") << "before the label";
  EXPECT_EQ(file.nodes[1].name, "l1");
  EXPECT_EQ(file.nodes[2].name, "m") << "a number is not a name";
  EXPECT_EQ(file.nodes[3].name, "3") << "the id";
  EXPECT_THAT(why_not(R"({"directed": false, "nodes": [{"id": 0}, {"id": 1, "pos": "1,here"}], "links": []})"),
              HasSubstr("nodes[1].position: expected [x, y] or [x, y, z]"));
}

TEST(graph_file, an_edge_says_itself_whether_it_is_directed) {
  const network_file file = graph(R"(<graphml><key id="k" for="edge" attr.name="duplex"/>
      <graph edgedefault="directed"><node id="a"/><node id="b"/><node id="c"/>
      <edge source="a" target="b" directed="0"/><edge source="b" target="c" directed="1"/>
      <edge source="c" target="a"><data key="k">true</data></edge></graph></graphml>)");
  ASSERT_EQ(file.links.size(), 3u);
  EXPECT_TRUE(file.links[0].duplex);
  EXPECT_FALSE(file.links[1].duplex);
  EXPECT_TRUE(file.links[2].duplex) << "by its data";
}

/// Two edges there and two back are two links both ways, the second one with ports of its own; a third stays alone.
TEST(graph_file, parallel_edges_of_one_direction_are_joined_one_by_one) {
  const network_file file = graph(R"({"directed": true, "multigraph": true, "nodes": [{"id": "a"}, {"id": "b"}],
      "edges": [{"source": "a", "target": "b"}, {"source": "a", "target": "b"}, {"source": "b", "target": "a"},
                {"source": "b", "target": "a"}, {"source": "b", "target": "a"}]})");
  ASSERT_EQ(file.links.size(), 3u);
  EXPECT_TRUE(file.links[0].duplex);
  EXPECT_EQ(file.links[0].from_port, "");
  EXPECT_TRUE(file.links[1].duplex);
  EXPECT_EQ(file.links[1].from_port + file.links[1].to_port, "m0m0");
  EXPECT_FALSE(file.links[2].duplex);
  EXPECT_EQ(file.links[2].from_port + file.links[2].to_port, "m1m1");
  EXPECT_EQ(build_custom(file)->links().size(), 5u);
}

TEST(graph_file, ports_of_parallel_edges_are_not_those_that_it_names) {
  const network_file file = graph(R"({"multigraph": true, "nodes": [{"id": "a"}, {"id": "b"}],
      "edges": [{"source": "a", "target": "b"}, {"source": "a", "target": "b"},
                {"source": "a", "target": "b", "from_port": "m0", "to_port": "m1"}]})");
  ASSERT_EQ(file.links.size(), 3u);
  EXPECT_EQ(file.links[1].from_port, "m1");
  EXPECT_EQ(file.links[1].to_port, "m0");
  EXPECT_EQ(build_custom(file)->links().size(), 6u);
}

TEST(graph_file, near_misses_of_more_than_three_letters_are_errors) {
  const auto with = [](const std::string& of_node, const std::string& of_edge) {
    return error_of<std::invalid_argument>([&] {
      graph(R"({"directed": false, "nodes": [{"id": 0)" + of_node +
            R"(}, {"id": 1}], "links": [{"source": 0, "target": 1)" + of_edge + "}]}");
    });
  };
  EXPECT_EQ(with(R"(, "vcx": 1)", ""), "none") << "three letters";
  EXPECT_EQ(with(R"(, "vcsx": 1)", ""), "network file g: nodes[0]: attribute 'vcsx'; did you mean 'vcs'?");
  EXPECT_EQ(with(R"(, "termnls": 1)", ""), "none") << "two letters are missing";
  EXPECT_EQ(with("", R"(, "delai": 1)"), "network file g: links[0]: attribute 'delai'; did you mean 'delay'?");
  EXPECT_EQ(with("", R"(, "weight": 1, "colour": "red")"), "none");
  const std::string id(201, 'x');
  EXPECT_THAT(why_not(R"({"directed": false, "nodes": [{"id": 0}, {"id": 1}],
                          "links": [{"source": 0, "target": ")" + id + R"("}]})"),
              HasSubstr("links[0]: there is no node with id '" + one_line(id, 200) + "'; "));
}

}  // namespace
}  // namespace toriscope
