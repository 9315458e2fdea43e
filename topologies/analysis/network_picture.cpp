// SPDX-License-Identifier: Apache-2.0
#include "topologies/analysis/network_picture.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <vector>

#include "base/words.h"
#include "topologies/analysis/network_canvas.h"
#include "topologies/analysis/wiring_counts.h"
#include "topologies/wire_place.h"

namespace toriscope {

namespace {

/// Of a level; the last for all beyond.
struct stroke {
  const char* colour;
  double width;
  const char* dashes;
};
constexpr stroke strokes[] = {{"#5f6b7a", 1.2, ""},
                              {"#d1495b", 1.8, ""},
                              {"#1f77b4", 2.0, "7 3"},
                              {"#2a9d5c", 2.2, "10 4 2 4"},
                              {"#8e44ad", 2.4, "2 4"}};

const stroke& stroke_of(unsigned level) { return strokes[std::min<std::size_t>(level - 1, 4)]; }

template <class... Values>
std::string print(const char* format, Values... values) {
  std::string text(static_cast<std::size_t>(std::snprintf(nullptr, 0, format, values...)), '\0');
  std::snprintf(text.data(), text.size() + 1, format, values...);
  return text;
}

/// Text as the content of an element.
std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text)
    safe += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  return safe;
}

/// The colours of the report's link map, from 0 to the busiest.
constexpr unsigned heat[][3] = {
    {188, 199, 211}, {240, 183, 101}, {232, 116, 59}, {179, 36, 46}, {74, 13, 44}};
constexpr std::size_t last_heat = 4;

/// Colours of the busy shares of a picture.
class use_colours {
 public:
  explicit use_colours(const busy_shares* use) : use_(use) {
    if (use == nullptr) return;
    for (const auto* list : {&use->links, &use->injection, &use->ejection})
      for (const double share : *list) most_ = std::max(most_, share);
  }

  explicit operator bool() const { return use_ != nullptr; }
  const busy_shares* operator->() const { return use_; }
  double most() const { return most_; }

  std::string of(double share) const {
    const double place = most_ > 0 ? share / most_ * last_heat : 0;
    const std::size_t i = std::min(static_cast<std::size_t>(place), last_heat - 1);
    const auto mixed = [&](std::size_t c) {
      return static_cast<unsigned>(
          std::lround(heat[i][c] + (place - static_cast<double>(i)) * (double(heat[i + 1][c]) - heat[i][c])));
    };
    return print("#%02x%02x%02x", mixed(0), mixed(1), mixed(2));
  }

 private:
  const busy_shares* use_;
  double most_ = 0;
};

constexpr double margin = 60;
constexpr double legend_height = 60;

/// A frame round every module of every level but the nodes.
std::string frames(const network_canvas& c) {
  std::string text;
  std::size_t level = 0;
  for (const std::vector<canvas_frame>& modules : c.frames()) {
    text += print("<g fill=\"%s\" stroke=\"#c3ccd6\" stroke-width=\"1\">\n",
                  level++ == 0 ? "#f3f6fa" : "#e9eff6");
    std::string names;
    for (const canvas_frame& f : modules) {
      text += print("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"6\"", f.x, f.y, f.width,
                    f.height);
      text += f.name.empty() ? "/>\n" : "><title>" + escaped(f.name) + "</title></rect>\n";
      if (!f.name.empty())
        // On the left of the outermost frames, on the right of those in them, so that they do not meet.
        names += print("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n",
                       level == 1 ? f.x + 4 : f.x + f.width - 4, f.y - 2, level == 1 ? "start" : "end",
                       escaped(f.name.substr(f.name.rfind('.') + 1)).c_str());
    }
    text += "</g>\n";
    if (!names.empty()) text += "<g font-size=\"7\" fill=\"#66727f\">\n" + names + "</g>\n";
  }
  return text;
}

/// Straight between neighbours, else an arc to one side.
std::string wire_path(const canvas_wire& w) {
  if (!w.bend) return print("M%.1f %.1fL%.1f %.1f", w.from.x, w.from.y, w.to.x, w.to.y);
  return print("M%.1f %.1fQ%.1f %.1f %.1f %.1f", w.from.x, w.from.y, w.bend->x, w.bend->y, w.to.x, w.to.y);
}

/// The end of a link's element: its colour and its figures, where these are known.
std::string end_of_wire(const netlist& net, link_id l, link_id back, const use_colours& use) {
  const std::string comment = net.link_comment(l);
  if (!use && comment.empty()) return "/>\n";
  const auto busy = [&](link_id one) { return use ? print(": busy %.4g", use->links[one]) : ""; };
  std::string title = wire_name(net, l) + busy(l);
  if (back != no_link) title += "\n" + wire_name(net, back) + busy(back);
  if (!comment.empty()) title += "\n" + comment;
  if (!use) return "><title>" + escaped(title) + "</title></path>\n";
  const double busier = std::max(use->links[l], back == no_link ? 0 : use->links[back]);
  return " stroke=\"" + use.of(busier) + "\"><title>" + escaped(title) + "</title></path>\n";
}

/// Links by level, each level a group; how many there are.
std::string wires(const netlist& net, const network_canvas& c, const use_colours& use,
                  std::map<unsigned, std::size_t>& counts) {
  std::map<unsigned, std::string> paths;
  const double thin = net.node_count() > 1024 ? 0.45 : net.node_count() > 300 ? 0.7 : 1;
  for (link_id l = 0; l < net.links().size(); ++l) {
    const link_id back = way_back(net, l);
    if (back < l) continue;
    const netlist_link& wire = net.link(l);
    if (wire.from == wire.to) continue;
    ++counts[wire.level];
    paths[wire.level] += "<path d=\"" + wire_path(c.wire(wire)) + "\"" +
                         (back == no_link ? " marker-end=\"url(#one-way)\"" : "") +
                         end_of_wire(net, l, back, use);
  }
  std::string text;
  for (const auto& [level, path] : paths) {
    const stroke& s = stroke_of(level);
    text += print(
                "<g fill=\"none\" stroke=\"%s\" stroke-width=\"%.2f\" stroke-dasharray=\"%s\" "
                "stroke-opacity=\"%.2f\">\n",
                s.colour, (use ? s.width + 1 : s.width) * thin, net.node_count() > 300 ? "" : s.dashes,
                use          ? 1
                : level == 1 ? 0.75
                             : 0.8) +
            path + "</g>\n";
  }
  return text;
}

std::string nodes(const netlist& net, const network_canvas& c, const use_colours& use) {
  const bool labels = net.node_count() <= 256;
  const double radius = labels ? 7.5 : net.node_count() <= 1024 ? 4 : 3;
  std::string text = "<g fill=\"#ffffff\" stroke=\"#24303c\" stroke-width=\"1\">\n";
  for (node_id node = 0; node < net.node_count(); ++node) {
    std::string rim, title = net.has_node_names() ? net.address(node) : net.path(node);
    if (const std::string comment = net.node_comment(node); !comment.empty()) title += "\n" + comment;
    if (use) {
      double in = -1, out = -1;  // there is no such port
      for (port_id p = net.local_port(node); p < net.port_count(node); ++p) {
        if (const terminal_id t = net.entering(node, p); t != no_terminal)
          in = std::max(in, use->injection[t]);
        if (const terminal_id t = net.leaving(node, p); t != no_terminal)
          out = std::max(out, use->ejection[t]);
      }
      rim = " stroke-width=\"2.5\" stroke=\"" + use.of(std::max({0., in, out})) + "\"";
      if (in >= 0) title += print("\ninjection port: busy %.4g", in);
      if (out >= 0) title += print("\nejection port: busy %.4g", out);
    }
    text += print("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"%s><title>%s</title></circle>\n", c.at(node).x,
                  c.at(node).y, radius, rim.c_str(), escaped(title).c_str());
  }
  text += "</g>\n";
  if (!labels) return text;
  text +=
      "<g font-size=\"5.5\" text-anchor=\"middle\" fill=\"#24303c\" stroke=\"#ffffff\" "
      "stroke-width=\"1.5\" paint-order=\"stroke\">\n";
  for (node_id node = 0; node < net.node_count(); ++node) {
    // The digits within the innermost module; the frames say the others.
    const std::string address = net.address(node);
    const bool last_part = net.hierarchy().size() > 1 || net.has_node_names();
    const std::string shown = last_part ? address.substr(address.rfind('.') + 1) : address;
    // Long ones stand below.
    const double down = shown.size() > 4 && net.has_node_names() ? radius + 6 : 2;
    text += print("<text x=\"%.1f\" y=\"%.1f\">%s</text>\n", c.at(node).x, c.at(node).y + down,
                  escaped(shown).c_str());
  }
  return text + "</g>\n";
}

/// The scale of colours.
std::string legend_of_use(const use_colours& use) {
  std::string text = "<defs><linearGradient id=\"busy\">";
  for (std::size_t i = 0; i <= last_heat; ++i)
    text += print("<stop offset=\"%.2f\" stop-color=\"%s\"/>", double(i) / last_heat,
                  use.of(use.most() * double(i) / last_heat).c_str());
  return text + "</linearGradient></defs>\n" +
         print(
             "<text x=\"0\" y=\"38\">busy (share of cycles in use)  0</text>"
             "<rect x=\"200\" y=\"29\" width=\"120\" height=\"10\" fill=\"url(#busy)\"/>"
             "<text x=\"326\" y=\"38\">%.4g; lines: the busier way; rims of nodes: the busier of the "
             "injection and the ejection port</text>\n",
             use.most());
}

std::string legend(const topology& network, const use_colours& use,
                   const std::map<unsigned, std::size_t>& counts, double scale) {
  const netlist& net = *network.wiring;
  std::string text =
      print("<g font-size=\"%.1f\" fill=\"#24303c\" transform=\"scale(%.2f)\">\n", 13.0, scale);
  text +=
      print("<text x=\"0\" y=\"0\" font-size=\"16\" font-weight=\"bold\">%s</text>\n",
            escaped(one_line(network.choice.spec, 100) + (net.comment().empty() ? "" : ": " + net.comment()))
                .c_str());
  text += print("<text x=\"0\" y=\"19\">%u nodes", net.node_count());
  if (!net.has_plain_terminals()) text += print(", %u terminals", net.terminal_count());
  text += "</text>\n";
  double x = net.has_plain_terminals() ? 120 : 220;
  for (const auto& [level, count] : counts) {
    const stroke& s = stroke_of(level);
    text += print("<path d=\"M%.0f 15h34\" stroke=\"%s\" stroke-width=\"%.1f\" stroke-dasharray=\"%s\"/>", x,
                  use ? strokes[0].colour : s.colour, s.width, net.node_count() > 300 ? "" : s.dashes);
    text += print("<text x=\"%.0f\" y=\"19\">Level %u: %zu links</text>\n", x + 40, level, count);
    x += 190;
  }
  if (use) text += legend_of_use(use);
  return text + "</g>\n";
}

}  // namespace

std::string network_picture(const topology& network, const busy_shares* shares) {
  const use_colours use(shares);
  const netlist& net = *network.wiring;
  const network_canvas c(network);
  std::map<unsigned, std::size_t> counts;
  const std::string drawn = frames(c) + wires(net, c, use, counts) + nodes(net, c, use);
  const double scale = std::max(1.0, std::max(c.width(), c.height()) / 1100);
  const double least = std::max(use ? 900 : 0, 120 + 190 * static_cast<int>(counts.size())) * scale;
  const double width = std::max(c.width(), least) + 2 * margin;
  const double height = c.height() + 2 * margin + legend_height * scale;
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" +
         print(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f "
             "%.0f\" font-family=\"Helvetica, Arial, sans-serif\">\n",
             width, height, width, height) +
         "<defs><marker id=\"one-way\" viewBox=\"0 0 6 6\" refX=\"11\" refY=\"3\" markerWidth=\"3.4\" "
         "markerHeight=\"3.4\" orient=\"auto\"><path d=\"M0 0L6 3L0 6z\" fill=\"#24303c\"/></marker></defs>\n"
         "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n" +
         print("<g transform=\"translate(%.1f %.1f)\">\n", margin, 30.0 * scale) +
         legend(network, use, counts, scale) + "</g>\n" +
         print("<g transform=\"translate(%.1f %.1f)\">\n", margin + (width - 2 * margin - c.width()) / 2,
               margin + legend_height * scale) +
         drawn + "</g>\n</svg>\n";
}

}  // namespace toriscope
