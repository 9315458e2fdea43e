// SPDX-License-Identifier: Apache-2.0
// Options that a command has no use for are rejected, in one line: those that the configuration makes idle
// (testbenches/simulation/configuration/parameter_effects.h), and those that the command does not look at. Keys of a
// configuration file or plan are warned of, unless they are at their defaults: the configuration of a result names
// all.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "testbenches/experiments/sweep/sweep_plan.h"
#include "testbenches/program/run_command.h"
#include "testbenches/simulation/configuration/parameters.h"

namespace toriscope {

/// @param idle_here  why the command itself has no use for a parameter: "on a drawing; leave it out"; empty: it has
/// @throws std::invalid_argument one line with all options that have no effect in this run of the command
void refuse_idle_options(const run_request& request,
                         const std::function<std::string(const parameter&)>& idle_here);

/// All options but those in these sets have no effect. @throws as above
/// @param why  "with --check, which reads the network from the certificate; leave it out"
void refuse_options_but(unsigned sets, const run_request& request, const std::string& why);

/// A line for each key of the configuration file that has no effect, on standard error.
void warn_of_idle_keys(const run_request& request);

/// The same for options of `run` beyond the parameters. @throws as above
void refuse_idle_outputs(const run_request& request);

/// For a sweep: an option must have an effect in one curve at least; keys of the plan that have none are warned of.
/// @param given  options and values, as sweep_plan::from() takes them
/// @param file   of the plan. @throws as above
void refuse_idle_options(const sweep_plan& plan, const sweep_plan::choices& given, const std::string& file);

}  // namespace toriscope
