// SPDX-License-Identifier: Apache-2.0
// An iteration of iSLIP (McKeown 1999): grant, then accept. Priorities move for grants of the first iteration only, so
// that the resources drift apart and serve all requesters in turn under full load.
//
// In SA a third kind of arbiter accepts: of an input port, over the output ports that picked it. The VC that is then
// sent is a matter of the input port alone, whose VC arbiter moves with every grant. In VA every candidate of an input
// VC is an output VC of its own: its one arbiter accepts.
#pragma once

#include "router/allocation/separable.h"

namespace toriscope {

class islip final : public separable {
 public:
  islip(arena& memory, const allocator_shape& shape);
  void allocate(const request_list& requests, tentative_grants& space, request_list& grants) const override;
  void update_priorities(const allocation_request& grant, bool first_iteration) override;
  void archive(state_archive& a, const allocator_shape& shape) override;

 private:
  arbiter_array* accept_;  ///< of the requesters, over the resources; null: inputs_ accepts
};

}  // namespace toriscope
