// SPDX-License-Identifier: Apache-2.0
// Counts of an observed run as CSV, JSON and text (docs/observation.md). What cannot be had, because a node
// is not the model's, is an empty field or null.
#pragma once

#include <string>

#include "base/json.h"
#include "testbenches/simulation/observation/observation.h"

namespace toriscope {

enum class file_format { csv, json };

/// A line per link, injection port and ejection port (JSON: "links" and "ports"): flits, utilisation, busy
/// share, utilisation of each VC, and what flits waited for that wanted to go there.
std::string link_usage(const observation& o, file_format format);

/// A line per input VC: cycles with a flit at the front, by what became of it. paper2009: also per output VC.
std::string stall_reasons(const observation& o, file_format format);

/// A line per router: events for energy models.
std::string event_counts(const observation& o, file_format format);

/// Sums over the network, and the busiest links and ports: {"cycles", "events", "fronts", "busiest_links"};
/// "routers_not_observed" where some are RTL.
nlohmann::ordered_json observation_summary(const observation& o, std::size_t links = 10);
/// The same for people.
std::string observation_text(const observation& o, std::size_t links = 10);

}  // namespace toriscope
