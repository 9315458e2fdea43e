// SPDX-License-Identifier: Apache-2.0
// What the VC rules do that go by letters: names in words of the field. Results and tables have the letters;
// make_topology() and the option --vc-rule take both.
#pragma once

#include <string>

namespace toriscope {

/// "level_descending" of "K"; a rule that goes by a name keeps it.
std::string vc_rule_name(const std::string& rule);

/// "K" of "level_descending", and of "K".
std::string vc_rule_letter(const std::string& rule);

/// "level_descending (K)".
std::string vc_rule_title(const std::string& rule);

/// "one_way" of links U between modules, "duplex" of B.
inline std::string links_name(const std::string& links) { return links == "U" ? "one_way" : "duplex"; }

}  // namespace toriscope
