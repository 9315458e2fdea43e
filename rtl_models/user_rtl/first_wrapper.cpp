// SPDX-License-Identifier: Apache-2.0
#include "rtl_models/user_rtl/first_wrapper.h"

#include <re2/re2.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <vector>

#include "base/checked_json.h"
#include "base/scratch_directory.h"
#include "base/text_file.h"
#include "base/words.h"
#include "rtl_models/on_demand/rtl_build.h"
#include "rtl_models/user_rtl/module_header.h"
#include "rtl_models/user_rtl/module_ports.h"
#include "rtl_models/user_rtl/router_description.h"
#include "rtl_models/user_rtl/verilator_run.h"

namespace toriscope {
namespace {

namespace fs = std::filesystem;
using words = std::vector<std::string>;
using nlohmann::ordered_json;

std::string checked_output(const router_description& d, const words& options, const words& more_files) {
  const measured_process done = run_verilator(d, options, more_files);
  if (done.status != 0)
    throw std::invalid_argument(d.file + ": Verilator does not take its sources: " + gist_of(done.out));
  return done.out;
}

module_header header_of_top(const router_description& d) {
  try {
    return header_of(checked_output(d, {"-E", "-P", "-Wno-fatal"}, {}), d.top);
  } catch (const std::invalid_argument& error) {
    if (!begins_with(error.what(), "module ")) throw;
    throw std::invalid_argument(d.file + ": top: " + error.what());
  }
}

/// What a pin is for, by its name.
enum class role { clock, reset, valid, ready, credit, flit, other };

role role_of(const std::string& name, bool of_flits) {
  const auto says = [&](const char* pattern) {
    return RE2::PartialMatch(name, RE2(std::string("(?i)") + pattern, RE2::Latin1));
  };
  if (!of_flits && says("^(.*_)?cl(oc)?k(_.*)?$")) return role::clock;
  if (!of_flits && says("^(.*_)?a?re?se?t(_?n?i?)?(_.*)?$")) return role::reset;
  if (says("credit|yummy|crd")) return role::credit;
  if (says("ready|rdy|yumi|accept")) return role::ready;
  if (says("valid|vld|(^|_)val(_|$)|(^|_)v(_|$)|req")) return role::valid;
  if (of_flits || says("flit|data|payload|packet|phit")) return role::flit;
  return role::other;
}

/// A pin of the wrapper, for the description.
struct flat_pin {
  std::string name;
  bool is_input;
  role what;
  std::string part;  ///< of an interface: "req_valid"; else empty
};

class first_wrapper_writer {
 public:
  explicit first_wrapper_writer(const router_description& d)
      : d_(d), header_(header_of_top(d)), name_(d.top + "_pins") {
    read_interfaces();
    for (const module_header::port& p : header_.ports)
      if (p.interface.empty())
        pins_.push_back({p.name, p.is_input, role_of(p.name, false), ""});
      else
        flatten(p);
  }

  std::string text() const {
    std::string s = "// A first wrapper around " + d_.top +
                    ", written by toriscope describe rtl --wrapper.\n"
                    "// FILL IN marks what only you know.\n";
    s += "module " + name_ + (header_.imports.empty() ? "" : "\n  " + header_.imports);
    std::string parameters, values;
    for (const module_header::parameter& p : header_.parameters) {
      parameters += (parameters.empty() ? "" : ",\n") + ("    " + p.text);
      if (!p.has_default)
        parameters += p.is_type ? " = logic [31:0] /* FILL IN: the type */" : " = 1 /* FILL IN */";
      if (!p.is_local) values += (values.empty() ? "" : ", ") + ("." + p.name + "(" + p.name + ")");
    }
    if (!parameters.empty()) s += " #(\n" + parameters + "\n)";
    std::string ports, connections;
    for (const module_header::port& p : header_.ports) {
      const std::string declared = p.interface.empty() ? "    " + p.text : declared_.at(p.name);
      if (!declared.empty()) ports += (ports.empty() ? "" : ",\n") + declared;
      connections += (connections.empty() ? "" : ",\n") + ("      ." + p.name + "(" + p.name + ")");
    }
    s += " (\n" + ports + "\n);\n";
    s += body_ + "  " + d_.top + (values.empty() ? "" : " #(" + values + ")") + " rtl (\n" + connections +
         "\n  );\n";
    return s + "endmodule\n";
  }

  /// @param given  the user's description
  std::string description(ordered_json given) const {
    ordered_json tree;
    tree["top"] = name_;
    tree["sources"] = ordered_json::array();
    if (given["sources"].is_string()) given["sources"] = ordered_json::array({given["sources"]});
    for (const auto& source : given["sources"]) tree["sources"].push_back(source);
    tree["sources"].push_back(name_ + ".sv");
    for (const auto& [key, value] : given.items())
      if (!tree.contains(key) && key != "pins") tree[key] = value;
    const auto unless_given = [&](const char* key, const ordered_json& value) {
      if (!given.contains(key)) tree[key] = value;
    };
    unless_given("clock", {{"pin", one_of(role::clock, true, "the clock")}});
    if (const words resets = named(role::reset, true); !resets.empty())
      unless_given("reset",
                   {{"pin", resets[0]},
                    {"active", RE2::PartialMatch(resets[0], "ni?$|_n(_|$)") ? "low" : "high"}});
    const bool credits = !named(role::credit, false).empty() && named(role::ready, false).empty();
    unless_given("interface", credits ? "credit" : "ready_valid");
    if (credits) {
      unless_given("vcs", 1);
      unless_given("depth", "FILL IN: flits per VC buffer");
    }
    ordered_json pins, ports;
    const auto add = [&](const char* key, role r, bool is_input, const char* what) {
      pins[key] = pin(r, is_input, what, ports);
    };
    const role back = credits ? role::credit : role::ready;
    add("in_valid", role::valid, true, "valid at the inputs");
    add("in_flit", role::flit, true, "the flit at the inputs");
    add(credits ? "in_credit" : "in_ready", back, false, "what the inputs give back");
    add("out_valid", role::valid, false, "valid at the outputs");
    add("out_flit", role::flit, false, "the flit at the outputs");
    add(credits ? "out_credit" : "out_ready", back, true, "what comes back to the outputs");
    unless_given("ports", ports.empty() ? ordered_json("local_last") : ports);
    tree["pins"] = pins;
    unless_given(
        "flit",
        {{"head_bit", "FILL IN: the bit that is set in heads, or give type"},
         {"tail_bit", "FILL IN: the bit that is set in tails"},
         {"head", {{"FILL IN: bits of the destination", "dest"}, {"FILL IN: bits for the tag", "tag"}}}});
    if (const words others = named(role::other, true); !others.empty() && !given.contains("ties"))
      for (const std::string& name : others) tree["ties"][name] = "FILL IN: a value, x, y, id ...";
    return "// A first description, written by toriscope describe rtl --wrapper; docs/your_own_rtl.md "
           "explains each key.\n"
           "// FILL IN marks what only you know; look at the others, too: they are guessed from names.\n" +
           tree.dump(2) + "\n";
  }

 private:
  /// What Verilator says of the interfaces, with their parameters as they are by default.
  void read_interfaces() {
    std::string probe = std::string("module ") + probe_name + ";\n";
    for (const module_header::port& p : header_.ports)
      if (!p.interface.empty() && p.interface != "interface" &&
          interfaces_.emplace(p.interface, interface_module{}).second)
        probe += "  " + p.interface + " i" + std::to_string(interfaces_.size()) + " ();\n";
    if (interfaces_.empty()) return;
    const scratch_directory scratch;
    const std::string file = scratch.file("probe.sv"), xml = scratch.file("pins.xml");
    write_text_file(file, probe + "endmodule\n");
    checked_output(d_, probe_options(xml), {file});
    try {
      for (auto& [name, interface] : interfaces_) interface = read_interface(xml, name);
    } catch (const std::exception& error) {
      throw std::invalid_argument(d_.file + ": " + error.what());
    }
  }

  void flatten(const module_header::port& p) {
    std::string& declared = declared_[p.name];
    const auto found = interfaces_.find(p.interface);
    if (found == interfaces_.end()) {
      body_ += "  // FILL IN: an interface for the port " + p.name + ", which is '" + p.text + "'\n";
      return;
    }
    const interface_module& interface = found->second;
    std::string range, loop;
    array_of(p, range, loop);
    body_ += "  " + p.interface + " " + p.name + (p.dimensions.empty() ? "" : " " + p.dimensions) + " (" +
             own_ports(interface) +
             (interface.has_parameters
                  ? ");  // FILL IN: its parameters, if not the defaults, and the widths above\n"
                  : ");\n");
    std::string assigns;
    const std::string element = p.name + (loop.empty() ? "" : "[i]");
    const std::vector<leaf> leaves = leaves_of(interface, p);
    const bool has_flits = std::any_of(leaves.begin(), leaves.end(),
                                       [](const leaf& l) { return role_of(l.name, true) == role::valid; });
    for (const leaf& l : leaves) {
      const std::string flat = p.name + "_" + l.flat;
      const std::string bits = l.width > 1 ? "[" + std::to_string(l.width - 1) + ":0]" : "";
      declared += (declared.empty() ? "    // " + p.text + "\n" : ",\n") + std::string("    ") +
                  (l.is_input ? "input  logic " : "output logic ") + range + bits +
                  (range.empty() && bits.empty() ? "" : " ") + flat;
      const std::string flat_element = flat + (loop.empty() ? "" : "[i]");
      const std::string inner = element + "." + l.path;
      assigns += (loop.empty() ? "  " : "    ") +
                 ("assign " + (l.is_input ? inner + " = " + flat_element : flat_element + " = " + inner)) +
                 ";\n";
      pins_.push_back({flat, l.is_input, role_of(l.name, has_flits), l.flat});
    }
    body_ += loop.empty() ? assigns : "  " + loop + " : gen_" + p.name + "\n" + assigns + "  end\n";
  }

  /// A signal of an interface, or a member of one.
  struct leaf {
    std::string path, flat, name;  ///< "req.valid", "req_valid", "valid"
    unsigned width;
    bool is_input;
  };
  /// Structs are split where valid, ready or a credit is a member.
  std::vector<leaf> leaves_of(const interface_module& interface, const module_header::port& p) {
    std::vector<leaf> list;
    for (const auto& [signal, is_input] : signals_of(interface, p.modport)) {
      const top_pin* const shape = interface.find(signal);
      if (!shape || !shape->unpacked.empty()) {
        body_ += "  // FILL IN: " + p.name + "." + signal + ", an array\n";
        continue;
      }
      const auto& members = interface.members.at(signal);
      const bool split = std::any_of(members.begin(), members.end(), [](const auto& member) {
        const role r = role_of(member.first, true);
        return r == role::valid || r == role::ready || r == role::credit;
      });
      if (!split) list.push_back({signal, signal, signal, shape->width, is_input});
      if (split)
        for (const auto& [member, bits] : members)
          list.push_back({signal + "." + member, signal + "_" + member, member, bits, is_input});
    }
    return list;
  }

  /// The packed range of the flat pins and the loop over the interfaces of an array; empty: one interface.
  void array_of(const module_header::port& p, std::string& range, std::string& loop) {
    if (p.dimensions.empty()) return;
    static const RE2 count(R"(\[([^:\[\]]*)\])", RE2::Latin1),
        bounds(R"(\[([^:\[\]]*):([^:\[\]]*)\])", RE2::Latin1);
    std::string most = "FILL IN", first, second;
    if (RE2::FullMatch(p.dimensions, count, &first)) {
      range = "[" + first + "-1:0]";
      most = first + "-1";
    } else if (RE2::FullMatch(p.dimensions, bounds, &first, &second)) {
      const bool up = first.find_first_not_of(" 0") == std::string::npos;
      most = up ? second : first;
      range = "[" + most + ":0]";
      if (!up && second.find_first_not_of(" 0") != std::string::npos)
        body_ += "  // FILL IN: " + p.name + " " + p.dimensions + " does not begin at 0\n";
    } else {
      body_ += "  // FILL IN: " + p.name + " has several dimensions, " + p.dimensions + "\n";
    }
    loop = "for (genvar i = 0; i <= " + most + "; i++) begin";
  }

  /// Name, and whether it goes into the router.
  std::vector<std::pair<std::string, bool>> signals_of(const interface_module& interface,
                                                       const std::string& modport) {
    std::vector<std::pair<std::string, bool>> list;
    for (const interface_module::modport& m : interface.modports) {
      if (m.name != modport) continue;
      for (const auto& [signal, direction] : m.signals)
        if (direction == "in" || direction == "out")
          list.emplace_back(signal, direction == "in");
        else
          body_ += "  // FILL IN: " + signal + " is " + direction + " in modport " + modport + "\n";
      return list;
    }
    body_ +=
        "  // FILL IN: it has no modport, so that the directions are a guess: exchange input "
        "and output, and the sides of the assignments, where that is wrong\n";
    for (const top_pin& signal : interface.signals) list.emplace_back(signal.name, true);
    return list;
  }

  /// The connections of an interface's own ports: by name, or clock to clock.
  std::string own_ports(const interface_module& interface) const {
    std::string list;
    for (const top_pin& port : interface.ports) {
      std::string source;
      for (const flat_pin& pin : pins_) {
        const role r = role_of(port.name, false);
        if (pin.name == port.name) source = pin.name;
        if (source.empty() && pin.is_input && (r == role::clock || r == role::reset) && pin.what == r)
          source = pin.name;
      }
      list += (list.empty() ? "" : ", ") +
              ("." + port.name + "(" + (source.empty() ? "/* FILL IN */" : source) + ")");
    }
    return list;
  }

  words named(role r, bool is_input) const {
    words names;
    for (const flat_pin& pin : pins_)
      if (pin.is_input == is_input && pin.what == r) names.push_back(pin.name);
    return names;
  }

  std::string one_of(role r, bool is_input, const std::string& what) const {
    const words names = named(r, is_input);
    return names.empty() ? "FILL IN: " + what : names[0];
  }

  /// One pin, a pin for each port ("{p}_valid", with the ports' names), pieces of a flit, or what is to be chosen from.
  ordered_json pin(role r, bool is_input, const std::string& what, ordered_json& ports) const {
    std::vector<std::pair<std::string, words>> by_part;  // "req_valid" of each interface
    for (const flat_pin& pin : pins_) {
      if (pin.is_input != is_input || pin.what != r) continue;
      const auto same =
          std::find_if(by_part.begin(), by_part.end(), [&](const auto& b) { return b.first == pin.part; });
      (same == by_part.end() ? by_part.emplace_back(pin.part, words{}) : *same).second.push_back(pin.name);
    }
    words found;
    for (const auto& [part, names] : by_part) {
      const std::string shared = names.size() > 2 ? with_port_names(names, ports) : "";
      if (shared.empty())
        found.insert(found.end(), names.begin(), names.end());
      else
        found.push_back(shared);
    }
    if (found.size() == 1) return found[0];
    if (r == role::flit && !found.empty()) return found;
    std::string choice;
    for (const std::string& name : found) choice += (choice.empty() ? "; perhaps " : ", ") + name;
    return "FILL IN: " + what + choice;
  }

  /// "{p}_valid" for names that differ in a word, which becomes the name of a port; empty: they do not.
  static std::string with_port_names(const words& names, ordered_json& ports) {
    const std::string& first = names.front();
    std::size_t front = 0, back = 0, shortest = first.size();
    for (const std::string& name : names) shortest = std::min(shortest, name.size());
    const auto same = [&](auto&& at) {
      return std::all_of(names.begin(), names.end(),
                         [&](const std::string& n) { return at(n) == at(first); });
    };
    while (front < shortest && same([&](const std::string& n) { return n[front]; })) ++front;
    while (front > 0 && first[front - 1] != '_') --front;
    while (back < shortest - front && same([&](const std::string& n) { return n[n.size() - 1 - back]; }))
      ++back;
    while (back > 0 && first[first.size() - back] != '_') --back;
    if (front + back >= shortest) return {};
    static const std::map<std::string, std::string> known = {
        {"n", "y+"},     {"north", "y+"}, {"e", "x+"},    {"east", "x+"}, {"s", "y-"},
        {"south", "y-"}, {"w", "x-"},     {"west", "x-"}, {"l", "local"}, {"local", "local"}};
    for (const std::string& name : names) {
      const std::string port = name.substr(front, name.size() - front - back);
      const auto found = known.find(port);
      if (!ports.contains(port))
        ports[port] = found == known.end() ? "FILL IN: x+, x-, y+, y- or local" : found->second;
    }
    return first.substr(0, front) + "{p}" + first.substr(first.size() - back);
  }

  const router_description& d_;
  const module_header header_;
  const std::string name_;
  std::map<std::string, interface_module> interfaces_;
  std::map<std::string, std::string> declared_;  ///< by interface port
  std::string body_;
  std::vector<flat_pin> pins_;
};

}  // namespace

first_wrapper::first_wrapper(const std::string& path) {
  const router_description d = router_description::read(path, true);
  const first_wrapper_writer writer(d);
  module = d.top + "_pins";
  const fs::path directory = fs::path(path).parent_path();
  source = (directory / (module + ".sv")).string();
  description = (directory / (module + ".json")).string();
  source_text = writer.text();
  description_text = writer.description(read_json(path, "router description " + path));
}

std::string first_wrapper::write() const {
  for (const std::string& file : {source, description})
    if (fs::exists(file))
      throw std::invalid_argument(file + " is there already; remove it, or give the top module another name");
  write_text_file(source, source_text);
  write_text_file(description, description_text);
  const auto left = [](const std::string& text) {
    std::size_t count = 0;
    for (std::size_t at = 0; (at = text.find("FILL IN", at)) != std::string::npos; ++at) ++count;
    return std::to_string(count - 1);  // one explains it
  };
  router_description d = router_description::read(description, true);
  const measured_process done =
      run_verilator(d, {"--lint-only", "-Wno-fatal", "-Wno-lint", "-Wno-style", "--top-module", module});
  return source + ": module " + module + ", " + left(source_text) + " places to fill in (FILL IN)\n" +
         description + ": its description, " + left(description_text) + " places\n" +
         (done.status == 0 ? "Verilator takes the module as it is\n"
                           : "Verilator does not take the module yet: " + gist_of(done.out) + "\n");
}

std::string describe_ports(const std::string& path) {
  const router_description d = router_description::read(path, true);
  const module_header header = header_of_top(d);
  std::string text = "module " + d.top + "\n";
  for (const module_header::parameter& p : header.parameters) text += "  " + p.text + "\n";
  for (const module_header::port& p : header.ports)
    text += "  " + p.text +
            (p.interface.empty() ? "" : "  (an interface: --wrapper writes a first wrapper)") + "\n";
  return text;
}

}  // namespace toriscope
