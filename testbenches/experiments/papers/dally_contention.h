// SPDX-License-Identifier: Apache-2.0
// Contention in unidirectional k-ary n-cubes: Dally 1990, Sect. III-B, Eq. 21-24, and what follows from them,
// figures 14-17 and Table I.
//
//   model      e-cube routing; Poisson arrivals of messages of L bits, uniform over all nodes, the own included;
//              channels of k/2 bits. Dimension by dimension, from the sink backwards: the time that a message
//              occupies the channel into a dimension is that into the next one and what it waits in between
//   misprints  the printed equations have the wrong dimension in three places; they are computed as derived:
//              Eq. 22 for k = 2 is T + l T^2/8 (printed T + l T/8); the bound of Eq. 23 is l_C < 1/(2T) (printed
//              l_C < T/2); the last term of Eq. 26 has T_0^2 (printed T_0)
//   units      cycles, bits per node and cycle
#pragma once

#include <optional>

#include "testbenches/experiments/papers/dally_equations.h"

namespace toriscope::dally {

struct load {
  double message_bits;    ///< L
  double bits_per_cycle;  ///< lambda, of a node

  /// lambda_E = lambda / L, messages per cycle.
  double messages() const { return bits_per_cycle / message_bits; }
};

/// Eq. 21: the message rates about a dimension, by whether the previous one and this one are routed in (R) or
/// skipped (S).
struct stream_rates {
  double s, r, ss, sr, rs, rr;
};
stream_rates rates(const cube& c, const load& l);

/// Eq. 23: the time that a message occupies the first continuing channel of a dimension, when it occupies the
/// channel after the dimension for `after` cycles. None: it never gets through.
std::optional<double> continuing_service_time(const cube& c, const load& l, double after);
/// Eq. 24: T_Ri, what a message waits while it routes in a dimension.
std::optional<double> routing_wait(const cube& c, const load& l, double after);
/// T_n: the time that a message occupies the channel from its source, Eq. 22 n times from T_0 = L/W on.
/// None: there is no steady state.
std::optional<double> source_service_time(const cube& c, const load& l);
/// T_n + D: from the head's entry into the network to the tail's exit. Without load it is Eq. 12.
std::optional<double> latency(const cube& c, const load& l);
/// T_n - T_0 with queues in the nodes, Eq. 25-26: service times stay L/W.
double wait_with_queues(const cube& c, const load& l);
/// The largest lambda with T_n lambda_E <= 1: the source is busy all the time.
double max_throughput(const cube& c, double message_bits);

/// Eq. 27 with the width of Eq. 7: the bits per cycle from one node to another, one channel's. (Printed: k - 1,
/// the channel of an earlier normalisation.)
double hot_spot_throughput(const cube& c);

}  // namespace toriscope::dally
