// SPDX-License-Identifier: Apache-2.0
#include "rtl_models/user_rtl/route_texts.h"

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <stdexcept>

#include "base/bits_for.h"
#include "base/text_file.h"
#include "base/text_hash.h"
#include "base/whole_number.h"
#include "base/words.h"
#include "rtl_models/on_demand/rtl_build.h"

namespace toriscope {

std::string route_texts::fill(std::string text) const {
  for (std::size_t at; (at = text.find("{routes")) != std::string::npos;) {
    const std::size_t close = text.find('}', at);
    if (close == std::string::npos) throw std::invalid_argument("'{routes' has no '}'");
    text.replace(at, close - at + 1, concatenation(form_of(text.substr(at + 1, close - at - 1))));
  }
  for (std::size_t at; (at = text.find("{route_file}")) != std::string::npos;) text.replace(at, 12, file());
  return text;
}

route_texts::form route_texts::form_of(const std::string& asked) const {
  form f;
  std::vector<std::string> words = split(asked, ':');
  bool sized = false;
  for (std::size_t i = 1; i < words.size(); ++i) {
    bool& said = words[i] == "one_hot" ? f.one_hot : words[i] == "reversed" ? f.reversed : sized;
    if (said || (&said == &sized && (!to_number(words[i], f.bits) || f.bits > 32))) words.front().clear();
    said = true;
  }
  if (words.front() != "routes")
    throw std::invalid_argument("'{" + one_line(asked, 100) +
                                "}': expected {routes:BITS}, 32 bits at most, {routes:one_hot} or "
                                "{routes:reversed}; several are joined by ':'");
  if (!sized) f.bits = f.one_hot ? static_cast<unsigned>(ports_.size()) : bits_for(ports_.size());
  return f;
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
    const auto port = std::find_if(ports_.begin(), ports_.end(), [&](const adapter_config::port& p) {
      return p.of_node == options[0].out_port;
    });
    if (port == ports_.end())
      throw std::invalid_argument(
          (wiring_.has_plain_terminals() ? "the way to node " : "the way to terminal ") +
          std::to_string(destination) + " leads out of a port that the router does not have");
    out.push_back(static_cast<unsigned>(port - ports_.begin()));
  }
  return out;
}

std::string route_texts::concatenation(form f) const {
  std::vector<unsigned> ports = table();
  if (!f.reversed) std::reverse(ports.begin(), ports.end());  // destination 0 in the lowest bits
  std::string digits;
  for (const unsigned port : ports) {
    if (f.bits == 0 || (f.one_hot ? port >= f.bits : f.bits < 32 && port >> f.bits != 0))
      throw std::invalid_argument("'{routes}': " + std::to_string(f.bits) + " bits do not hold port " +
                                  std::to_string(port) + (f.one_hot ? " as one of them" : ""));
    for (unsigned b = f.bits; b-- > 0;) digits += (f.one_hot ? port == b : (port >> b & 1u) != 0) ? '1' : '0';
  }
  return std::to_string(digits.size()) + "'b" + digits;
}

std::string route_texts::file() const {
  std::ostringstream text;
  text << std::hex;
  std::uint64_t hash = node_;
  for (const unsigned port : table()) {
    text << port << '\n';
    hash = mix(hash, port);
  }
  const std::string path = rtl_cache_directory() + "/routes_" + hex_text(hash) + ".hex";
  std::filesystem::create_directories(rtl_cache_directory());
  write_text_file(path, text.str());
  return path;
}

}  // namespace toriscope
