// SPDX-License-Identifier: Apache-2.0
#include "router/pipeline_timing.h"

namespace toriscope {

pipeline_timing::pipeline_timing(const router_config& config) {
  if (config.pipeline == pipeline::paper2009) {
    switch_to_sent = 1;
    return;
  }
  const stage_counts counts = config.counts();
  const unsigned hidden = config.lookahead ? counts.va + counts.sa + counts.st : 0;
  const auto not_hidden = [hidden](unsigned cycles) { return cycles > hidden ? cycles - hidden : 0; };
  rc = not_hidden(counts.rc);
  adaptive_rc = not_hidden(counts.rc + config.adaptive_delay_cycles);
  va = counts.va;
  head_va = config.speculative ? 0 : va;
  switch_to_sent = send_ahead = counts.sa + counts.st - 1;
}

}  // namespace toriscope
