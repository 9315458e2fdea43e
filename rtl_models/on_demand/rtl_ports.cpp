// SPDX-License-Identifier: Apache-2.0
#include "rtl_models/on_demand/rtl_ports.h"

#include <re2/re2.h>

#include <algorithm>

#include "base/words.h"
#include "rtl_models/on_demand/rtl_build.h"

namespace toriscope {
namespace {

std::string bits_text(unsigned bits) { return std::to_string(bits) + (bits == 1 ? " bit" : " bits"); }
const char* direction_text(const rtl_port& p) { return p.is_output ? "an output" : "an input"; }

const rtl_port* port_named(const std::vector<rtl_port>& ports, const std::string& name) {
  const auto found =
      std::find_if(ports.begin(), ports.end(), [&](const rtl_port& p) { return p.name == name; });
  return found == ports.end() ? nullptr : &*found;
}

}  // namespace

/// VL_IN8(&clk_i,0,0);  VL_OUTW(&flit_o,319,0,10);  without the '&' in older ones.
std::vector<rtl_port> ports_of_header(const std::string& header) {
  static const RE2 declaration(R"(VL_(IN|OUT)(?:8|16|64|W)?\(&?(\w+),(\d+),(\d+)(?:,\d+)?\);)");
  std::vector<rtl_port> ports;
  re2::StringPiece rest(header);
  std::string direction, name;
  unsigned most{}, least{};
  while (RE2::FindAndConsume(&rest, declaration, &direction, &name, &most, &least))
    ports.push_back({name, most - least + 1, direction == "OUT"});
  return ports;
}

void check_ports(const rtl_design& design, const std::vector<rtl_port>& ports) {
  if (design.pins.empty()) return;
  const std::string module = design.what + ", module " + design.top;
  for (const rtl_port& needed : design.pins) {
    const rtl_port* const found = port_named(ports, needed.name);
    if (!found)
      throw rtl_build_error(module + ", has no port '" + needed.name + "' (" + direction_text(needed) +
                            " of " + bits_text(needed.bits) + "); it has " + joined(names_of(ports)));
    if (found->is_output != needed.is_output)
      throw rtl_build_error(module + ": port '" + needed.name + "' is " + direction_text(*found) +
                            "; it must be " + direction_text(needed));
    if (found->bits != needed.bits)
      throw rtl_build_error(module + ": port '" + needed.name + "' has " + bits_text(found->bits) +
                            "; with " + parameters_text(design) + " it must have " + bits_text(needed.bits));
  }
  for (const rtl_port& p : ports)
    if (!p.is_output && !port_named(design.pins, p.name))
      throw rtl_build_error(module + " has an input '" + p.name + "' without a driver; its ports must be " +
                            joined(names_of(design.pins)));
}

}  // namespace toriscope
