// SPDX-License-Identifier: Apache-2.0
#include "rtl_models/user_rtl/router_description.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <stdexcept>

#include "base/checked_json.h"

namespace toriscope {
namespace {

/// Of SystemVerilog. The module's name is part of names of files, too.
bool is_identifier(const std::string& name) {
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; };
  return !name.empty() && is_letter(name[0]) && std::all_of(name.begin(), name.end(), [&](char c) {
    return is_letter(c) || std::isdigit(static_cast<unsigned char>(c)) || c == '$';
  });
}

/// "7:4" or "7".
bit_field bits_named(const checked_json& r, const std::string& key, const std::string& text) {
  const std::size_t colon = text.find(':');
  try {
    std::size_t used = 0;
    const unsigned long high = std::stoul(text, &used);
    const unsigned long low = colon == std::string::npos ? high : std::stoul(text.substr(colon + 1));
    const bool clean = text.find_first_not_of("0123456789:") == std::string::npos &&
                       text.find(':', used + 1) == std::string::npos &&
                       used == (colon == std::string::npos ? text.size() : colon);
    if (clean && high >= low && high < widest_flit && high - low < 64)
      return {static_cast<unsigned>(low), static_cast<unsigned>(high - low + 1)};
  } catch (const std::logic_error&) {
    // told below
  }
  r.refuse(key, "bits are written as \"7:4\" or \"7\", 64 at most: '" + text + "'");
}

std::vector<flit_format::field> fields(const checked_json& flit, const std::string& key) {
  std::vector<flit_format::field> all;
  for (const auto& [bits, value] : flit.pairs(key)) {
    const bit_field at = bits_named(flit, key, bits);
    try {
      all.push_back({at, expression(value)});
    } catch (const std::invalid_argument& error) {
      flit.refuse(key, error.what());
    }
  }
  return all;
}

void read_flit(const checked_json& flit, router_description& d) {
  flit_format& f = d.flit;
  f.width = static_cast<unsigned>(flit.whole("width", 0, 1, widest_flit));
  f.all = fields(flit, "all");
  f.head = fields(flit, "head");
  f.body = fields(flit, "body");
  const auto add_bit = [&](const char* key, const char* value) {
    const std::string text = flit.text(key, "");
    if (text.empty()) return bit_field{};
    f.all.push_back({bits_named(flit, key, text), expression(value)});
    return f.all.back().bits;
  };
  add_bit("head_bit", "head");
  add_bit("tail_bit", "tail");
  add_bit("vc", "vc");
  d.valid_bit = add_bit("valid_bit", "1");
  if (flit.has("type")) {
    const checked_json type = flit.object("type");
    constexpr std::uint64_t most = ~std::uint64_t{0};
    flit_format::type_field t;
    t.bits = bits_named(type, "bits", type.needed_text("bits"));
    for (const auto& [name, value] : {std::pair{"head", &t.head}, {"body", &t.body}, {"tail", &t.tail}}) {
      if (!type.has(name)) type.refuse(name, "is missing");
      *value = type.whole(name, 0, 0, most);
    }
    if (type.has("single")) t.single = type.whole("single", 0, 0, most);
    type.only({"bits", "head", "body", "tail", "single"});
    f.type = t;
  }
  flit.only({"width", "all", "head", "body", "head_bit", "tail_bit", "vc", "valid_bit", "type"});
}

port_pin pin(const std::string& key, const std::string& given) {
  port_pin p{"pins." + key, given, false};
  if (!given.empty() && given[0] == '!') p = {p.key, given.substr(1), true};
  return p;
}

void read_pins(const checked_json& pins, router_description& d) {
  const auto one = [&](const std::string& key) { return pin(key, pins.text(key, "")); };
  const auto pieces = [&](const std::string& key) {
    std::vector<port_pin> all;
    for (const std::string& name : pins.texts(key)) all.push_back(pin(key, name));
    if (all.empty()) pins.refuse(key, "is missing: the pins that flits come " + key.substr(0, 3) + " by");
    return all;
  };
  d.in_valid = one("in_valid");
  d.out_valid = one("out_valid");
  d.in_flit = pieces("in_flit");
  d.out_flit = pieces("out_flit");
  const bool credit = d.flow == router_description::flow_control::credit;
  if (!credit) {
    d.in_ready = one("in_ready");
    d.out_ready = one("out_ready");
    if (d.in_ready.name.empty()) pins.refuse("in_ready", "is missing: interface is ready_valid");
    if (d.out_ready.name.empty()) pins.refuse("out_ready", "is missing: interface is ready_valid");
  } else {
    d.in_credit = one("in_credit");
    d.out_credit = one("out_credit");
    d.in_credit_valid = one("in_credit_valid");
    d.out_credit_valid = one("out_credit_valid");
    d.in_credit_vc = one("in_credit_vc");
    d.out_credit_vc = one("out_credit_vc");
    if (d.in_credit.name.empty() && d.in_credit_valid.name.empty())
      pins.refuse("in_credit", "is missing, or in_credit_valid and in_credit_vc: interface is credit");
    if (d.out_credit.name.empty() && d.out_credit_valid.name.empty())
      pins.refuse("out_credit", "is missing, or out_credit_valid and out_credit_vc: interface is credit");
  }
  for (const port_pin* valid : {&d.in_valid, &d.out_valid})
    if (valid->name.empty() && !d.valid_bit)
      pins.refuse(valid->key.substr(5), "is missing, or flit.valid_bit if valid is a bit of the flit");
  checked_json::strings known = {"in_valid", "out_valid", "in_flit", "out_flit"};
  for (const char* key : {"in_ready", "out_ready"})
    if (!credit) known.emplace_back(key);
  for (const char* key :
       {"in_credit", "out_credit", "in_credit_valid", "out_credit_valid", "in_credit_vc", "out_credit_vc"})
    if (credit) known.emplace_back(key);
  pins.only(known);
}

void read_clock_and_reset(const checked_json& r, router_description& d) {
  const checked_json clock = r.object_or_empty("clock");
  d.clock_pin = clock.needed_text("pin");
  d.clocks_per_cycle = static_cast<unsigned>(clock.whole("per_cycle", 1, 1, 1000));
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
  const auto beside = [&](const std::string& name) {
    const std::filesystem::path named(name);
    const std::string found = (named.is_absolute() ? named : directory / named).lexically_normal().string();
    return found[0] == '-' ? "./" + found : found;  // no option of Verilator
  };
  d.top = r.needed_text("top");
  if (!is_identifier(d.top)) r.refuse("top", "expected the name of a module: '" + d.top + "'");
  for (const std::string& source : r.texts("sources")) {
    d.sources.push_back(beside(source));
    if (!std::filesystem::is_regular_file(d.sources.back()))
      r.refuse("sources", "there is no file " + d.sources.back());
  }
  if (d.sources.empty()) r.refuse("sources", "is missing: the SystemVerilog files, beside this file");
  for (const std::string& include : r.texts("include_directories"))
    d.include_directories.push_back(beside(include));
  d.defines = r.texts("defines");
  d.parameters = r.pairs("parameters");
  if (sources_only) return d;
  read_clock_and_reset(r, d);
  d.flow = r.choice("interface", {"ready_valid", "credit"}) == "credit" ? flow_control::credit
                                                                        : flow_control::ready_valid;
  d.vcs = static_cast<unsigned>(r.whole("vcs", 1, 1, flit_word::max_vcs));
  d.depth = static_cast<unsigned>(r.whole("depth", 0, 1, 65535));
  if (d.flow == flow_control::credit && d.depth == 0)
    r.refuse("depth", "is missing: flits per VC buffer, which is how many credits there are");
  d.registered_outputs = r.flag("registered_outputs", false);
  d.own_routes = r.choice("routes", {"network", "own"}) == "own";
  d.patience_cycles = r.whole("patience_cycles", 1000, 10, 1000000000);
  read_ports(r, d);
  read_flit(r.object_or_empty("flit"), d);
  read_pins(r.object_or_empty("pins"), d);
  d.ties = r.pairs("ties");
  d.plus_arguments = r.texts("plus_arguments");
  r.only({"top", "sources", "include_directories", "defines", "parameters", "clock", "reset", "interface",
          "vcs", "depth", "registered_outputs", "routes", "patience_cycles", "ports", "flit", "pins", "ties",
          "plus_arguments"});
  return d;
}

}  // namespace toriscope
