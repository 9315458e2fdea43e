// SPDX-License-Identifier: Apache-2.0
#include "rtl_models/user_rtl/route_texts.h"

#include <cstdio>
#include <filesystem>
#include <stdexcept>

#include "base/bits_for.h"
#include "base/text_file.h"
#include "base/text_hash.h"
#include "base/whole_number.h"
#include "rtl_models/on_demand/rtl_build.h"

namespace toriscope {

std::string route_texts::fill(std::string text) const {
  for (std::size_t at; (at = text.find("{routes")) != std::string::npos;) {
    const std::size_t close = text.find('}', at);
    if (close == std::string::npos) throw std::invalid_argument("'{routes' has no '}'");
    const std::string inside = text.substr(at + 1, close - at - 1);
    unsigned bits = bits_for(ports_.size());
    if (inside != "routes" &&
        (inside.rfind("routes:", 0) != 0 || !to_number(inside.substr(7), bits) || bits > 32))
      throw std::invalid_argument("'{" + inside + "}': expected {routes:BITS}, 32 bits at most");
    text.replace(at, close - at + 1, concatenation(bits));
  }
  for (std::size_t at; (at = text.find("{route_file}")) != std::string::npos;) text.replace(at, 12, file());
  return text;
}

std::vector<unsigned> route_texts::table() const {
  std::vector<unsigned> out;
  // A switch, where no packet is injected, is asked for packets of a link.
  const port_range links = wiring_.ports(node_);
  port_id in = wiring_.local_port(node_);
  if (wiring_.local_ports(node_) == 0)
    for (in = 0; links[in].in == no_link;) ++in;
  for (terminal_id destination = 0; destination < wiring_.terminal_count(); ++destination) {
    route_option options[routing_function::max_options];
    routing_.route({node_, in, 0, destination, 0}, options);
    for (unsigned r = 0; r < ports_.size(); ++r)
      if (ports_[r].of_node == options[0].out_port) out.push_back(r);
    if (out.size() != destination + 1u)
      throw std::invalid_argument(
          (wiring_.has_plain_terminals() ? "the way to node " : "the way to terminal ") +
          std::to_string(destination) + " leads out of a port that the router does not have");
  }
  return out;
}

std::string route_texts::concatenation(unsigned bits) const {
  const std::vector<unsigned> ports = table();
  std::string digits;
  for (std::size_t n = ports.size(); n-- > 0;)
    for (unsigned b = bits; b-- > 0;) digits += ports[n] >> b & 1u ? '1' : '0';
  return std::to_string(digits.size()) + "'b" + digits;
}

std::string route_texts::file() const {
  std::string text;
  std::uint64_t hash = node_;
  char line[16];
  for (const unsigned port : table()) {
    std::snprintf(line, sizeof line, "%x\n", port);
    text += line;
    hash = mix(hash, port);
  }
  const std::string path = rtl_cache_directory() + "/routes_" + hex_text(hash) + ".hex";
  std::filesystem::create_directories(rtl_cache_directory());
  write_text_file(path, text);
  return path;
}

}  // namespace toriscope
