// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/observation/observation_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "topologies/wire_place.h"

namespace toriscope {
namespace {

using json = nlohmann::ordered_json;

/// A file is a list of rows of the same named fields: CSV has a line for each, JSON an object.
/// @param sums  of rows, in JSON only
std::string formatted(const observation& o, const char* name, const std::vector<json>& rows,
                      file_format format, const char* sums_name = nullptr,
                      const std::vector<json>& sums = {}) {
  if (format == file_format::json) {
    json all;
    all["from_cycle"] = o.counts.from();
    all["cycles"] = o.counts.cycles();
    all[name] = rows;
    if (sums_name) all[sums_name] = sums;
    return all.dump(1) + "\n";
  }
  std::string text;
  const char* comma = "";
  if (!rows.empty())
    for (const auto& field : rows.front().items()) {
      text += comma + field.key();
      comma = ",";
    }
  text += '\n';
  for (const json& row : rows) {
    comma = "";
    for (const json& value : row) {
      text += comma;
      comma = ",";
      if (!value.is_null()) text += value.is_string() ? value.get<std::string>() : value.dump();
    }
    text += '\n';
  }
  return text;
}

double per_cycle(std::uint64_t count, cycle_t cycles) {
  return cycles ? static_cast<double>(count) / static_cast<double>(cycles) : 0;
}

/// Share of the cycles in which a wire is in use.
double busy_share(const observation_counts& c, const wire_place& w) {
  return std::min(1.0, per_cycle(c.flits_over(w) * w.flit_cycles, c.cycles()));
}

constexpr std::size_t shown_roots = 5;

double share_of_waiting(const congestion_roots& roots, wire_id w) {
  return static_cast<double>(roots.waits_for(w)) / static_cast<double>(roots.all_waits());
}

/// The fates that have a column of their own.
template <class Visit>
void for_each_fate(bool stalls_only, Visit&& visit) {
  for (std::size_t i = 0; i < front_fates; ++i) {
    const auto f = static_cast<stall_cause>(i);
    if (!stalls_only || is_stall(f)) visit(f);
  }
}

/// A link of the netlist, or the injection or ejection port of a terminal. What waits in source queues is not a
/// flit yet: nothing waits for an injection port.
json wire_row(const observation& o, wire_id w) {
  const observation_counts& c = o.counts;
  const netlist& wiring = c.wiring();
  const network_config& config = o.observer.config();
  const wire_place place = wire_at(wiring, w);
  const bool port = place.what != wire_kind::inter_router;
  const netlist_link values = port ? netlist_link{} : wiring.links()[w];
  const bool injects = place.what == wire_kind::injection;
  const bool seen = o.counts.is_seen(place.from);
  const auto known = [seen](const auto& value) { return seen ? json(value) : json(); };
  json row;
  row["link"] = w;
  row["from"] = injects ? wiring.terminal_address(place.terminal) : wiring.address(place.from);
  row["port"] = wiring.port_name(place.from, place.from_port);
  row["to"] = port && !injects ? wiring.terminal_address(place.terminal) : wiring.address(place.to);
  row["level"] = port ? json() : json(values.level);
  row["delay_cycles"] = !port     ? unsigned{values.delay_cycles}
                        : injects ? config.injection_delay_cycles
                                  : config.ejection_delay_cycles;
  row["flit_cycles"] = place.flit_cycles;
  row["flits"] = known(c.flits_over(place));
  row["utilisation"] = known(per_cycle(c.flits_over(place), c.cycles()));
  row["busy"] = known(busy_share(c, place));
  for (unsigned v = 0; v < c.vcs(); ++v)
    row[fmt::format("vc{}_utilisation", v)] = known(per_cycle(c.flits_over(place, v), c.cycles()));
  const fate_counts& waits = c.output_port(place.from, place.from_port);
  for_each_fate(true, [&](stall_cause f) {
    row[fmt::format("wait_{}", name_of(f))] = injects ? json() : known(at(waits, f));
  });
  row["kind"] = to_string(place.what);
  return row;
}

/// @param vc  -1: all of the port
json stall_row(const observation& o, node_id n, port_id p, const char* side, int vc,
               const fate_counts& counts) {
  const netlist& wiring = o.counts.wiring();
  const bool seen = o.counts.is_seen(n);
  const auto known = [seen](const auto& value) { return seen ? json(value) : json(); };
  json row;
  row["node"] = n;
  row["address"] = wiring.address(n);
  row["side"] = side;
  row["port"] = wiring.port_name(n, p);
  if (vc >= 0) row["vc"] = vc;
  row["front_cycles"] = known(total_of(counts));
  for_each_fate(false, [&](stall_cause f) { row[name_of(f)] = known(at(counts, f)); });
  return row;
}

json as_object(const router_events& e) {
  json object;
  for (const event_kind& kind : event_table) object[kind.name] = e.*kind.member;
  return object;
}

/// Links and ports whose flits are known, the busiest first.
std::vector<wire_id> busiest(const observation_counts& c, std::size_t most) {
  std::vector<std::uint64_t> busy;
  std::vector<wire_id> order;
  for (wire_id w = 0; w < wire_count(c.wiring()); ++w) {
    const wire_place place = wire_at(c.wiring(), w);
    busy.push_back(c.flits_over(place) * place.flit_cycles);
    if (c.is_seen(place.from)) order.push_back(w);
  }
  const std::size_t count = std::min(most, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
                    [&](wire_id a, wire_id b) { return busy[a] != busy[b] ? busy[a] > busy[b] : a < b; });
  order.resize(count);
  return order;
}

}  // namespace

std::string link_usage(const observation& o, file_format format) {
  std::vector<json> links, ports;
  for (wire_id w = 0; w < wire_count(o.counts.wiring()); ++w)
    (w < o.counts.wiring().links().size() ? links : ports).push_back(wire_row(o, w));
  if (format == file_format::json) return formatted(o, "links", links, format, "ports", ports);
  links.insert(links.end(), ports.begin(), ports.end());
  return formatted(o, "links", links, format);
}

std::string stall_reasons(const observation& o, file_format format) {
  const observation_counts& c = o.counts;
  std::vector<json> vcs, ports;
  const auto add_port = [&](node_id n, port_id p, const char* side, const auto& counts_of) {
    fate_counts sum{};
    for (unsigned v = 0; v < c.vcs(); ++v) {
      const fate_counts& counts = counts_of(v);
      vcs.push_back(stall_row(o, n, p, side, static_cast<int>(v), counts));
      for (std::size_t f = 0; f < front_fates; ++f) sum[f] += counts[f];
    }
    ports.push_back(stall_row(o, n, p, side, -1, sum));
  };
  for (node_id n = 0; n < c.wiring().node_count(); ++n) {
    const unsigned ports = c.wiring().port_count(n);
    for (port_id p = 0; p < ports; ++p)
      if (wire_into(c.wiring(), n, p) != no_wire)
        add_port(
            n, p, "in", [&](unsigned v) -> auto& { return c.input_vc(n, p, v); });
    if (!o.observer.has_output_buffers()) continue;
    for (port_id p = 0; p < ports; ++p)
      if (wire_out_of(c.wiring(), n, p) != no_wire)
        add_port(
            n, p, "out", [&](unsigned v) -> auto& { return c.output_vc(n, p, v); });
  }
  return formatted(o, "vcs", vcs, format, "ports", ports);
}

std::string event_counts(const observation& o, file_format format) {
  const observation_counts& c = o.counts;
  std::vector<json> rows;
  for (node_id n = 0; n < c.wiring().node_count(); ++n) {
    json row;
    row["node"] = n;
    row["address"] = c.wiring().address(n);
    for (const event_kind& kind : event_table)
      row[kind.name] = o.counts.is_seen(n) ? json(c.events(n).*kind.member) : json();
    rows.push_back(std::move(row));
  }
  return formatted(o, "routers", rows, format);
}

json observation_summary(const observation& o, std::size_t links) {
  const observation_counts& c = o.counts;
  json all;
  all["cycles"] = c.cycles();
  if (c.not_seen() > 0) all["routers_not_observed"] = c.not_seen();
  all["events"] = as_object(c.total_events());
  const fate_counts fates = c.total_fates();
  all["fronts"]["front_cycles"] = total_of(fates);
  for_each_fate(false, [&](stall_cause f) { all["fronts"][name_of(f)] = at(fates, f); });
  all["congestion"] = json::array();
  for (const wire_id w : o.roots.largest(links))
    all["congestion"].push_back({{"root", wire_name(c.wiring(), w)},
                                 {"share", share_of_waiting(o.roots, w)},
                                 {"flits_waiting", per_cycle(o.roots.waits_for(w), c.cycles())}});
  all["busiest_links"] = json::array();
  for (const wire_id w : busiest(c, links)) all["busiest_links"].push_back(wire_row(o, w));
  return all;
}

std::string observation_text(const observation& o, std::size_t links) {
  const observation_counts& c = o.counts;
  const netlist& wiring = c.wiring();
  std::string text = fmt::format("observed in {} cycles, ", c.cycles());
  if (c.not_seen() == 0)
    text += "all routers\n";
  else
    text += fmt::format("{} of {} routers; the others, RTL, and the links that leave them are not in these sums\n",
                        wiring.node_count() - c.not_seen(), wiring.node_count());
  const router_events events = c.total_events();
  for (const event_kind& kind : event_table)
    text += fmt::format("  {:<21}{:>14}\n", kind.name, events.*kind.member);
  const fate_counts fates = c.total_fates();
  const std::uint64_t fronts = total_of(fates);
  text += "flits at the front of input VCs\n";
  for_each_fate(false, [&](stall_cause f) {
    if (at(fates, f) == 0) return;
    text += fmt::format("  {:<21}{:>14}  {:5.1f} %\n", name_of(f), at(fates, f),
                        100 * static_cast<double>(at(fates, f)) / static_cast<double>(fronts));
  });
  if (o.roots.all_waits() > 0) {
    text += "what flits waited for in the end: share of all waiting, flits that wait, on average\n";
    for (const wire_id w : o.roots.largest(shown_roots))
      text += fmt::format("  {:<24}{:5.1f} % {:>9.3f}\n", wire_name(wiring, w),
                          100 * share_of_waiting(o.roots, w), per_cycle(o.roots.waits_for(w), c.cycles()));
  }
  text += "busiest links and ports    busy  by VC, flits/cycle; cycles that flits waited for it\n";
  for (const wire_id w : busiest(c, links)) {
    const wire_place place = wire_at(wiring, w);
    text += fmt::format("  {:<24} {:.3f} ", wire_name(wiring, w), busy_share(c, place));
    for (unsigned v = 0; v < c.vcs(); ++v)
      text += fmt::format(" {:.3f}", per_cycle(c.flits_over(place, v), c.cycles()));
    if (place.what == wire_kind::injection) {
      text += '\n';
      continue;
    }
    const fate_counts& waits = c.output_port(place.from, place.from_port);
    const char* mark = ";";
    for_each_fate(true, [&](stall_cause f) {
      if (at(waits, f) == 0) return;
      text += fmt::format("{} {} {}", mark, name_of(f), at(waits, f));
      mark = ",";
    });
    text += '\n';
  }
  return text;
}

}  // namespace toriscope
