// SPDX-License-Identifier: Apache-2.0
// libtoriscope.so as its users have it: what a network does without SystemC's kernel is what the program does with it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <toriscope/c_api.h>

#include <array>
#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/json.h"
#include "testbenches/c_api/owned_network.h"
#include "testbenches/program/program_process.h"
#include "traces/vcd_reader.h"

namespace toriscope {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

// What programs of ABI 1 have been compiled with.
static_assert(TORISCOPE_ABI == 1);
static_assert(sizeof(toriscope_packet) == 56 && offsetof(toriscope_packet, ended) == 24 &&
              offsetof(toriscope_packet, source) == 32 && offsetof(toriscope_packet, fate) == 52);
static_assert(sizeof(toriscope_statistics) == 128 && offsetof(toriscope_statistics, latency_sum) == 72 &&
              offsetof(toriscope_statistics, packet_hash) == 120);

std::string error_of(const json& config, unsigned flags = 0) {
  const owned net(toriscope_create(config.dump().c_str(), flags));
  EXPECT_FALSE(net);
  return toriscope_error();
}

/// As the program's option.
json by_program(const program_directory& d, const json& config, const strings& options = {}) {
  d.write("config.json", config.dump());
  return json_of(d, with({"run", "--config", "config.json", "--json", "-", "--json-links"}, options));
}

const std::vector<json>& configurations() {
  static const std::vector<json> all = {
      {{"topology", "torus:4x4"}, {"rate", 0.3}, {"cycles", 1500}, {"warmup", 300}, {"wire_hash", true}},
      {{"topology", "ttn:2,2,0"},
       {"rate", 0.02},
       {"cycles", 800},
       {"pipeline", "paper2009"},
       {"wire_hash", true}},
      {{"topology", "mesh:4x4"},
       {"traffic_mode", "request_reply"},
       {"rate", 0.1},
       {"cycles", 1000},
       {"message_classes", 2},
       {"vcs", 4}},
      {{"topology", "mesh:4x4"}, {"traffic_mode", "batch"}, {"batch", 20}, {"traffic", "transpose"}},
      {{"topology", "hypercube:4"}, {"rate", 0.3}, {"precision", 0.05}, {"cycles", 1000}},
      {{"topology", "torus:4x4"}, {"rate", 0.2}, {"cycles", 1000}, {"fail_link", {"01.x+@700"}}},
      {{"topology", "torus:8x8"}, {"rate", 0.2}, {"cycles", 1500}, {"fidelity", "transaction"}},
      {{"topology", "mesh:4x4"}, {"traffic_mode", "batch"}, {"batch", 20}, {"fidelity", "transaction"}},
  };
  return all;
}

TEST(c_api, a_run_has_the_results_of_the_program) {
  const program_directory d;
  for (const json& config : configurations()) {
    SCOPED_TRACE(config.dump());
    json expected = by_program(d, config);
    const owned net = made(config);
    ASSERT_TRUE(net);
    ASSERT_EQ(toriscope_run(net.get()), TORISCOPE_OK) << toriscope_error();
    json results = json::parse(toriscope_results(net.get()));
    for (json* r : {&expected, &results}) r->erase("performance");
    EXPECT_EQ(results, expected);
    EXPECT_EQ(json::parse(toriscope_config(net.get())), expected["config"]);
    EXPECT_GT(results["results"]["cycles"].get<int>(), 50);
  }
}

TEST(c_api, stepping_with_traffic_is_the_run_cut_at_that_cycle) {
  const program_directory d;
  for (const json& config : {configurations()[0], configurations()[6]}) {
    json cut = config;
    cut["warmup"] = 0, cut["cycles"] = 700, cut["drain"] = 0;
    const json expected = by_program(d, cut)["results"];
    const owned net = made(cut, TORISCOPE_WITH_TRAFFIC);
    ASSERT_TRUE(net);
    for (const unsigned cycles : {1, 2, 97, 600}) ASSERT_EQ(toriscope_step(net.get(), cycles), TORISCOPE_OK);
    EXPECT_EQ(toriscope_cycle(net.get()), 700u);
    const toriscope_statistics s = statistics_of(net);
    char hash[17];
    std::snprintf(hash, sizeof hash, "%016llx", static_cast<unsigned long long>(s.packet_hash));
    EXPECT_EQ(hash, expected["packet_hash"]);
    EXPECT_EQ(s.cycles, 700u);
    EXPECT_EQ(s.packets_created, s.packets_received + s.under_way);
    EXPECT_GT(s.packets_received, 100u);
    toriscope_packet packet;
    EXPECT_EQ(toriscope_receive(net.get(), &packet), 0) << "packets of the configuration are not the user's";
  }
}

/// Zero-load latency of a packet of one flit over h links: 4 h + 5 (four stages, links of one cycle).
TEST(c_api, packets_are_injected_and_received) {
  const owned net = made({{"topology", "mesh:4x4"}});
  ASSERT_TRUE(net);
  toriscope_step(net.get(), 10);
  std::uint64_t number = 99;
  for (std::uint32_t to = 1; to < 16; ++to) {
    ASSERT_EQ(toriscope_inject(net.get(), 0, to, 1, 0, &number), TORISCOPE_OK);
    EXPECT_EQ(number, to - 1);
    const std::uint64_t created = toriscope_cycle(net.get());
    EXPECT_EQ(toriscope_idle(net.get()), 0);
    toriscope_packet p{};
    while (!toriscope_receive(net.get(), &p)) ASSERT_EQ(toriscope_step(net.get(), 1), TORISCOPE_OK);
    EXPECT_EQ(toriscope_idle(net.get()), 1);
    const std::uint32_t hops = to / 4 + to % 4;
    EXPECT_EQ((std::array<std::uint64_t, 3>{p.number, p.created, p.ended - p.created}),
              (std::array<std::uint64_t, 3>{number, created, 4 * hops + 5}));
    EXPECT_EQ(
        (std::array<std::uint32_t, 6>{p.source, p.destination, p.flits, p.hops, p.message_class, p.fate}),
        (std::array<std::uint32_t, 6>{0, to, 1, hops, 0, 0}));
  }
  const toriscope_statistics s = statistics_of(net);
  EXPECT_EQ(s.packets_received, 15u);
  EXPECT_EQ(s.hops_sum, 48u);  // 16 nodes, 3 hops in the mean, without node 0 itself
  EXPECT_EQ(s.latency_sum, 4 * 48u + 5 * 15);
  EXPECT_EQ(s.latency_least, 9u);
  EXPECT_EQ(s.latency_most, 29u);
  const std::vector<std::uint64_t> flits = wire_flits_of(net);
  ASSERT_EQ(flits.size(), 48u + 16 + 16);
  std::uint64_t on_links = 0;
  for (std::size_t l = 0; l < 48; ++l) on_links += flits[l];
  EXPECT_EQ(on_links, 48u);
  EXPECT_EQ(flits[48], 15u) << "the injection port of terminal 0";
  toriscope_clear_statistics(net.get());
  EXPECT_EQ(statistics_of(net).packets_received + statistics_of(net).cycles + statistics_of(net).latency_sum,
            0u);
}

TEST(c_api, a_packet_without_a_way_is_refused) {
  const owned net = made({{"topology", "mesh:2x2"}, {"fail_link", {"00.x+"}}, {"vcs", 1}});
  ASSERT_TRUE(net);
  toriscope_inject(net.get(), 0, 1, 1, 0, nullptr);
  toriscope_step(net.get(), 1);
  toriscope_packet p{};
  ASSERT_EQ(toriscope_receive(net.get(), &p), 1);
  EXPECT_EQ(p.fate, static_cast<std::uint32_t>(TORISCOPE_REFUSED));
  EXPECT_EQ(toriscope_idle(net.get()), 1);
}

TEST(c_api, packets_are_injected_beside_the_traffic) {
  for (const char* fidelity : {"cycle", "transaction"}) {
    const owned net = made({{"topology", "mesh:4x4"}, {"rate", 0.2}, {"packet", 2}, {"fidelity", fidelity}},
                           TORISCOPE_WITH_TRAFFIC);
    ASSERT_TRUE(net);
    std::set<std::uint64_t> sent, got;
    for (std::uint32_t i = 0; i < 300; ++i) {
      std::uint64_t number = 0;
      for (std::uint32_t n = 2 * i; n < 2 * i + 2 && n < 100; ++n)  // two in a cycle
        if (toriscope_inject(net.get(), n % 16, n * 7 % 16, 3, 0, &number) == TORISCOPE_OK)
          sent.insert(number);
      toriscope_step(net.get(), 1);
      toriscope_packet p{};
      while (toriscope_receive(net.get(), &p)) {
        got.insert(p.number);
        EXPECT_EQ(p.flits, 3u);
      }
    }
    EXPECT_EQ(sent.size(), 100u);
    EXPECT_EQ(got, sent) << fidelity;
    EXPECT_GT(statistics_of(net).packets_received, 300u);
  }
}

TEST(c_api, networks_live_side_by_side) {
  const json config = configurations()[0];
  const auto stepped = [](const owned& net, unsigned cycles) {
    for (unsigned i = 0; i < cycles; ++i) toriscope_step(net.get(), 1);
  };
  const owned alone = made(config, TORISCOPE_WITH_TRAFFIC);
  stepped(alone, 400);
  const std::uint64_t hash = statistics_of(alone).packet_hash;
  std::vector<owned> nets;
  for (unsigned i = 0; i < 4; ++i) {  // each is made when the others have been stepped
    nets.push_back(made(config, TORISCOPE_WITH_TRAFFIC));
    for (const owned& net : nets) stepped(net, 100);
  }
  nets.erase(nets.begin() + 1);
  stepped(nets[1], 200);
  stepped(nets[2], 300);
  for (const owned& net : nets) EXPECT_EQ(statistics_of(net).packet_hash, hash);
}

TEST(c_api, threads_have_networks_of_their_own) {
  std::array<std::uint64_t, 2> hashes{};
  std::array<std::thread, 2> threads;
  for (unsigned t = 0; t < 2; ++t)
    threads[t] = std::thread([&hashes, t] {
      for (unsigned repeat = 0; repeat < 3; ++repeat) {
        const owned net = made(configurations()[0], TORISCOPE_WITH_TRAFFIC);
        toriscope_step(net.get(), 300);
        hashes[t] = statistics_of(net).packet_hash;
        toriscope_create("no configuration", 0);
        EXPECT_THAT(toriscope_error(), StartsWith("configuration:1"));
      }
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(hashes[0], hashes[1]);
}

TEST(c_api, waves_are_those_of_the_program) {
  const program_directory d;
  const json config = configurations()[0];
  const std::string spec = "torus.node_0_*@50:150";
  d.write("config.json", config.dump());
  ASSERT_EQ(d.run({"run", "--config", "config.json", "--quiet", "--wave", spec, "--wave-file", "program.vcd"})
                .status,
            0);
  for (const bool stepped : {false, true}) {
    const owned net = made(config, stepped ? unsigned{TORISCOPE_WITH_TRAFFIC} : 0);
    ASSERT_TRUE(net);
    const std::string file = d.file("library.vcd");
    ASSERT_EQ(toriscope_wave_on(net.get(), spec.c_str(), file.c_str()), TORISCOPE_OK) << toriscope_error();
    EXPECT_EQ(toriscope_wave_on(net.get(), spec.c_str(), file.c_str()), TORISCOPE_BAD_INPUT);
    ASSERT_EQ(stepped ? toriscope_step(net.get(), 500) : toriscope_run(net.get()), TORISCOPE_OK);
    ASSERT_EQ(toriscope_wave_off(net.get()), TORISCOPE_OK) << toriscope_error();
    std::ifstream in(file);
    const std::string text(std::istreambuf_iterator<char>(in), {});
    EXPECT_EQ(text, d.read("program.vcd"));
    EXPECT_GT(text.size(), 5000u);
  }
}

struct heard {
  std::map<std::string, std::vector<std::pair<std::uint64_t, std::uint64_t>>> changes;
};

void hear(void* user, std::uint64_t cycle, const char* name, std::uint64_t value) {
  static_cast<heard*>(user)->changes[name].emplace_back(cycle, value);
}

/// Edge t of a VCD stands at t ns, in ps, and has what cycle t+1 finds; the dump of the beginning stands at 0.
TEST(c_api, watchers_hear_what_a_waveform_shows) {
  const owned net = made(configurations()[0], TORISCOPE_WITH_TRAFFIC);
  const program_directory d;
  const std::string pattern = "torus.node_1_*", file = d.file("watched.vcd");
  heard all;
  ASSERT_EQ(toriscope_watch(net.get(), pattern.c_str(), hear, &all), TORISCOPE_OK) << toriscope_error();
  ASSERT_EQ(toriscope_wave_on(net.get(), pattern.c_str(), file.c_str()), TORISCOPE_OK);
  toriscope_step(net.get(), 200);
  ASSERT_EQ(toriscope_wave_off(net.get()), TORISCOPE_OK);
  const std::string names = toriscope_signals(net.get(), pattern.c_str());
  EXPECT_EQ(static_cast<std::size_t>(std::count(names.begin(), names.end(), '\n')), all.changes.size());
  const vcd_contents wave = vcd_reader::read(file);
  std::size_t compared = 0;
  for (const auto& [name, changes] : all.changes) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> shown;
    for (const auto& [time, text] : wave.variables.at(name).changes) {
      const std::string bits = text.substr(text[0] == 'b');
      shown.emplace_back(time == 0 && shown.empty() ? 0 : time / 1000 + 1,
                         bits == "z" ? TORISCOPE_NONE : std::stoull(bits, nullptr, 2));
    }
    EXPECT_EQ(changes, shown) << name;
    compared += changes.size();
    EXPECT_EQ(toriscope_value(toriscope_find_signal(net.get(), name.c_str())), shown.back().second) << name;
  }
  EXPECT_GT(compared, 2000u);
  toriscope_unwatch(net.get());
  all.changes.clear();
  toriscope_step(net.get(), 10);
  EXPECT_TRUE(all.changes.empty());
  const std::uint64_t cycle = toriscope_cycle(net.get());
  EXPECT_EQ(toriscope_step(net.get(), -cycle), TORISCOPE_BAD_INPUT) << "cycles have 64 bits";
  EXPECT_EQ(toriscope_cycle(net.get()), cycle);
}

struct nested_watches {
  toriscope_network* net;
  heard outer, inner;
};

/// Each is told of the signals that it watches, and of no others.
TEST(c_api, a_watcher_may_watch_more) {
  const owned net = made({{"topology", "torus:4x4"}}, 0);
  nested_watches both{net.get(), {}, {}};
  const toriscope_watcher begins_another = [](void* user, std::uint64_t cycle, const char* name, std::uint64_t value) {
    auto& all = *static_cast<nested_watches*>(user);
    hear(&all.outer, cycle, name, value);
    EXPECT_EQ(toriscope_watch(all.net, "torus.node_0_0.ni.*", hear, &all.inner), TORISCOPE_OK);
  };
  ASSERT_EQ(toriscope_watch(net.get(), "torus.node_0_1.ni.queue", begins_another, &both), TORISCOPE_OK);
  EXPECT_EQ(both.outer.changes.size(), 1u);
  EXPECT_EQ(both.outer.changes.count("torus.node_0_1.ni.queue"), 1u);
  EXPECT_EQ(both.inner.changes.size(), 3u) << "queue, sending, sending_vc";
  EXPECT_EQ(both.inner.changes.count("torus.node_0_0.ni.queue"), 1u);
  for (const auto& [name, values] : both.inner.changes) EXPECT_EQ(values.size(), 1u) << name;
}

TEST(c_api, a_failure_is_told_and_halts_its_network_alone) {
  const json config = {
      {"topology", "ttn:2,2,0"}, {"vc_rule", "paper"}, {"vcs", 2}, {"rate", 0.3}, {"watchdog", 300}};
  EXPECT_THAT(error_of(config), HasSubstr("is not free of deadlock"));
  const owned net = made(config, TORISCOPE_WITH_TRAFFIC | TORISCOPE_ALLOW_DEADLOCK);
  const owned other = made(configurations()[0], TORISCOPE_WITH_TRAFFIC);
  ASSERT_TRUE(net);
  EXPECT_EQ(toriscope_failure(net.get()), nullptr);
  EXPECT_EQ(toriscope_step(net.get(), 5000), TORISCOPE_FAILED);
  const std::uint64_t cycle = toriscope_cycle(net.get());
  EXPECT_LT(cycle, 5000u);
  EXPECT_THAT(toriscope_failure(net.get()), StartsWith("deadlock since cycle "));
  EXPECT_THAT(toriscope_failure(net.get()), StartsWith(std::string(toriscope_error()) + "\n")) << "an earlier error";
  EXPECT_THAT(toriscope_failure(net.get()), HasSubstr("held by packet"));
  toriscope_step(nullptr, 1);  // another error
  toriscope_statistics s{};
  EXPECT_EQ(toriscope_get_statistics(net.get(), &s), TORISCOPE_FAILED);
  EXPECT_THAT(toriscope_error(), StartsWith("deadlock since cycle "));
  EXPECT_EQ(toriscope_step(net.get(), 1), TORISCOPE_FAILED);
  EXPECT_EQ(toriscope_step(net.get(), ~cycle), TORISCOPE_FAILED) << "up to cycle 2^64 - 1, not one too many";
  EXPECT_EQ(toriscope_cycle(net.get()), cycle);
  EXPECT_EQ(toriscope_step(other.get(), 100), TORISCOPE_OK);
}

void step_it(void* user, std::uint64_t, const char*, std::uint64_t) {
  EXPECT_EQ(toriscope_step(static_cast<toriscope_network*>(user), 1), TORISCOPE_BAD_INPUT);
}

/// The caller's routers are those of a second network, which is whole.
TEST(c_api, routers_of_the_caller_stand_in_a_network) {
  const program_directory d;
  for (const char* pipeline : {"single_cycle", "four_stage"}) {
    const unsigned cycles = pipeline[0] == 's' ? 700 : 2100;  // lost credits are looked for every 1000 cycles
    json config = configurations()[0];
    config["pipeline"] = pipeline, config["limited_reception"] = true, config["link_delay"] = "2";
    config["warmup"] = 0, config["cycles"] = cycles, config["drain"] = 0, config["vcs"] = 2;
    const json expected = by_program(d, config)["results"];
    const owned whole = made(config, TORISCOPE_WITH_TRAFFIC);
    const owned net(
        toriscope_create_around(config.dump().c_str(), TORISCOPE_WITH_TRAFFIC, "torus.node_1_*,2"));
    ASSERT_TRUE(net) << toriscope_error();
    const std::vector<std::uint32_t> nodes{2, 4, 5, 6, 7};
    for (std::uint32_t i = 0; i < 6; ++i)
      EXPECT_EQ(toriscope_find_node(net.get(), "torus.node_1_*,2", i), i < 5 ? nodes[i] : UINT32_MAX);
    EXPECT_EQ(toriscope_ports(net.get(), 5), 5u);
    EXPECT_EQ(toriscope_local_ports(net.get(), 5), 1u);
    EXPECT_EQ(toriscope_vcs(net.get()), 2u);
    std::uint64_t flits = 0;
    for (unsigned t = 0; t < cycles; ++t) {
      std::uint64_t flit = 0, flit_there = 0;
      std::uint32_t credits = 0, credits_there = 0;
      for (const std::uint32_t n : nodes)
        for (std::uint32_t p = 0; p < 5; ++p) {
          ASSERT_EQ(toriscope_shown(net.get(), n, p, &flit, &credits), TORISCOPE_OK);
          ASSERT_EQ(toriscope_shown(whole.get(), n, p, &flit_there, &credits_there), TORISCOPE_OK);
          ASSERT_EQ(std::make_pair(flit, credits), std::make_pair(flit_there, credits_there))
              << "cycle " << t;
        }
      ASSERT_EQ(toriscope_step(whole.get(), 1), TORISCOPE_OK);
      for (const std::uint32_t n : nodes)
        for (std::uint32_t p = 0; p < 5; ++p) {
          ASSERT_EQ(toriscope_sent(whole.get(), n, p, &flit, &credits), TORISCOPE_OK);
          ASSERT_EQ(toriscope_compare(whole.get(), n, p, flit, credits), TORISCOPE_OK) << toriscope_error();
          ASSERT_EQ(toriscope_drive(net.get(), n, p, flit, credits), TORISCOPE_OK) << toriscope_error();
          flits += flit != 0;
        }
      ASSERT_EQ(toriscope_step(net.get(), 1), TORISCOPE_OK) << toriscope_failure(net.get());
    }
    EXPECT_GT(flits, 1000u);
    char hash[17];
    std::snprintf(hash, sizeof hash, "%016llx",
                  static_cast<unsigned long long>(statistics_of(net).packet_hash));
    EXPECT_EQ(hash, expected["packet_hash"]);
    EXPECT_EQ(wire_flits_of(net), wire_flits_of(whole));
    EXPECT_EQ(statistics_of(net).hops_sum, statistics_of(whole).hops_sum);
    EXPECT_EQ(toriscope_drive(net.get(), 0, 0, 0, 0), TORISCOPE_BAD_INPUT);
    EXPECT_THAT(toriscope_error(), HasSubstr("torus.node_0_0 is the model's"));
    EXPECT_EQ(toriscope_drive(net.get(), 5, 5, 0, 0), TORISCOPE_BAD_INPUT);
    EXPECT_THAT(toriscope_error(), HasSubstr("no port 5"));
    EXPECT_EQ(toriscope_drive(net.get(), 5, 0, 2, 0), TORISCOPE_BAD_INPUT);
    EXPECT_THAT(toriscope_error(), HasSubstr("not a flit"));
    EXPECT_EQ(toriscope_drive(net.get(), 5, 0, 2 << 3 | 7, 0), TORISCOPE_BAD_INPUT);
    EXPECT_THAT(toriscope_error(), HasSubstr("a flit on VC 2 of 2"));
    EXPECT_EQ(toriscope_drive(net.get(), 5, 0, 0, 1 << 2), TORISCOPE_BAD_INPUT);
    EXPECT_THAT(toriscope_error(), HasSubstr("a credit of a VC that there is not"));
    EXPECT_EQ(toriscope_drive(net.get(), 5, 0, 0, 1 << 16), TORISCOPE_BAD_INPUT);
    EXPECT_THAT(toriscope_error(), HasSubstr("16 bits"));
    toriscope_drive(net.get(), 5, 0, 7, 0);  // head and tail of a packet that has never entered
    EXPECT_EQ(toriscope_step(net.get(), 1), TORISCOPE_FAILED);
    EXPECT_THAT(toriscope_failure(net.get()), HasSubstr("torus.node_1_1: port "));
  }
  const std::string mesh = R"({"topology": "mesh:4x4"})";
  const owned compared = made({{"topology", "mesh:4x4"}, {"pipeline", "single_cycle"}});
  toriscope_inject(compared.get(), 4, 7, 1, 0, nullptr);
  EXPECT_EQ(toriscope_compare(compared.get(), 4, 1, 0, 0), TORISCOPE_BAD_INPUT) << "no cycle is done";
  toriscope_step(compared.get(), 2);       // sent by the interface in 0, by the router in 1
  const std::uint64_t head = 7u << 7 | 7;  // to 7; valid, head and tail
  EXPECT_EQ(toriscope_compare(compared.get(), 4, 0, head, 0), TORISCOPE_OK) << toriscope_error();
  EXPECT_EQ(toriscope_compare(compared.get(), 4, 0, 0, 0), TORISCOPE_DIFFERS);
  EXPECT_THAT(toriscope_error(), AllOf(StartsWith("cycle 1, mesh.node_1_0, port "),
                                       HasSubstr(": the model sends head and tail on VC 0, destination 7, "),
                                       HasSubstr("; the RTL no flit")));
  EXPECT_EQ(toriscope_compare(compared.get(), 4, 0, head, 4), TORISCOPE_DIFFERS);
  EXPECT_THAT(toriscope_error(), HasSubstr("credit_o: the model sends no credit; the RTL credit of VC 2"));
  for (const std::uint32_t tied_off : {toriscope_ports(compared.get(), 4), 9u})
    EXPECT_EQ(toriscope_compare(compared.get(), 4, tied_off, 0, 0), TORISCOPE_OK) << toriscope_error();
  EXPECT_EQ(toriscope_compare(compared.get(), 4, 9, 1, 0), TORISCOPE_DIFFERS);
  const std::string file = d.file("config.json");
  d.write("config.json", mesh);
  const owned from_file(toriscope_create(("@" + file).c_str(), 0));
  EXPECT_EQ(toriscope_terminals(from_file.get()), 16u) << toriscope_error();
  EXPECT_EQ(toriscope_create("@/nowhere.json", 0), nullptr);
  EXPECT_THAT(toriscope_error(), HasSubstr("/nowhere.json"));
  d.write("config.json", R"({"vcs": 99})");
  EXPECT_EQ(toriscope_create(("@" + file).c_str(), 0), nullptr);
  EXPECT_THAT(toriscope_error(), StartsWith(file + ": vcs: "));
  EXPECT_EQ(toriscope_create_around(mesh.c_str(), 0, "mesh.nod_1_1"), nullptr);
  EXPECT_THAT(toriscope_error(), HasSubstr("mesh.node_1_1"));
  EXPECT_EQ(toriscope_create_around(R"({"topology": "mesh:4x4", "fidelity": "transaction"})", 0, "5"),
            nullptr);
  EXPECT_THAT(toriscope_error(), HasSubstr("transaction level"));
  EXPECT_EQ(toriscope_create_around(mesh.c_str(), 0, ""), nullptr);
  const owned around(toriscope_create_around(mesh.c_str(), 0, "5"));
  EXPECT_EQ(toriscope_run(around.get()), TORISCOPE_BAD_INPUT);
  EXPECT_THAT(toriscope_error(), HasSubstr("cycle by cycle"));
  const std::string wave = d.file("around.vcd");
  ASSERT_EQ(toriscope_wave_on(around.get(), "*", wave.c_str()), TORISCOPE_OK) << toriscope_error();
  EXPECT_EQ(toriscope_step(around.get(), 10), TORISCOPE_OK);
  EXPECT_EQ(toriscope_wave_off(around.get()), TORISCOPE_OK) << toriscope_error();
  toriscope_inject(around.get(), 4, 6, 1, 0, nullptr);
  EXPECT_EQ(toriscope_step(around.get(), 20000), TORISCOPE_FAILED) << "the router of node 5 forwards nothing";
  EXPECT_THAT(toriscope_failure(around.get()), HasSubstr("mesh.node_1_1"));
}

TEST(c_api, errors_are_one_line) {
  EXPECT_EQ(toriscope_abi(), TORISCOPE_ABI);
  EXPECT_THAT(error_of({{"topologie", "mesh:4x4"}}), HasSubstr("did you mean 'topology'"));
  EXPECT_THAT(error_of({{"topology", "mesh:4x4"}, {"vcs", 99}}), HasSubstr("configuration: vcs"));
  EXPECT_THAT(error_of({{"topology", "file:/nowhere.json"}}), HasSubstr("/nowhere.json"));
  EXPECT_THAT(error_of({{"topology", "mesh:4x4"}}, 64), HasSubstr("unknown flags 64"));
  EXPECT_EQ(toriscope_create(nullptr, 0), nullptr);
  EXPECT_STREQ(toriscope_error(), "the configuration is NULL");
  EXPECT_EQ(toriscope_step(nullptr, 1), TORISCOPE_BAD_INPUT);
  EXPECT_STREQ(toriscope_error(), "the network is NULL");
  toriscope_destroy(nullptr);

  const owned net = made({{"topology", "mesh:4x4"}});
  refuses(toriscope_inject(net.get(), 0, 16, 1, 0, nullptr), "16");
  refuses(toriscope_inject(net.get(), 0, 1, 0, 0, nullptr), "flit");
  refuses(toriscope_inject(net.get(), 0, 1, 1, 1, nullptr), "class");
  refuses(toriscope_inject(net.get(), 0, 1, 1, 255, nullptr), "message class 255 does not exist; the network has 1");
  refuses(toriscope_inject(net.get(), 0, 1, 1, 256, nullptr), "there is no message class 256");
  std::uint64_t flit = 0;
  std::uint32_t credits = 0;
  refuses(toriscope_shown(net.get(), 16, 0, &flit, &credits), "there is no node 16; expected 0 .. 15");
  refuses(toriscope_sent(net.get(), 5, 1 << 16, &flit, &credits), "node 5 has no port ");
  refuses(toriscope_sent(net.get(), 5, 5, &flit, &credits), "node 5 has no port 5; expected 0 .. 4");
  refuses(toriscope_shown(net.get(), 5, 0, &flit, nullptr), "NULL");
  refuses(toriscope_shown(net.get(), 5, 0, nullptr, &credits), "NULL");
  EXPECT_EQ(toriscope_find_node(net.get(), "6", 0), 6u);
  EXPECT_EQ(toriscope_find_node(net.get(), "5", 0), 5u) << "the patterns of another call";
  EXPECT_EQ(toriscope_ports(net.get(), 16), 0u);
  EXPECT_STREQ(toriscope_error(), "there is no node 16");
  refuses(toriscope_wave_on(net.get(), "mesh.nod_0_0", "x.vcd"), "mesh.node_0_0");
  refuses(toriscope_wave_on(net.get(), "*", "/nowhere/x.vcd"), "/nowhere/x.vcd");
  refuses(toriscope_watch(net.get(), "*", nullptr, nullptr), "watcher is NULL");
  EXPECT_EQ(toriscope_find_signal(net.get(), "mesh.node_0_0"), nullptr);
  EXPECT_THAT(toriscope_error(), HasSubstr("not the whole name"));
  EXPECT_EQ(toriscope_results(net.get()), nullptr);
  EXPECT_THAT(toriscope_error(), HasSubstr("toriscope_run()"));
  toriscope_watch(net.get(), "mesh.node_0_0.ni.queue", hear, std::make_unique<heard>().get());
  toriscope_unwatch(net.get());
  toriscope_step(net.get(), 1);
  refuses(toriscope_run(net.get()), "done no cycle");

  const program_directory d;
  d.write("flows.json", R"({"flows": [{"from": "0", "to": "5", "rate": 0.1, "packet": 4}]})");
  d.write("packets.txt", "0 0 3 4\n");
  for (const json& counting :
       {configurations()[2], json{{"topology", "mesh:4x4"}, {"flows", d.file("flows.json")}},
        json{{"topology", "mesh:4x4"}, {"traffic_file", d.file("packets.txt")}, {"file_timing", "dependencies"}}}) {
    const owned answering = made(counting, TORISCOPE_WITH_TRAFFIC);
    refuses(toriscope_inject(answering.get(), 0, 1, 1, 0, nullptr), "without TORISCOPE_WITH_TRAFFIC");
    EXPECT_EQ(toriscope_step(answering.get(), 100), TORISCOPE_OK);
  }

  const owned busy = made({{"topology", "mesh:4x4"}}, TORISCOPE_WITH_TRAFFIC);
  toriscope_step(busy.get(), 100);
  ASSERT_EQ(toriscope_watch(busy.get(), "*.ni.queue", step_it, busy.get()), TORISCOPE_OK);
  ASSERT_EQ(toriscope_step(busy.get(), 100), TORISCOPE_OK);
  EXPECT_EQ(toriscope_cycle(busy.get()), 200u);
}

}  // namespace
}  // namespace toriscope
