// SPDX-License-Identifier: Apache-2.0
#include "testbenches/program/network_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <stdexcept>

#include "testbenches/simulation/configuration/resolved_run.h"
#include "testbenches/simulation/configuration/parameters.h"

namespace toriscope {
namespace {

std::string group_of(const parameter& p) {
  std::string group = p.path.substr(0, p.path.find('.'));
  group[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(group[0])));
  return group;
}

/// Router, delays and lengths: of all that `analyze` prints, --zero-load alone depends on them.
bool only_makes_latency(const parameter& p) {
  if (p.makes_topology || p.makes_load) return false;
  return p.path.rfind("router.", 0) == 0 || p.path == "network.injection_delay_cycles" ||
         p.path == "network.ejection_delay_cycles" || p.path == "network.credit_delay_cycles" ||
         p.path == "network.limited_reception" || p.path == "topology.link_delay_cycles" ||
         p.path == "traffic.packet_flits";
}

/// Whether a command takes the parameter: `run`, `record`, `cosim` and `explain` take all, `replay` all but
/// those of synthetic traffic, `export` those of a network, `sweep` all but load and seed, others those that
/// make a topology, `analyze` also those of the traffic matrix and of the latency in an empty network.
bool takes(const CLI::App& command, const parameter& p) {
  const std::string& name = command.get_name();
  if (name == "replay") return p.path.rfind("traffic.", 0) != 0 || p.path == "traffic.outstanding";
  if (name == "export") return p.path.rfind("traffic.", 0) != 0 && p.path.rfind("measurement.", 0) != 0;
  if (name == "sweep") return p.path != "traffic.rate_flits_per_node_cycle" && p.path != "traffic.seed";
  return name == "run" || name == "record" || name == "explain" || name == "cosim" || p.makes_topology ||
         (name == "analyze" && (p.makes_load || only_makes_latency(p)));
}

/// The option of a parameter; some have two names. `explain --packet N` is the number of a packet.
std::string option_of(const CLI::App& command, const parameter& p) {
  if (p.option == "message-classes") return "--message-classes,--classes";
  if (p.option != "packet") return "--" + p.option;
  return command.get_name() == "explain" ? "--packet-flits" : "--packet,--packet-flits";
}

}  // namespace

network_options::network_options(CLI::App& command) : command_(command) {
  // In a sweep any configuration file is a plan.
  if (command.get_name() != "sweep")
    command_.add_option("--config", config_file_, "configuration file (JSON), overridden by options")
        ->type_name("FILE")
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  add_parameters();
}

void network_options::add_parameters() {
  const run_config defaults;
  for (const parameter& p : parameters()) {
    if (!takes(command_, p)) continue;
    const std::string name = option_of(command_, p);
    CLI::Option* const with_zero_load = command_.get_name() == "analyze" && only_makes_latency(p)
                                            ? command_.get_option("--zero-load")
                                            : nullptr;
    if (p.what == parameter::kind::flag) {
      CLI::Option* flag = command_.add_flag(name, flags_[p.option], p.description)->group(group_of(p));
      if (with_zero_load) flag->needs(with_zero_load);
      continue;
    }
    const nlohmann::ordered_json value = p.get(defaults);
    std::string shown = value.is_string() ? value.get<std::string>() : value.is_array() ? "" : value.dump();
    if (p.option == "link-delay") shown = "1";
    const std::string description = shown.empty() ? p.description : p.description + " [" + shown + "]";
    CLI::Option* option = command_.add_option(name, values_[p.option], description);
    option->type_name(p.argument)->group(group_of(p));
    if (with_zero_load) option->needs(with_zero_load);
    option->expected(1);
    if (command_.get_name() == "sweep") {
      option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
      continue;
    }
    // A list may be given in pieces; of anything else the last one counts.
    option->multi_option_policy(p.what == parameter::kind::texts ? CLI::MultiOptionPolicy::Join
                                                                 : CLI::MultiOptionPolicy::TakeLast);
    if (p.what == parameter::kind::texts) option->delimiter(',');
  }
}

run_request network_options::request(const run_config& base) const {
  run_request request;
  request.config = base;
  if (command_.count("--config") > 0) set_from_file(config_file_, request.config, &request.keys);
  request.config_file = config_file_;
  request.zero_load = command_.get_name() == "analyze" && command_.count("--zero-load") > 0;
  for (const parameter& p : parameters()) {
    if (!takes(command_, p)) continue;
    const std::string names = option_of(command_, p);
    const std::string name = names.substr(0, names.find(','));
    if (command_.count(name) == 0) continue;
    std::string text;
    if (p.what == parameter::kind::flag) {
      text = flags_.at(p.option) ? "true" : "false";
    } else {
      text = values_.at(p.option).back();
      std::replace(text.begin(), text.end(), '\n', ',');
    }
    try {
      set_from_text(p, request.config, text);
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(name + ": " + error.what());
    }
    request.options.push_back(p.path);
  }
  std::vector<std::string> given = request.options;
  for (const auto& key : request.keys) given.push_back(key.first);
  request.given = explicit_among(given);
  request.config = with_router_defaults(std::move(request.config), request.given);
  return request;
}

std::vector<std::pair<std::string, std::vector<std::string>>> network_options::choices() const {
  std::vector<std::pair<std::string, std::vector<std::string>>> list;
  for (const parameter& p : parameters()) {
    const std::string names = option_of(command_, p);
    if (!takes(command_, p) || command_.count(names.substr(0, names.find(','))) == 0) continue;
    const bool flag = p.what == parameter::kind::flag;
    list.emplace_back(p.option, flag ? std::vector<std::string>{"true"} : values_.at(p.option));
  }
  return list;
}

}  // namespace toriscope
