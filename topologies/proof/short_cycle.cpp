// SPDX-License-Identifier: Apache-2.0
#include "topologies/proof/short_cycle.h"

#include <algorithm>
#include <boost/graph/iteration_macros.hpp>
#include <boost/graph/strong_components.hpp>
#include <boost/graph/topological_sort.hpp>
#include <iterator>
#include <utility>

namespace toriscope {

namespace {

/// The shortest way from `start` back to itself within its component, if it is shorter than `limit` channels.
std::vector<std::uint32_t> cycle_through(std::uint32_t start, const dependency_graph& graph,
                                         const std::vector<std::uint32_t>& component, std::size_t limit,
                                         std::vector<std::uint32_t>& came_from,
                                         std::vector<std::uint32_t>& seen_by) {
  std::vector<std::uint32_t> layer{start};
  std::vector<std::uint32_t> next;
  for (std::size_t length = 1; length < limit && !layer.empty(); ++length) {
    next.clear();
    for (const std::uint32_t at : layer) {
      BGL_FORALL_ADJ_T(at, to, graph, dependency_graph) {
        if (to == start) {
          std::vector<std::uint32_t> cycle{at};
          while (cycle.back() != start) cycle.push_back(came_from[cycle.back()]);
          std::reverse(cycle.begin(), cycle.end());
          return cycle;
        }
        if (component[to] != component[start] || seen_by[to] == start) continue;
        seen_by[to] = start;
        came_from[to] = at;
        next.push_back(to);
      }
    }
    layer.swap(next);
  }
  return {};
}

}  // namespace

std::vector<std::uint32_t> short_cycle(const dependency_graph& graph) {
  constexpr std::size_t max_tried = 2000;
  const auto channels = static_cast<std::uint32_t>(num_vertices(graph));
  std::vector<std::uint32_t> component(channels);
  const std::uint32_t components = boost::strong_components(
      graph, boost::make_iterator_property_map(component.begin(), get(boost::vertex_index, graph)));
  std::vector<std::uint32_t> size(components);
  for (const std::uint32_t c : component) ++size[c];

  std::vector<std::uint32_t> best;
  std::vector<std::uint32_t> came_from(channels);
  std::vector<std::uint32_t> seen_by(channels, ~std::uint32_t{0});
  std::size_t tried = 0;
  for (std::uint32_t c = 0; c < channels && tried < max_tried; ++c) {
    // A component of one channel has a cycle only if the channel depends on itself.
    const auto [first, last] = adjacent_vertices(c, graph);
    if (size[component[c]] < 2 && std::find(first, last, c) == last) continue;
    ++tried;
    const std::size_t limit = best.empty() ? std::size_t{channels} + 1 : best.size();
    std::vector<std::uint32_t> cycle = cycle_through(c, graph, component, limit, came_from, seen_by);
    if (!cycle.empty()) best = std::move(cycle);
  }
  return best;
}

std::optional<std::vector<std::uint32_t>> topological_order(const dependency_graph& graph) {
  std::vector<std::uint32_t> order;
  order.reserve(num_vertices(graph));
  try {
    // The last first, as Boost gives them.
    boost::topological_sort(graph, std::back_inserter(order));
  } catch (const boost::not_a_dag&) {
    return std::nullopt;
  }
  return order;
}

std::vector<std::uint32_t> channel_numbers(const dependency_graph& graph,
                                           const std::vector<std::uint32_t>& order) {
  // Steps that can follow, at most; then counted from the other end.
  std::vector<std::uint32_t> numbers(num_vertices(graph));
  std::uint32_t longest = 0;
  for (const std::uint32_t c : order) {
    BGL_FORALL_ADJ_T(c, to, graph, dependency_graph) numbers[c] = std::max(numbers[c], numbers[to] + 1);
    longest = std::max(longest, numbers[c]);
  }
  for (std::uint32_t& number : numbers) number = longest - number;
  return numbers;
}

}  // namespace toriscope
