// SPDX-License-Identifier: Apache-2.0
// Parameters that a configuration has no use for, such as hot nodes with uniform traffic. Each parameter
// declares when that is so (parameter::idle, in parameter_effects.cpp).
#pragma once

#include <string>
#include <vector>

#include "testbenches/simulation/configuration/parameters.h"

namespace toriscope {

/// Gives the parameters their `idle`.
void declare_effects(std::vector<parameter>& all);

/// Why the parameter has no effect in this configuration: "with --traffic uniform; use --traffic hotspot or
/// leave it out". Empty: it has one, or says what is true anyway (a flag that is off, full-duplex links of a
/// network that has no others).
std::string why_idle(const parameter& p, const run_config& config);

/// Whether the parameter is the pitch of nodes, and no link delay is by length in mm: it changes what is printed alone.
bool is_only_printed(const parameter& p, const run_config& config);

/// Sets the parameters that have no effect to their defaults.
void reset_idle(run_config& config);

/// What configuration files say in vain: "router.lookahead has no effect with ..."; keys at their defaults are
/// left out, as the configuration of a result names all parameters.
/// @param keys  that files set, by path
std::vector<std::string> idle_keys(const std::map<std::string, std::string>& keys, const run_config& config);

}  // namespace toriscope
