// SPDX-License-Identifier: Apache-2.0
#include "topologies/proof/unused_vcs.h"

#include <algorithm>

#include "topologies/vc_classes.h"

namespace toriscope {

std::vector<unused_vcs> unused_among(const netlist& net, const std::vector<vc_mask>& used, unsigned vcs) {
  std::vector<unused_vcs> unused;
  for (link_id link = 0; link < used.size(); ++link) {
    const vc_mask idle = (vc_set::below(net.vcs_of(net.link(link).to, vcs)) - vc_set(used[link])).mask();
    if (idle == 0) continue;
    const auto same =
        std::find_if(unused.begin(), unused.end(), [&](const unused_vcs& u) { return u.vcs == idle; });
    if (same == unused.end())
      unused.push_back({idle, 1, link});
    else
      ++same->links;
  }
  return unused;
}

std::string in_words(vc_mask vcs) {
  std::string words;
  for (const unsigned vc : vc_set(vcs)) words += (words.empty() ? "" : " ") + std::to_string(vc);
  return words;
}

std::string in_words(const netlist& net, const std::vector<unused_vcs>& unused) {
  std::string words;
  for (const unused_vcs& u : unused) {
    const netlist_link& first = net.link(u.first);
    words += (words.empty() ? "" : ", ") + in_words(u.vcs) + " on " + std::to_string(u.links) + " of " +
             std::to_string(net.links().size()) + " links (" + net.address(first.from) + "." +
             net.port_name(first.from, first.from_port) + (u.links > 1 ? " ...)" : ")");
  }
  return words;
}

}  // namespace toriscope
