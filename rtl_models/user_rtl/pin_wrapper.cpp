// SPDX-License-Identifier: Apache-2.0
#include "rtl_models/user_rtl/pin_wrapper.h"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "base/bits_for.h"
#include "base/nearest_name.h"
#include "base/words.h"
#include "rtl_models/user_rtl/verilator_run.h"

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
    measure_flits();
    for (unsigned p = 0; p < ports_; ++p) connect_port(p);
    check_inputs();
    return text();
  }
  const flit_format& format() const { return format_; }
  const std::vector<unsigned>& tie_bits() const { return tie_bits_; }

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

  std::string name_at(const port_pin& p, unsigned port) const {
    std::string name = p.name;
    for (std::size_t at; (at = name.find("{p}")) != std::string::npos;) name.replace(at, 3, v_.ports[port]);
    return name;
  }

  /// The bits of a pin that belong to a port: how to write them, and how many they are.
  struct share {
    std::string text;
    unsigned bits;
    std::vector<pin_member> members;  ///< of the structure that they are
  };
  /// All that the pin has for the port.
  share whole_share(const port_pin& p, const top_pin& t, unsigned port) const {
    const std::string local = "pin_" + t.name;
    const auto uneven = [&](const std::string& has) {
      refuse(p.key + ": pin '" + t.name + "' of " + d_.top + " " + has + "; " + count(ports_, "port") +
             " need " + std::to_string(ports_) +
             ", or a multiple of it, or a pin for each of them ('{p}' in the name)");
    };
    const auto element = [&](const index_range& r) {
      return local + "[" + std::to_string(r.lowest() + static_cast<int>(port)) + "]";
    };
    if (p.of_each_port()) {
      if (!t.unpacked.empty()) refuse(p.key + ": pin '" + t.name + "' of " + d_.top + " is an array");
      return {local, t.width, t.members};
    }
    if (!t.unpacked.empty()) {
      if (t.unpacked[0].size() != ports_) uneven("has " + count(t.unpacked[0].size(), "element"));
      return {element(t.unpacked[0]), t.width, t.members};
    }
    if (t.width % ports_ != 0) uneven("is " + count(t.width, "bit") + " wide");
    const unsigned bits = t.width / ports_;
    if (t.packed.size() > 1 && t.packed[0].size() == ports_) return {element(t.packed[0]), bits, t.members};
    const int low = t.packed.size() == 1 ? t.packed[0].lowest() : 0;
    return {slice(local, static_cast<unsigned>(low) + port * bits, bits), bits, {}};
  }
  share at_port(const port_pin& p, unsigned port, bool input) {
    const top_pin& t = pin(name_at(p, port), p.key, input);
    const share whole = whole_share(p, t, port);
    if (!p.is_part()) return whole;
    const pin_member at = part_of(p, t, whole);
    return {slice(flat(t, port, whole), at.first, at.bits), at.bits, members_below(whole.members, p.member)};
  }
  /// Notes that an input pin, or a part of it, has its value. @throws when it has one already
  void drive(const port_pin& p, unsigned port) {
    const top_pin& t = pin(name_at(p, port), p.key, true);
    const share whole = whole_share(p, t, port);
    const pin_member at = part_of(p, t, whole);
    tie_names_[&t] = p.name;
    std::vector<bool>& driven = driven_[{&t, port}];
    driven.resize(whole.bits);
    for (unsigned b = at.first; b < at.first + at.bits; ++b) {
      if (driven[b])
        refuse(p.key + ": bit " + std::to_string(b) + " of input '" + t.name + "' of " + d_.top +
               (whole.bits == t.bits() ? "" : ", of those of each port,") + " has a value already");
      driven[b] = true;
    }
  }
  /// The chosen bits of the whole.
  pin_member part_of(const port_pin& p, const top_pin& t, const share& whole) const {
    pin_member at{"", 0, whole.bits};
    if (!p.member.empty()) {
      if (whole.members.empty())
        refuse(p.key + ": pin '" + t.name + "' of " + d_.top +
               " is not a packed structure with members; choose bits, as in '" + t.name + "[1:0]'");
      at = member_named(whole.members, p.member, p.key);
    }
    if (p.bit_count == 0) return at;
    if (p.first_bit + p.bit_count > at.bits)
      refuse(p.key + ": pin '" + t.name + "' of " + d_.top + (p.member.empty() ? "" : ", " + p.member + ",") +
             " has " + count(at.bits, "bit") + (p.of_each_port() ? "" : " for each port") + ", " +
             std::to_string(at.bits - 1) + ":0");
    return {"", at.first + p.first_bit, p.bit_count};
  }
  const pin_member& member_named(const std::vector<pin_member>& members, const std::string& path,
                                 const std::string& key) const {
    std::vector<std::string> paths;
    for (const pin_member& m : members) {
      if (m.path == path) return m;
      paths.push_back(m.path);
    }
    refuse(key + ": " + unknown_name("member", path, paths));
  }
  static std::vector<pin_member> members_below(const std::vector<pin_member>& all, const std::string& path) {
    std::vector<pin_member> below;
    const auto top =
        std::find_if(all.begin(), all.end(), [&](const pin_member& m) { return m.path == path; });
    for (const pin_member& m : all)
      if (top != all.end() && begins_with(m.path, path + "."))
        below.push_back({m.path.substr(path.size() + 1), m.first - top->first, m.bits});
    return below;
  }
  /// A plain vector that stands for the share, bit 0 the lowest whatever the pin's own numbers are.
  std::string flat(const top_pin& t, unsigned port, const share& whole) {
    const std::string name = "bits" + std::to_string(port) + "_" + t.name;
    if (flat_.insert(name).second) {
      vectors_ += "  logic [" + std::to_string(whole.bits - 1) + ":0] " + name + ";\n";
      assign(t.is_input ? whole.text : name, t.is_input ? name : whole.text);
    }
    return name;
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
  /// Sets width and format of flits.
  void measure_flits() {
    own_bits_ = measure(d_.in_flit, true);
    const unsigned out_bits = measure(d_.out_flit, false);
    if (out_bits != own_bits_)
      refuse("pins.out_flit: a flit is " + count(out_bits, "bit") + " wide there and " +
             count(own_bits_, "bit") + " in pins.in_flit");
    if (d_.flit.width != 0 && d_.flit.width != own_bits_)
      refuse("pins.in_flit: a flit is " + count(own_bits_, "bit") + " wide at the pins of " + d_.top +
             ", and flit.width says " + std::to_string(d_.flit.width));
    std::vector<pin_member> members;
    unsigned first = own_bits_;
    for (const port_pin& piece : d_.in_flit) {
      const share s = at_port(piece, 0, true);
      first -= s.bits;
      for (const pin_member& m : s.members) members.push_back({m.path, first + m.first, m.bits});
    }
    format_ = d_.flit;
    format_.resolve([&](const std::string& path) {
      if (members.empty())
        refuse("flit: '" + path +
               "': the pins of pins.in_flit are not packed structures with members; give bits");
      const pin_member& m = member_named(members, path, "flit");
      if (m.bits > 64)
        refuse("flit: '" + path + "' has " + count(m.bits, "bit") + "; 64 at most are possible");
      return bit_field{m.first, m.bits};
    });
    format_.width = own_bits_;
    if (d_.vcs == 1 || format_.vc()) return;
    if (format_.valid) refuse("flit.vc: is missing: valid is a bit of the flit, which does not say the VC");
    // One value more than VCs: several of them at once.
    vc_bits_ = bits_for(d_.vcs + 1);
    format_.all.push_back({{own_bits_, vc_bits_}, expression("vc")});
    format_.width += vc_bits_;
  }
  unsigned flit_bits() const { return format_.width; }

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
    tie_bits_.resize(d_.ties.size());
    for (std::size_t i = 0; i < d_.ties.size(); ++i) {
      const port_pin& tied = d_.ties[i].pin;
      const std::string& name = tied.name;
      if (tied.of_each_port() || tied.is_part()) {
        for (unsigned p = 0; p < ports_; ++p) connect_part(tied, p, i);
        continue;
      }
      const top_pin& t = pin(name, tied.key, true);
      if (!t.unpacked.empty()) refuse("ties." + name + ": the pin is an array");
      tie_bits_[i] = t.width;
      if (!v_.constants[i].empty())
        assign("pin_" + name, v_.constants[i]);
      else if (t.width <= 64)
        assign("pin_" + name, slice("ties_i", static_cast<unsigned>(i) * 64, t.width));
      else
        assign("pin_" + name,
               std::to_string(t.width) + "'(" + slice("ties_i", static_cast<unsigned>(i) * 64, 64) + ")");
    }
  }

  /// A tie of each port, or of some bits of it.
  void connect_part(const port_pin& tied, unsigned p, std::size_t number) {
    const share s = at_port(tied, p, true);
    if (s.bits > 64) refuse(tied.key + ": " + count(s.bits, "bit") + "; 64 at most are possible");
    tie_bits_[number] = s.bits;
    drive(tied, p);
    assign(s.text, v_.constants[number].empty() ? slice("ties_i", static_cast<unsigned>(number) * 64, s.bits)
                                                : v_.constants[number]);
  }

  void connect_port(unsigned p) {
    const std::string bit = "[" + std::to_string(p) + "]";
    const unsigned valids = vc_bits_ == 0 ? 1 : d_.vcs;
    const std::string because =
        valids == 1 ? "a valid bit" : "a valid bit for each of its VCs: flit.vc is not given";
    const auto vc_of = [&](const char* flits) { return slice(flits, p * flit_bits() + own_bits_, vc_bits_); };
    if (!d_.in_valid.name.empty()) {
      const std::string value = "in_valid_i" + bit;
      const std::string none = std::to_string(valids) + "'d";
      drive(d_.in_valid, p);
      assign(one_wide(d_.in_valid, p, true, valids, because).text,
             maybe_not(d_.in_valid) + (valids == 1 ? value
                                                   : "(" + value + " ? " + none + "1 << " +
                                                         vc_of("in_flit_i") + " : " + none + "0)"));
    }
    connect_flit(d_.in_flit, p, true);
    connect_flit(d_.out_flit, p, false);
    if (d_.out_valid.name.empty()) {
      assign("out_valid_o" + bit,
             "out_flit_o[" + std::to_string(p * flit_bits() + format_.valid->bits.first) + "]");
    } else {
      const std::string value =
          maybe_not(d_.out_valid) + one_wide(d_.out_valid, p, false, valids, because).text;
      assign("out_valid_o" + bit, valids == 1 ? value : "|(" + value + ")");
      if (valids > 1) {
        std::string number = std::to_string(vc_bits_) + "'d" + std::to_string(d_.vcs);
        for (unsigned v = d_.vcs; v-- > 0;)
          number = "(" + value + ") == (" + std::to_string(valids) + "'d1 << " + std::to_string(v) + ") ? " +
                   std::to_string(vc_bits_) + "'d" + std::to_string(v) + " : " + number;
        assign(vc_of("out_flit_o"), number);
      }
    }
    connect_back(p);
  }

  void connect_flit(const std::vector<port_pin>& pieces, unsigned p, bool input) {
    unsigned first = own_bits_;
    for (const port_pin& piece : pieces) {
      const share s = at_port(piece, p, input);
      if (input) drive(piece, p);
      if (s.bits > first) refuse(piece.key + ": ports differ in the width of their flits");
      first -= s.bits;
      const std::string bits = slice(input ? "in_flit_i" : "out_flit_o", p * flit_bits() + first, s.bits);
      if (input)
        assign(s.text, maybe_not(piece) + bits);
      else
        assign(bits, maybe_not(piece) + s.text);
    }
    if (first != 0) refuse(pieces.front().key + ": ports differ in the width of their flits");
  }

  void connect_back(unsigned p) {
    const std::string model_in = slice("in_back_o", p * d_.vcs, d_.vcs);
    const std::string model_out = slice("out_back_i", p * d_.vcs, d_.vcs);
    const std::string because =
        d_.vcs == 1
            ? "the router has no VCs (vcs: 1)"
            : "one for each of its VCs (vcs: " + std::to_string(d_.vcs) + ")" +
                  (d_.flow == router_description::flow_control::ready_valid ? ", or \"ready\": \"of_offer\""
                                                                            : "");
    const bool credit = d_.flow == router_description::flow_control::credit;
    const port_pin& in = credit ? d_.in_credit : d_.in_ready;
    const port_pin& out = credit ? d_.out_credit : d_.out_ready;
    if (d_.ready_of_offer) {
      const bit_field vc = format_.vc();
      const std::string one = "one for the VC on offer (ready: of_offer)";
      assign(model_in,
             "{" + std::to_string(d_.vcs) + "{" + maybe_not(in) + one_wide(in, p, false, 1, one).text + "}}");
      drive(out, p);
      assign(one_wide(out, p, true, 1, one).text,
             maybe_not(out) + "1'(" + model_out + " >> " +
                 slice("out_flit_o", p * flit_bits() + vc.first, vc.count) + ")");
      return;
    }
    if (!in.name.empty())
      assign(model_in, maybe_not(in) + one_wide(in, p, false, d_.vcs, because).text);
    else
      assign(model_in, std::to_string(d_.vcs) + "'(" + (d_.in_credit_valid.inverted ? "!" : "") +
                           one_wide(d_.in_credit_valid, p, false, 1, "a valid bit").text + ")" +
                           (d_.in_credit_vc.name.empty() ? ""
                                                         : " << " + maybe_not(d_.in_credit_vc) +
                                                               at_port(d_.in_credit_vc, p, false).text));
    if (!out.name.empty()) {
      drive(out, p);
      assign(one_wide(out, p, true, d_.vcs, because).text, maybe_not(out) + model_out);
      return;
    }
    drive(d_.out_credit_valid, p);
    assign(one_wide(d_.out_credit_valid, p, true, 1, "a valid bit").text,
           maybe_not(d_.out_credit_valid) + "(" + model_out + " != 0)");
    if (d_.out_credit_vc.name.empty()) return;
    drive(d_.out_credit_vc, p);
    const share vc = at_port(d_.out_credit_vc, p, true);
    std::string number = std::to_string(vc.bits) + "'d0";
    for (unsigned v = d_.vcs; v-- > 1;)
      number = "out_back_i[" + std::to_string(p * d_.vcs + v) + "] ? " + std::to_string(vc.bits) + "'d" +
               std::to_string(v) + " : " + number;
    assign(vc.text, d_.out_credit_vc.inverted ? "~(" + number + ")" : number);
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
    for (const auto& [at, bits] : driven_) {
      const auto open = std::find(bits.begin(), bits.end(), false);
      if (open == bits.end()) continue;
      const std::string bit = std::to_string(open - bits.begin());
      refuse("bit " + bit + " of input '" + at.first->name + "' of " + d_.top +
             (bits.size() == at.first->bits() ? "" : ", of those of each port,") +
             " is in none of pins: give it a value in \"ties\": {\"" + tie_names_.at(at.first) + "[" + bit +
             "]\": 0}");
    }
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
    std::string s = "// verilator tracing_off\nmodule toriscope_pins (\n";
    s += "    input logic clk_i,\n    input logic rst_i,\n";
    s +=
        "    input" + vector(std::max<unsigned>(1, static_cast<unsigned>(d_.ties.size())) * 64) + "ties_i,\n";
    s += "    input" + vector(ports_) + "in_valid_i,\n    input" + vector(ports_ * flit_bits()) +
         "in_flit_i,\n";
    s +=
        "    output" + vector(ports_ * d_.vcs) + "in_back_o,\n    output" + vector(ports_) + "out_valid_o,\n";
    s += "    output" + vector(ports_ * flit_bits()) + "out_flit_o,\n    input" + vector(ports_ * d_.vcs) +
         "out_back_i\n);\n";
    for (const top_pin* t : used_) s += shape(*t);
    s += vectors_ + assigns_ + "  // verilator tracing_on\n  " + instance(d_, v_, "rtl") + " (\n";
    for (std::size_t i = 0; i < used_.size(); ++i)
      s +=
          "      ." + used_[i]->name + "(pin_" + used_[i]->name + ")" + (i + 1 < used_.size() ? ",\n" : "\n");
    return s + "  );\nendmodule\n";
  }

  const router_description& d_;
  const router_variant& v_;
  const top_module& top_;
  const unsigned ports_;
  flit_format format_;
  unsigned own_bits_ = 0;  ///< of a flit at the router's pins
  unsigned vc_bits_ = 0;   ///< in front of them
  std::vector<const top_pin*> used_;
  std::map<std::pair<const top_pin*, unsigned>, std::vector<bool>> driven_;  ///< bits of inputs, by port
  std::map<const top_pin*, std::string> tie_names_;  ///< of those, as a description names them: "{p}_in"
  std::vector<unsigned> tie_bits_;
  std::set<std::string> flat_;
  std::string vectors_, assigns_;
};

}  // namespace

std::string instance(const router_description& d, const router_variant& v, const std::string& name) {
  std::string s = d.top;
  for (std::size_t i = 0; i < v.parameters.size(); ++i)
    s += (i == 0 ? " #(." : ", .") + v.parameters[i].first + "(" + v.parameters[i].second + ")";
  return s + (v.parameters.empty() ? " " : ") ") + name;
}

std::string probe_module(const router_description& d, const router_variant& v) {
  return std::string("module ") + probe_name + ";\n  " + instance(d, v, "rtl") + " ();\nendmodule\n";
}

pin_wrapper::pin_wrapper(const router_description& d, const router_variant& v, const top_module& top) {
  wrapper_writer writer(d, v, top);
  text = writer.write();
  format = writer.format();
  tie_bits = writer.tie_bits();
}

}  // namespace toriscope
