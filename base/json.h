// SPDX-License-Identifier: Apache-2.0
// nlohmann-json, of which base/json.cpp compiles what every file would compile again.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

// Text as json::parse() is given it.
#define TORISCOPE_JSON_INSTANCES(EXTERN, JSON)                                                            \
  EXTERN template class nlohmann::JSON;                                                                   \
  EXTERN template nlohmann::JSON nlohmann::JSON::parse(const std::string&, parser_callback_t, bool, bool); \
  EXTERN template nlohmann::JSON nlohmann::JSON::parse(std::string&, parser_callback_t, bool, bool);      \
  EXTERN template nlohmann::JSON nlohmann::JSON::parse(std::string&&, parser_callback_t, bool, bool);
TORISCOPE_JSON_INSTANCES(extern, basic_json<>)
TORISCOPE_JSON_INSTANCES(extern, basic_json<nlohmann::ordered_map>)
