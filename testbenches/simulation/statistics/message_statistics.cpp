// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/statistics/message_statistics.h"

#include <limits>
#include <string>

namespace toriscope {

statistics message_statistics::figures() const {
  statistics list;
  const auto add = [&](const std::string& group, const char* count, const char* what,
                       const integer_histogram& values) {
    const auto figure = [&](std::uint64_t value) {
      return values.count() ? statistic::value_type(value)
                            : statistic::value_type(std::numeric_limits<double>::quiet_NaN());
    };
    list.push_back({group + "." + count, "", "of those created in the measured cycles", values.count()});
    list.push_back({group + ".latency_mean", "cycles", what, values.mean()});
    list.push_back({group + ".latency_p50", "cycles", "the median", figure(values.percentile(50))});
    list.push_back(
        {group + ".latency_p99", "cycles", "99 % are not above it", figure(values.percentile(99))});
    list.push_back({group + ".latency_max", "cycles", "the largest", figure(values.max())});
  };
  add("requests", "arrived", "request created to its tail received", requests_);
  add("replies", "arrived", "reply created to its tail received", replies_);
  add("round_trip", "answered", "request created to its reply's tail received", round_trips_);
  list.push_back(
      {"round_trip.unanswered", "",
       "of those created in the measured cycles, when the run ended: the longest are missing above",
       unanswered_});
  return list;
}

}  // namespace toriscope
