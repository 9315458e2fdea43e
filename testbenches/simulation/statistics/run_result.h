// SPDX-License-Identifier: Apache-2.0
// The result of a run, read back from the JSON that it wrote (report.h): by sweeps, by the search for witnesses, by
// users.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"

namespace toriscope {

/// Why a run stopped.
struct run_failure {
  std::string message;              ///< one line
  bool deadlock = false;            ///< else a broken invariant
  std::vector<std::string> detail;  ///< one line each: the channels of the wait-for cycle ...
};

/// From `low` to `high`.
struct figure_interval {
  double low;
  double high;
};

/// Packets by latency: `counts[i]` have one of first + i * bin_width to first + (i + 1) * bin_width - 1 cycles.
struct latency_bins {
  std::uint64_t first;
  std::uint64_t bin_width;  ///< a power of two, of which `first` is a multiple
  std::vector<std::uint64_t> counts;
};

/// A value: copies share what was read.
class run_result {
 public:
  /// The effective configuration, as a tree.
  const nlohmann::ordered_json& config() const { return document_->at("config"); }
  /// As measurement::stable(); false for a run that failed.
  bool stable() const;
  /// Whether it ended with a deadlock or a broken invariant.
  bool failed() const { return failure_.has_value(); }
  const std::optional<run_failure>& failure() const { return failure_; }
  /// Whether its figures are void: a defect of the model or of a router, other than a deadlock.
  bool broken() const { return failed() && !failure_->deadlock; }
  /// A figure by its name, "latency.mean"; NaN when there is none.
  double figure(const std::string& name) const;
  /// A figure that is a list of two numbers, "latency.interval_95"; nothing when it is null or missing.
  std::optional<figure_interval> interval(const std::string& name) const;
  /// Nothing when no packet was counted.
  std::optional<latency_bins> histogram() const;
  /// All figures that are numbers, by name.
  std::map<std::string, double> figures() const;
  /// All there is, as it was read.
  const nlohmann::ordered_json& document() const { return *document_; }

 private:
  explicit run_result(nlohmann::ordered_json document);
  friend run_result from_json(nlohmann::ordered_json document);

  const nlohmann::ordered_json* find(const std::string& name) const;

  std::shared_ptr<const nlohmann::ordered_json> document_;
  std::optional<run_failure> failure_;
};

/// @throws std::invalid_argument when it is not the result of a run, in one line
run_result from_json(nlohmann::ordered_json document);
/// The same for a text.
run_result from_json(const std::string& text);

}  // namespace toriscope
