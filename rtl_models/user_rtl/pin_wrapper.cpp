// SPDX-License-Identifier: Apache-2.0
#include "rtl_models/user_rtl/pin_wrapper.h"

#include <algorithm>
#include <stdexcept>

#include "base/nearest_name.h"

namespace toriscope {
namespace {

std::string count(unsigned n, const std::string& what) {
  return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

std::string range_text(const index_range& r) {
  return "[" + std::to_string(r.left) + ":" + std::to_string(r.right) + "]";
}

std::string slice(const std::string& name, unsigned first, unsigned bits) {
  return name + "[" + std::to_string(first) + "+:" + std::to_string(bits) + "]";
}

/// Writes the wrapper, pin by pin.
class wrapper_writer {
 public:
  wrapper_writer(const router_description& d, const router_variant& v, const top_module& top)
      : d_(d), v_(v), top_(top), ports_(static_cast<unsigned>(v.ports.size())) {}

  std::string write() {
    check_all_named();
    connect_whole(d_.clock_pin, "clock.pin", "clk_i");
    if (!d_.reset_pin.empty())
      connect_whole(d_.reset_pin, "reset.pin", d_.reset_active_low ? "!rst_i" : "rst_i");
    connect_ties();
    flit_bits_ = measure(d_.in_flit, true);
    const unsigned out_bits = measure(d_.out_flit, false);
    if (out_bits != flit_bits_)
      refuse("pins.out_flit: a flit is " + count(out_bits, "bit") + " wide there and " +
             count(flit_bits_, "bit") + " in pins.in_flit");
    if (d_.flit.width != 0 && d_.flit.width != flit_bits_)
      refuse("pins.in_flit: a flit is " + count(flit_bits_, "bit") + " wide at the pins of " + d_.top +
             ", and flit.width says " + std::to_string(d_.flit.width));
    for (unsigned p = 0; p < ports_; ++p) connect_port(p);
    check_inputs();
    return text();
  }
  unsigned flit_bits() const { return flit_bits_; }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw std::invalid_argument(d_.file + ": " + why);
  }

  // --- looking pins up ---

  const top_pin& pin(const std::string& name, const std::string& key, bool input) {
    const top_pin* const found = top_.find(name);
    if (!found) {
      std::vector<std::string> names;
      for (const top_pin& p : top_.pins) names.push_back(p.name);
      refuse(key + ": " + d_.top + " has no such pin: " + unknown_name("pin", name, names));
    }
    if (found->is_input != input)
      refuse(key + ": pin '" + name + "' of " + d_.top + " is an " + (input ? "output" : "input") +
             ", and an " + (input ? "input" : "output") + " is expected");
    if (found->unpacked.size() > 1)
      refuse(key + ": pin '" + name + "' of " + d_.top + " is an array of arrays; one dimension is possible");
    use(*found);
    return *found;
  }

  void use(const top_pin& p) {
    if (std::find(used_.begin(), used_.end(), &p) == used_.end()) used_.push_back(&p);
  }

  static bool for_each_port(const port_pin& p) { return p.name.find("{p}") != std::string::npos; }
  std::string name_at(const port_pin& p, unsigned port) const {
    std::string name = p.name;
    for (std::size_t at; (at = name.find("{p}")) != std::string::npos;) name.replace(at, 3, v_.ports[port]);
    return name;
  }

  /// The bits of a pin that belong to a port: how to write them, and how many they are.
  struct share {
    std::string text;
    unsigned bits;
  };
  share at_port(const port_pin& p, unsigned port, bool input) {
    const top_pin& t = pin(name_at(p, port), p.key, input);
    const std::string local = "pin_" + t.name;
    const auto uneven = [&](const std::string& has) {
      refuse(p.key + ": pin '" + t.name + "' of " + d_.top + " " + has + "; " + count(ports_, "port") +
             " need " + std::to_string(ports_) +
             ", or a multiple of it, or a pin for each of them ('{p}' in the name)");
    };
    if (for_each_port(p)) {
      if (!t.unpacked.empty()) refuse(p.key + ": pin '" + t.name + "' of " + d_.top + " is an array");
      return {local, t.width};
    }
    if (!t.unpacked.empty()) {
      if (t.unpacked[0].size() != ports_) uneven("has " + count(t.unpacked[0].size(), "element"));
      return {local + "[" + std::to_string(t.unpacked[0].lowest() + static_cast<int>(port)) + "]", t.width};
    }
    if (t.width % ports_ != 0) uneven("is " + count(t.width, "bit") + " wide");
    const unsigned bits = t.width / ports_;
    if (t.packed.size() > 1 && t.packed[0].size() == ports_)
      return {local + "[" + std::to_string(t.packed[0].lowest() + static_cast<int>(port)) + "]", bits};
    const int low = t.packed.size() == 1 ? t.packed[0].lowest() : 0;
    return {slice(local, static_cast<unsigned>(low) + port * bits, bits), bits};
  }
  share one_wide(const port_pin& p, unsigned port, bool input, unsigned bits, const std::string& because) {
    const share s = at_port(p, port, input);
    if (s.bits != bits)
      refuse(p.key + ": pin '" + name_at(p, port) + "' of " + d_.top + " has " + count(s.bits, "bit") +
             " for each port; " + std::to_string(bits) + (bits == 1 ? " is" : " are") + " expected, " +
             because);
    return s;
  }

  unsigned measure(const std::vector<port_pin>& pieces, bool input) {
    unsigned bits = 0;
    for (const port_pin& p : pieces) bits += at_port(p, 0, input).bits;
    return bits;
  }

  // --- connecting ---

  void assign(const std::string& left, const std::string& right) {
    assigns_ += "  assign " + left + " = " + right + ";\n";
  }
  static std::string maybe_not(const port_pin& p) { return p.inverted ? "~" : ""; }

  void connect_whole(const std::string& name, const std::string& key, const std::string& source) {
    const top_pin& t = pin(name, key, true);
    if (t.bits() != 1)
      refuse(key + ": pin '" + name + "' of " + d_.top + " is " + count(t.bits(), "bit") +
             " wide; 1 is expected");
    assign("pin_" + name, source);
  }

  void connect_ties() {
    for (std::size_t i = 0; i < d_.ties.size(); ++i) {
      const auto& [name, value] = d_.ties[i];
      const top_pin& t = pin(name, "ties." + name, true);
      if (!t.unpacked.empty()) refuse("ties." + name + ": the pin is an array");
      if (!v_.constants[i].empty())
        assign("pin_" + name, v_.constants[i]);
      else if (t.width <= 64)
        assign("pin_" + name, slice("ties_i", static_cast<unsigned>(i) * 64, t.width));
      else
        assign("pin_" + name,
               std::to_string(t.width) + "'(" + slice("ties_i", static_cast<unsigned>(i) * 64, 64) + ")");
    }
  }

  void connect_port(unsigned p) {
    const std::string bit = "[" + std::to_string(p) + "]";
    if (!d_.in_valid.name.empty())
      assign(one_wide(d_.in_valid, p, true, 1, "a valid bit").text,
             maybe_not(d_.in_valid) + "in_valid_i" + bit);
    connect_flit(d_.in_flit, p, true);
    connect_flit(d_.out_flit, p, false);
    if (!d_.out_valid.name.empty())
      assign("out_valid_o" + bit,
             maybe_not(d_.out_valid) + one_wide(d_.out_valid, p, false, 1, "a valid bit").text);
    else
      assign("out_valid_o" + bit, "out_flit_o[" + std::to_string(p * flit_bits_ + d_.valid_bit.first) + "]");
    connect_back(p);
  }

  void connect_flit(const std::vector<port_pin>& pieces, unsigned p, bool input) {
    unsigned first = flit_bits_;
    for (const port_pin& piece : pieces) {
      const share s = at_port(piece, p, input);
      if (s.bits > first) refuse(piece.key + ": ports differ in the width of their flits");
      first -= s.bits;
      const std::string bits = slice(input ? "in_flit_i" : "out_flit_o", p * flit_bits_ + first, s.bits);
      if (input)
        assign(s.text, bits);
      else
        assign(bits, s.text);
    }
    if (first != 0) refuse(pieces.front().key + ": ports differ in the width of their flits");
  }

  void connect_back(unsigned p) {
    const std::string model_in = slice("in_back_o", p * d_.vcs, d_.vcs);
    const std::string model_out = slice("out_back_i", p * d_.vcs, d_.vcs);
    const std::string because = d_.vcs == 1 ? "the router has no VCs (vcs: 1)"
                                            : "one for each of its VCs (vcs: " + std::to_string(d_.vcs) + ")";
    const bool ready = d_.flow == router_description::flow_control::ready_valid;
    const port_pin& in = ready ? d_.in_ready : d_.in_credit;
    const port_pin& out = ready ? d_.out_ready : d_.out_credit;
    if (!in.name.empty())
      assign(model_in, maybe_not(in) + one_wide(in, p, false, d_.vcs, because).text);
    else
      assign(model_in,
             std::to_string(d_.vcs) + "'(" + maybe_not(d_.in_credit_valid) +
                 one_wide(d_.in_credit_valid, p, false, 1, "a valid bit").text + ")" +
                 (d_.in_credit_vc.name.empty() ? "" : " << " + at_port(d_.in_credit_vc, p, false).text));
    if (!out.name.empty()) {
      assign(one_wide(out, p, true, d_.vcs, because).text, maybe_not(out) + model_out);
      return;
    }
    assign(one_wide(d_.out_credit_valid, p, true, 1, "a valid bit").text,
           maybe_not(d_.out_credit_valid) + "(" + model_out + " != 0)");
    if (d_.out_credit_vc.name.empty()) return;
    const share vc = at_port(d_.out_credit_vc, p, true);
    std::string number = std::to_string(vc.bits) + "'d0";
    for (unsigned v = d_.vcs; v-- > 1;)
      number = "out_back_i[" + std::to_string(p * d_.vcs + v) + "] ? " + std::to_string(vc.bits) + "'d" +
               std::to_string(v) + " : " + number;
    assign(vc.text, number);
  }

  // --- checks and text ---

  void check_all_named() const {
    for (const std::string& name : v_.ports)
      if (name.empty()) refuse("ports: a port without a name");
  }

  void check_inputs() const {
    for (const top_pin& t : top_.pins)
      if (t.is_input && std::find(used_.begin(), used_.end(), &t) == used_.end())
        refuse("input '" + t.name + "' of " + d_.top +
               " is in none of pins, clock and reset: give it a value in " + "\"ties\": {\"" + t.name +
               "\": 0}");
  }

  static std::string shape(const top_pin& t) {
    std::string packed, unpacked;
    for (const index_range& r : t.packed) packed += range_text(r);
    for (const index_range& r : t.unpacked) unpacked += " " + range_text(r);
    return "  logic " + packed + (packed.empty() ? "" : " ") + "pin_" + t.name + unpacked + ";\n";
  }

  std::string text() const {
    const auto vector = [](unsigned bits) { return " logic [" + std::to_string(bits - 1) + ":0] "; };
    // Waveforms show the router, and no pin twice.
    std::string s = "// Generated from " + d_.file + ".\n// verilator tracing_off\nmodule toriscope_pins (\n";
    s += "    input logic clk_i,\n    input logic rst_i,\n";
    s +=
        "    input" + vector(std::max<unsigned>(1, static_cast<unsigned>(d_.ties.size())) * 64) + "ties_i,\n";
    s += "    input" + vector(ports_) + "in_valid_i,\n    input" + vector(ports_ * flit_bits_) +
         "in_flit_i,\n";
    s +=
        "    output" + vector(ports_ * d_.vcs) + "in_back_o,\n    output" + vector(ports_) + "out_valid_o,\n";
    s += "    output" + vector(ports_ * flit_bits_) + "out_flit_o,\n    input" + vector(ports_ * d_.vcs) +
         "out_back_i\n);\n";
    for (const top_pin* t : used_) s += shape(*t);
    s += assigns_ + "  // verilator tracing_on\n  " + instance(d_, v_, "rtl") + " (\n";
    for (std::size_t i = 0; i < used_.size(); ++i)
      s +=
          "      ." + used_[i]->name + "(pin_" + used_[i]->name + ")" + (i + 1 < used_.size() ? ",\n" : "\n");
    return s + "  );\nendmodule\n";
  }

  const router_description& d_;
  const router_variant& v_;
  const top_module& top_;
  const unsigned ports_;
  unsigned flit_bits_ = 0;
  std::vector<const top_pin*> used_;
  std::string assigns_;
};

}  // namespace

std::string instance(const router_description& d, const router_variant& v, const std::string& name) {
  std::string s = d.top;
  for (std::size_t i = 0; i < v.parameters.size(); ++i)
    s += (i == 0 ? " #(." : ", .") + v.parameters[i].first + "(" + v.parameters[i].second + ")";
  return s + (v.parameters.empty() ? " " : ") ") + name;
}

std::string probe_module(const router_description& d, const router_variant& v) {
  return "module toriscope_probe;\n  " + instance(d, v, "rtl") + " ();\nendmodule\n";
}

pin_wrapper::pin_wrapper(const router_description& d, const router_variant& v, const top_module& top) {
  wrapper_writer writer(d, v, top);
  text = writer.write();
  flit_bits = writer.flit_bits();
}

}  // namespace toriscope
