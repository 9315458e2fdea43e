// SPDX-License-Identifier: Apache-2.0
// Shares the VCs of each link out to the VC classes that packets have on that link, in ascending order, so that no
// VC waits for a class that never comes (docs/model.md). A routing function notes the classes at construction, by
// its own moves; links that have the same classes everywhere, such as those of all modules, may be one link here.
//
// Dependencies between (link, class) pairs do not depend on the layout: what is proven for a VC rule with one VC for
// each class holds under any.
#pragma once

#include <cstddef>
#include <vector>

#include "topologies/vc_classes.h"

namespace toriscope {

class vc_lanes {
 public:
  /// Until the VCs are shared out, class c of each link is bit c.
  /// @throws std::invalid_argument where vc_class() does
  vc_lanes(std::size_t links, unsigned classes, unsigned vcs)
      : classes_(classes), vcs_(vcs), lanes_(links * classes), noted_(links) {
    vc_class(0, classes, vcs);  // checks
    for (std::size_t i = 0; i < lanes_.size(); ++i)
      lanes_[i] = vc_set::of(static_cast<unsigned>(i % classes)).mask();
  }

  /// Packets have these classes on the link, a bit for each.
  void note(std::size_t link, vc_mask classes) { noted_[link] |= classes; }

  /// To the classes that were noted; the others have no VC there.
  void share_out() {
    for (std::size_t link = 0; link < noted_.size(); ++link) {
      const unsigned count = vc_set(noted_[link]).size();
      for (unsigned c = 0, rank = 0; c < classes_; ++c)
        lanes_[link * classes_ + c] =
            vc_set(noted_[link]).has(c) ? vc_class(rank++, count, vcs_) : vc_mask{0};
    }
    noted_ = std::vector<vc_mask>();
  }

  /// To all classes alike, as the published rules do.
  void share_out_alike() {
    noted_.assign(noted_.size(), all_vcs(classes_));
    share_out();
  }

  unsigned classes() const { return classes_; }

  /// The VCs of a class on a link.
  vc_mask of(std::size_t link, unsigned c) const { return lanes_[link * classes_ + c]; }

 private:
  unsigned classes_;
  unsigned vcs_;
  std::vector<vc_mask> lanes_;  ///< by link and class
  std::vector<vc_mask> noted_;  ///< by link
};

}  // namespace toriscope
