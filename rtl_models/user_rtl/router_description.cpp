// SPDX-License-Identifier: Apache-2.0
#include "rtl_models/user_rtl/router_description.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <stdexcept>
#include <tuple>

#include "base/checked_json.h"
#include "base/whole_number.h"
#include "base/words.h"
#include "rtl_models/user_rtl/source_list.h"
#include "rtl_models/user_rtl/verilator_options.h"

namespace toriscope {
namespace {

using flow = router_description::flow_control;

/// Of SystemVerilog. The module's name is part of names of files, too.
bool is_identifier(const std::string& name) {
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; };
  return !name.empty() && is_letter(name[0]) && std::all_of(name.begin(), name.end(), [&](char c) {
    return is_letter(c) || std::isdigit(static_cast<unsigned char>(c)) || c == '$';
  });
}

/// "7:4" or "7".
bit_field bits_named(const checked_json& r, const std::string& key, const std::string& text,
                     unsigned most = 64) {
  const std::vector<std::string> ends = split(text, ':');
  unsigned high = 0, low = 0;
  if (ends.size() <= 2 && to_number(ends.front(), high) && to_number(ends.back(), low) && high >= low &&
      high < widest_flit && high - low < most)
    return {low, high - low + 1};
  r.refuse(key, "bits are written as \"7:4\" or \"7\", " + std::to_string(most) + " at most: '" + text + "'");
}

/// "hdr.dst.x"
bool is_member(const std::string& text) {
  const std::vector<std::string> names = split(text, '.');
  return std::all_of(names.begin(), names.end(), is_identifier);
}

/// Of a field or the type: bits, or a member of the structure.
template <class Field>
void set_place(const checked_json& r, const std::string& key, const std::string& text, Field& field) {
  if (is_member(text))
    field.member = text;
  else
    field.bits = bits_named(r, key, text);
}

std::vector<flit_format::field> fields(const checked_json& flit, const std::string& key,
                                       bool of_node_only = false) {
  std::vector<flit_format::field> all;
  for (const auto& [bits, value] : flit.pairs(key)) {
    try {
      all.push_back({{}, expression(value, of_node_only)});
    } catch (const std::invalid_argument& error) {
      flit.refuse(key, error.what());
    }
    set_place(flit, key, bits, all.back());
  }
  return all;
}

void read_flit(const checked_json& flit, router_description& d) {
  flit_format& f = d.flit;
  f.width = static_cast<unsigned>(flit.whole("width", 0, 1, widest_flit));
  f.all = fields(flit, "all");
  f.head = fields(flit, "head");
  f.body = fields(flit, "body");
  f.idle = fields(flit, "idle", true);
  const auto bit = [&](const char* key, const char* value) {
    std::optional<flit_format::field> one;
    const std::string text = flit.text(key, "");
    if (text.empty()) return one;
    one = flit_format::field{{}, expression(value)};
    set_place(flit, key, text, *one);
    return one;
  };
  for (const auto& [key, value] : {std::pair{"head_bit", "head"}, {"tail_bit", "tail"}, {"vc", "vc"}})
    if (const auto one = bit(key, value)) f.all.push_back(*one);
  f.valid = bit("valid_bit", "1");
  if (flit.has("type")) {
    const checked_json type = flit.object("type");
    constexpr std::uint64_t most = ~std::uint64_t{0};
    flit_format::type_field t;
    set_place(type, "bits", type.needed_text("bits"), t);
    for (const auto& [name, value] : {std::pair{"head", &t.head}, {"body", &t.body}, {"tail", &t.tail}}) {
      if (!type.has(name)) type.refuse(name, "is missing");
      *value = type.at(name).whole(0, most);
    }
    if (type.has("single")) t.single = type.at("single").whole(0, most);
    type.only({"bits", "head", "body", "tail", "single"});
    f.type = t;
  }
  flit.only({"width", "all", "head", "body", "head_bit", "tail_bit", "vc", "valid_bit", "type", "idle"});
}

/// "!link{p}.flow[1:0]": see port_pin. @param key  of its object, which `r` is
port_pin pin(const checked_json& r, const std::string& key, std::string given) {
  port_pin p{(r.place().empty() ? "" : r.place() + ".") + key, {}, false};
  if (given[0] == '!') {
    p.inverted = true;
    given.erase(0, 1);
  }
  if (const std::size_t open = given.find('['); open != std::string::npos && given.back() == ']') {
    const bit_field bits = bits_named(r, key, given.substr(open + 1, given.size() - open - 2), 512);
    p.first_bit = bits.first;
    p.bit_count = bits.count;
    given.erase(open);
  }
  if (const std::size_t dot = given.find('.'); dot != std::string::npos) {
    p.member = given.substr(dot + 1);
    given.erase(dot);
    if (!is_member(p.member))
      r.refuse(key, "expected PIN, PIN.MEMBER, PIN[7:4] or PIN[7]: '" + given + "." + p.member + "'");
  }
  p.name = given;
  return p;
}

void read_pins(const checked_json& pins, router_description& d) {
  const auto one = [&](const std::string& key) { return pin(pins, key, pins.text(key, "")); };
  const auto pieces = [&](const std::string& key) {
    std::vector<port_pin> all;
    for (const std::string& name : pins.texts(key)) all.push_back(pin(pins, key, name));
    if (all.empty())
      pins.refuse(key, key[0] == 'i' ? "is missing: the pins that flits come in by"
                                     : "is missing: the pins that flits go out by");
    return all;
  };
  d.in_valid = one("in_valid");
  d.out_valid = one("out_valid");
  d.in_flit = pieces("in_flit");
  d.out_flit = pieces("out_flit");
  checked_json::strings known = {"in_valid", "out_valid", "in_flit", "out_flit"};
  const auto known_one = [&](const std::string& key) {
    known.push_back(key);
    return one(key);
  };
  if (d.flow == flow::credit) {
    d.in_credit = known_one("in_credit");
    d.out_credit = known_one("out_credit");
    d.in_credit_valid = known_one("in_credit_valid");
    d.out_credit_valid = known_one("out_credit_valid");
    d.in_credit_vc = known_one("in_credit_vc");
    d.out_credit_vc = known_one("out_credit_vc");
    if (d.in_credit.name.empty() && d.in_credit_valid.name.empty())
      pins.refuse("in_credit", "is missing, or in_credit_valid and in_credit_vc: interface is credit");
    if (d.out_credit.name.empty() && d.out_credit_valid.name.empty())
      pins.refuse("out_credit", "is missing, or out_credit_valid and out_credit_vc: interface is credit");
    for (const auto& [side, all, vc] :
         {std::tuple("in", &d.in_credit, &d.in_credit_vc), {"out", &d.out_credit, &d.out_credit_vc}})
      if (d.vcs > 1 && all->name.empty() && vc->name.empty())
        pins.refuse(side + std::string("_credit_vc"), "is missing: which of the " + std::to_string(d.vcs) +
                                                          " VCs " + side + "_credit_valid is for");
  } else {
    const bool on_off = d.flow == flow::on_off;
    for (auto& [key, ready] : {std::pair{std::string("in_"), &d.in_ready}, {"out_", &d.out_ready}}) {
      const std::string name = key + (on_off ? "on" : "ready");
      *ready = known_one(name);
      if (ready->name.empty())
        pins.refuse(name, std::string("is missing: interface is ") + (on_off ? "on_off" : "ready_valid"));
    }
  }
  for (const port_pin* valid : {&d.in_valid, &d.out_valid})
    if (valid->name.empty() && !d.flit.valid)
      pins.refuse(valid->key.substr(5), "is missing, or flit.valid_bit if valid is a bit of the flit");
  pins.only(known);
}

void read_clock_and_reset(const checked_json& r, router_description& d) {
  const checked_json clock = r.object_or_empty("clock");
  d.clock_pin = clock.needed_text("pin");
  // Waveforms have 1000 ps a cycle (traced_clock.h), so half a clock is 1 ps at least.
  d.clocks_per_cycle = static_cast<unsigned>(clock.whole("per_cycle", 1, 1, 500));
  clock.only({"pin", "per_cycle"});
  if (!r.has("reset")) return;
  const checked_json reset = r.object("reset");
  d.reset_pin = reset.needed_text("pin");
  d.reset_active_low = reset.choice("active", {"high", "low"}) == "low";
  d.reset_clocks = static_cast<unsigned>(reset.whole("clocks", 4, 1, 100000));
  reset.only({"pin", "active", "clocks"});
}

void read_ports(const checked_json& r, router_description& d) {
  if (r.has("ports") && r.at("ports").value().is_object()) {
    d.ports = r.pairs("ports");
    return;
  }
  d.local_port_first = r.choice("ports", {"local_last", "local_first"}) == "local_first";
}

}  // namespace

router_description router_description::read(const std::string& path, bool sources_only) {
  const auto tree = read_json(path, "router description " + path);
  const checked_json r(tree, path);
  if (!tree.is_object()) r.refuse("expected an object, {...}");
  router_description d;
  d.file = path;
  const std::filesystem::path directory = std::filesystem::path(path).parent_path();
  d.top = r.needed_text("top");
  if (!is_identifier(d.top)) r.refuse("top", "expected the name of a module: '" + d.top + "'");
  source_list list(directory.string());
  const auto with_key = [&](const char* key, const std::string& text, auto&& add) {
    try {
      add(text);
    } catch (const std::invalid_argument& error) {
      r.refuse(key, error.what());
    }
  };
  for (const std::string& file : r.texts("file_list"))
    with_key("file_list", file, [&](const std::string& f) { list.add_list(f); });
  for (const std::string& source : r.texts("sources"))
    with_key("sources", source, [&](const std::string& f) { list.add(f); });
  if (list.sources().empty())
    r.refuse("sources", "is missing: the SystemVerilog files, beside this file; or file_list");
  d.sources = list.sources();
  for (const std::string& include : r.texts("include_directories")) list.add_include_directory(include);
  d.include_directories = list.include_directories();
  d.defines = list.defines();
  for (const std::string& define : r.texts("defines")) {
    with_key("defines", define, check_no_calls);
    d.defines.push_back(define);
  }
  d.verilator_options = r.texts("verilator_options");
  with_key("verilator_options", {},
           [&](const std::string&) { check_verilator_options(d.verilator_options); });
  d.parameters = r.pairs("parameters");
  for (const auto& [name, value] : d.parameters) {
    if (!is_identifier(name)) r.refuse("parameters", "expected the name of a parameter: '" + name + "'");
    with_key("parameters", value, check_parameter_text);
  }
  if (sources_only) return d;
  read_clock_and_reset(r, d);
  const std::string interface = r.choice("interface", {"ready_valid", "credit", "on_off"});
  d.flow = interface == "credit"   ? flow_control::credit
           : interface == "on_off" ? flow_control::on_off
                                   : flow_control::ready_valid;
  d.vcs = static_cast<unsigned>(r.whole("vcs", 1, 1, flit_word::max_vcs));
  d.depth = static_cast<unsigned>(r.whole("depth", 0, 1, 65535));
  if (d.flow == flow_control::credit && d.depth == 0)
    r.refuse("depth", "is missing: flits per VC buffer, which is how many credits there are");
  if (d.flow == flow_control::on_off) {
    if (d.depth == 0) r.refuse("depth", "is missing: flits per VC buffer behind the router's outputs");
    d.slack = static_cast<unsigned>(r.whole("slack", std::min(1u, d.depth - 1), 0, d.depth - 1));
  } else if (r.has("slack")) {
    r.refuse("slack", "is for \"interface\": \"on_off\"");
  }
  d.ready_of_offer = r.choice("ready", {"per_vc", "of_offer"}) == "of_offer";
  if (d.ready_of_offer && (d.vcs == 1 || d.flow != flow_control::ready_valid))
    r.refuse("ready", "of_offer is for ready_valid with VCs");
  d.atomic_vcs = r.flag("atomic_vcs", false);
  d.registered_outputs = r.flag("registered_outputs", false);
  d.own_routes = r.choice("routes", {"network", "own"}) == "own";
  d.patience_cycles = r.whole("patience_cycles", 1000, 10, 1000000000);
  read_ports(r, d);
  read_flit(r.object_or_empty("flit"), d);
  read_pins(r.object_or_empty("pins"), d);
  const checked_json ties = r.object_or_empty("ties");
  for (const auto& [name, value] : r.pairs("ties")) {
    d.ties.push_back({pin(ties, name, name), value});
    with_key("ties", value, check_parameter_text);
    if (d.ties.back().pin.inverted) r.refuse("ties", "'" + name + "': write the value that the pin has");
  }
  d.plus_arguments = r.texts("plus_arguments");
  r.only({"top",
          "sources",
          "include_directories",
          "defines",
          "parameters",
          "clock",
          "reset",
          "interface",
          "vcs",
          "depth",
          "registered_outputs",
          "routes",
          "file_list",
          "verilator_options",
          "ready",
          "atomic_vcs",
          "slack",
          "patience_cycles",
          "ports",
          "flit",
          "pins",
          "ties",
          "plus_arguments"});
  return d;
}

}  // namespace toriscope
