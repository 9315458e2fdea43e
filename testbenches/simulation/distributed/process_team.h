// SPDX-License-Identifier: Apache-2.0
// The processes that mpirun started: who we are, and how all of them begin and end together.
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

#include "testbenches/simulation/distributed/watchful_transport.h"

namespace toriscope {

/// Something is wrong on some rank, and all of them know.
class rank_disagreement : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class process_team {
 public:
  /// Joins the others. @throws std::runtime_error when this toriscope cannot
  process_team();

  /// How many processes mpirun started; 1 when it was not mpirun.
  static unsigned started();

  process_transport& transport() const { return *transport_; }
  unsigned rank() const { return rank_; }
  unsigned ranks() const { return ranks_; }
  /// The one that writes results.
  bool leads() const { return rank() == 0; }

  /// Before anything is simulated, by all ranks.
  /// @param error      what is wrong here, one line; empty: nothing
  /// @param same_here  must be the same text on all ranks, when there is no error
  /// @throws rank_disagreement what is wrong somewhere
  void agree(const std::string& error, const std::string& same_here);
  bool agreed() const { return agreed_; }
  /// From now on a rank that stays silent for too long ends the job. Before, one may build RTL or prove.
  void begin() { transport_->limit_silence(patience_); }

 private:
  const unsigned patience_;  ///< seconds
  std::unique_ptr<watchful_transport> transport_;
  unsigned rank_ = 0;
  unsigned ranks_ = 1;
  bool agreed_ = false;
};

/// Runs `work` on all ranks. What is wrong with the input is said once, by the rank that leads, whichever
/// found it; an exception during the run ends all ranks.
/// @returns the exit status of this process
int run_on_ranks(const std::function<int(process_team&)>& work);

}  // namespace toriscope
