// SPDX-License-Identifier: Apache-2.0
#include "testbenches/fuzz/parser_targets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "base/checked_json.h"
#include "base/text_file.h"
#include "base/text_hash.h"
#include "base/words.h"
#include "network/tlm/address_map.h"
#include "rtl_models/export/export_directory.h"
#include "rtl_models/user_rtl/expression.h"
#include "rtl_models/user_rtl/module_header.h"
#include "rtl_models/user_rtl/router_description.h"
#include "rtl_models/user_rtl/source_list.h"
#include "testbenches/experiments/papers/verdict_table.h"
#include "testbenches/experiments/report/result_files.h"
#include "testbenches/experiments/sweep/number_list.h"
#include "testbenches/experiments/sweep/sweep_plan.h"
#include "testbenches/fuzz/input_file.h"
#include "testbenches/fuzz/state_target.h"
#include "testbenches/simulation/configuration/link_options.h"
#include "testbenches/simulation/configuration/parameters.h"
#include "testbenches/simulation/configuration/stage_text.h"
#include "testbenches/simulation/proof_cache.h"
#include "testbenches/simulation/statistics/run_result.h"
#include "testbenches/simulation/traffic/flow_file.h"
#include "testbenches/simulation/traffic/node_address.h"
#include "topologies/custom/network_file.h"
#include "topologies/proof/certificate.h"
#include "topologies/rdt/rdt_assignment_file.h"
#include "topologies/registry.h"
#include "traces/packets/packet_reader.h"
#include "traces/packets/packet_writer.h"
#include "traces/vcd_merge.h"
#include "traces/wave_options.h"

namespace toriscope {
namespace {

const topology& small_mesh() {
  static const topology made = make_topology("mesh:4x4");
  return made;
}

/// An entry of the cache of proofs, with its key and its checksum.
void read_proof(const std::string& bytes) {
  static const scratch_directory caches;
  setenv("XDG_CACHE_HOME", caches.path().c_str(), 1);
  static const topology made = make_topology("torus:4x4");
  static const proof_cache cache(made, {});
  static const std::string file = [] {
    cache.remember({});
    return std::filesystem::directory_iterator(caches.file("toriscope"))->path().string();
  }();
  static const nlohmann::ordered_json key = read_json(file, "entry").at("key");
  nlohmann::ordered_json tree = parse_json(bytes, "entry");
  if (!tree.is_object()) throw std::invalid_argument("not an object");
  tree["key"] = key;
  tree.erase("checksum");
  tree["checksum"] = hex_text(mix_text(tree.dump()));
  replace_text_file(file, tree.dump());
  const std::optional<deadlock_proof> found = cache.find();
  if (!found) throw std::invalid_argument("no proof");
  for (const channel& c : found->cycle) to_string(*made.wiring, c);
  in_words(*made.wiring, found->unused);
  cache.remember(*found);
  if (!cache.find()) throw std::logic_error("a proof that is not found again");
}

/// Texts of options may be bytes of any kind, such as names of files.
std::string text_of(const nlohmann::ordered_json& value) {
  return value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

void same(const std::string& again, const std::string& first) {
  if (again != first) throw std::logic_error("read again it is another one:\n" + first + "\n" + again);
}

void read_certificate(const std::string& bytes) {
  const std::string text = to_text(certificate_from_text(bytes, "c"));
  same(to_text(certificate_from_text(text, "c")), text);
}

void read_wave_options(const std::string& bytes) {
  const std::size_t end = std::min(bytes.find('\n'), bytes.size());
  wave_options options;
  parse_wave_spec(bytes.substr(0, end), options);
  if (options.from > options.to) throw std::logic_error("a window that ends before it begins");
  if (end < bytes.size()) parse_wave_groups(bytes.substr(end + 1), options);
}

void read_expression(const std::string& bytes) {
  const expression read(bytes);
  for (const std::int64_t value : {0, 1, -1, 1 << 30}) {
    quantity_values values;
    for (unsigned q = 0; q < quantities; ++q) values[static_cast<quantity>(q)] = value;
    try {
      read.evaluate(values);
    } catch (const std::domain_error&) {  // a division by zero, or an overflow: says so
    }
  }
}

void read_packets(const std::string& bytes) {
  trace_reading how;
  how.node = [](std::string_view text) { return parse_node(text, *small_mesh().wiring); };
  const auto reader = open_packet_trace(std::make_unique<byte_source>("t", bytes), how);
  const auto count = [&] {
    std::uint64_t packets = 0, sum = 0;
    for (trace_packet p; packets < 100000 && reader->next(p); ++packets) sum = sum * 31 + p.cycle + p.source;
    return std::make_pair(packets, sum);
  };
  const auto first = count();
  reader->rewind();
  if (count() != first) throw std::logic_error("read again the trace has other packets");
}

void read_network(const std::string& bytes) {
  if (parse_network(bytes, "network file n.json").nodes.size() > 32) return;
  make_topology("file:" + file_with("n.json", bytes));
}

void read_plan(const std::string& bytes) {
  const std::string text = sweep_plan::from({}, bytes, "p.json").text();
  same(sweep_plan::from({}, text, "p.json").text(), text);
}

void read_configuration(const std::string& bytes) {
  run_config config, again;
  set_from_file_text(bytes, "c.json", config);
  const std::string text = text_of(as_tree(config));
  set_from_file_text(text, "c.json", again);
  same(text_of(as_tree(again)), text);
}

/// Of small networks: the text is what is tried here. What it says in its normal form is the same network.
void read_topology(const std::string& bytes) {
  topology_options options;
  options.node_limit = 256;
  const std::string spec = make_topology(bytes, options).choice.spec;
  same(make_topology(spec, options).choice.spec, spec);
}

/// "NAME VALUE", as on a command line.
void read_option(const std::string& bytes) {
  const std::size_t space = std::min(bytes.find(' '), bytes.size());
  for (const parameter& p : parameters()) {
    if (!p.is_called(bytes.substr(0, space))) continue;
    run_config config, again;
    set_from_text(p, config, bytes.substr(std::min(space + 1, bytes.size())));
    set_from_json(p, again, p.get(config));
    same(text_of(p.get(again)), text_of(p.get(config)));
  }
}

void read_flow_file(const std::string& bytes) {
  flow_setting setting;
  setting.traffic.flows = file_with("f.json", bytes);
  setting.message_classes = 2;
  read_flows(setting, *small_mesh().wiring);
}

void read_map(const std::string& bytes) { parse_address_map(bytes, "address map m.json", *small_mesh().wiring); }

void read_links(const std::string& bytes) {
  const netlist& wiring = *small_mesh().wiring;
  const auto attempt = [](auto&& parse) {
    try {
      parse();
    } catch (const std::invalid_argument& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  attempt([&] { parse_node(bytes, wiring); });
  attempt([&] { parse_dead_link(bytes, wiring); });
  netlist changed = wiring;
  const std::string wrong = attempt([&] { apply_link_override(bytes, changed, 64); });
  parse_link(bytes, wiring);
  if (wrong.empty()) throw std::logic_error("a link without a change is taken for a change");
}

/// A list of loads, a list of seeds, or stages: rejected when it is none of them.
void read_numbers(const std::string& bytes) {
  std::string wrong;
  unsigned read = 0;
  const auto attempt = [&](auto&& parse) {
    try {
      parse();
      ++read;
    } catch (const std::invalid_argument& e) {
      wrong = e.what();
    }
  };
  attempt([&] {
    const std::vector<double> loads = load_list(bytes);
    if (!std::is_sorted(loads.begin(), loads.end())) throw std::logic_error("loads that do not ascend");
  });
  attempt([&] { seed_list(bytes); });
  attempt([&] { stage_counts_of(bytes); });
  if (read == 0) throw std::invalid_argument(wrong);
}

void read_export_list(const std::string& bytes) {
  const std::string list = file_with("export.txt", bytes);
  try {
    export_directory("--sv", list.substr(0, list.rfind('/')), export_directory::kind::listed).check();
  } catch (const std::runtime_error& e) {  // a name that the file system does not take
    throw std::invalid_argument(e.what());
  }
}
void read_assignment(const std::string& bytes) { read_rdt_assignment(file_with("a.json", bytes)); }
void read_description(const std::string& bytes) { router_description::read(file_with("r.json", bytes)); }
void read_file_list(const std::string& bytes) {
  const std::string path = file_with("l.f", bytes);
  source_list list(path.substr(0, path.rfind('/')));
  list.add_list("l.f");
}
void read_module_header(const std::string& bytes) { header_of(bytes, "m"); }
void read_result(const std::string& bytes) {
  const run_result result = from_json(bytes);
  result.histogram();
  result.figures();
  result.interval("latency.interval_95");
}
void read_verdicts(const std::string& bytes) {
  const std::string text = verdicts_as_json(verdicts_from_json(bytes));
  same(verdicts_as_json(verdicts_from_json(text)), text);
}
void read_report(const std::string& bytes) { read_results({file_with("s.json", bytes)}); }

constexpr const char* small_vcd = R"($timescale 1 ns $end
$scope module net $end
$var wire 4 ! count $end
$upscope $end
$enddefinitions $end
#0
b1010 !
#5
b0 !
)";

void read_vcd(const std::string& bytes) {
  const std::string first = file_with("first.vcd", small_vcd), second = file_with("second.vcd", bytes);
  try {
    merge_vcd({first, {}}, {second, {}}, test_file("merged.vcd"));
  } catch (const std::runtime_error& e) {  // a file of our own: another type of error
    if (!begins_with(e.what(), second)) throw;
    throw std::invalid_argument(e.what());
  }
}

/// That of the tutorial, with its sources where they are.
/// @param file  of rtl_models
std::string a_description(const std::string& file) {
  const std::string path = TORISCOPE_ROOT "/rtl_models/" + file,
                    directory = path.substr(0, path.rfind('/') + 1);
  nlohmann::ordered_json tree = read_json(path, "description");
  for (const char* const key : {"sources", "file_list"}) {
    if (tree.contains(key) && tree[key].is_string())
      tree[key] = directory + tree[key].get<std::string>();
    else if (tree.contains(key))
      for (auto& source : tree[key]) source = directory + source.get<std::string>();
  }
  return tree.dump();
}

/// Of two packets, the second of which waits for the first, as the name says (traces/packets/packet_writer.h).
std::string a_recorded_trace(const std::string& name) {
  const auto writer = create_packet_trace(test_file(name), {true, false, 16, "mesh:4x4", "", ""});
  writer->write({0, 3, 0, 5, 1, 0, {}, 0});
  writer->write({1, 3, 7, 5, 4, 0, {0}, 4});
  writer->close(40);
  std::ifstream file(test_file(name), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string decompressed(const std::string& bytes) { return byte_source("t", bytes).take(1 << 20); }

/// A request, and its response (docs/packet_traces.md, "Netrace").
std::string a_netrace() {
  const auto number = [](std::uint64_t value, unsigned bytes) {
    std::string text;
    for (; bytes > 0; --bytes, value >>= 8) text += static_cast<char>(value & 255);
    return text;
  };
  const auto message = [&](unsigned cycle, unsigned id, unsigned type, unsigned from, unsigned to, unsigned more) {
    return number(cycle, 8) + number(id, 4) + number(0, 4) + number(type, 1) + number(from, 1) + number(to, 1) +
           number(2, 1) + number(more, 1);
  };
  return "UTJH" + number(0x3f800000, 4) + std::string(30, '\0') + number(64, 1) + number(0, 1) + number(100, 8) +
         number(2, 8) + number(0, 4) + number(0, 4) + number(0, 8) + message(5, 10, 1, 3, 40, 1) + number(13, 4) +
         message(9, 13, 2, 40, 3, 0);
}

}  // namespace

const std::vector<parser_target>& parser_targets() {
  static const std::vector<parser_target> targets{
      {"address_map",
       read_map,
       {R"({"ranges": [{"node": 5, "base": "0x80000000", "size": "0x1000"}, {"node": "node_1_2", "base": "0x0", "size": 4096,)"
        R"( "access": "r", "target_base": "0x100"}]})"},
       {"0xffffffffffffffff", "18446744073709551616", "-1", "1e999", "\"ranges\"", "\"rw\"", "null", "[[[["}},
      {"certificate",
       read_certificate,
       {"toriscope certificate 1\ntopology mesh:2x1\nlinks\nties\ngates\nrouting dor\nvc_rule\nvcs 1\n"
        "message_classes 1\nescape_vcs 0\nnumbers 2\n0\n1\n"},
       {"escape_vcs", "numbers", "topology", "routing", "4294967295"}},
      {"configuration",
       read_configuration,
       {text_of(as_tree(run_config())), R"({"topology": "ttn:2,2,0", "depth": 4, "packet": "1:0.5,9:0.5"})"},
       {"\"router\"", "\"traffic\"", "\"dead_links\"", "1e999", "null", "[[[["}},
      {"file_list",
       read_file_list,
       {"+incdir+inc+../x +define+A+B=2\n-I x -D C=1 // none\n/* none */ l.f -v l.f\n", "-F none.f\n",
        "?.f l.*\n"},
       {"-f l.f", "-F", "-y", "+incdir+", "+define+", "$", "/*", "*/", "//", "#", "l.f", "*", "?"}},
      {"export_list",
       read_export_list,
       {"0123456789abcdef rtl/a.sv\n0123456789abcdef export.h\n"},
       {"/", "..", " "}},
      {"expression",
       read_expression,
       {"(x + 3) * size_x % 5", "-(1 - y) / depth + dest_x"},
       {"id", "9223372036854775807", "-", "(", "*", "/", "%"}},
      {"flows",
       read_flow_file,
       {R"({"clock_ghz": 1.5, "groups": {"m": ["0", 5, "*_3"]}, "flows": [{"name": "a", "from": "m", "to": "node_3_2",)"
        R"( "rate": 0.05, "packet": "8:1,16:1", "class": 1, "latency_bound": 60}, {"name": "b", "from": ["1"], "to": 2,)"
        R"( "bandwidth": 2.4, "arrivals": "on_off", "burst": 4}]})",
        ",node_0_0,5\n1,0.1,0.2\n# none\nnode_3_3,,1e-3\n"},
       {"1e999", "-1", "null", "\"from\"", "\"*\"", ",", "\n", "65536", "[[[["}},
      {"links",
       read_links,
       {"0.x+", "5.y-:delay=2:width=16", "12.x-@300", "1,2"},
       {":delay=", ":width=", "@", "4294967296"}},
      {"module_header",
       read_module_header,
       {"module m import a::*; #(parameter int N = 5, M = N + 1, localparam type T = logic [N-1:0])\n"
        "  ((* keep = \"x\" *) input logic clk_i, input T [N:0] a_i, b_i [2], link.to_router in [N], link "
        "out);",
        "module a; endmodule macromodule automatic m (output wire logic [1:0] q = {1'b0, \"(\"}, inout p);"},
       {"module m ", "#(", "(", ")",      "[",      "]",          "{",           "}",     "\"", "(*",
        "*)",        ",",  ".", "import", "input ", "parameter ", "localparam ", "type ", ";",  "="}},
      {"network",
       read_network,
       {R"({"name": "ring", "nodes": ["a", "b", "c"], "links": [{"from": "a", "to": "b"}, {"from": "b", "to": "c"},)"
        R"( {"from": "c", "to": "a", "delay": 3}]})",
        R"({"nodes": 2, "links": [{"from": 0, "to": 1, "from_port": "e", "to_port": "w", "width": 8}], "routes": )"
        R"({"0": {"1": {"port": "e", "vcs": [0]}}, "1": {"*": {"port": "w"}}}})",
        R"({"directed": true, "nodes": [{"id": [0, 1], "pos": [1.5, 2]}, {"id": "b", "vcs": 2}], "edges": )"
        R"([{"source": [0, 1], "target": "b", "delay": 2.0}, {"source": "b", "target": [0, 1]}]})",
        R"(<?pi " ?><!DOCTYPE g ["]><graphml><![CDATA["]]><key id="d0" for="node" attr.name="terminals"/><graph>)"
        R"(<node id="a"/><node id="b"><data key="d0">2</data></node><edge source="a" target="b"/></graph></graphml>)"},
       {"<a>", "<node id=", "</node>", "<edge source=", "<data key=", "<![CDATA[", "&#65;", "\"nodes\"",
        "\"links\"", "\"routes\"", "\"duplex\"", "\"level\"", "\"length\"", "1e999"}},
      {"numbers",
       read_numbers,
       {"0.1,0.2,0.4", "0.01:0.5:0.01", "1:3", "rc=1,va=1,sa=1,st=2"},
       {":", ",", "1e-300", "1e999", "18446744073709551615", "st="}},
      {"option",
       read_option,
       {"packet 1:0.5,9:0.5", "link-delay linear:0.5", "stages rc=2", "rate 0.25", "topology torus:4x4",
        "hot-nodes 1,2", "fail-link 0.x+@20"},
       {"packet ", "arrivals ", "on_off:", "link ", "seed ", "99999999999999999999", "1e999"}},
      {"packets",
       read_packets,
       {"# toriscope packets 1\n0 0 1 4\n5 11 2 16\n9 3 12 1\n", "0 0 1 4\n3 1 0 4 class=1\n", a_netrace(),
        decompressed(a_recorded_trace("t.gz")), decompressed(a_recorded_trace("t.txt.gz")),
        a_recorded_trace("t.gz"), a_recorded_trace("t.zst"), a_recorded_trace("t.txt.zst")},
       {"# ", "class=", "end", "18446744073709551615", "after="}},
      {"plan",
       read_plan,
       {R"({"topology": ["torus:4x4", "mesh:4x4"], "rates": "0.1:0.3:0.1", "seeds": [1, 2]})",
        R"({"rates": "auto", "vcs": [2, 4], "depth": [4, 8], "topology": "mesh:4x4"})"},
       {"\"vcs\"", "\"tolerance\"", "\"rates\"", "\"zip\"", "1e999"}},
      {"proof",
       read_proof,
       {R"({"verdict": 1, "method": "symmetric", "vcs": 4, "channels": 256, "dependencies": 999, "reason": "so",)"
        R"( "escape_vcs": 5, "needs_atomic_vcs": true, "cycle": [[3, 1], [63, 3]], "unused": [[3, 16, 7]]})"},
       {"\"cycle\"", "\"vcs\"", "[63, 3]", "-1", "1e999", "18446744073709551616", "0", "null", "[[[["}},
      {"rdt_assignment",
       read_assignment,
       {R"({"class_ranks": {"0,0": 2, "1,0": 1, "2,0": 4, "3,0": 3, "0,1": 4, "1,1": 3, "2,1": 2, "3,1": 1}})"},
       {"\"class_ranks\"", "\"0,0\"", "5", "-1"}},
      {"result",
       read_result,
       {R"({"config": {}, "results": {"stable": true, "latency": {"mean": 9.5, "interval_95": [9, 10],
            "histogram": {"first": 8, "bin_width": 4, "counts": [3, 1]}}}})",
        R"({"config": {}, "results": {"failure": "x"}, "failure": {"kind": "deadlock", "detail": ["a"]}})"},
       {"\"counts\"", "\"bin_width\"", "\"histogram\"", "18446744073709551615", "1e999", "null"}},
      {"results",
       read_report,
       {R"({"config": {"topology": {"spec": "mesh:4x4"}}, "results": {"accepted": 0.1, "latency.mean": 12.5}})",
        R"({"from_cycle": 0, "links": [{"name": "0 x+ -> 1", "utilisation": 0.1}]})",
        R"([{"verdict": "reproduced"}])"},
       {"\"curves\"", "\"points\"", "\"config\"", "\"results\"", "\"links\"", "1e999"}},
      {"router_description",
       read_description,
       {a_description("sv_wormhole/wormhole.json"), a_description("user_rtl/test_rtl/styled_planes.json"),
        a_description("user_rtl/test_rtl/flat_planes.json")},
       {"\"flit\"", "\"ports\"", "\"ties\"", "\"in\"", "\"out\"", "{node}", "1e999", "\"file_list\"",
        "\"idle\"", "\"on_off\"", "\"slack\"", "\"verilator_options\"", "[7:4]", "'{",
        "{routes:one_hot:reversed}", ".member", "*?"}},
      {"state",
       read_state,
       {a_state('s'), a_state('r'), a_state('f'), a_state('d'), a_state('p'), a_state('o'), a_state('c'),
        a_state('m'), a_state('v'), a_state('x')},
       {std::string(1, '\0'), "\1", "\2", "\377\377\3", std::string(8, '\0')}},
      {"topology",
       read_topology,
       {"ttn:2,2,0", "torus:4x4", "cube:2,3", "ccc:3", "chiplets:mesh:2x2+mesh:4x4", "dragonfly:1,2,1",
        "fattree:2,3"},
       {"mesh:", "htn:", "rdt:", "kautz:", "x", ",", "+", "-", "0", "1", "@", ":", "4294967296"}},
      {"vcd", read_vcd, {small_vcd}, {"$var", "$end", "$scope", "#", "18446744073709551615", "$dumpvars"}},
      {"verdicts",
       read_verdicts,
       {R"([{"paper": "p", "item": "Table 1: a", "printed": 1.5, "ours": "a text", "tolerance": "5 %", "verdict":)"
        R"( "not run", "provenance": "built", "reading": "", "other_readings": "", "reason": "why", "command": "",)"
        R"( "beneath": ["x"]}, {"paper": "p", "item": "b", "printed": null, "ours": 1e300, "tolerance": "", "verdict":)"
        R"( "differs", "provenance": "none", "reading": "", "other_readings": "", "reason": "", "command": "",)"
        R"( "beneath": []}])"},
       {"\"verdict\"", "\"reproduced\"", "\"printed\"", "1e999", "null", "[[[[", "\"beneath\""}},
      {"wave_options",
       read_wave_options,
       {"*", "ttn.bm_0_0.*@2000:2400\nlinks,vcs", "a,b@:7\nall"},
       {"@", ":", "*", "links", "18446744073709551616"}},
  };
  return targets;
}

bool check_parser(const parser_target& target, const std::string& bytes) {
  try {
    target.read(bytes);
    return true;
  } catch (const std::invalid_argument& e) {
    const std::string message = e.what();
    if (message.empty() || message.size() > std::max<std::size_t>(4096, bytes.size() > 8192 ? 4 * bytes.size() : 0))
      throw std::logic_error(fmt::format("a message of {} bytes", message.size()));
    // The program escapes what control characters the input has; a line break of our own there is none.
    if (message.find('\n') != std::string::npos && bytes.find('\n') == std::string::npos)
      throw std::logic_error("several lines: " + message);
    return false;
  } catch (const std::logic_error&) {
    throw;
  } catch (const std::exception& e) {
    throw std::logic_error(std::string("not an std::invalid_argument: ") + e.what());
  }
}

}  // namespace toriscope
