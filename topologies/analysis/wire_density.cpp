// SPDX-License-Identifier: Apache-2.0
#include "topologies/analysis/wire_density.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "topologies/analysis/planar_layout.h"

namespace toriscope {

namespace {

/// Counts what lies over each line between two places of an axis.
class line_counter {
 public:
  explicit line_counter(unsigned extent) : changes_(extent + std::size_t{1}, 0) {}
  void add(unsigned a, unsigned b) {
    ++changes_[std::min(a, b)];
    --changes_[std::max(a, b)];
  }
  /// The largest count, and the first line with it.
  std::pair<std::int64_t, unsigned> peak() const {
    std::pair<std::int64_t, unsigned> best{0, 0};
    std::int64_t now = 0;
    for (std::size_t i = 0; i < changes_.size(); ++i) {
      now += changes_[i];
      if (now > best.first) best = {now, static_cast<unsigned>(i)};
    }
    return best;
  }

 private:
  std::vector<std::int64_t> changes_;
};

unsigned max_channels(const netlist& net) {
  unsigned most = 0;
  for (node_id node = 0; node < net.node_count(); ++node) {
    unsigned channels = 0;
    for (const netlist_port& port : net.ports(node)) channels += (port.out != no_link) + (port.in != no_link);
    most = std::max(most, channels);
  }
  return most;
}

/// Columns and rows of the nodes.
class columns_and_rows {
 public:
  explicit columns_and_rows(const netlist& net) : layout_(net), given_(net.positions()) {
    for (const node_position& p : given_) {
      xs_.push_back(p.x);
      ys_.push_back(p.y);
    }
    for (std::vector<double>* all : {&xs_, &ys_}) {
      std::sort(all->begin(), all->end());
      all->erase(std::unique(all->begin(), all->end()), all->end());
    }
  }
  unsigned columns() const { return given_.empty() ? layout_.width() : static_cast<unsigned>(xs_.size()); }
  unsigned rows() const { return given_.empty() ? layout_.height() : static_cast<unsigned>(ys_.size()); }
  planar_layout::place at(node_id node) const {
    if (given_.empty()) return layout_.at(node);
    return {place_in(xs_, given_[node].x), place_in(ys_, given_[node].y)};
  }

 private:
  static unsigned place_in(const std::vector<double>& all, double value) {
    return static_cast<unsigned>(std::lower_bound(all.begin(), all.end(), value) - all.begin());
  }

  planar_layout layout_;
  const std::vector<node_position>& given_;
  std::vector<double> xs_, ys_;
};

}  // namespace

wire_density measure_density(const netlist& net, const counted_cut& cut) {
  wire_density result;
  if (cut.directed_links > 0)
    result.width_bits = static_cast<double>(net.node_count()) / static_cast<double>(cut.directed_links);
  result.channels_max = max_channels(net);
  result.pins_per_node = result.channels_max * result.width_bits;

  const columns_and_rows layout(net);
  line_counter columns(layout.columns());
  line_counter rows(layout.rows());
  for (const netlist_link& wire : net.links()) {
    const planar_layout::place from = layout.at(wire.from);
    const planar_layout::place to = layout.at(wire.to);
    columns.add(from.x, to.x);
    rows.add(from.y, to.y);
  }
  const auto by_column = columns.peak();
  const auto by_row = rows.peak();
  result.along_y = by_row.first > by_column.first;
  const auto& [channels, position] = result.along_y ? by_row : by_column;
  result.channels = static_cast<std::uint64_t>(channels);
  result.position = position;
  result.peak_wires = static_cast<double>(channels) * result.width_bits;
  result.peak_per_row = result.peak_wires / (result.along_y ? layout.columns() : layout.rows());
  return result;
}

double density_bound(unsigned k, unsigned n, double width_bits, bool both_ways) {
  const double root = std::pow(k, n / 2.0);
  return 2 * width_bits * root * (root - 1) / (k - 1) * (both_ways && k > 2 ? 2 : 1);
}

}  // namespace toriscope
