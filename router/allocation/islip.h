// SPDX-License-Identifier: Apache-2.0
// An iteration of iSLIP (McKeown 1999): grant, then accept. State moves for grants of the first iteration
// only, so that those asked for drift apart and serve everybody in turn under full load.
//
// In SA a third kind of arbiter accepts: of an input port, over the output ports that picked it. The VC that
// is then sent is a matter of the input port alone, whose VC arbiter moves with every grant. In VA every
// choice of an input VC is an output VC of its own: its one arbiter accepts.
#pragma once

#include "router/allocation/separable.h"

namespace toriscope {

class islip final : public separable {
 public:
  islip(arena& memory, const allocation_shape& shape);
  void match(const request_list& requests, picks& space, request_list& grants) const override;
  void count(const allocation_request& grant, bool first) override;

 private:
  arbiter_array* accept_;  ///< of those who ask, over those asked for; null: inputs_ does it
};

}  // namespace toriscope
