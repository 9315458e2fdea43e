// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/papers/proofs.h"

#include <fmt/format.h>

#include "testbenches/experiments/papers/measured_curves.h"
#include "topologies/proof/deadlock_proof.h"
#include "topologies/registry.h"

namespace toriscope {
namespace {

deadlock_proof proof_of(const proof_case& c) {
  const topology_options options = config_of(c.options).routing_options();
  const topology net = make_topology(c.spec, options);
  proof_options how;
  how.with_certificate = false;
  return prove(*net.wiring, *net.routing, options.vcs, how);
}

}  // namespace

std::string proof_case::command() const {
  std::string text = "toriscope prove --topology " + spec;
  for (const auto& [name, value] : options) text += fmt::format(" --{} {}", name, value);
  return text;
}

bool proof_case::is_free() const { return proof_of(*this).outcome == proof_outcome::proven; }

verdict judge_proofs(const std::vector<proof_case>& cases, const std::string& why_not) {
  bool holds = true;
  std::string figures;
  std::vector<std::string> beneath;
  for (const proof_case& c : cases) {
    const deadlock_proof proof = proof_of(c);
    holds = holds && proof.outcome == proof_outcome::proven;
    append(figures, c.spec + (c.words.empty() ? "" : ", " + c.words) + ": " +
                        (proof.cycle.empty() ? to_string(proof.outcome)
                                             : fmt::format("a cycle of {} channels", proof.cycle.size())));
    beneath.push_back(c.command());
  }
  verdict v = judge_claim("", provenance::proven, "", holds, figures, why_not);
  v.beneath = std::move(beneath);
  return v;
}

}  // namespace toriscope
