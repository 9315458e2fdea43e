// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/traffic/flow_file.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <stdexcept>

#include "base/checked_json.h"
#include "base/text_file.h"
#include "base/words.h"
#include "testbenches/simulation/traffic/on_off.h"
#include "testbenches/simulation/traffic/synthetic_source.h"
#include "testbenches/simulation/traffic/terminal_names.h"

namespace toriscope {
namespace {

constexpr std::uint64_t max_bound = std::uint64_t{1} << 48;
constexpr std::uint64_t max_pairs = std::uint64_t{1} << 24;

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t\r") + 1 - first);
}

/// A list of names or numbers, or one.
std::vector<std::string> names_in(const checked_json& list) {
  std::vector<std::string> names;
  const auto take = [&](const checked_json& one) {
    names.push_back(one.value().is_number_unsigned() ? one.value().dump() : one.name());
  };
  if (!list.value().is_array()) take(list);
  for (std::size_t i = 0; list.value().is_array() && i < list.size(); ++i) take(list.item(i));
  if (names.empty()) list.refuse("expected a terminal, or a list of terminals");
  return names;
}

std::string brief(const checked_json& list) { return one_line(joined(names_in(list)), 60); }

class flow_reader {
 public:
  flow_reader(const flow_setting& setting, const netlist& wiring)
      : setting_(setting), wiring_(wiring), names_(wiring) {}

  std::vector<flow> read();

 private:
  const std::string& path() const { return setting_.traffic.flows; }
  void read_json(const std::string& text);
  void read_flow(const checked_json& entry, double clock_ghz);
  void read_matrix(const std::string& text);
  std::vector<terminal_id> terminals(const checked_json& list) const;
  double rate_of(const checked_json& entry, double clock_ghz) const;
  flow with_defaults() const;
  /// @throws std::invalid_argument without the place
  void add(flow f);

  const flow_setting& setting_;
  const netlist& wiring_;
  terminal_names names_;
  std::vector<flow> flows_;
  std::set<std::string> known_;
  std::uint64_t pairs_ = 0;
};

std::vector<flow> flow_reader::read() {
  const std::string text = text_of_file(path(), "flows " + path());
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const bool is_json =
      first != std::string::npos && std::string("{[/").find(text[first]) != std::string::npos;
  is_json ? read_json(text) : read_matrix(text);
  if (flows_.empty()) throw std::invalid_argument(path() + ": it has no flow; at least one is needed");
  return std::move(flows_);
}

flow flow_reader::with_defaults() const {
  flow f;
  f.lengths = packet_lengths(setting_.traffic.packet_flits);
  f.arrivals = arrival_kind_named(setting_.traffic.arrivals);
  f.mean_burst_packets = setting_.traffic.mean_burst_packets;
  return f;
}

void flow_reader::add(flow f) {
  if (f.name.empty()) throw std::invalid_argument("a flow needs a name");
  if (!known_.insert(f.name).second)
    throw std::invalid_argument("two flows are called '" + one_line(f.name, 100) +
                                "'; give each a name of its own");
  if (flows_.size() == max_flows)
    throw std::invalid_argument("more than " + std::to_string(max_flows) +
                                " flows; name several terminals in one");
  // All to one: but for the one.
  const terminal_id first = f.from.front();
  f.from.erase(std::remove_if(f.from.begin(), f.from.end(),
                              [&](terminal_id source) { return f.destinations_of(source) == 0; }),
               f.from.end());
  if (f.from.empty())
    throw std::invalid_argument("terminal " + wiring_.terminal_path(first) +
                                " would send to itself only; expected another one in 'to'");
  pairs_ += std::uint64_t{f.from.size()} * f.to.size();
  if (pairs_ > max_pairs)
    throw std::invalid_argument("the flows have more than 2^24 pairs of terminals; name fewer of them");
  if (f.arrivals == arrival_kind::on_off)
    on_off_chain(synthetic_source::packets_per_cycle(f.rate, f.lengths), f.mean_burst_packets);
  flows_.push_back(std::move(f));
}

void flow_reader::read_json(const std::string& text) {
  const nlohmann::ordered_json tree = parse_json(text, path());
  const checked_json top(tree, path());
  top.only({"clock_ghz", "groups", "flows"});
  if (top.has("groups")) {
    const checked_json groups = top.object("groups");
    for (const auto& group : groups.value().items())
      names_.name_group(group.key(), terminals(groups.at(group.key())));
  }
  double clock_ghz = 1;
  if (top.has("clock_ghz")) {
    const checked_json clock = top.at("clock_ghz");
    if (!clock.value().is_number() || !(clock.value().get<double>() > 0))
      clock.refuse_value("expected GHz, a number above 0");
    clock_ghz = clock.value().get<double>();
  }
  const checked_json list = top.array("flows");
  for (std::size_t i = 0; i < list.size(); ++i) read_flow(list.entry(i), clock_ghz);
}

void flow_reader::read_flow(const checked_json& entry, double clock_ghz) {
  entry.only(
      {"name", "from", "to", "rate", "bandwidth", "packet", "arrivals", "burst", "class", "latency_bound"});
  flow f = with_defaults();
  f.from = terminals(entry.at("from"));
  f.to = terminals(entry.at("to"));
  f.name =
      entry.has("name") ? entry.at("name").name() : brief(entry.at("from")) + " -> " + brief(entry.at("to"));
  f.rate = rate_of(entry, clock_ghz);
  f.message_class = static_cast<std::uint8_t>(entry.whole("class", 0, 0, 15));
  if (f.message_class >= setting_.message_classes)
    entry.at("class").refuse("class " + std::to_string(f.message_class) +
                             " does not exist, the network has " + std::to_string(setting_.message_classes) +
                             "; use --message-classes " + std::to_string(f.message_class + 1));
  f.latency_bound = entry.whole("latency_bound", 0, 1, max_bound);
  if (entry.has("burst")) {
    const checked_json burst = entry.at("burst");
    if (!burst.value().is_number() ||
        !(burst.value().get<double>() >= 1 && burst.value().get<double>() <= 1e6))
      burst.refuse_value("expected packets per burst in the mean, 1 to 1000000");
    f.mean_burst_packets = burst.value().get<double>();
  }
  try {
    if (entry.has("packet")) f.lengths = packet_lengths(entry.text("packet", ""));
    if (entry.has("arrivals")) f.arrivals = arrival_kind_named(entry.text("arrivals"));
    add(std::move(f));
  } catch (const std::invalid_argument& error) {
    const std::string why = error.what();
    if (begins_with(why, path() + ": ")) throw;
    entry.refuse(why);
  }
  if (entry.has("burst") && flows_.back().arrivals != arrival_kind::on_off)
    entry.at("burst").refuse("no effect with arrivals " + std::string(to_string(flows_.back().arrivals)) +
                             "; use \"arrivals\": \"on_off\" or leave it out");
}

std::vector<terminal_id> flow_reader::terminals(const checked_json& list) const {
  const std::vector<std::string> texts = names_in(list);
  try {
    return names_.named(texts);
  } catch (const std::invalid_argument& error) {
    list.refuse(error.what());
  }
}

double flow_reader::rate_of(const checked_json& entry, double clock_ghz) const {
  if (entry.has("rate") == entry.has("bandwidth"))
    entry.refuse(entry.has("rate")
                     ? "'rate' and 'bandwidth' say the same; keep one of them"
                     : "'rate' is missing: flits per cycle of each source; or 'bandwidth' in GB/s");
  const char* const key = entry.has("rate") ? "rate" : "bandwidth";
  const checked_json given = entry.at(key);
  if (!given.value().is_number()) given.refuse_value("expected a number");
  const double value = given.value().get<double>();
  const double flits_at_unit = entry.has("rate") ? 1 : 8 / (setting_.flit_bits * clock_ghz);
  const double rate = value * flits_at_unit;
  if (rate > 0 && rate <= 1) return rate;
  if (entry.has("rate")) given.refuse_value("expected flits per cycle, above 0 and at most 1");
  std::string most = std::to_string(1 / flits_at_unit);
  most.erase(most.find_last_not_of('0') + 1);
  given.refuse_value("expected GB/s, above 0 and at most " + most + (most.back() == '.' ? "0" : "") +
                     ", a flit of " + std::to_string(setting_.flit_bits) + " bits per cycle");
}

/// The names of destinations, then for each source its name and the rates.
void flow_reader::read_matrix(const std::string& text) {
  std::vector<std::string> columns;
  std::size_t number = 0;
  for (const std::string& line : split(text, '\n')) {
    ++number;
    const std::string content = trimmed(line);
    if (content.empty() || content[0] == '#') continue;
    const auto refuse = [&](const std::string& why) {
      throw std::invalid_argument(path() + ":" + std::to_string(number) + ": " + why);
    };
    std::vector<std::string> cells = split(content, ',');
    for (std::string& cell : cells) cell = trimmed(cell);
    if (columns.empty()) {
      if (cells.size() < 2)
        refuse(
            "this is neither JSON nor a matrix; expected {\"flows\": [...]}, or a line with the names of the "
            "destinations: \",ddr0,ddr1\"");
      columns = std::move(cells);
      continue;
    }
    if (cells.size() != columns.size())
      refuse(std::to_string(cells.size()) + " cells; expected " + std::to_string(columns.size()) +
             ", a source and a rate for each destination of the first line");
    for (std::size_t c = 1; c < cells.size(); ++c) {
      if (cells[c].empty()) continue;
      flow f = with_defaults();
      const char* const end = cells[c].data() + cells[c].size();
      if (const auto r = std::from_chars(cells[c].data(), end, f.rate);
          r.ec != std::errc() || r.ptr != end || !(f.rate >= 0 && f.rate <= 1))
        refuse("column " + std::to_string(c + 1) + ": '" + one_line(cells[c], 40) +
               "' is not a rate; expected flits per cycle, 0 to 1");
      if (f.rate == 0) continue;
      try {
        f.from = names_.named(cells[0]);
        f.to = names_.named(columns[c]);
        f.name = cells[0] + " -> " + columns[c];
        add(std::move(f));
      } catch (const std::invalid_argument& error) {
        refuse("column " + std::to_string(c + 1) + ": " + error.what());
      }
    }
  }
}

}  // namespace

std::vector<flow> read_flows(const flow_setting& setting, const netlist& wiring) {
  return flow_reader(setting, wiring).read();
}

}  // namespace toriscope
