// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/proof_cache.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <limits>
#include <stdexcept>

#include "base/cache_directory.h"
#include "base/checked_json.h"
#include "base/json.h"
#include "base/text_file.h"
#include "base/text_hash.h"
#include "base/words.h"
#include "topologies/vc_classes.h"

namespace toriscope {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

/// Tells builds of the program apart.
std::string program_identity() {
  struct stat file {};
  if (stat("/proc/self/exe", &file) != 0) return TORISCOPE_VERSION;
  return fmt::format("{} {} {}.{}", TORISCOPE_VERSION, file.st_size, file.st_mtim.tv_sec,
                     file.st_mtim.tv_nsec);
}

/// Over all of an entry but the checksum itself.
std::string checksum_of_entry(json tree) {
  tree.erase("checksum");
  return hex_text(mix_text(tree.dump()));
}

std::uint64_t hash_of(const netlist& net) {
  std::uint64_t hash = net.node_count();
  for (const netlist_link& l : net.links()) hash = mix(hash, l.from, l.to, l.from_port, l.to_port);
  return hash;
}

/// Of other builds and of networks that are no longer in use.
void remove_unused_entries(const fs::path& directory) {
  std::error_code ignored;
  const auto oldest = fs::file_time_type::clock::now() - std::chrono::hours(24 * 30);
  for (fs::directory_iterator entry(directory, ignored), end; entry != end; entry.increment(ignored)) {
    const auto used = entry->last_write_time(ignored);
    if (!ignored && used < oldest && begins_with(entry->path().filename().string(), "verdict_"))
      fs::remove(entry->path(), ignored);
  }
}

constexpr std::uint64_t vc_mask_end = std::uint64_t{1} << max_vcs;

/// 0 .. end - 1.
template <typename T>
T below(const json& number, std::uint64_t end) {
  if (end == 0) throw std::invalid_argument("nothing is below 0");
  return static_cast<T>(checked_json(number, "entry").whole(0, end - 1));
}

}  // namespace

proof_cache::proof_cache(const topology& made, const topology_options& options, bool on) {
  const std::string where = user_cache_directory();
  const network_choice& c = made.choice;
  const std::vector<std::string> networks = networks_in(c.spec);
  const bool of_file = std::any_of(networks.begin(), networks.end(),
                                   [](const std::string& n) { return begins_with(n, "file:"); });
  if (!on || where.empty() || of_file) return;
  key_ = fmt::format("{}; {} {} {} {} {} {} vcs {} classes {}; {:016x}", program_identity(), c.spec, c.links,
                     c.ties, c.gates, c.routing, c.vc_rule, options.vcs, options.message_classes,
                     hash_of(*made.wiring));
  links_ = made.wiring->links().size();
  file_ = fmt::format("{}/verdict_{}.json", where, hex_text(mix_text(key_)));
}

std::optional<deadlock_proof> proof_cache::find() const {
  if (file_.empty()) return std::nullopt;
  try {
    const json tree = json_or_null(text_if_there(file_).value_or(""));
    if (tree.at("key") != key_ || tree.at("checksum") != checksum_of_entry(tree)) return std::nullopt;
    deadlock_proof proof;
    proof.outcome = static_cast<proof_outcome>(
        below<unsigned>(tree.at("verdict"), static_cast<unsigned>(proof_outcome::unknown) + 1));
    proof.method = proof_method_named(tree.at("method"));
    proof.vcs = below<unsigned>(tree.at("vcs"), max_vcs + 1);
    proof.channels = below<std::size_t>(tree.at("channels"), links_ * proof.vcs + 1);
    proof.dependencies = below<std::size_t>(tree.at("dependencies"), std::numeric_limits<std::size_t>::max());
    proof.reason = tree.at("reason");
    proof.escape_vcs = below<vc_mask>(tree.at("escape_vcs"), vc_mask_end);
    proof.needs_atomic_vcs = tree.at("needs_atomic_vcs");
    for (const json& c : tree.at("cycle"))
      proof.cycle.push_back({below<link_id>(c.at(0), links_), below<std::uint8_t>(c.at(1), proof.vcs)});
    for (const json& u : tree.at("unused"))
      proof.unused.push_back({below<vc_mask>(u.at(0), vc_mask_end), below<std::size_t>(u.at(1), links_ + 1),
                              below<link_id>(u.at(2), links_)});
    if (proof.cycle.empty() && proof.outcome == proof_outcome::cyclic) return std::nullopt;
    std::error_code ignored;
    fs::last_write_time(file_, fs::file_time_type::clock::now(), ignored);  // it is in use
    return proof;
  } catch (const std::exception&) {
    return std::nullopt;  // not there, or not ours
  }
}

void proof_cache::remember(const deadlock_proof& proof) const {
  if (file_.empty()) return;
  json tree = {{"key", key_},
               {"verdict", static_cast<unsigned>(proof.outcome)},
               {"method", to_string(proof.method)},
               {"vcs", proof.vcs},
               {"channels", proof.channels},
               {"dependencies", proof.dependencies},
               {"reason", proof.reason},
               {"escape_vcs", proof.escape_vcs},
               {"needs_atomic_vcs", proof.needs_atomic_vcs},
               {"cycle", json::array()},
               {"unused", json::array()}};
  for (const channel& c : proof.cycle) tree["cycle"].push_back({c.link, c.vc});
  for (const unused_vcs& u : proof.unused) tree["unused"].push_back({u.vcs, u.links, u.first});
  tree["checksum"] = checksum_of_entry(tree);
  remove_unused_entries(fs::path(file_).parent_path());
  try {
    replace_text_file(file_, tree.dump() + "\n");
  } catch (const std::runtime_error&) {
    // not remembered
  }
}

}  // namespace toriscope
