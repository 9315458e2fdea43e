// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/papers/dally_contention.h"

#include <cmath>

namespace toriscope::dally {

namespace {

/// gamma: the probability that a message skips a dimension.
double skipping(const cube& c) { return 1 / c.k; }

/// lambda_C: messages per cycle on the continuing channels of a dimension.
double continuing_rate(const cube& c, const load& l) { return (c.k - 2) / 2 * rates(c, l).r; }

double square(double x) { return x * x; }

/// Eq. 22.
std::optional<double> blocked_step(const cube& c, const load& l, double after) {
  const std::optional<double> wait = routing_wait(c, l, after);
  if (!wait) return std::nullopt;
  const double g = skipping(c);
  return after + (1 - g) * *wait + g * std::pow(1 - g, 3) * l.messages() * square(after + *wait) +
         std::pow(g, 3) * (1 - g) * l.messages() * square(after);
}

}  // namespace

stream_rates rates(const cube& c, const load& l) {
  const double g = skipping(c);
  const double e = l.messages();
  return {g * e, (1 - g) * e, g * g * e, g * (1 - g) * e, g * (1 - g) * e, square(1 - g) * e};
}

std::optional<double> continuing_service_time(const cube& c, const load& l, double after) {
  const double rate = continuing_rate(c, l);
  if (rate == 0) return after;
  const double root = 1 - 2 * rate * after;
  if (root < 0) return std::nullopt;
  return (1 - std::sqrt(root)) / rate;
}

std::optional<double> routing_wait(const cube& c, const load& l, double after) {
  const std::optional<double> service = continuing_service_time(c, l, after);
  if (!service) return std::nullopt;
  return *service * (1 + continuing_rate(c, l) * *service / 2) - after;
}

std::optional<double> source_service_time(const cube& c, const load& l) {
  std::optional<double> time = aspect_ratio(c, l.message_bits);
  for (int i = 0; time && i < std::lround(c.n); ++i) time = blocked_step(c, l, *time);
  return time;
}

std::optional<double> latency(const cube& c, const load& l) {
  const std::optional<double> time = source_service_time(c, l);
  if (!time) return std::nullopt;
  return *time + mean_distance(c);
}

double wait_with_queues(const cube& c, const load& l) {
  const double service = aspect_ratio(c, l.message_bits);
  const double waiting = continuing_rate(c, l) * service / 2;
  const double g = skipping(c);
  double time = service;
  for (int i = 0; i < std::lround(c.n); ++i)
    time += (1 - g) * (time / (1 - waiting) * (1 + waiting) - time) +
            (g * std::pow(1 - g, 3) + std::pow(g, 3) * (1 - g)) * l.messages() * square(service);
  return time - service;
}

double max_throughput(const cube& c, double message_bits) {
  double carried = 0;
  double refused = capacity(c);
  for (int i = 0; i < 100; ++i) {
    const double tried = (carried + refused) / 2;
    const load l{message_bits, tried};
    const std::optional<double> time = source_service_time(c, l);
    (time && *time * l.messages() <= 1 ? carried : refused) = tried;
  }
  return carried;
}

double hot_spot_throughput(const cube& c) { return channel_width(c); }

}  // namespace toriscope::dally
