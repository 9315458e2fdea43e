// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/statistics/link_use.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "topologies/path.h"

namespace toriscope {

link_use::link_use(const netlist& wiring, std::vector<std::uint64_t> flits, cycle_t cycles)
    : wiring_(wiring), flits_(std::move(flits)), cycles_(static_cast<double>(cycles)) {
  flits_.resize(wire_count(wiring));
  for (wire_id w = 1; w < flits_.size(); ++w)
    if (busy(w) > busy(busiest_)) busiest_ = w;
}

double link_use::utilisation(wire_id w) const {
  return cycles_ > 0 ? static_cast<double>(flits_[w]) / cycles_ : 0;
}

double link_use::busy(wire_id w) const {
  return std::min(1.0, utilisation(w) * wire_at(wiring_, w).flit_cycles);
}

std::uint64_t link_use::flits_where_busy() const {
  const double least = 0.9 * busy(busiest_);
  std::uint64_t flits = 0;
  for (wire_id w = 0; w < flits_.size(); ++w)
    if (busy(w) >= least) flits += flits_[w];
  return flits;
}

wire_id link_use::busiest_on_routes(const routing_function& routing, unsigned vcs, node_id source,
                                    const std::vector<node_id>& destinations) const {
  wire_id most = injection_wire(wiring_, source);
  // Where routes are drawn there are many, and they pass by everything.
  const double highest = busy(busiest_);
  const auto look_at = [&](wire_id w) {
    if (busy(w) > busy(most)) most = w;
  };
  for (const node_id destination : destinations) {
    for (route_state drawn = 0; drawn < routing.injection_states(); ++drawn) {
      if (busy(most) == highest) return most;
      for (const hop& h : walk(wiring_, routing, source, destination, vcs, drawn)) look_at(h.link);
    }
    look_at(ejection_wire(wiring_, destination));
  }
  return most;
}

std::string link_use::in_words(wire_id w) const {
  const wire_place place = wire_at(wiring_, w);
  if (place.what == wire_kind::inter_router) return "the link " + wire_name(wiring_, w);
  const std::string number = std::to_string(place.terminal),
                    address = wiring_.terminal_address(place.terminal);
  return fmt::format("the {} port of {} {}{}", to_string(place.what),
                     wiring_.has_plain_terminals() ? "node" : "terminal", number,
                     address == number ? "" : " (" + address + ")");
}

std::string link_use::sentence() const {
  const wire_id w = busiest_;
  std::string what = in_words(w);
  if (busy(w) == 0) return "No flit was sent in the measured cycles.";
  if (busy(w) < full)
    return fmt::format("No link or port is full; the busiest, {}, is busy {:.1f} % of the measured cycles.",
                       what, 100 * busy(w));
  what.front() = 'T';
  return fmt::format("{} is full: busy {:.1f} % of the measured cycles.", what, 100 * busy(w));
}

statistics link_use::figures() const {
  statistics list;
  if (const std::size_t links = wiring_.links().size(); links > 0) {
    double sum = 0, most = 0, busy_sum = 0, busy_most = 0;
    for (wire_id w = 0; w < links; ++w) {
      sum += utilisation(w);
      most = std::max(most, utilisation(w));
      busy_sum += busy(w);
      busy_most = std::max(busy_most, busy(w));
    }
    const auto count = static_cast<double>(links);
    list = {{"links.utilisation_mean", "flits/cycle", "over all links, in the measured cycles", sum / count},
            {"links.utilisation_max", "flits/cycle", "of the link with the most flits", most},
            {"links.busy_mean", "", "share of the measured cycles in which a link is in use, over all links",
             busy_sum / count},
            {"links.busy_max", "", "of the busiest link", busy_most}};
  }
  list.push_back({"bottleneck.name", "",
                  "the busiest link, or injection (in) or ejection (out) port; none: no flit was sent",
                  busy(busiest_) > 0 ? wire_name(wiring_, busiest_) : "none"});
  list.push_back(
      {"bottleneck.busy", "", "share of the measured cycles in which it is in use", busy(busiest_)});
  return list;
}

statistics link_use::fairness() const {
  double sum = 0, squares = 0, most = 0;
  const double sources = wiring_.terminal_count();
  terminal_id least = 0;
  for (terminal_id t = 0; t < wiring_.terminal_count(); ++t) {
    const double sent = utilisation(injection_wire(wiring_, t));
    sum += sent;
    squares += sent * sent;
    most = std::max(most, sent);
    if (sent < utilisation(injection_wire(wiring_, least))) least = t;
  }
  const bool any = most > 0;
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  return {{"fairness.jain", "",
           "not stable, all offered alike: Jain's index of the flits that each source sent, 1: all alike",
           any ? sum * sum / (sources * squares) : none},
          {"fairness.least", "flits/cycle", "sent by the source that sent least",
           any ? utilisation(injection_wire(wiring_, least)) : none},
          {"fairness.least_source", "", "that source",
           any ? statistic::value_type(wiring_.terminal_address(least)) : statistic::value_type(none)},
          {"fairness.most", "flits/cycle", "sent by the source that sent most", any ? most : none}};
}

std::vector<std::pair<std::string, std::vector<double>>> link_use::lists() const {
  std::vector<std::pair<std::string, std::vector<double>>> all{
      {"links", {}}, {"links_busy", {}}, {"injection_ports", {}}, {"ejection_ports", {}}};
  const auto add = [&](std::size_t list, double share) {
    all[list].second.push_back(cycles_ > 0 ? share : std::numeric_limits<double>::quiet_NaN());
  };
  for (wire_id w = 0; w < flits_.size(); ++w) switch (wire_at(wiring_, w).what) {
      case wire_kind::inter_router:
        add(0, utilisation(w));
        add(1, busy(w));
        break;
      case wire_kind::injection:
        add(2, busy(w));
        break;
      case wire_kind::ejection:
        add(3, busy(w));
        break;
    }
  return all;
}

}  // namespace toriscope
