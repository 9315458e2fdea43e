// SPDX-License-Identifier: Apache-2.0
#include "topologies/link_models/delay_model.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

#include "topologies/link_models/constant_delay.h"
#include "topologies/link_models/linear_delay.h"
#include "topologies/link_models/link_delay.h"
#include "topologies/link_models/logarithmic_delay.h"

namespace toriscope {

namespace {

[[noreturn]] void refuse(const std::string& text) {
  throw std::invalid_argument("link delay '" + text + "'; expected a whole number of cycles from 1 to " +
                              std::to_string(max_link_delay) +
                              ", constant:CYCLES, linear:CYCLES_PER_PITCH, log:CYCLES or log:CYCLES:K");
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
  return std::max(1.0, std::ceil(model.cycles(std::max(1u, length)) - 1e-9));
}

std::unique_ptr<delay_model> make_delay_model(const std::string& text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) {
    const bool digits = !text.empty() && text.size() < 5 &&
                        std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
    const unsigned long cycles = digits ? std::stoul(text) : 0;
    if (cycles < 1 || cycles > max_link_delay) refuse(text);
    return std::make_unique<constant_delay>(static_cast<double>(cycles));
  }
  const std::string kind = text.substr(0, colon);
  const std::vector<double> values = numbers(text, colon);
  if (kind == "constant" && values.size() == 1) return std::make_unique<constant_delay>(values[0]);
  if (kind == "linear" && values.size() == 1) return std::make_unique<linear_delay>(values[0]);
  if (kind == "log" && values.size() <= 2)
    return std::make_unique<logarithmic_delay>(values[0], values.size() == 2 ? std::log(values[1]) : 1.0);
  refuse(text);
}

void set_link_delays(netlist& net, const std::vector<std::string>& models) {
  const unsigned levels = link_levels(net);
  if (models.size() != 1 && models.size() != levels)
    throw std::invalid_argument(std::to_string(models.size()) + " link delays for the " +
                                std::to_string(levels) + (levels == 1 ? " level" : " levels") +
                                " of links of " + net.name() + "; give one per level, the lowest first");
  std::vector<std::unique_ptr<delay_model>> made;
  for (const std::string& text : models) made.push_back(make_delay_model(text));
  for (link_id l = 0; l < net.links().size(); ++l) {
    const netlist_link& link = net.link(l);
    const std::size_t which = models.size() == 1 ? 0 : link.level - 1u;
    const double cycles = whole_cycles(*made[which], link.length);
    if (cycles > max_link_delay)
      throw std::invalid_argument("link delay '" + models[which] + "': more than " +
                                  std::to_string(max_link_delay) + " cycles for a link of length " +
                                  std::to_string(link.length) + " node pitches; that is the most");
    set_link_delay(net, l, static_cast<unsigned>(cycles));
  }
}

}  // namespace toriscope
