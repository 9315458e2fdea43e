// SPDX-License-Identifier: Apache-2.0
#include "topologies/link_models/link_delay.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

#include "base/words.h"

namespace toriscope {
namespace {

[[noreturn]] void refuse(const std::string& text) {
  throw std::invalid_argument(
      "link delay '" + one_line(text, 100) + "'; expected a whole number of cycles from 1 to " +
      std::to_string(max_link_delay) +
      ", constant:CYCLES, linear:CYCLES_PER_PITCH, mm:CYCLES_PER_MM, log:CYCLES or log:CYCLES:K");
}

/// The numbers behind the colons, all above 0.
std::vector<double> numbers(const std::string& text, std::size_t colon) {
  std::vector<double> result;
  while (colon != std::string::npos) {
    const std::size_t end = text.find(':', colon + 1);
    const std::string word = text.substr(colon + 1, end == std::string::npos ? end : end - colon - 1);
    std::istringstream in(word);
    double value = 0;
    if (!(in >> value) || !in.eof() || !(value > 0) || !std::isfinite(value)) refuse(text);
    result.push_back(value);
    colon = end;
  }
  return result;
}

}  // namespace

double whole_cycles(const delay_model& model, unsigned length) {
  return std::max(1.0, std::ceil(model(std::max(1u, length)) - 1e-9));
}

delay_model make_delay_model(const std::string& text, double pitch_mm) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) {
    const bool digits = !text.empty() && text.size() < 5 &&
                        std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
    const unsigned long cycles = digits ? std::stoul(text) : 0;
    if (cycles < 1 || cycles > max_link_delay) refuse(text);
    return [cycles](unsigned) { return static_cast<double>(cycles); };
  }
  const std::string kind = text.substr(0, colon);
  const std::vector<double> values = numbers(text, colon);
  const double a = values[0];
  if (kind == "constant" && values.size() == 1) return [a](unsigned) { return a; };
  if (kind == "linear" && values.size() == 1) return [a](unsigned length) { return a * length; };
  if (kind == "mm" && values.size() == 1)
    return [a, pitch_mm](unsigned length) { return a * pitch_mm * length; };
  if (kind != "log" || values.size() > 2) refuse(text);
  const double log_k = values.size() == 2 ? std::log(values[1]) : 1.0;
  return [a, log_k](unsigned length) { return a * (log_k + std::log(length)); };
}

unsigned link_levels(const netlist& net) {
  unsigned highest = 1;
  for (const netlist_link& wire : net.links()) highest = std::max<unsigned>(highest, wire.level);
  return highest;
}

void check_one_per_level(const netlist& net, std::size_t values, const std::string& what) {
  const unsigned levels = link_levels(net);
  if (values != 1 && values != levels)
    throw std::invalid_argument(std::to_string(values) + " " + what + " for the " + std::to_string(levels) +
                                (levels == 1 ? " level" : " levels") + " of links of " + net.name() +
                                "; give one per level, the lowest first");
}

void set_link_delays(netlist& net, const std::vector<std::string>& models, double pitch_mm) {
  check_one_per_level(net, models.size(), "link delays");
  std::vector<delay_model> made;
  for (const std::string& text : models) {
    if (pitch_mm == 0 && begins_with(text, "mm:"))
      throw std::invalid_argument("link delay '" + text + "' is by length in mm; add --pitch MM");
    made.push_back(make_delay_model(text, pitch_mm));
    if (!net.has_lengths() && made.back()(1) != made.back()(2))
      throw std::invalid_argument("link delay '" + text + "' is by length, and " + net.name() +
                                  " has no layout; expected cycles, for example 2");
  }
  for (link_id l = 0; l < net.links().size(); ++l) {
    netlist_link& link = net.link(l);
    const std::size_t which = models.size() == 1 ? 0 : link.level - 1u;
    const unsigned own = net.own_values(l).delay_cycles;
    const double cycles = whole_cycles(made[which], link.length);
    if (own == 0 && cycles > max_link_delay)
      throw std::invalid_argument("link delay '" + models[which] + "': more than " +
                                  std::to_string(max_link_delay) + " cycles for a link of length " +
                                  std::to_string(link.length) + " node pitches; that is the most");
    link.delay_cycles = static_cast<std::uint16_t>(own != 0 ? own : cycles);
  }
}

}  // namespace toriscope
