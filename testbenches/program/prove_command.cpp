// SPDX-License-Identifier: Apache-2.0
#include "testbenches/program/prove_command.h"

#include <fmt/format.h>

#include <optional>
#include <stdexcept>
#include <utility>

#include "base/json.h"
#include "base/resources.h"
#include "base/text_file.h"
#include "base/words.h"
#include "testbenches/experiments/sweep/point.h"
#include "testbenches/program/option_effects.h"
#include "testbenches/program/proof_report.h"
#include "testbenches/program/text_output.h"
#include "testbenches/program/witness_run.h"
#include "testbenches/simulation/deadlock_check.h"
#include "testbenches/simulation/proof_cache.h"
#include "testbenches/simulation/traffic/flow_file.h"
#include "topologies/proof/certificate.h"
#include "topologies/proof/certificate_checker.h"
#include "topologies/proof/deadlock_proof.h"
#include "topologies/registry.h"
#include "topologies/vc_classes.h"
#include "traces/gtkw.h"

namespace toriscope {
namespace {

using json = nlohmann::ordered_json;

/// The certificate of a proof that has its numbers.
certificate certify(const topology& made, const topology_options& options, deadlock_proof& found) {
  certificate c;
  c.options = {made.choice, options.vcs, options.message_classes};
  c.escape_vcs = found.escape_vcs != 0 ? found.escape_vcs : all_vcs(found.vcs);
  c.numbers = std::move(found.numbers);
  return c;
}

/// The network of a certificate, which has a row for each of its links.
topology network_of(const certificate& c, const std::string& file) {
  topology_options options = c.options;
  const std::size_t links = c.numbers.size() / c.options.vcs;
  options.node_limit = links + 1;  // more cannot be connected
  options.limit_reason = fmt::format("certificate {} has numbers for {} links only; expected a line of numbers for "
                                     "each link", file, links);
  return make_routed_topology(options, "to prove");
}

/// `--check FILE`.
int check_command(const prove_outputs& o) {
  const certificate c = certificate_from_text(text_of_file(o.check, "certificate " + o.check), o.check);
  const topology made = network_of(c, o.check);
  check_writable(o.json);
  const certificate_check found =
      check_certificate(*made.wiring, *made.routing, c.options.vcs, c.escape_vcs, c.numbers);
  const bool good = found.holds && found.complete;
  const bool needs_atomic_vcs = c.escape_vcs != all_vcs(c.options.vcs);  // Duato's condition
  const network_choice& choice = made.choice;
  const json tree = {{"topology", choice.spec}, {"routing", choice.routing},    {"vc_rule", choice.vc_rule},
                     {"vcs", c.options.vcs},    {"holds", found.holds},         {"complete", found.complete},
                     {"steps", found.steps},    {"objection", found.objection},
                     {"regrant", needs_atomic_vcs ? "drained" : "any"},     {"certificate", o.check}};
  write_text(o.json, o.json.empty() ? "" : tree.dump(2) + "\n");
  if (!o.quiet && !is_stdout(o.json))
    write_stdout(
        what_is_proven(made, c.options) + "\n" +
        (good ? fmt::format("the certificate holds{}: every one of {} steps leads to a greater number\n",
                            needs_atomic_vcs ? " with --vc-reallocation atomic" : "", found.steps)
         : found.holds
             ? fmt::format("the certificate holds for some destinations, {} steps: no proof\n", found.steps)
             : fmt::format("the certificate does not hold: {}\n", found.objection)));
  return good ? fine : check_failed;
}

std::string frozen_in_words(const std::string& what, const std::vector<std::string>& detail,
                            const prove_outputs& o) {
  std::string text = fmt::format("  witness  {} froze the simulated network: {}\n", what, detail.front());
  for (std::size_t i = 1; i < detail.size(); ++i) text += "  " + detail[i] + "\n";
  if (!o.wave.empty()) text += fmt::format("  waveform {}\n", o.wave);
  return text;
}

std::string in_words(const std::optional<frozen_network>& frozen, const prove_outputs& o) {
  if (!frozen) return "  witness  none of the packets tried froze the simulated network\n";
  std::string text = frozen_in_words(fmt::format("{} packets", frozen->packets.size()), frozen->detail, o);
  if (!o.witness.empty())
    text += fmt::format("  packets  {}, for toriscope run --allow-deadlock --traffic-file\n", o.witness);
  return text;
}

json as_json(const std::optional<frozen_network>& frozen) {
  if (!frozen) return {{"frozen", false}};
  json tree = {{"frozen", true}, {"packets", json::array()}, {"watchdog", frozen->detail}};
  for (const witness_packet& p : frozen->packets)
    tree["packets"].push_back(
        {{"cycle", p.cycle}, {"source", p.source}, {"destination", p.destination}, {"flits", p.flits}});
  return tree;
}

/// What only a proof has.
void refuse_outputs_with_check(const prove_outputs& o) {
  for (const auto& [asked, option] :
       {std::pair{!o.certificate.empty(), "--certificate"}, {!o.witness.empty(), "--witness"},
        {!o.wave.empty(), "--wave"}, {o.no_witness, "--no-witness"}, {o.method != prove_outputs().method, "--method"}})
    if (asked)
      throw std::invalid_argument(
          fmt::format("{} has no effect with --check, which proves nothing; leave one of them out", option));
}

void refuse_with_flows(bool asked, const char* option, const char* why) {
  if (asked)
    throw std::invalid_argument(fmt::format("{} has no effect with --flows, {}; leave it out", option, why));
}

}  // namespace

int prove_command(const run_request& request, const prove_outputs& o) {
  if (!o.check.empty()) {
    refuse_options_but(0, request,
                       "with --check, which reads the network from the certificate; leave it out");
    refuse_outputs_with_check(o);
    return check_command(o);
  }
  if (o.no_witness && !(o.witness.empty() && o.wave.empty()))
    throw std::invalid_argument(std::string(o.witness.empty() ? "--wave" : "--witness") +
                                " has no effect with --no-witness; leave one of them out");
  proof_options how;
  how.method = proof_method_named(o.method);
  how.with_certificate = !o.certificate.empty();
  const run_config& config = request.config;
  const topology_options options = config.routing_options();
  const topology made = make_routed_topology(options, "to prove");
  refuse_stdout("--wave", "a waveform", o.wave);
  if (o.wave == "none") throw std::invalid_argument("--wave: none; expected a file, or leave it out");
  check_outputs({{"--json", o.json},
                 {"--certificate", o.certificate},
                 {"--witness", o.witness},
                 {"--wave", o.wave},
                 {"the GTKWave save file", gtkw_name(o.wave)}});

  how.message_classes = options.message_classes;
  std::optional<talking_pairs> pairs;
  std::size_t flow_count = 0;
  if (const std::string& file = config.traffic.flows; !file.empty()) {
    refuse_with_flows(!o.certificate.empty(), "--certificate", "because a certificate is of all pairs");
    refuse_with_flows(how.method != proof_method::automatic, "--method", "whose packets are all followed");
    const std::vector<flow> flows =
        read_flows({config.traffic, config.network.message_classes, config.topology.flit_bits}, *made.wiring);
    flow_count = flows.size();
    pairs = pairs_of(flows, options);
    how.only = &*pairs;
  }

  const double start = cpu_seconds();
  deadlock_proof found = prove(*made.wiring, *made.routing, options.vcs, how);
  const double seconds = cpu_seconds() - start;
  if (found.outcome != proof_outcome::unknown && how.method == proof_method::automatic && !pairs)
    proof_cache(made, options).remember(found);
  // Cyclic routing is the worse news.
  std::optional<shared_message_classes> shared;
  if (config.network.shared_classes && config.network.message_classes > 1 && !pairs &&
      found.outcome != proof_outcome::cyclic)
    shared = {config.network.message_classes, find_protocol_cycle(*made.wiring, *made.routing, options.vcs)};
  if (shared && !o.witness.empty())
    throw std::invalid_argument(
        "--witness has no effect with --shared-classes, whose packets are requests and replies; leave it "
        "out");
  std::string text = as_text(made, options, found, seconds, shared ? &*shared : nullptr);
  json tree = as_json(made, config.network, found, shared ? &*shared : nullptr);
  tree["seconds"] = seconds;
  if (pairs) {
    text.insert(text.find('\n'), fmt::format("; only packets of {} (flows: {}, pairs of terminals: {})",
                                             one_line(config.traffic.flows), flow_count, pairs->size()));
    tree["flows"] = {{"file", config.traffic.flows}, {"count", flow_count}, {"pairs", pairs->size()}};
  }

  if (!o.certificate.empty() && found.outcome == proof_outcome::proven && !shared) {
    write_text(o.certificate, to_text(certify(made, options, found)));
    text += fmt::format("  certificate in {}: {}\n", o.certificate,
                        shell_command({"prove", "--check", o.certificate}));
    tree["certificate"] = o.certificate;
  }
  const bool deterministic = made.routing->options_at_most() == 1;
  if (!found.cycle.empty() && deterministic && !o.no_witness &&
      made.wiring->node_count() <= max_witness_nodes) {
    const std::optional<frozen_network> frozen = find_witness(made, config, found.cycle, o.wave, how.only);
    if (frozen) write_text(o.witness, frozen->traffic);
    text += in_words(frozen, o);
    tree["witness"] = as_json(frozen);
  }
  if (shared && !o.no_witness && made.wiring->node_count() <= max_witness_nodes) {
    const std::vector<std::string> detail = freeze_by_requests(config, o.wave);
    text += detail.empty()
                ? "  witness  the requests and replies tried did not freeze the simulated network\n"
                : frozen_in_words("requests and replies", detail, o);
    text += fmt::format("  packets  of {}\n", shell_command(request_reply_arguments(config)));
    tree["witness"] = {{"frozen", !detail.empty()}, {"watchdog", detail}};
  }
  write_text(o.json, o.json.empty() ? "" : tree.dump(2) + "\n");
  if (!o.quiet && !is_stdout(o.json)) write_stdout(text);
  return found.outcome == proof_outcome::proven && !shared ? fine : check_failed;
}

}  // namespace toriscope
