// SPDX-License-Identifier: Apache-2.0
#include "rtl_models/user_rtl/user_rtl_routers.h"

#include <algorithm>
#include <filesystem>
#include <future>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "base/nearest_name.h"
#include "base/scratch_directory.h"
#include "base/text_file.h"
#include "base/words.h"
#include "rtl_models/on_demand/rtl_build.h"
#include "rtl_models/rtl_node.h"
#include "rtl_models/user_rtl/built_pins.h"
#include "rtl_models/user_rtl/route_texts.h"
#include "rtl_models/user_rtl/router_adapter.h"
#include "rtl_models/user_rtl/verilator_run.h"

namespace toriscope {
namespace {

namespace fs = std::filesystem;

/// What a node has of its own.
struct node_plan {
  std::size_t variant = 0;
  std::vector<adapter_config::port> ports;
  std::vector<std::int64_t> ties;
  std::vector<std::string> plus_arguments;
};

struct built_variant {
  router_variant variant;
  flit_format format;
  std::vector<unsigned> tie_bits{};
  std::vector<std::string> pin_names{};
  std::shared_ptr<const rtl_library> library{};
  std::string warnings_file{};
};

constexpr const char* wrapper_file = "toriscope_pins.sv";
constexpr std::size_t longest_example = 300;  // of a warning, in a message

/// What Verilator warned of in the user's files: "2 LATCH, 1 WIDTH; for example ..."; empty: of nothing.
std::string warnings_in(const std::string& file) {
  std::istringstream lines(text_if_there(file).value_or(""));
  std::map<std::string, unsigned> kinds;
  std::string shown;  // rather not a width, which is as intended as a rule
  bool shown_width = false;
  for (std::string line; std::getline(lines, line);) {
    if (!begins_with(line, "%Warning-") || line.find(wrapper_file) != std::string::npos) continue;
    const std::size_t colon = line.find(':');
    const std::string kind = line.substr(9, colon - 9);
    const bool width = begins_with(kind, "WIDTH");
    if (kind == "LITENDIAN" || kind == "ASCRANGE") continue;  // [0:7]
    ++kinds[kind];
    if (!shown.empty() && (width || !shown_width)) continue;
    shown = line.substr(std::min(line.size(), colon + 2));
    shown_width = width;
  }
  std::string counts;
  for (const auto& [kind, count] : kinds)
    counts += (counts.empty() ? "" : ", ") + std::to_string(count) + " " + kind;
  return counts.empty()
             ? ""
             : counts + "; for example " + one_line(shown, longest_example) + "; all are in " + file +
                   (kinds.count("UNOPTFLAT")
                        ? "; UNOPTFLAT: Verilator 5.006 makes wrong models of some such loops; where the "
                          "router seems wrong, try \"verilator_options\": [\"-fdfg\"]"
                        : "");
}

/// The network's ports of a node, in the order of the router's.
class port_plan {
 public:
  port_plan(const router_description& d, const netlist& wiring) : d_(d), wiring_(wiring) {
    if (d.ports.empty()) return;
    std::set<std::string> names, local;
    for (node_id n = 0; n < wiring.node_count(); ++n)
      for (port_id p = 0; p < wiring.port_count(n); ++p) {
        names.insert(wiring.port_name(n, p));
        if (wiring.is_local(n, p)) local.insert(wiring.port_name(n, p));
      }
    const std::vector<std::string> known(names.begin(), names.end());
    std::set<std::string> taken;
    for (const auto& [user_name, model_name] : d.ports) {
      if (!names.count(model_name))
        refuse("ports." + user_name + ": " + unknown_name("port of the network", model_name, known));
      if (!taken.insert(model_name).second)
        refuse("ports." + user_name + ": '" + model_name + "' is given twice");
    }
    if (std::none_of(local.begin(), local.end(), [&](const std::string& l) { return taken.count(l) > 0; }))
      refuse("ports: none of them is '" + *local.begin() + "', to and from " +
             (local.count("local") ? "the node itself" : "a terminal"));
  }

  std::vector<adapter_config::port> at(node_id node) const {
    const unsigned count = wiring_.port_count(node);
    std::vector<adapter_config::port> ports;
    for (const auto& [user_name, model_name] : d_.ports) {
      ports.push_back({user_name, -1});
      for (port_id p = 0; p < count; ++p)
        if (wiring_.port_name(node, p) == model_name) ports.back().of_node = p;
    }
    if (!d_.ports.empty()) return ports;
    for (port_id p = 0; p < count; ++p) ports.push_back({wiring_.port_name(node, p), p});
    if (d_.local_port_first) std::rotate(ports.begin(), ports.begin() + wiring_.local_port(node), ports.end());
    return ports;
  }

  /// Names for pins that each port has of its own.
  std::vector<std::string> pin_names(const std::vector<adapter_config::port>& ports) const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < ports.size(); ++i)
      names.push_back(d_.ports.empty() ? std::to_string(i) : ports[i].name);
    return names;
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw std::invalid_argument(d_.file + ": " + why);
  }

  const router_description& d_;
  const netlist& wiring_;
};

/// What Verilator says about the pins. @throws std::invalid_argument with the gist of its message
top_module look_at(const router_description& d, const router_variant& v) {
  const scratch_directory scratch;
  const std::string probe = scratch.file("probe.sv"), xml = scratch.file("pins.xml");
  write_text_file(probe, probe_module(d, v));
  const measured_process done = run_verilator(d, probe_options(xml), {probe});
  if (done.status != 0) {
    const std::string log = rtl_cache_directory() + "/" + d.top + ".log";
    fs::create_directories(rtl_cache_directory());
    write_text_file(log, done.out);
    const bool has_interface = done.out.find("interface is not found") != std::string::npos;
    throw std::invalid_argument(d.file + ": Verilator does not take " + d.top + ": " + gist_of(done.out) +
                                (has_interface
                                     ? "; " + d.top + " has an interface as a port: toriscope describe rtl " +
                                           d.file + " --wrapper writes a first wrapper with plain pins"
                                     : "") +
                                "; all of the message is in " + log);
  }
  try {
    return read_top_module(xml, d.top);
  } catch (const std::exception& error) {
    throw std::invalid_argument(d.file + ": top: " + error.what());
  }
}

/// @throws std::invalid_argument fields that do not fit
void check_format(const router_description& d, const flit_format& format) {
  try {
    format.check();
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(d.file + ": " + error.what());
  }
}

built_variant build_variant(const router_description& d, const router_variant& v, const top_module& top,
                            bool with_trace) {
  const pin_wrapper wrapper(d, v, top);
  check_format(d, wrapper.format);
  const scratch_directory scratch;
  const std::string file = scratch.file(wrapper_file);
  write_text_file(file, wrapper.text);
  rtl_design design;
  design.what = d.top;
  design.top = "toriscope_pins";
  design.files = d.sources;
  design.files.push_back(file);
  design.include_directories = d.include_directories;
  design.read_files = top.files;
  design.verilator_options = verilator_options(d);
  design.verilator_options.insert(design.verilator_options.begin(), "-Wno-style");
  design.with_trace = with_trace;
  if (with_trace)  // else wide pins and buffers are left out
    design.verilator_options.insert(design.verilator_options.end(),
                                    {"--trace-max-width", "16384", "--trace-max-array", "256"});
  built_variant built{v, wrapper.format, wrapper.tie_bits};
  for (const top_pin& pin : top.pins) built.pin_names.push_back(pin.name);
  const std::string library = build_rtl(design);
  built.library = std::make_shared<const rtl_library>(library);
  built.warnings_file = rtl_warnings_file(library);
  return built;
}

}  // namespace

struct user_rtl_routers::impl {
  impl(router_description description, const netlist& w, const routing_function& r, const network_config& c,
       const std::vector<node_id>& nodes, std::function<void(const user_rtl_made&)> traced_by)
      : d(std::move(description)),
        wiring(w),
        routing(r),
        config(c),
        ports(d, wiring),
        traced(std::move(traced_by)) {
    for (const node_id node : nodes) plans[node] = plan(node);
    for (const auto& [node, planned] : plans) all_nodes.push_back(node);
    flit_format any_width = d.flit;
    any_width.width = widest_flit;
    check_format(d, any_width);
    check_fields(nodes, d.flit);
    build();
    for (const built_variant& v : variants) check_fields(nodes, v.format);
    for (const auto& [node, planned] : plans) check_ties(planned);
  }

  [[noreturn]] void refuse(const std::string& why) const { throw std::invalid_argument(d.file + ": " + why); }

  quantity_values values_of(node_id node) const {
    return node_values(wiring, node, config.router.vcs, config.router.depth);
  }

  node_plan plan(node_id node) {
    node_plan p;
    p.ports = ports.at(node);
    const route_texts texts(wiring, routing, node, p.ports);
    const quantity_values values = values_of(node);
    const auto filled = [&](const std::string& key, const std::string& text) {
      try {
        return fill_in(texts.fill(text), values);
      } catch (const std::logic_error& error) {
        refuse(key + ": " + error.what());
      }
    };
    router_variant v;
    v.ports = ports.pin_names(p.ports);
    for (const auto& [name, text] : d.parameters)
      v.parameters.emplace_back(name, filled("parameters." + name, text));
    for (const auto& [tied, text] : d.ties) {
      const std::string& name = tied.name;
      const bool is_text = text.find('{') != std::string::npos || text.find('\'') != std::string::npos;
      v.constants.push_back(is_text ? filled("ties." + name, text) : "");
      try {
        p.ties.push_back(is_text ? 0 : expression(text, true).evaluate(values));
      } catch (const std::logic_error& error) {
        refuse("ties." + name + ": " + error.what());
      }
    }
    for (const std::string& argument : d.plus_arguments)
      p.plus_arguments.push_back(filled("plus_arguments", argument));
    const auto same = std::find_if(variants.begin(), variants.end(),
                                   [&](const built_variant& b) { return b.variant == v; });
    p.variant = static_cast<std::size_t>(same - variants.begin());
    if (same == variants.end()) variants.push_back({v, {}});
    return p;
  }

  /// Fields that name the destination must have room for all of them.
  void check_fields(const std::vector<node_id>& nodes, const flit_format& format) const {
    if (nodes.empty()) return;
    for (const auto& [key, list] : {std::pair("all", &format.all), std::pair("head", &format.head)})
      for (const flit_format::field& f : *list) {
        const bool absolute = f.value.is(quantity::dest) || f.value.is(quantity::dest_node) ||
                              f.value.is(quantity::dest_local) || f.value.is(quantity::dest_x) ||
                              f.value.is(quantity::dest_y) || f.value.is(quantity::dest_z);
        if (!absolute || !f.bits) continue;
        quantity_values last = values_of(wiring.node_count() - 1);
        unsigned most_local = 1;
        for (node_id n = 0; n < wiring.node_count(); ++n)
          most_local = std::max(most_local, wiring.local_ports(n));
        last[quantity::dest_local] = most_local - 1;
        const auto of_node = [](quantity dest) {
          return static_cast<quantity>(static_cast<unsigned>(dest) - static_cast<unsigned>(quantity::dest_x) +
                                       static_cast<unsigned>(quantity::x));
        };
        last[quantity::dest] = wiring.terminal_count() - 1;
        last[quantity::dest_node] = wiring.node_count() - 1;
        for (const quantity q : {quantity::dest_x, quantity::dest_y, quantity::dest_z})
          last[q] = last[of_node(q)];
        const auto most = static_cast<std::uint64_t>(f.value.evaluate(last));
        if (f.bits.cut(most) != most)
          refuse("flit." + std::string(key) + "." + to_string(f.bits) + ": '" + f.value.text() +
                 "' is up to " + std::to_string(most) + " in this network, which bits " + to_string(f.bits) +
                 " do not hold");
      }
  }

  /// Numbers must fit, negative ones in two's complement.
  void check_ties(const node_plan& p) const {
    for (std::size_t i = 0; i < p.ties.size(); ++i) {
      const unsigned bits = variants[p.variant].tie_bits[i];
      const std::int64_t value = p.ties[i];
      if (bits < 64 && (value >> bits > 0 || value >> (bits - 1) < -1))
        refuse(d.ties[i].pin.key + ": " + std::to_string(value) + " does not fit into its " +
               std::to_string(bits) + (bits == 1 ? " bit" : " bits"));
    }
  }

  /// Pins are looked at once - the first error ends it all -, then all variants are built side by side.
  void build() {
    const unsigned threads = std::max(1u, std::thread::hardware_concurrency());
    for (std::size_t first = 0; first < variants.size();) {
      // The first one alone: it also builds what they share.
      const std::size_t end = first == 0 ? 1 : std::min(variants.size(), first + threads);
      std::vector<std::future<built_variant>> at_work;
      for (std::size_t i = first; i < end; ++i)
        at_work.push_back(std::async(std::launch::async, [this, i] {
          const router_variant& v = variants[i].variant;
          return build_variant(d, v, look_at(d, v), traced != nullptr);
        }));
      for (std::size_t i = first; i < end; ++i) variants[i] = at_work[i - first].get();
      first = end;
    }
  }

  adapter_config config_of(const node_plan& p) const {
    adapter_config c;
    c.ports = p.ports;
    c.format = variants[p.variant].format;
    c.vcs = d.vcs;
    c.depth = d.depth;
    c.slack = d.slack;
    c.ready_of_offer = d.ready_of_offer;
    c.atomic_vcs = d.atomic_vcs;
    c.registered_outputs = d.registered_outputs;
    c.one_credit_at_a_time = !d.out_credit_vc.name.empty();
    c.clocks_per_cycle = d.clocks_per_cycle;
    c.own_routes = d.own_routes;
    c.patience_cycles = d.patience_cycles;
    return c;
  }

  const router_description d;
  const netlist& wiring;
  const routing_function& routing;
  const network_config& config;
  const port_plan ports;
  const std::function<void(const user_rtl_made&)> traced;
  std::vector<node_id> all_nodes;
  std::map<node_id, node_plan> plans;
  std::vector<built_variant> variants;
};

user_rtl_routers::user_rtl_routers(router_description description, const netlist& wiring,
                                   const routing_function& routing, const network_config& config,
                                   const std::vector<node_id>& nodes,
                                   std::function<void(const user_rtl_made&)> traced)
    : impl_(std::make_shared<const impl>(std::move(description), wiring, routing, config, nodes,
                                         std::move(traced))) {}

std::unique_ptr<router_adapter> user_rtl_routers::make(const node_context& context,
                                                        int random_state_seed) const {
  const node_plan& plan = impl_->plans.at(context.id);
  const built_variant& built = impl_->variants[plan.variant];
  const router_description& d = impl_->d;
  const rtl_instance_start start{context.wiring.path(context.id), plan.plus_arguments, random_state_seed};
  const built_pins::shape shape{static_cast<unsigned>(plan.ports.size()), built.format.width, d.vcs,
                                d.clocks_per_cycle};
  auto pins = std::make_unique<built_pins>(built.library, start, shape, plan.ties, d.reset_clocks);
  built_pins& at_pins = *pins;
  std::unique_ptr<router_adapter> made;
  try {
    if (d.flow == router_description::flow_control::credit)
      made = std::make_unique<credit_adapter>(context, impl_->config_of(plan), std::move(pins));
    else if (d.flow == router_description::flow_control::on_off)
      made = std::make_unique<on_off_adapter>(context, impl_->config_of(plan), std::move(pins));
    else
      made = std::make_unique<ready_valid_adapter>(context, impl_->config_of(plan), std::move(pins));
  } catch (const std::invalid_argument& error) {
    impl_->refuse(error.what());
  }
  if (impl_->traced) impl_->traced({context.id, at_pins, made->config(), built.pin_names});
  return made;
}

network::node_factory user_rtl_routers::factory(int random_state_seed) const {
  return [routers = *this, random_state_seed](const char* name,
                                              const node_context& context) -> std::unique_ptr<node> {
    if (!routers.impl_->plans.count(context.id)) return nullptr;
    return std::make_unique<rtl_node>(name, context, routers.make(context, random_state_seed));
  };
}

const router_description& user_rtl_routers::description() const { return impl_->d; }
std::string user_rtl_routers::warnings() const {
  for (const built_variant& v : impl_->variants)
    if (const std::string warnings = warnings_in(v.warnings_file); !warnings.empty()) return warnings;
  return {};
}
const std::vector<node_id>& user_rtl_routers::nodes() const { return impl_->all_nodes; }
std::vector<std::string> user_rtl_routers::libraries() const {
  std::vector<std::string> files;
  for (const built_variant& v : impl_->variants) files.push_back(v.library->file());
  return files;
}

}  // namespace toriscope
