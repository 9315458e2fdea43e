// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/deadlock_check.h"

#include <fmt/format.h>

#include <stdexcept>

#include "testbenches/simulation/proof_cache.h"
#include "topologies/proof/deadlock_proof.h"

namespace toriscope {
namespace {

/// Nodes * links (or links alone, by symmetry) that are followed in less than a second; by states that are drawn, whose
/// ways have much in common, in two.
bool affordable(const topology& made, unsigned vcs) {
  const std::uint64_t links = made.wiring->links().size();
  if (follows_classes(*made.wiring, *made.routing)) return links <= std::uint64_t{1} << 17;
  const std::uint64_t states = made.routing->injection_states();
  if (states > 1) return links * made.wiring->node_count() * states <= std::uint64_t{1} << 26;
  return links * made.wiring->node_count() <= std::uint64_t{1} << (has_escape(*made.routing, vcs) ? 18 : 22);
}

/// Which would be as large as the network.
proof_options without_certificate(const topology_options& options) {
  proof_options how;
  how.with_certificate = false;
  how.message_classes = options.message_classes;
  return how;
}

std::string on_deadlock(const std::optional<deadlock_proof>& known, const topology& made,
                        const topology_options& options, vc_reallocation when, bool allow_deadlock) {
  if (!known) return "deadlock freedom not checked (takes long); run `toriscope prove`";
  const std::string sizes = fmt::format("{}: {} channels, {} dependencies", to_string(known->method),
                                        known->channels, known->dependencies);
  switch (known->outcome) {
    case proof_outcome::proven:
      if (known->needs_atomic_vcs && when != vc_reallocation::atomic)
        return fmt::format("deadlock: routing proven free of it with --vc-reallocation atomic only ({})", sizes);
      return fmt::format("routing proven free of deadlock ({})", sizes);
    case proof_outcome::unknown:
      return fmt::format("deadlock: not proven ({}): {}", sizes, known->reason);
    case proof_outcome::cyclic:
      break;
  }
  const std::string words = fmt::format("{} channels wait for each other in a cycle, from {} on",
                                        known->cycle.size(), to_string(*made.wiring, known->cycle.front()));
  if (allow_deadlock) return fmt::format("cyclic: {} ({})", words, sizes);
  throw std::invalid_argument(
      fmt::format("VC rule '{}' of {} with {} VCs is not free of deadlock: {}; toriscope prove shows it, "
                  "--vc-rule safe avoids it, --allow-deadlock runs it",
                  made.choice.vc_rule, made.choice.spec, options.vcs, words));
}

}  // namespace

talking_pairs pairs_of(const std::vector<flow>& flows, const topology_options& options) {
  talking_pairs pairs(options.vcs, options.message_classes);
  for (const flow& f : flows)
    f.for_each_pair([&](terminal_id source, terminal_id destination) {
      pairs.add(source, destination, options.message_classes > 1 ? f.message_class : 0);
    });
  return pairs;
}

std::string shared_classes_warning(const run_config& config) {
  const unsigned classes = config.network.message_classes;
  const unsigned queue = config.traffic.reply_queue;
  if (classes == 1) return {};
  if (!config.network.shared_classes)
    return fmt::format("{} message classes on disjoint VCs: none waits for VCs of another", classes) +
           (queue > 0 ? "; replies, which requests wait for (--reply-queue), wait for no request" : "");
  const std::string possible = "message classes share VCs: a protocol deadlock is possible";
  if (queue > 0)
    return possible + fmt::format(
                          " (requests wait for room in reply queues, --reply-queue {}, and replies for "
                          "VCs that requests hold)",
                          queue);
  return possible + " where reception waits for replies (--reply-queue); in this run it does not";
}

std::optional<deadlock_proof> known_or_proven(const topology& made, const topology_options& options,
                                              bool no_cache) {
  const proof_cache cache(made, options, !no_cache);
  std::optional<deadlock_proof> known = cache.find();
  if (known || !affordable(made, options.vcs)) return known;
  known = prove(*made.wiring, *made.routing, options.vcs, without_certificate(options));
  cache.remember(*known);
  return known;
}

std::string deadlock_summary(const topology& made, const topology_options& options, vc_reallocation when,
                             const deadlock_check_settings& settings, const std::vector<flow>* flows) {
  const std::optional<deadlock_proof> known = known_or_proven(made, options, settings.no_cache);
  if (flows && known && known->outcome == proof_outcome::cyclic) {
    proof_options how = without_certificate(options);
    const talking_pairs pairs = pairs_of(*flows, options);
    how.only = &pairs;
    const deadlock_proof of_flows = prove(*made.wiring, *made.routing, options.vcs, how);
    if (of_flows.outcome == proof_outcome::proven)
      return on_deadlock(of_flows, made, options, when, settings.allow_deadlock) +
             ", for packets of the flows only; for all pairs it is cyclic";
  }
  const std::string summary = on_deadlock(known, made, options, when, settings.allow_deadlock);
  if (!known || known->unused.empty()) return summary;
  return summary + "\nVCs that no packet may take: " + in_words(*made.wiring, known->unused);
}

}  // namespace toriscope
