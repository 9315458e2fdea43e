// SPDX-License-Identifier: Apache-2.0
// Verdicts remembered from run to run: small files in $XDG_CACHE_HOME/toriscope (~/.cache/toriscope), one for
// each network, routing, VC rule and program. What cannot be read, was written for anything else, or was changed
// since (each has a checksum of its content) is not there, and is proven and written anew; what cannot be written is not remembered. Networks from files (file:PATH) are not remembered: their
// routes are not in their names.
#pragma once

#include <optional>
#include <string>

#include "topologies/proof/deadlock_proof.h"
#include "topologies/registry.h"

namespace toriscope {

class proof_cache {
 public:
  /// @param on  false: remembers nothing
  proof_cache(const topology& made, const topology_options& options, bool on = true);

  /// Verdict, method, sizes, reason, escape VCs and cycle; no certificate.
  std::optional<deadlock_proof> find() const;
  void remember(const deadlock_proof& proof) const;

 private:
  std::string key_;   ///< all that the verdict depends on
  std::string file_;  ///< empty: nothing is remembered
};

}  // namespace toriscope
