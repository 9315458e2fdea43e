// SPDX-License-Identifier: Apache-2.0
#include "testbenches/papers/ttn2009_curves.h"

#include <fmt/format.h>

namespace toriscope {
namespace {

struct window {
  const char* warmup;
  const char* cycles;
  const char* drain;
  double tolerance;  ///< of the search
};

/// Sect. 5.2: 20,000 cycles.
window window_of(effort how) {
  return how == effort::full ? window{"5000", "20000", "20000", .03} : window{"400", "1000", "1000", .15};
}

bool begins_with(const std::string& text, const std::string& start) { return text.rfind(start, 0) == 0; }

void append(option_list& options, const option_list& more) {
  for (const auto& [name, value] : more) {
    bool known = false;
    for (auto& option : options)
      if (option.first == name) {
        option.second = value;
        known = true;
      }
    if (!known) options.emplace_back(name, value);
  }
}

ttn_traffic hot_spot(const std::string& figure, const std::string& percent, const std::string& probability,
                     bool quick) {
  return {figure,
          percent + " % hot-spot traffic",
          {{"traffic", "hotspot"}, {"hot-probability", probability}},
          quick};
}

double least_throughput(const measured_curve& c) { return c.saturation_throughput.value_or(0); }
/// 0: none is known, every load was stable.
double most_throughput(const measured_curve& c) { return c.saturation_upper.value_or(1); }

}  // namespace

const ttn_traffic& uniform_traffic() {
  static const ttn_traffic uniform = {"Fig. 7 (b)", "uniform traffic", {{"traffic", "uniform"}}};
  return uniform;
}

const std::vector<ttn_traffic>& ttn_traffics() {
  static const std::vector<ttn_traffic> all = {
      uniform_traffic(),
      hot_spot("Fig. 8 (a)", "2", "0.02", false),
      hot_spot("Fig. 8 (b)", "5", "0.05", true),
      hot_spot("Fig. 8 (c)", "10", "0.1", false),
      hot_spot("Fig. 8 (d)", "20", "0.2", false),
      {"Fig. 9", "matrix transpose", {{"traffic", "transpose"}}, false},
      {"Fig. 10", "bit reversal", {{"traffic", "bit_reversal"}}},
      {"Fig. 11", "complement", {{"traffic", "complement"}}},
      {"Fig. 12", "bit flip", {{"traffic", "bit_flip"}}, false},
      {"Fig. 13", "perfect shuffle", {{"traffic", "shuffle"}}},
  };
  return all;
}

std::string curve_name(const ttn_traffic& traffic, const std::string& network, const ttn_reading& r) {
  return traffic.words + ", " + network + (r.name.empty() ? "" : ", " + r.name);
}

wanted_curve ttn_curve(const ttn_traffic& traffic, const std::string& network, effort how, bool search,
                       const ttn_reading& r) {
  const window w = window_of(how);
  wanted_curve curve;
  curve.name = curve_name(traffic, network, r);
  curve.options = {{"topology", network}, {"pipeline", "paper2009"}, {"vcs", "4"},
                   {"depth", "1"},        {"packet", "16"},          {"warmup", w.warmup},
                   {"cycles", w.cycles},  {"drain", w.drain}};
  append(curve.options, traffic.options);
  append(curve.options, r.options);
  const bool flat_mesh = begins_with(network, "mesh:");
  const bool flat_torus = begins_with(network, "torus:");
  append(curve.options, flat_mesh ? r.mesh : flat_torus ? r.torus : r.hierarchical);
  curve.loads = {ttn_low_load};
  if (search) curve.saturation_tolerance = w.tolerance;
  return curve;
}

order compare_throughputs(const measured_curve& a, const measured_curve& b) {
  if (least_throughput(a) >= most_throughput(b)) return order::higher;
  if (most_throughput(a) <= least_throughput(b)) return order::lower;
  return order::open;
}

std::string bracket_text(const std::string& network, const measured_curve& curve) {
  return fmt::format("{} {:.4f} - {:.4f}", network, least_throughput(curve), most_throughput(curve));
}

verdict judge_throughputs(const std::string& item, const std::string& words, bool higher,
                          const std::pair<std::string, const measured_curve*>& a,
                          const std::pair<std::string, const measured_curve*>& b,
                          const std::string& why_not) {
  const std::string figures = bracket_text(a.first, *a.second) + ", " + bracket_text(b.first, *b.second);
  const order found = compare_throughputs(*a.second, *b.second);
  verdict v = judge_claim(item, words, found == (higher ? order::higher : order::lower), figures, why_not,
                          a.second->command);
  v.tolerance = "order of the largest stable loads";
  if (found != order::open) return v;
  v.result = ruling::undecided;
  v.reason = "the two differ by less than the search tells apart";
  return v;
}

}  // namespace toriscope
