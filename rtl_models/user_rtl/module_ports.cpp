// SPDX-License-Identifier: Apache-2.0
#include "rtl_models/user_rtl/module_ports.h"

#include <algorithm>
#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <map>
#include <stdexcept>

namespace toriscope {
namespace {

using boost::property_tree::ptree;

/// "32'sh1f".
int constant(const std::string& text) {
  const std::size_t quote = text.find('\'');
  if (quote == std::string::npos) return std::stoi(text);
  const std::size_t digits = text.find('h', quote) + 1;
  return static_cast<int>(static_cast<unsigned>(std::stoul(text.substr(digits), nullptr, 16)));
}

index_range range_of(const ptree& array) {
  std::vector<int> ends;
  for (const auto& [name, node] : array.get_child("range"))
    if (name == "const") ends.push_back(constant(node.get<std::string>("<xmlattr>.name")));
  return {ends.at(0), ends.at(1)};
}

class type_table {
 public:
  explicit type_table(const ptree& table) {
    for (const auto& [name, node] : table)
      if (name != "<xmlattr>") types_[node.get<std::string>("<xmlattr>.id")] = {name, &node};
  }

  /// Sets dimensions and width of a pin of type `id`.
  void shape(const std::string& id, top_pin& pin) const {
    const auto& [kind, node] = types_.at(id);
    if (kind == "unpackarraydtype") {
      pin.unpacked.push_back(range_of(*node));
      shape(node->get<std::string>("<xmlattr>.sub_dtype_id"), pin);
    } else if (kind == "packarraydtype") {
      pin.packed.push_back(range_of(*node));
      shape(node->get<std::string>("<xmlattr>.sub_dtype_id"), pin);
    } else if (kind == "refdtype" || kind == "enumdtype" || kind == "constdtype") {
      shape(node->get<std::string>("<xmlattr>.sub_dtype_id"), pin);
    } else if (kind == "structdtype" || kind == "uniondtype") {
      const unsigned bits = bits_of(id);
      pin.packed.push_back({static_cast<int>(bits) - 1, 0});
      add_members(id, "", 0, pin.members);
    } else if (const auto left = node->get_optional<int>("<xmlattr>.left")) {
      pin.packed.push_back({*left, node->get<int>("<xmlattr>.right")});
    }
  }

  /// Of a packed struct; of another type: none.
  std::vector<std::pair<std::string, unsigned>> members(const std::string& id) const {
    const auto& [kind, node] = types_.at(id);
    if (kind == "refdtype") return members(node->get<std::string>("<xmlattr>.sub_dtype_id"));
    std::vector<std::pair<std::string, unsigned>> list;
    if (kind == "structdtype")
      for (const auto& [name, member] : *node)
        if (name == "memberdtype")
          list.emplace_back(member.get<std::string>("<xmlattr>.name"),
                            bits_of(member.get<std::string>("<xmlattr>.sub_dtype_id")));
    return list;
  }

 private:
  /// The members below a type that stands at bit `first`.
  void add_members(const std::string& id, const std::string& path, unsigned first,
                   std::vector<pin_member>& members) const {
    const auto& [kind, node] = types_.at(id);
    if (kind == "refdtype")
      return add_members(node->get<std::string>("<xmlattr>.sub_dtype_id"), path, first, members);
    if (kind != "structdtype" && kind != "uniondtype") return;
    unsigned end = first + bits_of(id);  // the first member has the highest bits
    for (const auto& [name, member] : *node) {
      if (name != "memberdtype") continue;
      const std::string type = member.get<std::string>("<xmlattr>.sub_dtype_id");
      const unsigned bits = bits_of(type);
      const unsigned at = kind == "structdtype" ? end -= bits : first;
      members.push_back({path + member.get<std::string>("<xmlattr>.name"), at, bits});
      add_members(type, members.back().path + '.', at, members);
    }
  }

  unsigned bits_of(const std::string& id) const {
    const auto& [kind, node] = types_.at(id);
    if (kind == "structdtype" || kind == "uniondtype") {
      unsigned sum = 0, most = 0;
      for (const auto& [name, member] : *node) {
        if (name != "memberdtype") continue;
        const unsigned bits = bits_of(member.get<std::string>("<xmlattr>.sub_dtype_id"));
        sum += bits;
        most = std::max(most, bits);
      }
      return kind == "structdtype" ? sum : most;
    }
    if (const auto sub = node->get_optional<std::string>("<xmlattr>.sub_dtype_id"))
      return bits_of(*sub) * (kind == "packarraydtype" ? range_of(*node).size() : 1);
    const auto left = node->get_optional<int>("<xmlattr>.left");
    return left ? index_range{*left, node->get<int>("<xmlattr>.right")}.size() : 1;
  }

  std::map<std::string, std::pair<std::string, const ptree*>> types_;
};

}  // namespace

unsigned top_pin::bits() const {
  unsigned all = width;
  for (const index_range& r : unpacked) all *= r.size();
  return all;
}

const top_pin* top_module::find(const std::string& name) const {
  for (const top_pin& pin : pins)
    if (pin.name == name) return &pin;
  return nullptr;
}

top_module read_top_module(const std::string& xml_file, const std::string& module) {
  ptree xml;
  boost::property_tree::read_xml(xml_file, xml);
  top_module top;
  for (const auto& [name, file] : xml.get_child("verilator_xml.files"))
    if (name == "file") top.files.push_back(file.get<std::string>("<xmlattr>.filename"));
  const ptree& netlist = xml.get_child("verilator_xml.netlist");
  const type_table types(netlist.get_child("typetable"));
  for (const auto& [kind, node] : netlist) {
    if (kind != "module" || node.get<std::string>("<xmlattr>.origName", "") != module) continue;
    for (const auto& [what, var] : node) {
      const std::string direction = what == "var" ? var.get<std::string>("<xmlattr>.dir", "") : "";
      if (direction.empty()) continue;
      top_pin pin;
      pin.name = var.get<std::string>("<xmlattr>.origName");
      pin.is_input = direction == "input";
      types.shape(var.get<std::string>("<xmlattr>.dtype_id"), pin);
      for (const index_range& r : pin.packed) pin.width *= r.size();
      top.pins.push_back(std::move(pin));
    }
    return top;
  }
  throw std::runtime_error("module " + module + " is not in the sources");
}

const top_pin* interface_module::find(const std::string& signal) const {
  for (const auto* const list : {&signals, &ports})
    for (const top_pin& pin : *list)
      if (pin.name == signal) return &pin;
  return nullptr;
}

interface_module read_interface(const std::string& xml_file, const std::string& interface) {
  ptree xml;
  boost::property_tree::read_xml(xml_file, xml);
  const ptree& netlist = xml.get_child("verilator_xml.netlist");
  const type_table types(netlist.get_child("typetable"));
  for (const auto& [kind, node] : netlist) {
    if (kind != "iface" || node.get<std::string>("<xmlattr>.origName", "") != interface) continue;
    interface_module read;
    for (const auto& [what, child] : node) {
      if (what == "var" && !child.get<std::string>("<xmlattr>.param", "").empty()) {
        read.has_parameters = true;
      } else if (what == "var" && child.get<std::string>("<xmlattr>.localparam", "").empty()) {
        const std::string direction = child.get<std::string>("<xmlattr>.dir", "");
        top_pin pin;
        pin.name = child.get<std::string>("<xmlattr>.origName");
        types.shape(child.get<std::string>("<xmlattr>.dtype_id"), pin);
        for (const index_range& r : pin.packed) pin.width *= r.size();
        read.members[pin.name] = types.members(child.get<std::string>("<xmlattr>.dtype_id"));
        (direction.empty() ? read.signals : read.ports).push_back(std::move(pin));
      } else if (what == "modport") {
        interface_module::modport m{child.get<std::string>("<xmlattr>.name"), {}};
        for (const auto& [part, variable] : child)
          if (part == "modportvarref")
            m.signals.emplace_back(variable.get<std::string>("<xmlattr>.name"),
                                   variable.get<std::string>("<xmlattr>.direction"));
        read.modports.push_back(std::move(m));
      }
    }
    return read;
  }
  throw std::runtime_error("interface " + interface + " is not in the sources");
}

}  // namespace toriscope
