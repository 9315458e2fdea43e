// SPDX-License-Identifier: Apache-2.0
// Remembered proofs: all of them is found again, under their key alone, and an entry that cannot be is none.
#include "base/json.h"
#include "testbenches/simulation/proof_cache.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>

#include "base/scratch_directory.h"
#include "base/text_file.h"
#include "base/text_hash.h"

namespace toriscope::proof_cache_test {
namespace {

using nlohmann::json;

class proof_cache_test : public testing::Test {
 protected:
  proof_cache_test() { setenv("XDG_CACHE_HOME", scratch_.path().c_str(), 1); }
  ~proof_cache_test() override { unsetenv("XDG_CACHE_HOME"); }

  static topology torus(topology_options options = {}) {
    options.spec = "torus:4x4";
    return make_topology(options);
  }
  /// The files of all entries.
  std::vector<std::string> entries() const {
    std::vector<std::string> files;
    const std::string where = scratch_.file("toriscope");
    if (std::filesystem::exists(where))
      for (const auto& entry : std::filesystem::directory_iterator(where)) files.push_back(entry.path());
    return files;
  }

  scratch_directory scratch_;
};

deadlock_proof cyclic() {
  deadlock_proof proof;
  proof.outcome = proof_outcome::cyclic;
  proof.method = proof_method::symmetric;
  proof.vcs = 4;
  proof.channels = 256;
  proof.dependencies = 999;
  proof.cycle = {{3, 1}, {63, 3}, {0, 2}};
  proof.reason = "it is \"so\"";
  proof.escape_vcs = 5;
  proof.needs_atomic_vcs = true;
  proof.unused = {{3, 16, 7}, {8, 2, 63}};
  return proof;
}

void expect_equal(const std::optional<deadlock_proof>& found, const deadlock_proof& proof) {
  ASSERT_TRUE(found);
  EXPECT_EQ(found->outcome, proof.outcome);
  EXPECT_EQ(found->method, proof.method);
  EXPECT_EQ(found->vcs, proof.vcs);
  EXPECT_EQ(found->channels, proof.channels);
  EXPECT_EQ(found->dependencies, proof.dependencies);
  EXPECT_EQ(found->reason, proof.reason);
  EXPECT_EQ(found->escape_vcs, proof.escape_vcs);
  EXPECT_EQ(found->needs_atomic_vcs, proof.needs_atomic_vcs);
  ASSERT_EQ(found->cycle.size(), proof.cycle.size());
  for (std::size_t i = 0; i < proof.cycle.size(); ++i) {
    EXPECT_EQ(found->cycle[i].link, proof.cycle[i].link);
    EXPECT_EQ(found->cycle[i].vc, proof.cycle[i].vc);
  }
  ASSERT_EQ(found->unused.size(), proof.unused.size());
  for (std::size_t i = 0; i < proof.unused.size(); ++i) {
    EXPECT_EQ(found->unused[i].vcs, proof.unused[i].vcs);
    EXPECT_EQ(found->unused[i].links, proof.unused[i].links);
    EXPECT_EQ(found->unused[i].first, proof.unused[i].first);
  }
}

TEST_F(proof_cache_test, finds_what_it_remembers) {
  const proof_cache cache(torus(), {});
  EXPECT_FALSE(cache.find());
  deadlock_proof proof = cyclic();
  for (const proof_outcome outcome : {proof_outcome::cyclic, proof_outcome::proven, proof_outcome::unknown}) {
    proof.outcome = outcome;
    if (outcome != proof_outcome::cyclic) proof.cycle.clear();
    cache.remember(proof);
    expect_equal(proof_cache(torus(), {}).find(), proof);
    EXPECT_EQ(entries().size(), 1u);
    proof.unused.clear();
    proof.needs_atomic_vcs = false;
  }
}

TEST_F(proof_cache_test, remembers_each_network_by_itself) {
  const proof_cache known(torus(), {});
  known.remember(cyclic());
  topology_options options;
  options.vcs = 8;
  EXPECT_FALSE(proof_cache(torus(), options).find()) << "VCs";
  options.vcs = 4;
  options.message_classes = 2;
  EXPECT_FALSE(proof_cache(torus(), options).find()) << "classes";
  std::string* const choices[] = {&options.spec, &options.links, &options.ties,
                                  &options.gates, &options.routing, &options.vc_rule};
  for (std::size_t i = 0; i < std::size(choices); ++i) {
    topology other = torus();
    std::string* const resolved[] = {&other.choice.spec,  &other.choice.links,   &other.choice.ties,
                                     &other.choice.gates, &other.choice.routing, &other.choice.vc_rule};
    *resolved[i] += "x";
    EXPECT_FALSE(proof_cache(other, {}).find()) << i;
  }
  const std::function<void(netlist_link&)> changes[] = {
      [](netlist_link& l) { ++l.from; }, [](netlist_link& l) { l.to ^= 1; },
      [](netlist_link& l) { ++l.from_port; }, [](netlist_link& l) { ++l.to_port; }};
  for (std::size_t i = 0; i < std::size(changes); ++i) {
    topology other = torus();
    changes[i](other.wiring->link(63));
    EXPECT_FALSE(proof_cache(other, {}).find()) << "other wires under the same name: " << i;
  }
  EXPECT_TRUE(known.find());
}

/// Another one may prove otherwise.
TEST_F(proof_cache_test, remembers_what_this_build_of_the_program_has_proven) {
  proof_cache(torus(), {}).remember(cyclic());
  const std::string key = json::parse(text_of_file(entries().at(0), "entry", 100000))["key"];
  const std::string size = std::to_string(std::filesystem::file_size("/proc/self/exe"));
  EXPECT_NE(key.find(" " + size + " "), std::string::npos) << key;
}

TEST_F(proof_cache_test, is_off_where_it_is_not_wanted_and_for_networks_from_files) {
  topology file = torus();
  for (const char* spec : {"file:x.json", "chiplets:file:x.json+mesh:4x4", "chiplets:mesh:2x2+file:x.json"}) {
    file.choice.spec = spec;
    proof_cache(file, {}).remember(cyclic());
    EXPECT_TRUE(entries().empty()) << spec;
    EXPECT_FALSE(proof_cache(file, {}).find());
  }
  proof_cache(torus(), {}, false).remember(cyclic());
  EXPECT_TRUE(entries().empty());
  proof_cache(torus(), {}).remember(cyclic());
  EXPECT_EQ(entries().size(), 1u);
  EXPECT_FALSE(proof_cache(torus(), {}, false).find());
}

/// An entry that was changed, with the checksum that it should have.
TEST_F(proof_cache_test, an_entry_that_cannot_be_is_none) {
  const proof_cache cache(torus(), {});
  cache.remember(cyclic());
  const std::string file = entries().at(0);
  const json entry = json::parse(text_of_file(file, "entry", 100000));
  const auto found = [&](const std::function<void(json&)>& change, bool sealed = true) {
    json tree = entry;
    change(tree);
    if (sealed) {
      tree.erase("checksum");
      tree["checksum"] = hex_text(mix_text(tree.dump()));
    }
    std::ofstream(file) << tree.dump() << '\n';
    return cache.find().has_value();
  };
  EXPECT_TRUE(found([](json&) {}));
  for (const auto& item : entry.items()) {
    const std::string key = item.key();
    EXPECT_FALSE(found([&](json& t) { t.erase(key); }, key != "checksum")) << key;
    if (key != "checksum") {
      EXPECT_FALSE(found([&](json& t) { t[key] = key == "vcs" ? json(5) : json("other"); }, false)) << key;
    }
  }
  EXPECT_FALSE(found([](json& t) { t["key"] = "of another network"; }));
  EXPECT_TRUE(found([](json& t) { t["verdict"] = 2; }));
  EXPECT_FALSE(found([](json& t) { t["verdict"] = 3; }));
  EXPECT_FALSE(found([](json& t) { t["method"] = "guessed"; }));
  // 64 links of 4 VCs.
  EXPECT_TRUE(found([](json& t) { t["cycle"] = {{63, 3}}; }));
  EXPECT_FALSE(found([](json& t) { t["cycle"] = {{64, 0}}; }));
  EXPECT_FALSE(found([](json& t) { t["cycle"] = {{63, 4}}; }));
  EXPECT_FALSE(found([](json& t) { t["cycle"] = {{-1, 0}}; }));
  EXPECT_FALSE(found([](json& t) { t["cycle"] = {{1e300, 0}}; }));
  EXPECT_FALSE(found([](json& t) { t["cycle"] = {{0, 0}}, t["vcs"] = 0, t["channels"] = 0; }));
  EXPECT_TRUE(found([](json& t) { t["unused"] = {{1, 1, 63}}; }));
  EXPECT_FALSE(found([](json& t) { t["unused"] = {{1, 1, 64}}; }));
  EXPECT_TRUE(found([](json& t) { t["unused"] = {{0xffff, 64, 0}}; }));
  EXPECT_FALSE(found([](json& t) { t["unused"] = {{0x10000, 64, 0}}; }));
  EXPECT_FALSE(found([](json& t) { t["unused"] = {{1, 65, 0}}; }));
  EXPECT_FALSE(found([](json& t) { t["channels"] = 257; }));
  EXPECT_TRUE(found([](json& t) { t["vcs"] = 16; }));
  EXPECT_FALSE(found([](json& t) { t["vcs"] = 17; }));
  EXPECT_TRUE(found([](json& t) { t["escape_vcs"] = 0xffff; }));
  EXPECT_FALSE(found([](json& t) { t["escape_vcs"] = 0x10000; }));
  EXPECT_FALSE(found([](json& t) { t["cycle"] = json::array(); })) << "cyclic without a cycle";
  EXPECT_TRUE(found([](json& t) { t["cycle"] = json::array(), t["verdict"] = 0; }));
  EXPECT_TRUE(found([](json& t) { t["verdict"] = 0; })) << "a cycle beside another verdict is not looked at";
  std::ofstream(file) << "{";
  EXPECT_FALSE(cache.find());
  std::filesystem::remove(file);
  EXPECT_FALSE(cache.find());
}

TEST_F(proof_cache_test, entries_that_are_not_used_for_30_days_are_removed) {
  const auto hours_ago = [](int hours) {
    return std::filesystem::file_time_type::clock::now() - std::chrono::hours(hours);
  };
  const int days = 30 * 24;
  const proof_cache used(torus(), {});
  used.remember(cyclic());
  const std::string in_use = entries().at(0);
  const auto file_of = [&](const char* name, int hours) {
    const std::string file = scratch_.file(std::string("toriscope/") + name);
    std::ofstream(file) << "{}";
    std::filesystem::last_write_time(file, hours_ago(hours));
    return file;
  };
  const std::string old = file_of("verdict_0.json", days + 1), young = file_of("verdict_1.json", days - 1),
                    other = file_of("other.json", days + 1);
  std::filesystem::last_write_time(in_use, hours_ago(days + 1));
  EXPECT_TRUE(used.find());  // which is a use
  EXPECT_TRUE(std::filesystem::exists(old));
  topology_options options;
  options.vcs = 8;
  proof_cache(torus(), options).remember(cyclic());
  EXPECT_TRUE(used.find());
  EXPECT_FALSE(std::filesystem::exists(old));
  EXPECT_TRUE(std::filesystem::exists(young));
  EXPECT_TRUE(std::filesystem::exists(other));
  EXPECT_EQ(entries().size(), 4u);
}

TEST_F(proof_cache_test, where_nothing_can_be_written_nothing_is_remembered) {
  setenv("XDG_CACHE_HOME", "/proc/nowhere", 1);
  const proof_cache cache(torus(), {});
  cache.remember(cyclic());
  EXPECT_FALSE(cache.find());
}

}  // namespace
}  // namespace toriscope::proof_cache_test
