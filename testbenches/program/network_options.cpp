// SPDX-License-Identifier: Apache-2.0
#include "testbenches/program/network_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <stdexcept>

#include "testbenches/simulation/configuration/levels.h"
#include "testbenches/simulation/configuration/parameters.h"
#include "testbenches/simulation/configuration/resolved_run.h"

namespace toriscope {
namespace {

std::string group_of(const parameter& p) {
  std::string group = p.path.substr(0, p.path.find('.'));
  group[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(group[0])));
  return group;
}

/// The names of a parameter that the command has no option of its own by: `explain --packet N` is a packet's number.
std::string names_in(const CLI::App& command, const parameter& p) {
  std::string names;
  std::vector<std::string> all = p.aliases;
  all.insert(all.begin(), p.option);
  for (const std::string& name : all)
    if (!command.get_option_no_throw("--" + name)) names += (names.empty() ? "--" : ",--") + name;
  return names;
}

}  // namespace

network_options::network_options(CLI::App& command, const declared_parameters& declared)
    : command_(command), declared_(declared) {
  if (!declared.plan)
    command_.add_option("--config", config_file_, "configuration file (JSON), overridden by options")
        ->type_name("FILE")
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  for (const parameter& p : parameters())
    if (p.is_in(declared.sets)) parameters_.push_back(add(p));
}

network_options::taken network_options::add(const parameter& p) {
  const std::string names = names_in(command_, p);
  CLI::Option* option = nullptr;
  if (p.what == parameter::kind::flag) {
    option = command_.add_flag(names, flags_[p.option], p.description);
  } else {
    static const run_config defaults;
    const std::string shown = p.shown(defaults);
    option = command_.add_option(names, values_[p.option],
                                 shown.empty() ? p.description : p.description + " [" + shown + "]");
    // One value each time: else CLI11 takes "[a,b]" for a list of two, and "[c]" for c.
    option->type_name(p.argument)->expected(1)->allow_extra_args(false);
    const bool list = p.what == parameter::kind::texts;
    // A list may be given in pieces; of anything else the last one counts.
    option->multi_option_policy(declared_.plan ? CLI::MultiOptionPolicy::TakeAll
                                : list         ? CLI::MultiOptionPolicy::Join
                                               : CLI::MultiOptionPolicy::TakeLast);
    if (list && !declared_.plan) option->delimiter(',');
  }
  option->group(group_of(p));
  if (p.is_in(declared_.with_zero_load)) option->needs(command_.get_option("--zero-load"));
  return {&p, option};
}

run_request network_options::request(const run_config& base) const {
  run_request request;
  request.config = base;
  if (command_.count("--config") > 0) set_from_file(config_file_, request.config, &request.keys);
  request.config_file = config_file_;
  std::vector<std::string> keys;
  for (const auto& key : request.keys) keys.push_back(key.first);
  drop_excluded(base, keys, request.config);
  const run_config below = request.config;
  for (const auto& [what, option] : parameters_) {
    if (option->count() == 0) continue;
    const parameter& p = *what;
    std::string text;
    if (p.what == parameter::kind::flag) {
      text = flags_.at(p.option) ? "true" : "false";
    } else {
      text = values_.at(p.option).back();
    }
    try {
      set_from_text(p, request.config, text);
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(option->get_name() + ": " + error.what());
    }
    request.options.push_back(p.path);
  }
  for (const std::string& path : drop_excluded(below, request.options, request.config))
    request.keys.erase(path);
  std::vector<std::string> given = request.options;
  for (const auto& key : request.keys) given.push_back(key.first);
  request.given = explicit_among(given);
  request.config = with_router_defaults(std::move(request.config), request.given);
  return request;
}

std::vector<std::pair<std::string, std::vector<std::string>>> network_options::choices() const {
  std::vector<std::pair<std::string, std::vector<std::string>>> list;
  for (const auto& [p, option] : parameters_) {
    if (option->count() == 0) continue;
    const bool flag = p->what == parameter::kind::flag;
    list.emplace_back(p->option, flag ? std::vector<std::string>{flags_.at(p->option) ? "true" : "false"}
                                      : values_.at(p->option));
  }
  return list;
}

}  // namespace toriscope
