// SPDX-License-Identifier: Apache-2.0
// #include <toriscope/toriscope.h>: what a bench needs - topologies, networks, one run from a configuration, TLM-2.0
// sockets, waves. RTL routers have headers of their own (rtl_models/user_rtl/user_rtl_routers.h).
#pragma once

#include "network/network.h"
#include "network/tlm/tlm_network.h"
#include "testbenches/simulation/configuration/parameters.h"
#include "testbenches/simulation/simulate.h"
#include "testbenches/simulation/simulation.h"
#include "topologies/registry.h"
#include "traces/wave_writer.h"
