// SPDX-License-Identifier: Apache-2.0
#include "rtl_models/user_rtl/verilator_run.h"

#include <stdexcept>

#include "base/scratch_directory.h"
#include "rtl_models/on_demand/rtl_build.h"

namespace toriscope {

std::vector<std::string> verilator_options(const router_description& d) {
  std::vector<std::string> options;
  for (const std::string& define : d.defines) options.push_back("-D" + define);
  options.insert(options.end(), d.verilator_options.begin(), d.verilator_options.end());
  return options;
}

measured_process run_verilator(const router_description& d, const std::vector<std::string>& options,
                               const std::vector<std::string>& more_files) {
  std::vector<std::string> command = verilator_command();
  const auto add = [&command](const std::vector<std::string>& words) {
    command.insert(command.end(), words.begin(), words.end());
  };
  add(options);
  add(verilator_options(d));
  for (const std::string& directory : d.include_directories) command.push_back("-I" + directory);
  add(d.sources);
  add(more_files);
  const scratch_directory scratch;
  const measured_process done = run_tool(command, scratch.path());
  if (done.status == 127) throw std::invalid_argument(verilator_missing());
  return done;
}

std::vector<std::string> probe_options(const std::string& xml) {
  return {"--xml-only",   "-Wno-fatal", "-Wno-lint",    "-Wno-style", "-Wno-PINMISSING",
          "--top-module", probe_name,   "--xml-output", xml};
}

}  // namespace toriscope
