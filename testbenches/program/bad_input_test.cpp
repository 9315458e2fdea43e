// SPDX-License-Identifier: Apache-2.0
// Every bad input: exactly one line on stderr that says what is wrong, nothing on stdout, status 2, no file
// left.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "testbenches/program/program_process.h"

namespace toriscope::bad_input_test {
namespace {

struct bad_input {
  std::string name;
  std::vector<std::string> arguments;
  std::vector<std::string> said;  ///< what the line must contain
  std::string file;               ///< contents of in.txt, if any
};
std::ostream& operator<<(std::ostream& out, const bad_input& b) { return out << b.name; }

void expect_one_line(const process_result& r) {
  EXPECT_EQ(r.status, 2);
  EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
  EXPECT_THAT(r.err, testing::StartsWith("toriscope: "));
  EXPECT_EQ(r.out, "");
}

class bad_input_test : public testing::TestWithParam<bad_input> {};

TEST_P(bad_input_test, one_line_status_2_no_file) {
  const bad_input& b = GetParam();
  const program_directory dir;
  if (!b.file.empty()) dir.write("in.txt", b.file);
  const std::vector<std::string> before = dir.files();
  std::vector<std::string> arguments = b.arguments;
  if (b.arguments[0] == "run") arguments.insert(arguments.end(), {"--csv", "results.csv"});
  const process_result r = dir.run(arguments);
  expect_one_line(r);
  for (const std::string& words : b.said) EXPECT_THAT(r.err, testing::HasSubstr(words));
  EXPECT_EQ(dir.files(), before);
}

const bad_input bad_inputs[] = {
    {"option", {"run", "--rat", "0.1"}, {"unknown option '--rat'", "'--rate'"}, ""},
    {"option_far_off", {"run", "--xyzzy"}, {"unknown option '--xyzzy'", "--help"}, ""},
    {"option_without_value", {"run", "--rate"}, {"--rate needs a value"}, ""},
    {"global_option", {"--jsn"}, {"unknown option '--jsn'; see toriscope --help\n"}, ""},
    {"argument", {"run", "fast"}, {"unexpected argument 'fast'; see toriscope run --help\n"}, ""},
    {"command", {"runn"}, {"unknown command 'runn'", "'run'"}, ""},
    {"list_kind", {"list", "toplogies"}, {"toplogies", "topolog"}, ""},
    {"describe_name", {"describe", "pattern", "unifrom"}, {"unifrom", "'uniform'"}, ""},
    {"prove_option", {"prove", "--rate", "0.1"}, {"unknown option '--rate'"}, ""},
    {"prove_method", {"prove", "--method", "magic"}, {"unknown method 'magic'", "exhaustive"}, ""},
    {"cyclic_rule", {"run", "--vc-rule", "paper"}, {"not free of deadlock", "--allow-deadlock"}, ""},
    {"explain_cyclic_rule", {"explain", "--packet", "1", "--vc-rule", "paper"}, {"--allow-deadlock"}, ""},
    {"certificate_file", {"prove", "--check", "in.txt"}, {"in.txt:1: not a certificate"}, "1 2 3\n"},
    {"certificate_missing", {"prove", "--check", "none.txt"}, {"none.txt"}, ""},
    {"prove_symmetric",
     {"prove", "--topology", "torus:4x4", "--method", "symmetric"},
     {"method symmetric", "use exhaustive or sampled"},
     ""},
    {"report_nothing", {"report"}, {"RESULTS is required"}, ""},
    {"report_file", {"report", "in.txt"}, {"in.txt:1: this is not JSON"}, "latency 20\n"},
    {"report_missing", {"report", "none"}, {"none cannot be read: No such file"}, ""},
    {"report_figures", {"report", "in.txt", "-o", "-", "--figures", "f"}, {"give --output a file name"}, "[]"},
    {"describe_nothing", {"describe"}, {"KIND"}, ""},
    {"topology", {"run", "--topology", "tttn:2,2,0"}, {"unknown topology 'tttn'", "'ttn'"}, ""},
    {"not_utf8", {"record", "--traffic-file", "\xff.txt", "--output", "o"}, {"--traffic-file", "is not UTF-8"}, ""},
    {"topology_numbers", {"run", "--topology", "ttn:2,2"}, {"ttn:2,2"}, ""},
    {"topology_q", {"run", "--topology", "ttn:2,3,2"}, {"q = 2", "L = 3", "Lemma 2"}, ""},
    {"topology_size", {"run", "--topology", "mesh:8x0"}, {"mesh:8x0"}, ""},
    {"topology_huge", {"run", "--topology", "torus:99999x99999"}, {"torus:99999x99999"}, ""},
    {"links", {"run", "--links", "X"}, {"--inter-module-links", "'X'", "one_way, duplex"}, ""},
    {"ties", {"run", "--ties", "sometimes"}, {"--tie-break", "nowrap, positive, balanced"}, ""},
    {"vc_rule", {"run", "--vc-rule", "Z9"}, {"--vc-rule", "Z9"}, ""},
    {"escape_sequence", {"run", "--vc-rule", "\x1b[31m"}, {R"(--vc-rule: '\x1b[31m' is unknown)"}, ""},
    {"pipeline",
     {"run", "--pipeline", "four_stages"},
     {"--pipeline", "known: single_cycle, four_stage, paper2009"},
     ""},
    {"stages", {"run", "--stages", "rc=1,va=9"}, {"--stages", "'rc=1,va=9'", "rc=1,va=1,sa=1,st=1"}, ""},
    {"stages_twice", {"run", "--stages", "rc=1,rc=2"}, {"--stages", "at most once"}, ""},
    {"stages_name", {"run", "--stages", "rb=1"}, {"--stages", "'rb=1'"}, ""},
    {"stages_cut_off", {"run", "--stages", "rc=1,"}, {"--stages", "'rc=1,'"}, ""},
    {"stages_none", {"run", "--stages", "sa=0,st=0"}, {"sa and st are both 0"}, ""},
    {"stages_of_another",
     {"run", "--pipeline", "single_cycle", "--stages", "rc=2"},
     {"stages: the single_cycle pipeline has its own", "--pipeline custom"},
     ""},
    {"allocator",
     {"run", "--va-allocator", "slip"},
     {"--va-allocator", "input_first, output_first, islip"},
     ""},
    {"arbiter", {"run", "--arbiter", "random"}, {"--arbiter", "round_robin, matrix, age"}, ""},
    {"iterations",
     {"run", "--iterations", "9", "--sa-allocator", "islip"},
     {"--iterations", "from 1 to 8"},
     ""},
    {"iterations_of_nothing",
     {"run", "--iterations", "2"},
     {"islip_iterations", "--va-allocator islip or --sa-allocator islip"},
     ""},
    {"speculation",
     {"run", "--speculative", "--stages", "va=2"},
     {"speculative", "expected va = 1, not 2"},
     ""},
    {"adaptive_delay", {"run", "--adaptive-delay", "16"}, {"--adaptive-delay", "from 0 to 15"}, ""},
    {"paper_with_policies",
     {"run", "--pipeline", "paper2009", "--lookahead"},
     {"lookahead: the paper2009 pipeline has no look-ahead"},
     ""},
    {"pattern", {"run", "--traffic", "bitreversal"}, {"--traffic", "'bit_reversal'"}, ""},
    {"odd_size_reversal", {"run", "--topology", "mesh:6x6", "--traffic", "bit_reversal"}, {"36", "2^b"}, ""},
    {"odd_size_shuffle", {"run", "--topology", "torus:5x5", "--traffic", "shuffle"}, {"25", "2^b"}, ""},
    {"odd_size_complement", {"run", "--topology", "mesh:3x4", "--traffic", "complement"}, {"12", "2^b"}, ""},
    {"odd_size_flip", {"run", "--topology", "mesh:3x4", "--traffic", "bit_flip"}, {"12", "2^b"}, ""},
    {"transpose_of_a_rectangle", {"run", "--topology", "mesh:4x8", "--traffic", "transpose"}, {"rows"}, ""},
    {"rate_above", {"run", "--rate", "1.01"}, {"--rate", "1.01", "from 0 to 1"}, ""},
    {"rate_below", {"run", "--rate", "-0.1"}, {"--rate", "-0.1", "from 0 to 1"}, ""},
    {"rate_nan", {"run", "--rate", "nan"}, {"--rate", "from 0 to 1"}, ""},
    {"rate_text", {"run", "--rate", "fast"}, {"--rate", "fast"}, ""},
    {"depth_zero", {"run", "--depth", "0"}, {"--depth", "0", "from 1 to 64"}, ""},
    {"depth_negative", {"run", "--depth", "-4"}, {"--depth", "-4", "from 1 to 64"}, ""},
    {"depth_fraction", {"run", "--depth", "2.5"}, {"--depth", "2.5", "whole number"}, ""},
    {"depth_paper", {"run", "--pipeline", "paper2009", "--depth", "2"}, {"depth", "1"}, ""},
    {"vcs", {"run", "--vcs", "17"}, {"--vcs", "17", "from 1 to 16"}, ""},
    {"too_few_vcs", {"run", "--topology", "torus:4x4", "--vcs", "1"}, {"VC"}, ""},
    {"cycles", {"run", "--cycles", "0"}, {"--cycles", "from 1"}, ""},
    {"packet", {"run", "--packet", "0"}, {"packet length '0'"}, ""},
    {"packet_mix", {"run", "--packet", "4:0.5,16"}, {"4:0.5,16", "weight"}, ""},
    {"link_delay", {"run", "--link-delay", "0"}, {"--link-delay", "from 1 to 1000"}, ""},
    {"link_delay_model", {"run", "--link-delay", "cubic:2"}, {"--link-delay", "cubic:2", "linear:"}, ""},
    {"link_delay_too_long", {"run", "--link-delay", "linear:900"}, {"linear:900", "1000"}, ""},
    {"link_width", {"run", "--link-width", "0"}, {"--link-width", "bits"}, ""},
    {"link_too_narrow", {"run", "--link-width", "1", "--flit-bits", "256"}, {"256", "255 cycles"}, ""},
    {"link_port", {"run", "--topology", "torus:4x4", "--link", "5.q+:delay=2"}, {"'q+'", "x+"}, ""},
    {"link_nothing", {"run", "--topology", "torus:4x4", "--link", "5.x+"}, {"5.x+", "delay="}, ""},
    {"link_key", {"run", "--topology", "torus:4x4", "--link", "5.x+:color=2"}, {"color=2", "width="}, ""},
    {"dead_link_node", {"run", "--topology", "torus:4x4", "--fail-link", "16.x+"}, {"'16'", "15"}, ""},
    {"dead_link_cycle",
     {"run", "--topology", "torus:4x4", "--dead-link", "5.x+@now"},
     {"'now'", "@CYCLE"},
     ""},
    {"dead_link_local", {"run", "--topology", "torus:4x4", "--dead-link", "5.local"}, {"'local'"}, ""},
    {"link_delay_levels", {"run", "--link-delay", "1,2,3"}, {"3", "level"}, ""},
    {"seed", {"run", "--seed", "-1"}, {"--seed"}, ""},
    {"hot_node",
     {"run", "--traffic", "hotspot", "--hot-node", "256"},
     {"node '256' is out of range", "255"},
     ""},
    {"wave_window", {"run", "--wave", "ttn.*@9:2"}, {"ttn.*@9:2"}, ""},
    {"wave_glob", {"run", "--wave", "tnt.*@0:2"}, {"tnt.*"}, ""},
    {"wave_group", {"run", "--wave", "*@0:2", "--wave-groups", "links,vc"}, {"'vc'"}, ""},

    {"rtl_glob",
     {"run", "--topology", "torus:4x4", "--rtl", "torus.nod_1_1"},
     {"--rtl: no node of torus matches 'torus.nod_1_1'", "the nearest names are torus.node_1_1"},
     ""},
    {"rtl_node", {"run", "--topology", "torus:4x4", "--rtl", "16"}, {"--rtl", "'16'", "15"}, ""},
    {"rtl_seed",
     {"run", "--topology", "torus:4x4", "--rtl", "5", "--rtl-seed", "-1"},
     {"--rtl-seed: '-1'"},
     ""},
    {"rtl_pipeline",
     {"run", "--topology", "torus:4x4", "--rtl", "5", "--pipeline", "paper2009"},
     {"torus.node_1_1: the RTL router is single_cycle or four_stage; the network is paper2009"},
     ""},
    {"rtl_dead_link",
     {"run", "--topology", "torus:4x4", "--rtl", "5", "--dead-link", "5.x+"},
     {"torus.node_1_1", "dead link"},
     ""},
    {"rtl_transactions",
     {"run", "--topology", "torus:4x4", "--rtl", "5", "--fidelity", "transaction"},
     {"--rtl", "--fidelity cycle"},
     ""},
    {"cosim_without_rtl", {"cosim", "--topology", "torus:4x4"}, {"cosim needs --rtl GLOB"}, ""},
    {"cosim_option", {"cosim", "--rlt", "5"}, {"unknown option '--rlt'", "'--rtl'"}, ""},

    {"config_missing", {"run", "--config", "nowhere.json"}, {"nowhere.json"}, ""},
    {"config_key",
     {"run", "--config", "in.txt"},
     {"in.txt", "'router.dept_flits'", "'router.depth_flits'"},
     "{\"router\": {\"dept_flits\": 4}}"},
    {"config_option", {"run", "--config", "in.txt"}, {"in.txt", "'raet'", "'rate'"}, "{\"raet\": 0.1}"},
    {"config_section",
     {"run", "--config", "in.txt"},
     {"in.txt", "'ruter'", "'router'"},
     "{\"ruter\": {\"vcs\": 4}}"},
    {"config_type",
     {"run", "--config", "in.txt"},
     {"in.txt", "router.vcs", "\"four\""},
     "{\"router\": {\"vcs\": \"four\"}}"},
    {"config_range",
     {"run", "--config", "in.txt"},
     {"in.txt", "router.vcs", "from 1 to 16"},
     "{\"router\": {\"vcs\": 0}}"},
    {"config_key_twice",
     {"run", "--config", "in.txt"},
     {"in.txt: 'vcs' and 'router.vcs' set the same parameter; keep one of them\n"},
     R"({"vcs": 2, "router": {"vcs": 3}})"},
    {"config_syntax", {"run", "--config", "in.txt"}, {"in.txt:3", "JSON"}, "{\n\"rate\": 0.1,\n\"vcs\" 4}\n"},
    {"config_cut_off", {"run", "--config", "in.txt"}, {"in.txt:2", "JSON"}, "{\n\"rate\": 0.1"},
    {"config_directory", {"run", "--config", "."}, {"toriscope: . is a directory; a file is expected\n"}, ""},
    {"plan_directory",
     {"sweep", "--plan", ".", "--out", "d"},
     {"toriscope: . is a directory; a file is expected\n"},
     ""},
    {"certificate_directory", {"prove", "--check", "."}, {". is a directory; a file is expected\n"}, ""},
    {"network_directory", {"run", "--topology", "file:."}, {". is a directory; a file is expected\n"}, ""},
    {"assignment_directory",
     {"run", "--topology", "rdt:.,16"},
     {". is a directory; a file is expected\n"},
     ""},
    {"rtl_router_directory",
     {"run", "--rtl", "0", "--rtl-router", "."},
     {". is a directory; a file is expected\n"},
     ""},

    {"config_number",
     {"run", "--config", "in.txt"},
     {"toriscope: in.txt:1: number overflow parsing '1e400'\n"},
     "{\"rate\": 1e400}"},
    {"plan_number",
     {"sweep", "--plan", "in.txt", "--out", "d"},
     {"toriscope: in.txt:1: number overflow parsing '1e400'\n"},
     "{\"rate\": 1e400}"},
    {"network_number",
     {"run", "--topology", "file:in.txt"},
     {"network file in.txt:1: number overflow parsing '1e400'\n"},
     "{\"nodes\": 1e400}"},
    {"result_number",
     {"draw", "--use", "in.txt"},
     {"toriscope: in.txt:1: number overflow parsing '1e400'\n"},
     "[1e400]"},

    {"traffic_file_missing", {"run", "--traffic-file", "nowhere.txt"}, {"nowhere.txt"}, ""},
    {"traffic_file_malformed",
     {"run", "--traffic-file", "in.txt"},
     {"in.txt:2: ", "found 3"},
     "0 0 1 16\n5 1 2\n"},
    {"traffic_file_word", {"run", "--traffic-file", "in.txt"}, {"in.txt:1: ", "'x'"}, "0 x 1 16\n"},
    {"traffic_file_cut_off",
     {"run", "--traffic-file", "in.txt"},
     {"in.txt:2: ", "cut off"},
     "0 0 1 16\n5 1 2 1"},
    {"traffic_file_destination",
     {"run", "--traffic-file", "in.txt"},
     {"in.txt:3: ", "'256'", "255"},
     "# c\n0 0 1 16\n5 1 256 4\n"},
    {"traffic_file_length", {"run", "--traffic-file", "in.txt"}, {"in.txt:1: ", "length '0'"}, "0 0 1 0\n"},

    {"output_directory", {"run", "--json", "/nonexistent/r.json"}, {"cannot write /nonexistent/r.json"}, ""},
    {"output_is_a_directory", {"run", "--json", "/tmp"}, {"cannot write /tmp"}, ""},
    {"output_below_a_file", {"run", "--json", "/dev/null/r.json"}, {"cannot write /dev/null/r.json"}, ""},
    {"wave_output",
     {"run", "--wave", "*@0:1", "--wave-file", "/nonexistent/w.vcd"},
     {"cannot write /nonexistent/w.vcd"},
     ""},
    {"explain_nothing", {"explain"}, {"explain needs --packet N"}, ""},
    {"explain_no_number", {"explain", "--packet", "1st"}, {"--packet: '1st'", "whole number"}, ""},
    {"explain_negative", {"explain", "--packet", "-3"}, {"--packet: '-3'", "whole number"}, ""},
    {"explain_beyond",
     {"explain", "--topology", "mesh:2x2", "--warmup", "0", "--cycles", "500", "--drain", "0", "--rate",
      "0.2", "--packet", "9999", "--json", "story.json"},
     {"packet 9999 is not created in the 500 cycles of this run", "it creates 0 to "},
     ""},
    {"explain_silence",
     {"explain", "--topology", "mesh:2x2", "--rate", "0", "--warmup", "0", "--cycles", "50", "--packet", "0"},
     {"packet 0 is not created", "it creates none"},
     ""},
    {"explain_of_run", {"explain", "--packet", "1", "--stalls", "s.csv"}, {"unknown option '--stalls'"}, ""},
    {"explain_length", {"explain", "--packet", "1", "--packet-flits", "0"}, {"0"}, ""},
    {"stalls_nowhere", {"run", "--stalls", "no/such/s.csv"}, {"no/such/s.csv"}, ""},
    {"events_nowhere", {"run", "--events", "no/such/e.json"}, {"no/such/e.json"}, ""},
    {"usage_without_file", {"run", "--link-stats"}, {"--link-stats needs a value"}, ""},
    {"observed_on_stdout",
     {"run", "--stalls", "-", "--events", "-"},
     {"--stalls and --events both write to standard output"},
     ""},
    // Options without effect (parameter_effects.cpp, option_effects.cpp), by parameter and command.
    {"idle_hot_node",
     {"run", "--hot-node", "3"},
     {"--hot-node has no effect with --traffic uniform; use --traffic hotspot or leave it out"},
     ""},
    {"idle_hot_probability", {"run", "--hot-probability", "0.5"}, {"--hot-probability has no effect"}, ""},
    {"idle_local_square", {"run", "--local-square", "2"}, {"--local-square", "use --traffic local"}, ""},
    {"idle_local_probability", {"run", "--local-probability", "0.5"}, {"--local-probability has no"}, ""},
    {"idle_self",
     {"run", "--traffic", "neighbour", "--self"},
     {"--include-self has no effect with --traffic n"},
     ""},
    {"idle_burst", {"run", "--burst", "3"}, {"--burst has no effect", "use --arrivals on_off"}, ""},
    {"idle_batch", {"run", "--batch", "3"}, {"--batch has no effect without --traffic-mode batch"}, ""},
    {"idle_reply_queue", {"run", "--reply-queue", "2"}, {"--reply-queue has no effect without"}, ""},
    {"idle_reply_packet", {"run", "--reply-packet", "4"}, {"--reply-packet has no effect without"}, ""},
    {"idle_service_cycles", {"run", "--service-cycles", "3"}, {"--service-cycles has no effect"}, ""},
    {"idle_outstanding", {"run", "--outstanding", "3"}, {"--outstanding has no effect without"}, ""},
    {"idle_file_timing", {"run", "--file-timing", "dependencies"}, {"--file-timing", "--traffic-file"}, ""},
    {"idle_links_of_a_torus",
     {"run", "--topology", "torus:4x4", "--links", "U"},
     {"--inter-module-links has no effect with --topology torus:4x4, whose links are duplex"},
     ""},
    {"idle_ties",
     {"run", "--topology", "mesh:4x4", "--ties", "nowrap"},
     {"--tie-break has no effect with --topology mesh:4x4"},
     ""},
    {"idle_ties_of_odd_rings",
     {"run", "--topology", "torus:5x3", "--ties", "nowrap"},
     {"--tie-break has no effect with --topology torus:5x3, which leaves it no choice between two ways round a ring"},
     ""},
    {"idle_flit_bits", {"run", "--flit-bits", "32"}, {"--flit-bits has no effect without narrow links"}, ""},
    {"idle_lookahead",
     {"run", "--pipeline", "single_cycle", "--lookahead"},
     {"--lookahead has no effect with --pipeline single_cycle"},
     ""},
    {"idle_adaptive_delay",
     {"run", "--topology", "torus:4x4", "--adaptive-delay", "3"},
     {"--adaptive-delay has no effect with --routing dor"},
     ""},
    {"idle_shared_classes", {"run", "--shared-classes"}, {"--shared-classes has no effect with one"}, ""},
    {"idle_one_class",
     {"run", "--traffic-mode", "request_reply", "--message-classes", "1"},
     {"--message-classes has no effect with --traffic-mode request_reply, which has two"},
     ""},
    {"idle_transaction_router",
     {"run", "--fidelity", "transaction", "--arbiter", "age", "--sa-allocator", "islip", "--va-allocator",
      "islip", "--iterations", "2", "--check", "full"},
     {"--arbiter has", "--sa-allocator has", "--va-allocator has", "--iterations has", "--check has"},
     ""},
    {"idle_in_a_batch",
     {"run", "--traffic-mode", "batch", "--rate", "0.3", "--arrivals", "constant", "--warmup", "10",
      "--drain", "10"},
     {"--rate has no effect with --traffic-mode batch", "--arrivals has", "--warmup has", "--drain has"},
     ""},
    {"idle_with_a_file",
     {"run", "--traffic-file", "in.txt", "--traffic", "uniform", "--packet", "4", "--seed", "2"},
     {"--traffic has no effect with --traffic-file", "--packet has", "--seed has"},
     "0 0 1 16\n"},
    {"idle_several",
     {"run", "--hot-node", "3", "--burst", "3"},
     {"--burst has no effect", "; --hot-node has no effect"},
     ""},
    {"idle_stages",
     {"run", "--pipeline", "four_stage", "--stages", "rc=2"},
     {"stages: the four_stage pipeline has its own"},
     ""},
    {"idle_rtl_seed", {"run", "--rtl-seed", "3"}, {"--rtl-seed has no effect without --rtl GLOB"}, ""},
    {"idle_wave_groups", {"run", "--wave-groups", "links"}, {"--wave-groups has no effect without"}, ""},
    {"idle_wave_file", {"run", "--wave-file", "a.vcd"}, {"--wave-file has no effect without --wave"}, ""},
    {"idle_json_links", {"run", "--json-links"}, {"--json-links has no effect without --json FILE"}, ""},
    {"idle_explain", {"explain", "--packet", "3", "--wire-hash"}, {"--wire-hash has no effect"}, ""},
    {"idle_draw", {"draw", "--vcs", "8"}, {"--vcs has no effect on a drawing of the wiring"}, ""},
    {"draw_png", {"draw", "--output", "a.png"}, {"--output: draw writes SVG, but a.png ends in .png"}, ""},
    {"idle_analyze_load",
     {"analyze", "--include-self"},
     {"--include-self has no effect without --traffic PATTERN"},
     ""},
    {"idle_analyze_link",
     {"analyze", "--topology", "torus:4x4", "--traffic", "uniform", "--link", "5.x+:delay=3"},
     {"--link has no effect as a delay without --zero-load; add that or leave it out"},
     ""},
    {"idle_compare",
     {"analyze", "--compare", "mesh:4x4", "--ties", "nowrap"},
     {"--tie-break has no effect with"},
     ""},
    {"idle_prove", {"prove", "--shared-classes"}, {"--shared-classes has no effect with one message"}, ""},
    {"idle_check", {"prove", "--check", "in.txt", "--vcs", "2"}, {"--vcs has no effect with --check"}, "1"},
    {"idle_witness", {"prove", "--no-witness", "--wave", "a.vcd"}, {"--wave has no effect with --no"}, ""},
    {"idle_export", {"export", "--sv", "rtl", "--watchdog", "9"}, {"--watchdog has no effect on an"}, ""},
    {"idle_routes", {"export", "--routes", "rtl", "--depth", "4"}, {"--depth has no effect on route"}, ""},
    {"idle_record", {"record", "-o", "t.txt", "--burst", "3"}, {"--burst has no effect"}, ""},
    {"idle_replay", {"replay", "in.txt", "--outstanding", "3"}, {"--outstanding has no"}, "0 0 1 16\n"},
    {"idle_cosim", {"cosim", "--rtl", "3", "--hot-node", "3"}, {"--hot-node has no effect"}, ""},
    {"idle_sweep",
     {"sweep", "--topology", "mesh:4x4,ccc:3", "--ties", "nowrap", "--out", "d"},
     {"--tie-break has no effect with --topology mesh:4x4"},
     ""},
    {"idle_confirm",
     {"sweep", "--rates", "0.1", "--confirm", "4", "--out", "d"},
     {"--confirm has no effect with fixed --rates or --precision"},
     ""},
    {"two_on_stdout", {"run", "--json", "/dev/stdout", "--link-csv", "-"}, {"--json", "standard output"}, ""},
    {"state_in_a_file",
     {"run", "--json", "a", "--save-state", "9:a"},
     {"--json and --save-state both write to a;"},
     ""},
    {"two_in_a_file", {"run", "--json", "a", "--stalls", "a"}, {"--json and --stalls both write to a;"}, ""},
    {"two_names_of_a_file",
     {"run", "--json", "a", "--stalls", "../work/./a"},
     {"--json and --stalls both write to ../work/./a;"},
     ""},
    {"trace_and_result_in_a_file",
     {"record", "--output", "a", "--json", "a"},
     {"--json and --output both write to a; only one of them can"},
     ""},
    {"empty_wave", {"run", "--wave", ""}, {"--wave needs a value, but an empty text is given"}, ""},
    {"empty_json", {"run", "--json", ""}, {"--json needs a value, but an empty text is given"}, ""},
    {"empty_stages", {"run", "--stages", ""}, {"--stages needs a value"}, ""},
    {"empty_rates", {"sweep", "--rates", "", "--out", "d"}, {"--rates needs a value"}, ""},
    {"link_delay_twice",
     {"run", "--topology", "torus:4x4", "--link", "5.x+:delay=1:delay=2"},
     {"link '5.x+:delay=1:delay=2': delay is given twice; expected NODE.PORT:delay=CYCLES:width=BITS"},
     ""},
    {"draw_too_many", {"draw", "--topology", "crossed:15"}, {"32768 nodes; draw supports at most 16384"}, ""},
    {"bench_load",
     {"bench", "--loads", "2"},
     {"--loads: '2' is not a load; expected 0 to 1 flits/node/cycle, or saturated"},
     ""},
    {"bench_size", {"bench", "--sizes", "1"}, {"--sizes: '1' must be a whole number from 2 to 1024"}, ""},
    {"graph_without_routing",
     {"run", "--topology", "star:10"},
     {"topology 'star:10' has no routing algorithm and cannot be simulated; toriscope analyze takes it"},
     ""},
    {"network_file_of_many_nodes",
     {"run", "--topology", "file:in.txt"},
     {"nodes: expected a whole number from 2 to 4096, not 16777216"},
     R"({"nodes": 16777216, "links": []})"},
    {"configurations_in_a_configuration",
     {"sweep", "--plan", "in.txt", "--list"},
     {"in.txt: a configuration has no configurations of its own"},
     R"({"configurations": [{"configurations": []}]})"},
    {"slurm_directory",
     {"sweep", "--rates", "0.1", "--slurm", "--out", "a\ntouch b\n#"},
     {R"(--out '/)", R"(a\ntouch b\n#': with --slurm, expected a directory without control characters)"},
     ""},
    {"more_seeds_than_a_list_has",
     {"sweep", "--rates", "0.1", "--seeds", "1:60000,100001:160000,1", "--list"},
     {"--seeds: the list has more than 100000 seeds"},
     ""},
    {"topology_as_argument", {"run", "torus:8x8"}, {"did you mean --topology torus:8x8?"}, ""},
    {"link_stats_json", {"run", "--link-stats", "l.json"}, {"--link-stats l.json needs --observe"}, ""},
    {"link_stats_twice", {"run", "--link-stats", "l.csv", "--link-csv", "m.csv"}, {"--link-stats is given twice"}, ""},
};

INSTANTIATE_TEST_SUITE_P(program, bad_input_test, testing::ValuesIn(bad_inputs),
                         [](const auto& instance) { return instance.param.name; });

TEST(mpi, names_the_module_that_is_missing) {
  const program_directory dir;
  const std::string command = "cp \"$T\" alone && OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=";
  for (const char* rank : {"0", "1"}) {
    const process_result r = dir.shell(command + rank + " ./alone run");
    expect_one_line(r);
    EXPECT_THAT(r.err, testing::HasSubstr("mpirun needs libtoriscope_mpi.so, which is neither in "));
    EXPECT_EQ(r.status, 2) << "else the other rank waits for ever";
  }
}

TEST(scratch, the_directory_for_temporary_files_is_not_there) {
  const program_directory dir;
  const process_result r = dir.shell("TMPDIR=/no/such $T prove --vc-rule paper --vcs 2");
  expect_one_line(r);
  EXPECT_THAT(r.err, testing::HasSubstr("TMPDIR names no directory for temporary files: No such file or directory"));
}

// What can only be noticed in writing: the simulation is short.

TEST(full_disk, device) {
  const program_directory dir;
  const process_result r =
      dir.run({"run", "--cycles", "20", "--warmup", "0", "--drain", "0", "--json", "/dev/full"});
  EXPECT_EQ(r.status, 2);
  EXPECT_EQ(r.err, "toriscope: cannot write /dev/full: No space left on device\n");
  EXPECT_THAT(r.out, testing::HasSubstr("packet_hash")) << "what can be written is";
  EXPECT_TRUE(dir.files().empty());
}

TEST(full_disk, file) {
  // A limit on the size of files stands for the full disk: what fails is the write.
  const program_directory dir;
  dir.write("r.json", "as it was\n");
  const process_result r = dir.shell(
      "trap '' XFSZ; ulimit -f 1; \"$T\" run --cycles 20 --warmup 0 --drain 0 --json r.json --quiet");
  expect_one_line(r);
  EXPECT_THAT(r.err, testing::HasSubstr("cannot write r.json: "));
  EXPECT_THAT(dir.files(), testing::ElementsAre("r.json"));
  EXPECT_EQ(dir.read("r.json"), "as it was\n");
}

TEST(full_disk, standard_output) {
  const program_directory dir;
  for (const char* arguments :
       {"run --cycles 20 --warmup 0 --drain 0", "run --cycles 20 --json -", "list", "--help"}) {
    const process_result r = dir.shell("\"$T\" " + std::string(arguments) + " > /dev/full");
    expect_one_line(r);
    EXPECT_THAT(r.err, testing::HasSubstr("standard output"));
  }
}

}  // namespace
}  // namespace toriscope::bad_input_test
