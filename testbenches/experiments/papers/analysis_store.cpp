// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/papers/analysis_store.h"

#include "topologies/vc_classes.h"

namespace toriscope {

const network_analysis& analysis_store::of(const analysed_network& network, bool with_cuts) {
  const key name{network.spec, network.links, network.routing, network.routed, with_cuts};
  const auto known = done_.find(name);
  if (known != done_.end()) return known->second;
  topology_options options;
  options.links = network.links;
  options.routing = network.routing;
  analysis_request request;
  request.routed = network.routed;
  request.connectivity = with_cuts;
  request.partition = request.diversity = request.density = false;
  return done_.emplace(name, analyse(make_for_analysis(network.spec, options), max_vcs, request))
      .first->second;
}

}  // namespace toriscope
