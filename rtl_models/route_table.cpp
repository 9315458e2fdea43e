// SPDX-License-Identifier: Apache-2.0
#include "rtl_models/route_table.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <unordered_map>

#include "base/bits_for.h"
#include "base/text_file.h"
#include "rtl_models/hashed_rows.h"
#include "rtl_models/packet_walk.h"
#include "rtl_models/rtl_eligibility.h"

namespace toriscope {
namespace {

/// A word of a table: fields from the lowest bit on, and how they look in hexadecimal.
class table_word {
 public:
  explicit table_word(std::size_t bits) : digits_((bits + 3) / 4) {}

  void append(std::uint64_t value, unsigned bits) {
    for (unsigned b = 0; b < bits; ++b, ++at_)
      if (value >> b & 1u) digits_[at_ / 4] = static_cast<std::uint8_t>(digits_[at_ / 4] | 1u << at_ % 4);
  }
  friend std::ostream& operator<<(std::ostream& out, const table_word& word) {
    for (auto digit = word.digits_.rbegin(); digit != word.digits_.rend(); ++digit)
      out << "0123456789abcdef"[*digit];
    return out << '\n';
  }

 private:
  std::vector<std::uint8_t> digits_;  ///< from the lowest
  std::size_t at_ = 0;
};

}  // namespace

route_tables::route_tables(const netlist& wiring, const routing_function& routing, const flit_layout& layout,
                           unsigned vcs, std::vector<node_id> nodes)
    : layout_(layout) {
  parameters_.vcs = vcs;
  parameters_.destination_bits = layout.destination_bits();
  parameters_.state_bits = layout.state_bits();
  parameters_.narrow = has_narrow_links(wiring);
  parameters_.local_ports = 0;
  unsigned links = 0;
  for (const node_id n : nodes) {
    place_.emplace(n, place_.size());
    links = std::max<unsigned>(links, wiring.local_port(n));
    parameters_.local_ports = std::max(parameters_.local_ports, wiring.local_ports(n));
  }
  parameters_.ports = std::max(2u, links + parameters_.local_ports);

  std::vector<std::vector<request>> requests = ask(wiring, routing);
  unsigned classes = 1;
  for (std::vector<request>& of_node : requests) share_rows(tables_.emplace_back(), of_node, classes);
  parameters_.table.class_bits = bits_for(classes);
  choose_form(wiring.name());
}

/// What each of the nodes is asked. One pass over the destinations for all of them.
std::vector<std::vector<route_tables::request>> route_tables::ask(const netlist& wiring,
                                                                  const routing_function& routing) {
  std::vector<std::vector<request>> requests(place_.size());
  std::vector<std::size_t> place(wiring.node_count(), place_.size());
  for (const auto& [node, at] : place_) place[node] = at;
  packet_walk packets(wiring, routing, parameters_.vcs);
  for (terminal_id destination = 0; destination < wiring.terminal_count(); ++destination)
    packets.follow_to(destination, [&](const route_request& r, const route_option* options, unsigned count) {
      if (place[r.node] == place_.size()) return;
      std::vector<request>& of_node = requests[place[r.node]];
      if (of_node.size() == max_requests)
        throw std::invalid_argument("the route table of " + wiring.path(r.node) +
                                    " does not fit: the node is asked more than " +
                                    std::to_string(max_requests) + " different things");
      const unsigned port = port_of_rtl(wiring, r.node, r.in_port, parameters_);
      of_node.push_back({port * parameters_.vcs + r.in_vc, answer_of(wiring, routing, r, options, count),
                         std::uint64_t{r.state} << layout_.destination_bits() | r.destination});
    });
  return requests;
}

route_tables::answer_id route_tables::answer_of(const netlist& wiring, const routing_function& routing,
                                                const route_request& asked, const route_option* options,
                                                unsigned count) {
  unsigned weights[routing_function::max_options] = {};
  if (routing.compares_queues() && count > 1) routing.weigh(asked, count, weights);
  std::string text;
  std::vector<weighed_option> answer;
  for (unsigned k = 0; k < count; ++k) {
    answer.push_back({options[k], weights[k]});
    route_option& option = answer.back().way;
    option.out_port = port_of_rtl(wiring, asked.node, option.out_port, parameters_);
    if (routing.compares_queues())
      parameters_.table.weight_bits = std::max(parameters_.table.weight_bits, bits_for(weights[k] + 1));
    for (const std::uint32_t part :
         {std::uint32_t{option.out_port}, std::uint32_t{option.vcs}, option.state, weights[k]})
      text.append(reinterpret_cast<const char*>(&part), sizeof part);
  }
  const auto [found, is_new] = known_answers_.emplace(text, static_cast<answer_id>(answers_.size()));
  if (is_new) answers_.push_back(std::move(answer));
  parameters_.table.options = std::max(parameters_.table.options, count);
  return found->second;
}

/// Puts each input VC into the first class with whose answers its own agree.
/// @param classes  raised to what this table needs
void route_tables::share_rows(node_table& table, std::vector<request>& requests, unsigned& classes) const {
  table.requests = requests.size();
  table.classes.resize(parameters_.ports * parameters_.vcs);
  std::sort(requests.begin(), requests.end(),
            [](const request& a, const request& b) { return a.input_vc < b.input_vc; });
  std::vector<std::unordered_map<std::uint64_t, answer_id>> answers;
  for (auto first = requests.begin(); first != requests.end();) {
    const auto last =
        std::find_if(first, requests.end(), [&](const request& r) { return r.input_vc != first->input_vc; });
    const auto agrees = [&](const std::unordered_map<std::uint64_t, answer_id>& known) {
      return std::all_of(first, last, [&](const request& r) {
        const auto found = known.find(r.field);
        return found == known.end() || found->second == r.answer;
      });
    };
    auto joined = std::find_if(answers.begin(), answers.end(), agrees);
    if (joined == answers.end()) joined = answers.emplace(answers.end());
    table.classes[first->input_vc] = static_cast<std::uint32_t>(joined - answers.begin());
    for (; first != last; ++first) joined->emplace(first->field, first->answer);
  }

  const unsigned field_bits = layout_.state_bits() + layout_.destination_bits();
  for (std::size_t c = 0; c < answers.size(); ++c)
    for (const auto& [field, answer] : answers[c])
      table.answers.emplace_back(std::uint64_t{c} << field_bits | field, answer);
  std::sort(table.answers.begin(), table.answers.end());
  classes = std::max(classes, static_cast<unsigned>(answers.size()));
}

/// Small tables are dense; of larger ones, what takes fewer bits.
void route_tables::choose_form(const std::string& network) {
  constexpr unsigned small_table_bits = 12;
  if (key_bits() <= small_table_bits) return;
  std::size_t most = 1;
  for (const node_table& table : tables_) most = std::max(most, table.answers.size());
  const double answer_bits = parameters_.table.options * option_bits();
  const double dense_bits = std::ldexp(answer_bits, static_cast<int>(key_bits()));
  const bool dense_fits = key_bits() < 64 && std::uint64_t{1} << key_bits() <= max_words;
  for (unsigned index_bits = 1; hashed_rows::ways << index_bits <= max_words; ++index_bits) {
    const std::size_t words = std::size_t{hashed_rows::ways} << index_bits;
    if (dense_fits && dense_bits <= static_cast<double>(words) * (key_bits() + answer_bits)) return;
    if (words >= most && hash_all(index_bits)) return;
  }
  throw std::invalid_argument("the route tables of " + network + " do not fit: a node is asked " +
                              std::to_string(most) + " different things, and no arrangement of them in " +
                              std::to_string(max_words) + " words was found");
}

/// Finds places for the rows of all tables.
bool route_tables::hash_all(unsigned index_bits) {
  for (node_table& table : tables_) {
    std::vector<std::uint64_t> keys;
    for (const auto& [key, answer] : table.answers) keys.push_back(key);
    std::optional<std::vector<std::uint32_t>> rows = hashed_rows::arrange(keys, index_bits);
    if (!rows) return false;
    table.rows = std::move(*rows);
  }
  parameters_.table.index_bits = index_bits;
  return true;
}

unsigned route_tables::option_bits() const {
  return parameters_.table.weight_bits + parameters_.state_bits + parameters_.vcs +
         bits_for(parameters_.ports);
}

std::size_t route_tables::words() const {
  const unsigned index_bits = parameters_.table.index_bits;
  return (index_bits ? std::size_t{hashed_rows::ways} << index_bits : std::size_t{1} << key_bits()) +
         (parameters_.table.class_bits ? parameters_.ports * parameters_.vcs : 0);
}

rtl_parameters route_tables::parameters(const router_config& own, bool local_credits,
                                        unsigned out_depth) const {
  rtl_parameters result = parameters_;
  result.out_depth = out_depth;
  set_router(result, own, local_credits);
  return result;
}

void route_tables::write(node_id node, std::ostream& out) const {
  const node_table& table = table_of(node);
  const bool hashed = parameters_.table.index_bits > 0;
  const std::size_t bits = parameters_.table.options * option_bits() + (hashed ? key_bits() : 0);
  const auto write_row = [&](std::uint64_t key, answer_id answer) {
    table_word word(bits);
    const std::vector<weighed_option>& options = answers_[answer];
    for (unsigned k = 0; k < parameters_.table.options; ++k) {
      const weighed_option option = k < options.size() ? options[k] : weighed_option{};
      word.append(option.way.out_port, bits_for(parameters_.ports));
      word.append(option.way.vcs, parameters_.vcs);
      word.append(option.way.state, parameters_.state_bits);
      word.append(option.weight, parameters_.table.weight_bits);
    }
    if (hashed) word.append(key, key_bits());
    out << word;
  };

  if (hashed) {
    for (const std::uint32_t row : table.rows)
      row ? write_row(table.answers[row - 1].first, table.answers[row - 1].second) : write_row(0, 0);
  } else {
    auto next = table.answers.begin();
    for (std::uint64_t key = 0; key < std::uint64_t{1} << key_bits(); ++key) {
      const bool known = next != table.answers.end() && next->first == key;
      write_row(key, known ? next->second : 0);
      if (known) ++next;
    }
  }
  if (parameters_.table.class_bits == 0) return;
  for (const std::uint32_t c : table.classes) {
    table_word word(bits);
    word.append(c, parameters_.table.class_bits);
    out << word;
  }
}

void route_tables::write_file(node_id node, const std::string& path) const {
  write_text_file(path, [&](std::ostream& out) { write(node, out); });
}

}  // namespace toriscope
