// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/configuration/run_config.h"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "base/text_file.h"
#include "base/text_hash.h"
#include "base/words.h"
#include "network/transaction/transaction_network.h"
#include "testbenches/simulation/traffic/arrivals.h"
#include "testbenches/simulation/traffic/packet_lengths.h"
#include "topologies/analysis/link_budget.h"

namespace toriscope {
namespace {

/// Adds what `check` throws to the errors.
template <class Check>
void collect(std::vector<std::string>& errors, Check check) {
  try {
    check();
  } catch (const std::invalid_argument& error) {
    errors.emplace_back(error.what());
  }
}

}  // namespace

topology_options run_config::routing_options() const {
  return {topology, network.router.vcs, network.shared_classes ? 1 : network.message_classes};
}

std::string run_config::hashes_of_files() const {
  std::vector<std::string> paths;
  for (const std::string& spec : networks_in(topology.spec)) {
    const std::string arguments = spec.substr(spec.find(':') + 1);
    if (begins_with(spec, "file:")) paths.push_back(arguments);
    if (begins_with(spec, "rdt:")) paths.push_back(arguments.substr(0, arguments.rfind(',')));
  }
  paths.push_back(traffic.file);
  paths.push_back(traffic.flows);
  std::string hashes;
  for (const std::string& path : paths)
    if (const auto hash = path.empty() ? std::nullopt : hash_of_file(path)) hashes += " " + hex_text(*hash);
  return hashes;
}

std::vector<std::string> run_config::validate() const {
  std::vector<std::string> errors = network.validate();
  const pipeline p = network.router.pipeline;
  // Counts other than the default ones are an error of the router.
  if (errors.empty() && stages_named && p != pipeline::custom)
    errors.push_back(std::string("stages: the ") + to_string(p) +
                     " pipeline has its own stage counts; use --pipeline custom or leave --stages out");
  if (fidelity == toriscope::fidelity::transaction) {
    for (std::string& error : transaction_config_errors(network)) errors.push_back(std::move(error));
    if (!topology.dead_links.empty())
      errors.emplace_back("fail-link: links cannot fail at the transaction level; use --fidelity cycle");
  }
  for (std::string& error : measurement.validate()) errors.push_back(std::move(error));
  collect(errors, [this] { packet_lengths{traffic.packet_flits}; });
  collect(errors, [this] { arrival_kind_named(traffic.arrivals); });
  if (!(traffic.rate_flits_per_node_cycle >= 0 && traffic.rate_flits_per_node_cycle <= 1))
    errors.emplace_back("rate: expected 0 to 1 flits per node and cycle");
  if (!(traffic.hot_probability >= 0 && traffic.hot_probability <= 1))
    errors.emplace_back("hot-probability: expected 0 to 1");
  if (traffic.mode != traffic_mode::open && !traffic.file.empty())
    errors.emplace_back("traffic-file: supported with --traffic-mode open only");
  if (measurement.precision > 0 && (traffic.mode != traffic_mode::open || !traffic.file.empty()))
    errors.emplace_back("precision: supported with --traffic-mode open and without --traffic-file only");
  if (!traffic.flows.empty()) {
    if (traffic.mode != traffic_mode::open)
      errors.emplace_back("flows: supported with --traffic-mode open only");
    if (!traffic.file.empty())
      errors.emplace_back("flows: --traffic-file names all packets; leave one of them out");
    if (measurement.precision > 0) errors.emplace_back("precision: not supported with --flows; use --cycles");
  }
  const bool to_the_end = traffic.mode == traffic_mode::batch ||
                          (!traffic.file.empty() && traffic.file_timing == file_timing::dependencies);
  if (!to_the_end && measurement.measure_cycles == without_end)
    errors.push_back("cycles: " + std::to_string(without_end) + " stands in the results of runs that end with their "
                     "packets, and this one would not; expected the number of measured cycles");
  if (!topology.equal.empty()) {
    collect(errors, [this] { parse_link_budget(topology.equal); });
    const bool overridden =
        std::any_of(topology.link_overrides.begin(), topology.link_overrides.end(),
                    [](const std::string& l) { return l.find("width=") != std::string::npos; });
    if (!topology.link_width_bits.empty() || overridden)
      errors.emplace_back("equal: link widths are given, too; leave one of them out");
  }
  if (traffic.mode == traffic_mode::request_reply) {
    collect(errors, [this] { packet_lengths{traffic.reply_flits}; });
    if (network.message_classes != 2)
      errors.emplace_back("message-classes: --traffic-mode request_reply has 2, requests and replies, not " +
                          std::to_string(network.message_classes));
  }
  return errors;
}

}  // namespace toriscope
