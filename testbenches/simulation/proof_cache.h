// SPDX-License-Identifier: Apache-2.0
// Proofs remembered from run to run: small files in $XDG_CACHE_HOME/toriscope (~/.cache/toriscope), one for
// each network, routing, VC rule and program. An entry that is unreadable, belongs to another network or fails its
// checksum counts as missing: the proof runs again, and the entry is written anew. Where the cache cannot be written,
// the proof is not kept. Entries that were not used for 30 days are removed. Networks from files (file:PATH) are not
// remembered: their routes are not in their names.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "topologies/proof/deadlock_proof.h"
#include "topologies/registry.h"

namespace toriscope {

class proof_cache {
 public:
  /// @param on  false: remembers nothing
  proof_cache(const topology& made, const topology_options& options, bool on = true);

  /// Outcome, method, sizes, reason, escape VCs and cycle; no certificate.
  std::optional<deadlock_proof> find() const;
  /// @param proof  made by proof_method::automatic, all pairs
  void remember(const deadlock_proof& proof) const;

 private:
  std::string key_;        ///< all that the outcome depends on
  std::size_t links_ = 0;  ///< of the network
  std::string file_;       ///< empty: nothing is remembered
};

}  // namespace toriscope
