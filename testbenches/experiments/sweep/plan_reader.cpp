// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/sweep/plan_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "base/checked_json.h"
#include "base/nearest_name.h"
#include "base/words.h"
#include "testbenches/experiments/sweep/number_list.h"
#include "testbenches/simulation/configuration/levels.h"
#include "testbenches/simulation/configuration/parameter_effects.h"
#include "topologies/registry.h"

namespace toriscope {
namespace {

using json = nlohmann::ordered_json;

constexpr std::size_t max_curves = 100000;
constexpr std::size_t max_points = 10000000;
constexpr unsigned levels = 3;  // dimension::level
const std::vector<std::string> search_keys{"rates", "seeds", "tolerance", "confidence", "confirm", "observe"};

std::string as_option(std::string key) {
  std::replace(key.begin(), key.end(), '_', '-');
  return key;
}

/// By its path, or by its option.
const parameter* parameter_called(const std::string& key) {
  const std::string option = as_option(key);
  for (const parameter& p : parameters())
    if (p.path == key || p.is_called(option)) return &p;
  return nullptr;
}

bool is_section(const std::string& key) {
  return std::any_of(parameters().begin(), parameters().end(),
                     [&](const parameter& p) { return begins_with(p.path, key + "."); });
}

bool takes_lists(const parameter& p) {
  return p.what == parameter::kind::texts || p.what == parameter::kind::wholes ||
         p.what == parameter::kind::delays;
}

/// Values in one text with commas between them, where no value has commas of its own, or it is a topology.
std::vector<std::string> values_in(const parameter& p, const std::string& text) {
  const bool plain = p.what == parameter::kind::whole || p.what == parameter::kind::real ||
                     p.what == parameter::kind::choice;
  if (plain) return split(text, ',');
  return p.path == "topology.spec" ? split_specs(text) : std::vector<std::string>{text};
}

/// Numbers or texts of a list as one text: [0.1, "0.2:0.4:0.1"].
std::string joined_numbers(const json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_array()) return value.dump();
  std::string text;
  for (const json& item : value)
    text += (text.empty() ? "" : ",") + (item.is_string() ? item.get<std::string>() : item.dump());
  return text;
}

double number_of(const json& value) {
  if (value.is_number()) return value.get<double>();
  const std::vector<double> list = load_list(joined_numbers(value));
  if (list.size() != 1) throw std::invalid_argument("one number is expected");
  return list.front();
}

std::uint64_t whole_of(const json& value) {
  const double number = number_of(value);
  if (!(number >= 0 && number < 1e9) || number != std::floor(number))
    throw std::invalid_argument("a whole number is expected");
  return static_cast<std::uint64_t>(number);
}

bool truth_of(const json& value) {
  if (!value.is_boolean()) throw std::invalid_argument("it must be true or false");
  return value.get<bool>();
}

}  // namespace

plan_reader::plan_reader(sweep_plan& plan, std::string where) : plan_(plan), where_(std::move(where)) {}

void plan_reader::refuse(const std::string& why) const { throw std::invalid_argument(where_ + why); }

void plan_reader::refuse_key(const std::string& key) const {
  std::vector<std::string> known = search_keys;
  known.insert(known.end(), {"configurations", "allow_deadlock"});
  for (const parameter& p : parameters()) {
    known.push_back(p.option);
    known.push_back(p.path);
  }
  refuse(unknown_name("key", key, known, "'toriscope list parameters' lists those known"));
}

void plan_reader::read(const std::string& text) {
  const json tree = parse_json(text, where_.substr(0, where_.rfind(':')));
  if (!tree.is_object()) refuse("expected an object, {...}");
  for (const auto& [key, value] : tree.items()) {
    if (key == "toriscope") continue;  // who wrote it
    if (key != "configurations") {
      if (!set_search_once(key, value, key)) set_key(key, value, common_);
      continue;
    }
    if (!value.is_array() || value.empty() ||
        !std::all_of(value.begin(), value.end(), [](const json& g) { return g.is_object(); }))
      refuse("configurations: expected a list of objects, [{...}, ...]");
    for (const json& one : value) read_group(one, groups_.emplace_back(), "");
  }
}

void plan_reader::read_group(const json& tree, group& into, const std::string& prefix) {
  for (const auto& [key, value] : tree.items()) {
    if (key == "configurations") refuse("a configuration has no configurations of its own");
    if (prefix.empty() &&
        std::find(search_keys.begin(), search_keys.end(), as_option(key)) != search_keys.end())
      refuse(key + ": this key is for the whole plan; move it out of configurations");
    set_key(prefix + key, value, into);
  }
}

void plan_reader::set_key(const std::string& key, const json& value, group& into) {
  if (as_option(key) == "allow-deadlock") {
    if (!value.is_boolean()) refuse(key + ": it must be true or false");
    if (!into.allow_deadlock_key.empty()) refuse_second(into.allow_deadlock_key, key);
    into.allow_deadlock_key = key;
    into.allow_deadlock = value.get<bool>();
    return;
  }
  if (value.is_object() && is_section(key)) return read_group(value, into, key + ".");
  const parameter* const p = parameter_called(key);
  if (!p) refuse_key(key);
  if (p->path == "traffic.seed" || p->path == "traffic.rate_flits_per_node_cycle") {
    set_search_once(p->option + "s", value, key);
    return;
  }
  add(into, *p, value, key);
}

void plan_reader::refuse_second(const std::string& known, const std::string& key) const {
  refuse("'" + known + "' and '" + key + "' set the same parameter; keep one of them");
}

/// From the file, where a second key may say the same: results that were pasted have load and seed.
bool plan_reader::set_search_once(const std::string& name, const json& value, const std::string& key) {
  if (!set_search(name, value)) return false;
  const auto [known, first] = searched_.emplace(name, std::make_pair(key, value));
  if (!first && known->second.second != value) refuse_second(known->second.first, key);
  return true;
}

/// @returns whether the key is about the search
bool plan_reader::set_search(const std::string& key, const json& value) {
  search_settings& s = plan_.settings_;
  try {
    if (key == "rates")
      s.rates = value == "auto" ? std::vector<double>{} : load_list(joined_numbers(value));
    else if (key == "seeds")
      s.seeds = seed_list(joined_numbers(value));
    else if (key == "tolerance")
      s.tolerance = number_of(value);
    else if (key == "confidence")
      s.confidence = number_of(value);
    else if (key == "confirm")
      s.confirm = whole_of(value);
    else if (key == "observe")
      s.observe = truth_of(value);
    else
      return false;
  } catch (const std::invalid_argument& error) {
    refuse(key + ": " + error.what());
  }
  return true;
}

void plan_reader::add(group& into, const parameter& p, const json& value, const std::string& key) const {
  // A list of values; of a parameter that is a list itself, a list of lists.
  const bool several = value.is_array() && (!takes_lists(p) || (!value.empty() && value.front().is_array()));
  dimension d{&p, {}, key};
  for (const dimension& known : into.dimensions)
    if (known.what == &p) refuse_second(known.key, key);
  for (const json& one : several ? value : json::array({value})) try {
      run_config scratch;
      set_from_json(p, scratch, one);
      d.values.push_back(one);
    } catch (const std::invalid_argument& error) {
      refuse(key + ": " + error.what());
    }
  if (d.values.empty()) refuse(key + ": the list is empty");
  put(into, std::move(d));
}

void plan_reader::put(group& into, dimension d) const {
  for (dimension& known : into.dimensions)
    if (known.what == d.what) {
      known = std::move(d);
      return;
    }
  into.dimensions.push_back(std::move(d));
}

void plan_reader::set(const sweep_plan::choices& given) {
  const std::string where = std::exchange(where_, "");
  for (const auto& [name, texts] : given) {
    if (name == "allow-deadlock") {
      given_.allow_deadlock = true;
      given_.allow_deadlock_key = name;
    } else if (name == "observe") {
      plan_.settings_.observe = true;
    } else if (const parameter* const p = parameter_called(name)) {
      dimension d{p, {}, name};
      for (const std::string& text : texts)
        for (const std::string& one : values_in(*p, text)) try {
            run_config scratch;
            set_from_text(*p, scratch, one);
            d.values.push_back(p->get(scratch));
          } catch (const std::invalid_argument& error) {
            refuse("--" + name + ": " + error.what());
          }
      put(given_, std::move(d));
    } else {
      try {
        if (!set_search(name, joined(texts, ","))) refuse_key(name);
      } catch (const std::invalid_argument& error) {
        refuse("--" + std::string(error.what()));
      }
    }
  }
  where_ = where;
}

void plan_reader::make_curves() {
  const std::vector<std::string> errors = plan_.settings_.validate();
  if (!errors.empty()) refuse(errors.front());
  if (groups_.empty()) groups_.emplace_back();
  for (group& own : groups_) {
    group all = common_;
    unsigned level = 0;
    for (const group* more : std::initializer_list<const group*>{&own, &given_}) {
      ++level;
      for (dimension d : more->dimensions) {
        d.level = level;
        put(all, std::move(d));
      }
      if (!more->allow_deadlock_key.empty()) all.allow_deadlock = more->allow_deadlock;
    }
    own = std::move(all);
  }
  check_size();
  for (const group& g : groups_) product(g);
}

/// Before any curve is made: equal ones count, for each takes its time.
void plan_reader::check_size() const {
  std::size_t curves = 0;
  for (const group& g : groups_) {
    std::size_t count = 1;
    for (const dimension& d : g.dimensions) count = std::min(count * d.values.size(), max_curves + 1);
    curves = std::min(curves + count, max_curves + 1);
  }
  if (curves > max_curves)
    refuse(
        fmt::format("the plan has more than {} curves, equal ones included; use several plans", max_curves));
  const search_settings& s = plan_.settings_;
  const std::size_t loads = std::max<std::size_t>(s.rates.size(), 1);
  if (curves * loads * s.seeds.size() > max_points)
    refuse(fmt::format("curves x loads x seeds of the plan are {} x {} x {}; expected at most {} simulations",
                       curves, loads, s.seeds.size(), max_points));
}

void plan_reader::note_effect(const dimension& d, const run_config& asked) {
  const parameter& p = *d.what;
  const bool option = std::any_of(given_.dimensions.begin(), given_.dimensions.end(),
                                  [&](const dimension& g) { return g.what == &p; });
  const bool nothing_new = !option && p.get(asked) == p.get(run_config());
  if (nothing_new || effective_.count(p.path) > 0) return;
  if (const std::string why = why_idle(p, asked); !why.empty()) {
    plan_.idle_.emplace(p.path, sweep_plan::idle_key{d.key, why});
  } else {
    effective_.insert(p.path);
    plan_.idle_.erase(p.path);
  }
}

void plan_reader::add(curve c) {
  if (known_.insert(curve_tree(c).dump()).second) plan_.curves_.push_back(std::move(c));
}

/// That all runs of the search are possible, which else would be known after many others.
void plan_reader::check_search(const run_config& config) const {
  const search_settings& s = plan_.settings_;
  const double greatest = greatest_load(config.traffic);
  if (!s.rates.empty() && s.rates.back() > greatest)
    throw std::invalid_argument(
        fmt::format("rates: {}: bursts of {} packets with gaps of at least one cycle make at most {} flits "
                    "per node and cycle",
                    s.rates.back(), config.traffic.mean_burst_packets, greatest));
  if (s.rates.empty() && config.traffic.mode == traffic_mode::request_reply)
    throw std::invalid_argument(
        "rates: auto looks for a load that is not stable, and with traffic_mode request_reply there is none, "
        "as its sources hold back; name loads");
  if (s.observe && config.fidelity == fidelity::transaction)
    throw std::invalid_argument("observe: it shows flits, which the transaction level does not have");
  if (s.observe && config.measurement.precision > 0)
    throw std::invalid_argument(
        "observe: it needs a window that is known before the run, which precision has not");
}

/// The first dimension is the slowest to change.
void plan_reader::product(const group& g) {
  std::size_t count = 1;
  for (const dimension& d : g.dimensions) count *= d.values.size();
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t rest = i;
    std::vector<const json*> values(g.dimensions.size());
    for (std::size_t d = g.dimensions.size(); d-- > 0; rest /= g.dimensions[d].values.size())
      values[d] = &g.dimensions[d].values[rest % g.dimensions[d].values.size()];
    run_config config;
    std::set<std::string> paths;
    for (unsigned level = 0; level < levels; ++level) {
      const run_config below = config;
      std::vector<std::string> named;
      for (std::size_t d = 0; d < values.size(); ++d) {
        if (g.dimensions[d].level != level) continue;
        set_from_json(*g.dimensions[d].what, config, *values[d]);
        named.push_back(g.dimensions[d].what->path);
      }
      for (const std::string& path : drop_excluded(below, named, config)) paths.erase(path);
      paths.insert(named.begin(), named.end());
    }
    try {
      curve made = make_curve(config, {paths.begin(), paths.end()}, g.allow_deadlock);
      check_search(made.config);
      for (std::size_t d = 0; d < values.size(); ++d) {
        run_config asked = made.config;
        set_from_json(*g.dimensions[d].what, asked, *values[d]);
        note_effect(g.dimensions[d], asked);
      }
      add(std::move(made));
    } catch (const std::invalid_argument& error) {
      refuse(std::string(error.what()) + " (" + config.topology.spec + ", " + config.traffic.pattern + ")");
    }
  }
}

}  // namespace toriscope
