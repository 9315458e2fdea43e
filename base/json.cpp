// SPDX-License-Identifier: Apache-2.0
#include "base/json.h"

TORISCOPE_JSON_INSTANCES(, basic_json<>)
TORISCOPE_JSON_INSTANCES(, basic_json<nlohmann::ordered_map>)
