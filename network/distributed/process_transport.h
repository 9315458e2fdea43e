// SPDX-License-Identifier: Apache-2.0
// How the ranks that simulate one network exchange words: from each to each, in cycles that all of them know. The
// network knows this interface only; MPI implements it.
#pragma once

#include <cstdint>
#include <vector>

namespace toriscope {

/// Words by rank: for it, or from it.
using rank_words = std::vector<std::vector<std::uint64_t>>;

class process_transport {
 public:
  virtual ~process_transport() = default;

  virtual unsigned rank() const = 0;
  virtual unsigned ranks() const = 0;

  /// Sends out[r] to every other rank r and waits for in[r] from each. All ranks must call it the same number
  /// of times; in[rank()] becomes empty.
  virtual void exchange(const rank_words& out, rank_words& in) = 0;

  /// CPU seconds spent in exchange() so far.
  virtual double waiting_cpu_seconds() const = 0;

  /// All ranks have come to an end; nothing may be called afterwards.
  virtual void finish() = 0;
  /// Ends all ranks now, whatever they are doing.
  [[noreturn]] virtual void abort(int status) = 0;
};

}  // namespace toriscope
