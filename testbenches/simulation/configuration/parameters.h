// SPDX-License-Identifier: Apache-2.0
// The table of parameters: every member of run_config with its path in configuration files, its option on the
// command line, its range and its description. Files, options, the effective configuration and the help all
// come from it.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/json.h"
#include "testbenches/simulation/configuration/run_config.h"

namespace toriscope {

/// What parameters are about: each is in one of these sets, and a command declares which sets it takes.
namespace parameter_set {
inline constexpr unsigned wiring = 1u << 0;          ///< the topology by name
inline constexpr unsigned link_kind = 1u << 12;      ///< one-way or full duplex
inline constexpr unsigned routing = 1u << 1;         ///< routing, VC rule and VCs
inline constexpr unsigned link_width = 1u << 2;      ///< widths of links and flits
inline constexpr unsigned layout = 1u << 14;         ///< where nodes are in the plane
inline constexpr unsigned pitch = 1u << 15;          ///< of nodes in the plane
inline constexpr unsigned faults = 1u << 3;          ///< links that fail
inline constexpr unsigned timing = 1u << 4;          ///< router and delays
inline constexpr unsigned simulation = 1u << 5;      ///< how the network is simulated and checked
inline constexpr unsigned traffic_matrix = 1u << 6;  ///< who sends to whom
inline constexpr unsigned flows = 1u << 13;          ///< a file of flows
inline constexpr unsigned packet_length = 1u << 7;
inline constexpr unsigned workload = 1u << 8;      ///< when packets are created
inline constexpr unsigned outstanding = 1u << 9;   ///< limit of unanswered requests
inline constexpr unsigned load_point = 1u << 10;   ///< load and seed, which a sweep varies
inline constexpr unsigned measurement = 1u << 11;  ///< the window, and its end
inline constexpr unsigned threads = 1u << 16;      ///< what results do not depend on

inline constexpr unsigned topology = wiring | link_kind | routing;  ///< what topology_options has
inline constexpr unsigned network = topology | layout | link_width | faults | timing | simulation;
inline constexpr unsigned channel_load =
    traffic_matrix | flows | link_width;                       ///< what the load of a channel depends on
inline constexpr unsigned zero_load = timing | packet_length;  ///< what the latency in an empty network depends on
inline constexpr unsigned traffic =
    traffic_matrix | flows | packet_length | workload | outstanding | load_point;
inline constexpr unsigned all = network | traffic | measurement | pitch | threads;
}  // namespace parameter_set

/// One of the values that a choice has.
struct parameter_value {
  std::string value;  ///< in configurations and results
  std::string name;   ///< on the command line, in the help and in headlines; files may have either
};

struct parameter {
  enum class kind { whole, real, flag, text, choice, texts, wholes, delays };

  std::string path;         ///< "router.depth_flits"
  std::string option;       ///< "depth"
  std::vector<std::string> aliases;  ///< other options for it
  std::string former;                ///< the option's former name, which still works; empty: none
  std::string argument;     ///< what the help shows: "FLITS"; empty for a flag
  std::string description;  ///< one line
  kind what{};
  double least = 0;                  ///< whole, real
  double most = 0;                   ///< whole, real
  std::vector<parameter_value> choices;  ///< choice

  /// Takes a value of the right type and range.
  std::function<void(run_config&, const nlohmann::ordered_json&)> set;
  std::function<nlohmann::ordered_json(const run_config&)> get;
  /// Why it has no effect in this configuration; empty: it has one (parameter_effects.h). Null: it always has.
  std::function<std::string(const run_config&)> idle;

  unsigned set_of = 0;  ///< one of parameter_set
  bool is_in(unsigned sets) const { return (set_of & sets) != 0; }
  /// By its option, an alias or its former name.
  bool is_called(const std::string& name) const;
  /// What tables and labels of curves call it: the first name that its option had.
  const std::string& table_name() const { return former.empty() ? option : former; }
  /// The value as the command line takes it; lists have commas between their items.
  std::string shown(const run_config& config) const;
};

/// In the order in which they are shown.
const std::vector<parameter>& parameters();
/// The parameter with this path, which there must be.
const parameter& parameter_at(const std::string& path);

/// Sets a parameter from a file. @throws std::invalid_argument what is wrong, without saying where
void set_from_json(const parameter& p, run_config& config, const nlohmann::ordered_json& value);
/// Sets a parameter from the command line; lists have commas between their items. @throws as above
void set_from_text(const parameter& p, run_config& config, const std::string& text);

/// The configuration as a tree, as set_from_file() reads it, without what results do not depend on.
nlohmann::ordered_json as_tree(const run_config& config);

/// Sets what the configuration file says. The keys are the paths of the parameters as a tree, or, on its top
/// level, the names of options: {"router": {"depth_flits": 4}} or {"depth": 4}.
/// @param path  "-": standard input
/// @param keys  if not null: gets what was set, by path: the key as the file has it
/// @throws std::invalid_argument one line: the file, the key, what is right
void set_from_file(const std::string& path, run_config& config,
                   std::map<std::string, std::string>* keys = nullptr);
/// The same for text that stands in the file `path`.
void set_from_file_text(const std::string& text, const std::string& path, run_config& config,
                        std::map<std::string, std::string>* keys = nullptr);

}  // namespace toriscope
