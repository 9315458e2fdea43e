// SPDX-License-Identifier: Apache-2.0
// Where everything of a network is drawn: the planar layout (planar_layout.h) with room between modules, a
// frame round every module, and wires that pass over other nodes as arcs. In units of a picture, from (0, 0)
// to (width, height); x to the right, y downward.
//
//   flat graphs  without routing and with one digit: nodes on a circle
//   positions    of a network's own: nodes stand there, groups are framed
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "topologies/analysis/planar_layout.h"
#include "topologies/registry.h"

namespace toriscope {

struct canvas_point {
  double x;
  double y;
};

/// Round a module.
struct canvas_frame {
  double x;
  double y;
  double width;
  double height;
  std::string name = "";  ///< of a group: "board.chiplet_2"
};

/// A straight line, or a quadratic Bezier curve with the control point `bend`.
struct canvas_wire {
  canvas_point from;
  canvas_point to;
  std::optional<canvas_point> bend;
};

class network_canvas {
 public:
  /// @param network  must outlive this
  explicit network_canvas(const topology& network);

  const canvas_point& at(node_id node) const { return places_[node]; }
  /// The line of a link; its way back has the same one, seen from its other end.
  canvas_wire wire(const netlist_link& link) const;
  /// Of every level but that of the nodes, outermost first.
  std::vector<std::vector<canvas_frame>> frames() const;
  double width() const { return width_; }
  double height() const { return height_; }

 private:
  canvas_point place_of(node_id node) const;
  void place_as_given();
  std::vector<std::vector<canvas_frame>> frames_of_groups() const;
  double gap(std::size_t level) const;
  double gap_of_digit(std::size_t level, std::size_t digit) const;

  const netlist& net_;
  planar_layout layout_;
  bool round_ = false;
  std::vector<canvas_point> places_;
  double width_ = 0;
  double height_ = 0;
};

}  // namespace toriscope
