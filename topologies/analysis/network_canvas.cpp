// SPDX-License-Identifier: Apache-2.0
#include "topologies/analysis/network_canvas.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

namespace toriscope {

namespace {
constexpr double pitch = 30;           ///< of nodes within a module
constexpr double widest_given = 4000;  ///< of a network whose nodes have positions
}  // namespace

network_canvas::network_canvas(const topology& network)
    : net_(*network.wiring), layout_(net_), round_(!network.routing && net_.hierarchy().size() == 1) {
  if (!net_.positions().empty()) {
    place_as_given();
  } else {
    places_.reserve(net_.node_count());
    for (node_id node = 0; node < net_.node_count(); ++node) places_.push_back(place_of(node));
  }
  for (const canvas_point& p : places_) {
    width_ = std::max(width_, p.x);
    height_ = std::max(height_, p.y);
  }
}

/// So large that the two nodes closest to each other are a pitch apart, unless the picture would be vast.
void network_canvas::place_as_given() {
  const std::vector<node_position>& given = net_.positions();
  double left = given[0].x, top = given[0].y, right = left, bottom = top, closest = 0;
  for (std::size_t i = 0; i < given.size(); ++i) {
    left = std::min(left, given[i].x);
    right = std::max(right, given[i].x);
    top = std::min(top, given[i].y);
    bottom = std::max(bottom, given[i].y);
    for (std::size_t j = 0; j < i; ++j)
      if (const double apart = std::hypot(given[i].x - given[j].x, given[i].y - given[j].y); apart > 0)
        closest = closest == 0 ? apart : std::min(closest, apart);
  }
  const double extent = std::max(right - left, bottom - top);
  const double scale = closest == 0 ? 1 : std::min(1.5 * pitch / closest, widest_given / extent);
  for (const node_position& p : given) places_.push_back({(p.x - left) * scale, (p.y - top) * scale});
}

/// Round the nodes of each group of a network with names: "a", then "a.b".
std::vector<std::vector<canvas_frame>> network_canvas::frames_of_groups() const {
  std::map<std::size_t, std::map<std::string, canvas_frame>>
      levels;  // by dots in the name; right and bottom in it
  for (node_id node = 0; node < net_.node_count(); ++node) {
    const std::string name = net_.address(node);
    const canvas_point& p = at(node);
    std::size_t level = 0;
    for (std::size_t dot = name.find('.'); dot != std::string::npos; dot = name.find('.', dot + 1), ++level) {
      const auto [frame, is_new] =
          levels[level].emplace(name.substr(0, dot), canvas_frame{p.x, p.y, p.x, p.y, ""});
      canvas_frame& f = frame->second;
      f = {std::min(f.x, p.x), std::min(f.y, p.y), std::max(f.width, p.x), std::max(f.height, p.y), ""};
    }
  }
  std::vector<std::vector<canvas_frame>> all;
  for (const auto& [level, groups] : levels) {
    const double pad = 12 + 4.0 * static_cast<double>(levels.size() - 1 - level);
    std::vector<canvas_frame>& frames = all.emplace_back();
    for (const auto& [name, f] : groups)
      frames.push_back({f.x - pad, f.y - pad, f.width - f.x + 2 * pad, f.height - f.y + 2 * pad, name});
    // Where groups overlap the smaller one stays visible.
    std::stable_sort(frames.begin(), frames.end(), [](const canvas_frame& a, const canvas_frame& b) {
      return a.width * a.height > b.width * b.height;
    });
  }
  return all;
}

/// Space between modules of a level (0: the outermost) and what is around it.
double network_canvas::gap(std::size_t level) const {
  return 14.0 * static_cast<double>(net_.hierarchy().size() - 1 - level);
}

canvas_point network_canvas::place_of(node_id node) const {
  if (round_) {
    const double angle = 2 * M_PI * node / net_.node_count();
    const double radius = std::max(120.0, net_.node_count() * 18 / (2 * M_PI));
    return {radius * (1 + std::sin(angle)), radius * (1 - std::cos(angle))};
  }
  // Gaps grow where digits of outer levels step on.
  const planar_layout::place p = layout_.at(node);
  canvas_point result{p.x * pitch, p.y * pitch};
  std::size_t digit = 0;
  for (std::size_t level = 0; level < net_.hierarchy().size(); ++level)
    for (unsigned d = 0; d < net_.hierarchy()[level].digits; ++d, ++digit) {
      double& axis = layout_.is_vertical(digit) ? result.y : result.x;
      axis += layout_.place_along(digit, node) * gap_of_digit(level, digit);
    }
  return result;
}

/// What a step of a digit adds, beyond the pitch of the nodes: the gaps of all it steps over.
double network_canvas::gap_of_digit(std::size_t level, std::size_t digit) const {
  double extra = 0;
  std::size_t i = 0;
  // Inner digits of the same axis take their gaps along.
  std::vector<std::pair<std::size_t, std::size_t>> inner;
  for (std::size_t l = 0; l < net_.hierarchy().size(); ++l)
    for (unsigned d = 0; d < net_.hierarchy()[l].digits; ++d, ++i)
      if (layout_.is_vertical(i) == layout_.is_vertical(digit) && layout_.pitch(i) < layout_.pitch(digit))
        inner.emplace_back(l, i);
  for (const auto& [l, j] : inner) extra += (net_.radices()[j] - 1) * gap_of_digit(l, j);
  const bool third =
      level + 1 == net_.hierarchy().size() && layout_.pitch(digit) > 1 && net_.hierarchy().size() > 1;
  return extra + (third ? 10.0 : gap(level));
}

std::vector<std::vector<canvas_frame>> network_canvas::frames() const {
  if (net_.has_node_names() && !net_.positions().empty()) return frames_of_groups();
  std::vector<std::vector<canvas_frame>> all;
  node_id nodes = net_.node_count();
  std::size_t digit = 0;
  for (std::size_t level = 0; level + 1 < net_.hierarchy().size(); ++level) {
    for (unsigned d = 0; d < net_.hierarchy()[level].digits; ++d) nodes /= net_.radices()[digit++];
    const double pad = 7 + gap(level + 1) / 2.6;
    std::vector<canvas_frame>& modules = all.emplace_back();
    for (node_id first = 0; first < net_.node_count(); first += nodes) {
      canvas_point a = at(first), b = a;
      for (node_id node = first; node < first + nodes; ++node) {
        a = {std::min(a.x, at(node).x), std::min(a.y, at(node).y)};
        b = {std::max(b.x, at(node).x), std::max(b.y, at(node).y)};
      }
      modules.push_back({a.x - pad, a.y - pad, b.x - a.x + 2 * pad, b.y - a.y + 2 * pad});
    }
  }
  return all;
}

canvas_wire network_canvas::wire(const netlist_link& link) const {
  const canvas_point& a = at(link.from);
  const canvas_point& b = at(link.to);
  const double dx = b.x - a.x;
  const double dy = b.y - a.y;
  const bool given = !net_.positions().empty();
  const bool neighbours =
      (std::abs(dx) + std::abs(dy) < 1.5 * pitch || given) && (a.x == b.x || a.y == b.y || given);
  if (neighbours || round_) return {a, b, {}};
  const double length = std::hypot(dx, dy);
  const double bow = std::min(0.22 * length, 16 + 0.05 * length);
  // Upward or to the right; those of outer levels to the left, away from the modules' own.
  double side = dx + dy * 1.0001 > 0 ? 1 : -1;
  if (link.level > 1 && std::abs(dy) > std::abs(dx)) side = -side;
  return {
      a, b,
      canvas_point{(a.x + b.x) / 2 + side * bow * dy / length, (a.y + b.y) / 2 - side * bow * dx / length}};
}

}  // namespace toriscope
