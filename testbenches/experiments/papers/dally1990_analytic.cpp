// SPDX-License-Identifier: Apache-2.0
// Dally 1990 without a simulation: its equations, figures 6-10, Table I and what the text says of them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/words.h"
#include "testbenches/experiments/papers/dally1990_items.h"
#include "testbenches/experiments/papers/static_claims.h"
#include "topologies/vc_classes.h"

namespace toriscope {

namespace {

using dally::cube;
using dally::wire_delay;
using verdicts = std::vector<verdict>;

constexpr double message_bits = 150;  // of Figs. 8-10

verdict number_of(const std::string& item, double printed, double ours, const tolerance& allowed,
                  const std::string& reason = "") {
  return judge_number(item, provenance::equation, printed, ours, allowed, reason);
}

verdict claim_of(const std::string& item, const std::string& words, bool holds, const std::string& figures,
                 const std::string& reason = "") {
  return judge_claim(item, provenance::equation, words, holds, figures, reason);
}

const tolerance exactly = tolerance::as_printed(0);

verdicts density_of_wires() {
  const std::vector<unsigned> wires = dally::row_density_of_binary_cube(10);
  const auto peak = std::max_element(wires.begin(), wires.end());
  const cube torus{1024, 2};  // a forward and a wrap link pass every position of a row
  const unsigned bound = 2 * wires[511];
  verdicts all = {
      number_of("Fig. 6: peak wire density of a row of a binary 20-cube", 1364, *peak, exactly),
      number_of("Fig. 6: position of the peak", 341, peak - wires.begin() + 1.0, exactly),
      number_of("Fig. 6: bisection width of the row", 1024, wires[511], exactly),
      number_of("Fig. 6: wires over any position of a row of the torus of as many nodes", 1024,
                2 * dally::channel_width(torus), exactly),
      claim_of("Eq. 8",
               "in a row of the binary 20-cube the peak density is below k/(k-1) times the bisection",
               *peak < bound, fmt::format("{} < {}", *peak, bound))};
  for (std::size_t i : {0, 1, 2}) all[i].source = provenance::built;  // counted, wire by wire
  return all;
}

verdicts pin_density() {
  return {number_of("Fig. 7: pins of a node of 1M in 4 dimensions", 128,
                    dally::pins(cube::of_nodes(1 << 20, 4)), exactly),
          number_of("Fig. 7: pins of a node of 1M in 2 dimensions", 2048,
                    dally::pins(cube::of_nodes(1 << 20, 2)), exactly)};
}

/// A figure of latency over dimension, of which the text tells where its minima are.
verdicts best_dimensions(const std::string& figure, wire_delay delay, const std::vector<unsigned>& printed) {
  const std::vector<std::pair<std::string, double>> sizes = {{"256", 256}, {"16K", 16384}, {"1M", 1 << 20}};
  verdicts all;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    all.push_back(
        number_of(fmt::format("{}: dimension of the lowest latency of {} nodes", figure, sizes[i].first),
                  printed[i], dally::best_dimension(sizes[i].second, message_bits, delay), exactly));
    all.back().reading = "L = 150, n integral from 2 on, k = N^(1/n)";
  }
  return all;
}

verdicts latency_at_constant_delay() {
  verdicts all = best_dimensions("Fig. 8", wire_delay::constant, {2, 4, 5});
  all.push_back(number_of("Fig. 8: cycles of a message over a bit-serial channel", 150,
                          dally::aspect_ratio({2, 8}, message_bits), exactly));
  all.back().reading = "L = 150, W = 1";
  const char* const of_sixteenth = "L = 150/16, n integral from 2 on, k = N^(1/n)";
  const unsigned of_wide = dally::best_dimension(256, message_bits / 16, wire_delay::constant);
  const auto wide = [](double n) {
    return dally::network_latency(cube::of_nodes(256, n), message_bits / 16);
  };
  all.push_back(
      number_of("Text: best dimension of 256 nodes against W = 16, constant delay", 3, of_wide, exactly,
                fmt::format("Eq. 12 gives {:.2f} cycles in 3 dimensions and {:.2f} in 4", wide(3), wide(4))));
  all.back().reading = of_sixteenth;
  all.push_back(number_of("Text: best dimension of 256 nodes against W = 16, logarithmic delay", 2,
                          dally::best_dimension(256, message_bits / 16, wire_delay::logarithmic), exactly));
  all.back().reading = of_sixteenth;
  unsigned highest = 0;
  for (double nodes = 16; nodes <= 1024; nodes *= 2)
    highest = std::max(highest, dally::best_dimension(nodes, message_bits, wire_delay::constant));
  all.push_back(number_of("Conclusion: best dimension of up to 1024 nodes", 2, highest, exactly));
  all.back().reading = "L = 150, n integral, constant delay, N = 16, 32 .. 1024";
  return all;
}

verdicts latency_at_logarithmic_delay() {
  return best_dimensions("Fig. 9", wire_delay::logarithmic, {2, 3, 5});
}

verdicts latency_at_linear_delay() { return best_dimensions("Fig. 10", wire_delay::linear, {2, 2, 2}); }

/// Of the networks with integral k and n of the same size: those whose best is not the best balanced; and the
/// number of sizes that have a choice.
std::pair<std::vector<std::string>, unsigned> unbalanced_best() {
  std::map<double, std::vector<cube>> by_size;
  for (unsigned k = 2; k < 1024; ++k)
    for (unsigned n = 2; std::pow(k, n) < (1 << 20); ++n)
      by_size[std::pow(k, n)].push_back({static_cast<double>(k), static_cast<double>(n)});
  const auto least = [](const std::vector<cube>& of, const auto& value) {
    return std::min_element(of.begin(), of.end(),
                            [&](const cube& a, const cube& b) { return value(a) < value(b); });
  };
  std::vector<std::string> found;
  unsigned sizes = 0;
  for (const auto& [size, of] : by_size) {
    if (of.size() < 2) continue;
    ++sizes;
    const auto best = least(of, [](const cube& c) { return dally::network_latency(c, message_bits); });
    const auto balanced = least(of, [](const cube& c) {
      return std::abs(dally::mean_distance(c) - dally::aspect_ratio(c, message_bits));
    });
    if (best != balanced)
      found.push_back(
          fmt::format("{:.0f} nodes: {:.0f}-ary {:.0f}-cube {:.1f}, balanced {:.0f}-ary {:.0f}-cube {:.1f}",
                      size, best->k, best->n, dally::network_latency(*best, message_bits), balanced->k,
                      balanced->n, dally::network_latency(*balanced, message_bits)));
  }
  return {found, sizes};
}

/// The real n with the lowest latency of Eq. 12, to .01.
double best_real_dimension(double nodes) {
  double best = 1;
  for (double n = 1; n <= std::log2(nodes); n += .01)
    if (dally::network_latency(cube::of_nodes(nodes, n), message_bits) <
        dally::network_latency(cube::of_nodes(nodes, best), message_bits))
      best = n;
  return best;
}

verdicts where_the_minimum_is() {
  bool holds = true;
  std::string figures;
  for (const double nodes : {256., 16384., 1048576.}) {
    const double balanced = dally::balanced_dimension(nodes, message_bits);
    const cube there = cube::of_nodes(nodes, balanced);
    const double best = best_real_dimension(nodes);
    holds = holds && best <= balanced && dally::latency_slope(there, message_bits) >= 0;
    append(figures, fmt::format("N = {:.0f}: best n = {:.2f}, n_x = {:.2f}", nodes, best, balanced));
  }
  const auto [exceptions, sizes] = unbalanced_best();
  verdict assertion =
      claim_of("Assertion (Eq. 13-15)", "the lowest latency is at n <= n_x, where D = L/W", holds, figures);
  assertion.reading = "L = 150, the sizes of Fig. 8, n real; the derivative of Eq. 13 at n_x is not negative";
  verdict integral = claim_of(
      "Text: below 2^20 nodes, k and n integral", "the lowest latency is where |D - L/W| is least",
      exceptions.empty(), fmt::format("not in {} of {} sizes that have a choice", exceptions.size(), sizes));
  integral.reading = "L = 150, constant delay, k and n >= 2";
  integral.others = "k and n even, as Sect. III assumes: no exception";
  return {assertion, undetermined(integral, "the readings disagree: " + joined(exceptions, "; "))};
}

verdicts misprints() {
  const cube binary{2, 10};
  const cube torus{32, 2};
  const double after = 200;
  const dally::load l{dally_message_bits, .2};
  const double step = *dally::source_service_time({2, 1}, l) - after;
  const double rate = dally::rates(torus, l).r * 15;
  return {claim_of(
              "Eq. 20", "the capacity is n W / D, about 1, independent of dimension",
              std::round(dally::capacity(binary)) == 1,
              fmt::format("1K nodes: {:.2f} with 2 dimensions, {:.2f} with 5, {:.2f} with 10",
                          dally::capacity(torus), dally::capacity({4, 5}), dally::capacity(binary)),
              "n W / D is k/(k-1) exactly, 2 for a binary cube, and k falls with the dimension at a given "
              "size; the "
              "paper goes on with the limit for large k, and so do we: lambda is in bits per node and cycle"),
          claim_of("Eq. 22 for k = 2", "T_{i+1} = T_i + lambda_E T_i / 8",
                   std::abs(step - l.messages() * after / 8) < 1e-6,
                   fmt::format(
                       "from T = 200 at .2: + {:.3f} cycles; lambda_E T^2/8 is {:.3f}, lambda_E T/8 {:.3f}",
                       step, l.messages() * after * after / 8, l.messages() * after / 8),
                   "misprint: T_i is squared, as in Eq. 22 itself; Table I follows the square"),
          claim_of("Eq. 23, validity", "valid only when lambda_C < T_i / 2",
                   dally::continuing_service_time(torus, l, .51 / rate).has_value(),
                   fmt::format("no solution from T = {:.1f} = 1/(2 lambda_C) on, at lambda_C = {:.5f}",
                               .5 / rate, rate),
                   "misprint: the root of Eq. 23 is real when lambda_C < 1/(2 T_i)")};
}

verdicts table1() {
  verdicts all;
  for (const dally_column& c : dally_table1()) {
    const std::string name = "Table I: " + c.name() + ", ";
    const double most = dally::max_throughput(c.cube(), dally_message_bits);
    all.push_back(number_of(
        name + "max throughput", c.max_throughput, most, tolerance::as_printed(2),
        "at the printed values of the four that differ (k = 4 and 2) T_n lambda_E is .84 to .96, not 1; why "
        "is not known"));
    all.back().reading =
        c.k > 4 ? "the load from which Eq. 23 has no root, T_n lambda_E still below 1"
                : "the load at which T_n lambda_E = 1 by Eq. 22-24 (the text has T_0, the sink's)";
    for (std::size_t i = 0; i < c.latency.size(); ++i) {
      const dally::load l{dally_message_bits, dally_table1_loads[i]};
      all.push_back(number_of(fmt::format("{}latency at {}", name, l.bits_per_cycle), c.latency[i],
                              *dally::latency(c.cube(), l), tolerance::relative(.003),
                              "Eq. 22-24 from T_0 = 2L/k, plus D"));
    }
  }
  return all;
}

const dally_column& column(unsigned k, unsigned n) {
  const auto& all = dally_table1();
  return *std::find_if(all.begin(), all.end(), [&](const auto& c) { return c.k == k && c.n == n; });
}

double latency_at(unsigned k, unsigned n, double lambda) {
  return *dally::latency(column(k, n).cube(), {dally_message_bits, lambda});
}

double added_by_load(unsigned k, unsigned n, double lambda) {
  return latency_at(k, n, lambda) - dally::network_latency(column(k, n).cube(), dally_message_bits);
}

/// Whether the network is the fastest of its size at every one of these loads; others may not carry them.
bool fastest(unsigned k, unsigned n, const std::vector<double>& loads) {
  for (const dally_column& c : dally_table1())
    for (const double lambda : loads) {
      if (c.of_4k() != column(k, n).of_4k()) continue;
      const std::optional<double> other = dally::latency(c.cube(), {dally_message_bits, lambda});
      if (other && *other < latency_at(k, n, lambda) - 1e-9) return false;
    }
  return true;
}

/// A network that is the fastest of its size at these loads, as far as it carries them: beyond its maximum
/// others still do.
verdict fastest_while_it_carries(const std::string& item, const std::string& words, unsigned k, unsigned n,
                                 const std::vector<double>& loads, const std::string& at) {
  const auto most = [](const dally_column& c) { return dally::max_throughput(c.cube(), dally_message_bits); };
  verdict v = claim_of(item, words, fastest(k, n, loads), "by Eq. 22-24 at " + at);
  v.reading = fmt::format("by the equations; its maximum is {:.3f}", most(column(k, n)));
  for (const dally_column& c : dally_table1())
    if (c.of_4k() == column(k, n).of_4k() && most(c) > most(column(k, n)))
      v.others += fmt::format("{}the {} up to {:.3f}", v.others.empty() ? "beyond its maximum: " : ", ",
                              c.name(), most(c));
  if (v.result != ruling::reproduced) return v;
  return undetermined(
      std::move(v),
      "it holds up to its maximum; beyond it the network carries nothing more, and others still do");
}

/// The latencies of all networks of that size, in cycles.
std::string latencies_at(bool of_4k, double lambda) {
  std::string text;
  for (const dally_column& c : dally_table1())
    if (c.of_4k() == of_4k)
      append(text, fmt::format("{} {:.1f}", c.name(), latency_at(c.k, c.n, lambda)), ", ");
  return text;
}

verdict changed_reading(verdict v, const std::string& more) {
  append(v.reading, more);
  return v;
}

/// By its own measure, more queuing on the way than cycles added by blocking.
verdict queuing() {
  std::string queues;
  std::string with_queues;
  bool enough = true;
  bool enough_with_queues = true;
  for (const dally_column& c : dally_table1()) {
    const double room = 2 * dally::mean_distance(c.cube());
    const double added = added_by_load(c.k, c.n, .3);
    const double waited = dally::wait_with_queues(c.cube(), {dally_message_bits, .3});
    enough = enough && room > added;
    enough_with_queues = enough_with_queues && room > waited;
    append(queues, fmt::format("{} {:.0f} / {:.0f}", c.name(), room, added), ", ");
    append(with_queues, fmt::format("{:.0f}", waited), ", ");
  }
  const cube example = column(8, 4).cube();
  const dally::load below{190, .29};
  verdict v = claim_of(
      "Sect. III-B: queues", "two flits of queuing per stage are sufficient below .3 and 200 bits", enough,
      "flits of queuing / cycles added, 200 bits at .3: " + queues,
      fmt::format("by its own measure (more queuing on the way than cycles added by blocking) they are not "
                  "where channels are narrow; nor below these limits: at .29 and 190 bits the 8-ary 4-cube "
                  "adds {:.0f} cycles (by Eq. 25-26 {:.0f}), more than its {:.0f} flits",
                  *dally::latency(example, below) - dally::network_latency(example, below.message_bits),
                  dally::wait_with_queues(example, below), 2 * dally::mean_distance(example)));
  v.reading = "two flits in each of D stages; the cycles by Eq. 22-24";
  v.others = "with queues, by Eq. 25-26: " + with_queues + " cycles added";
  return enough == enough_with_queues ? v : undetermined(std::move(v), "which equations are meant decides");
}

verdicts text_on_load() {
  return {number_of("Sect. III-B: latency of the 32-ary 2-cube over the binary 10-cube's at .2", .2,
                    latency_at(32, 2, .2) / latency_at(2, 10, .2), tolerance::as_printed(1)),
          number_of("Sect. III-B: cycles added by contention at .2, 32-ary 2-cube", 7,
                    added_by_load(32, 2, .2), exactly),
          number_of("Sect. III-B: cycles added by contention at .2, binary 10-cube", 64,
                    added_by_load(2, 10, .2), exactly),
          fastest_while_it_carries("Fig. 14, all loads",
                                   "the 32-ary 2-cube always gives the lowest latency of 1K nodes", 32, 2,
                                   {0, .1, .2, .3, .36}, "0, .1, .2, .3 and .36"),
          claim_of("Fig. 15, below .2", "the 16-ary 3-cube gives the lowest latency of 4K nodes below .2",
                   fastest(16, 3, {0, .05, .1, .15, .2}),
                   fmt::format("by Eq. 22-24 at 0, .05, .1, .15 and .2; cycles at 0: {}; at .2: {}",
                               latencies_at(true, 0), latencies_at(true, .2))),
          changed_reading(
              fastest_while_it_carries("Fig. 15, above .2",
                                       "the 64-ary 2-cube gives the lowest latency of 4K nodes above .2", 64,
                                       2, {.22, .25, .3, .34}, ".22, .25, .3 and .34"),
              "above .2: from .213 on; between the two the 16-ary 3-cube is faster"),
          queuing()};
}

/// What the text concludes from Table I, by the numbers that Table I prints.
verdicts throughputs() {
  std::string most;
  std::string added;
  bool higher = true;
  bool reduced = true;
  double last_most = 1;
  double last_added = 0;
  for (const dally_column& c : dally_table1()) {
    if (c.n == 2) {
      last_most = 1;
      last_added = 0;
    }
    const double waiting = added_by_load(c.k, c.n, .3);
    higher = higher && c.max_throughput < last_most;
    reduced = reduced && waiting > last_added;
    last_most = c.max_throughput;
    last_added = waiting;
    append(most, fmt::format("{} {}", c.name(), c.max_throughput), ", ");
    append(added, fmt::format("{} {:.0f}", c.name(), waiting), ", ");
  }
  verdict by_table = claim_of("Conclusion: low-dimensional networks",
                              "they have a higher maximum throughput than high-dimensional networks", higher,
                              most, "Table I itself has the binary cubes highest");
  by_table.reading = "the maxima that Table I prints";
  by_table.source = provenance::arithmetic;
  return {by_table,
          changed_reading(
              claim_of("Text on Table I",
                       "the latency due to blocking is significantly reduced as dimension is decreased",
                       reduced, "cycles added at .3: " + added,
                       "at .1 and .2 it holds; at .3 not from 10 dimensions to 5 of the 1K networks, nor "
                       "from 12 to 6 and "
                       "from 6 to 4 of the 4K ones"),
              "at each of the three loads of Table I")};
}

verdicts hot_spot() {
  const cube torus{32, 2};
  const double of_2 = dally::hot_spot_throughput(torus);
  const double of_5 = dally::hot_spot_throughput({4, 5});
  const double of_10 = dally::hot_spot_throughput({2, 10});
  return {
      number_of(
          "Eq. 27: hot-spot throughput of the 32-ary 2-cube, bits per cycle", torus.k - 1, of_2, exactly,
          "W is k/2 by Eq. 7; k - 1 is the width at equal peak density (the last step of Eq. 8). The order "
          "of the networks is the same"),
      claim_of("Sect. III-C", "low-dimensional networks have the greater hot-spot throughput",
               of_2 > of_5 && of_5 > of_10,
               fmt::format("1K nodes: {}, {} and {} bits per cycle", of_2, of_5, of_10))};
}

verdicts torus_routing_chip() {
  const cube torus{32, 2};
  const double cycles = dally::mean_distance(torus) + message_bits / 8;
  const double binary = dally::network_latency({2, 10}, message_bits);
  verdict time = undetermined(
      "Conclusion: 150-bit message in a 32-ary 2-cube of Torus Routing Chips, microseconds", 7.5,
      fmt::format(
          "the cycle of the chip's channel is not given; with 8-bit channels Eq. 3 gives {:.2f} cycles",
          cycles));
  time.source = provenance::equation;
  return {
      time,
      undetermined(
          claim_of("Conclusion: Torus Routing Chip",
                   "an order of magnitude better than a binary n-cube with bit-serial channels",
                   binary > 10 * cycles, fmt::format("{:.1f} and {:.1f} cycles", cycles, binary)),
          "the text does not say which delay of the links: by Eq. 17 it is 3.1 times at constant, 11.8 at "
          "logarithmic, 50 at linear delay; the chip's cycle is not given")};
}

/// "The symmetry of the network assures that the traffic on physical channels is uniform."
verdict loads_of_channels(analysis_store&) {
  bool holds = true;
  std::string figures;
  for (const dally_column& c : dally_table1()) {
    if (c.of_4k()) continue;
    const std::string spec = fmt::format("ucube:{},{}", c.k, c.n);
    const topology net = make_for_analysis(spec, {});
    const analysis_request only_loads{false, false, false, false, false};
    const network_analysis a = analyse(net, max_vcs, only_loads, [&](node_id) {
      destination_weights w;
      w.every_other = 1.0 / net.wiring->node_count();
      return w;
    });
    const auto [least, most] = std::minmax_element(a.loads->loads.begin(), a.loads->loads.end());
    holds = holds && *most - *least < 1e-9;
    append(figures, fmt::format("{} {:.6g} .. {:.6g}", spec, *least, *most), ", ");
  }
  return checked(holds, figures + " of a node's traffic on a channel");
}

}  // namespace

void add_dally_equations(paper& p) {
  p.add(checked_item("Sect. III-B", "the traffic on physical channels is uniform", loads_of_channels));
  for (const auto& judge : {density_of_wires, pin_density, latency_at_constant_delay, where_the_minimum_is,
                            latency_at_logarithmic_delay, latency_at_linear_delay, misprints, table1,
                            text_on_load, throughputs, hot_spot, torus_routing_chip})
    for (const verdict& v : judge()) p.add({v.item, [v](evidence&) { return std::vector<verdict>{v}; }});
}

}  // namespace toriscope
