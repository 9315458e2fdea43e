// SPDX-License-Identifier: Apache-2.0
#include "network/distributed/partition_boundary.h"

#include <algorithm>

#include "base/word_reader.h"

namespace toriscope {
namespace {

constexpr cycle_t longest_window = 64;

// A message between two ranks: the header; then a failure, if there is one, or words of wires.
enum header : std::size_t { contribution, suspicion, failed, header_words };

// A word of a wire: the link, its kind and the cycle, counted from the start of the window; then the word;
// behind a head the record of its packet. Or no link, and a packet that has ended.
constexpr std::uint64_t is_credit = std::uint64_t{1} << 31;
constexpr unsigned turn_shift = 56;  // beside the cycle of creation

std::uint64_t label(link_id l, cycle_t since_start) { return std::uint64_t{l} << 32 | since_start; }

void append_failure(std::vector<std::uint64_t>& words, const network_failure& failure) {
  words.insert(words.end(), {failure.cycle, failure.nodes.front()});
  append_text(words, failure.message);
}

network_failure failure_in(word_reader& words) {
  network_failure failure;
  failure.cycle = failure.since = words.next();
  failure.nodes = {static_cast<node_id>(words.next())};
  failure.message = words.text();
  return failure;
}

packet_record record_in(word_reader& words) {
  packet_record record;
  const std::uint64_t first = words.next();
  record.created = first & ((std::uint64_t{1} << turn_shift) - 1);
  record.turn = static_cast<std::uint8_t>(first >> turn_shift);
  record.head_sent = words.next();
  const std::uint64_t ends = words.next();
  record.source = static_cast<node_id>(ends >> 32);
  record.destination = static_cast<node_id>(ends);
  const std::uint64_t rest = words.next();
  record.flits = static_cast<std::uint32_t>(rest >> 32);
  record.hops = static_cast<std::uint32_t>(rest) >> 4;
  record.message_class = static_cast<std::uint8_t>(rest & 15u);
  return record;
}

bool comes_first(const network_failure& a, const network_failure& b) {
  return a.cycle != b.cycle ? a.cycle < b.cycle : a.nodes.front() < b.nodes.front();
}

}  // namespace

cycle_t window_of(const netlist& wiring, const wire_table& wires, const std::vector<std::uint32_t>& rank_of) {
  cycle_t window = longest_window;
  for (const netlist_link& l : wiring.links())
    if (rank_of[l.from] != rank_of[l.to])
      window = std::min<cycle_t>({window, wire_table::flit_delay(l), wires.credit_delay(l)});
  return window;
}

/// Notes what goes into a wire that leaves.
template <class Word>
class partition_boundary::outlet final : public wire_watcher {
 public:
  outlet(partition_boundary& border, delay_line<Word>& w, link_id l, std::uint32_t to)
      : border_(border), wire_(w), link_(l), to_(to) {
    w.watch(*this);
  }
  void word_sent(cycle_t shown) override { note(shown, wire_.shown(shown)); }

 private:
  // A process that drives a link sends in every cycle, also that there is nothing.
  void note(cycle_t shown, flit_word f) {
    if (f.valid()) border_.note_flit(link_, to_, shown, f);
  }
  void note(cycle_t shown, credit_word c) {
    if (c.valid()) border_.note_credit(link_, to_, shown, c);
  }

  partition_boundary& border_;
  delay_line<Word>& wire_;
  const link_id link_;
  const std::uint32_t to_;
};

partition_boundary::partition_boundary(const partition& part, const netlist& wiring, wire_table& wires,
                                       network_state& network)
    : part_(part),
      wiring_(wiring),
      wires_(wires),
      network_(network),
      window_(window_of(wiring, wires, part.rank_of)),
      out_(part.transport->ranks()),
      in_(part.transport->ranks()) {
  for (auto& words : out_) words.resize(header_words);
  make_outlets();
  network_.sinks.push_back(this);
}

partition_boundary::~partition_boundary() = default;

void partition_boundary::make_outlets() {
  for (const link_id l : cut_links()) {
    const netlist_link& cut = wiring_.link(l);
    if (part_.own(cut.from) == part_.own(cut.to)) continue;
    if (part_.own(cut.from)) {
      wires_.make_wire_out(l, network_.memory);
      flit_outlets_.push_back(
          std::make_unique<outlet<flit_word>>(*this, wires_.flit(l), l, part_.rank_of[cut.to]));
    } else {
      wires_.make_credit_wire_out(l, network_.memory);
      credit_outlets_.push_back(
          std::make_unique<outlet<credit_word>>(*this, *wires_.credit(l), l, part_.rank_of[cut.from]));
    }
  }
}

std::vector<link_id> partition_boundary::cut_links() const {
  std::vector<link_id> cut;
  link_id number = 0;
  for (const netlist_link& l : wiring_.links()) {
    if (part_.rank_of[l.from] != part_.rank_of[l.to]) cut.push_back(number);
    ++number;
  }
  return cut;
}

// --- a run that goes on ---

void partition_boundary::go_on(cycle_t now) {
  window_start_ = now;
  packet_table& packets = network_.packets;
  std::vector<packet_id> elsewhere;
  packets.for_each_alive([&](packet_id id, const packet_record& record) {
    if (record.sent())
      everywhere_.insert(id);
    else if (!own(wiring_.terminal(record.source).node))
      elsewhere.push_back(id);
  });
  for (const packet_id id : elsewhere) packets.retire(id);
}

void partition_boundary::ended(packet_id packet) {
  if (!is_everywhere(packet)) return;
  for (auto& words : out_) words.insert(words.end(), {label(no_link, 0), packet});
}

// --- what leaves ---

void partition_boundary::note_flit(link_id l, std::uint32_t to, cycle_t shown, flit_word f) {
  std::vector<std::uint64_t>& words = out_[to];
  words.push_back(label(l, shown - window_start_));
  words.push_back(f.bits);
  ++network_.counters.flits_exported;
  if (f.head()) append_record(words, network_.packet_of(f));
  if (f.tail()) tail_leaves(network_.packet_of(f));
}

void partition_boundary::note_credit(link_id l, std::uint32_t to, cycle_t shown, credit_word c) {
  out_[to].push_back(label(l, shown - window_start_) | is_credit);
  out_[to].push_back(c.vcs);
}

void partition_boundary::append_record(std::vector<std::uint64_t>& words, packet_id packet) const {
  const packet_record& r = network_.packets[packet];
  words.push_back(r.created | std::uint64_t{r.turn} << turn_shift);
  words.push_back(r.head_sent);
  words.push_back(std::uint64_t{r.source} << 32 | r.destination);
  words.push_back(std::uint64_t{r.flits} << 32 | std::uint64_t{r.hops} << 4 | r.message_class);
}

void partition_boundary::tail_leaves(packet_id packet) {
  if (is_everywhere(packet)) return;
  const auto open = tails_to_pass_.find(packet);
  if (open == tails_to_pass_.end()) return network_.packets.retire(packet);
  if (--open->second == 0) tails_to_pass_.erase(open);
}

// --- what comes ---

void partition_boundary::head_comes(packet_id packet, const packet_record& record) {
  if (!network_.packets.has(packet)) return network_.packets.adopt(packet, record);
  network_.packets[packet].hops = record.hops;
  if (!is_everywhere(packet)) ++tails_to_pass_[packet];
}

void partition_boundary::take(word_reader& words) {
  while (words.more()) {
    const std::uint64_t name = words.next();
    const auto l = static_cast<link_id>(name >> 32);
    if (l == no_link) {
      network_.packets.retire(words.next());
      continue;
    }
    const cycle_t shown = window_start_ + (name & (is_credit - 1));
    if (name & is_credit) {
      credit_wire& w = *wires_.credit(l);
      w.send(shown - w.delay_cycles(), {static_cast<std::uint16_t>(words.next())});
      continue;
    }
    const flit_word f{words.next()};
    flit_wire& w = wires_.flit(l);
    w.send(shown - w.delay_cycles(), f);
    ++network_.counters.flits_imported;
    if (f.head()) head_comes(network_.packet_of(f), record_in(words));
  }
}

// --- meetings ---

std::unique_ptr<network_failure> partition_boundary::meet_after(cycle_t done, bool suspects) {
  auto failure = meet(nullptr, suspects);
  window_start_ = done + 1;
  return failure;
}

network_failure partition_boundary::stop(const network_failure& failure) { return *meet(&failure, false); }

rank_words partition_boundary::gather(std::vector<std::uint64_t> words) {
  rank_words all;
  part_.transport->exchange(rank_words(out_.size(), words), all);
  all[part_.transport->rank()] = std::move(words);
  return all;
}

rank_words partition_boundary::bring(std::vector<std::uint64_t> words) {
  rank_words out(out_.size()), in;
  if (rank() == 0) {
    part_.transport->exchange(out, in);
    in[0] = std::move(words);
    return in;
  }
  out[0] = std::move(words);
  part_.transport->exchange(out, in);
  return {};
}

std::vector<std::string> partition_boundary::bring(const std::string& text) {
  std::vector<std::uint64_t> own;
  append_text(own, text);
  std::vector<std::string> texts;
  for (const std::vector<std::uint64_t>& words : bring(std::move(own))) texts.push_back(word_reader(words).text());
  return texts;
}

/// @returns the first failure of all, `own` included
std::unique_ptr<network_failure> partition_boundary::meet(const network_failure* own, bool suspects) {
  const std::int64_t given = part_.contribution();
  for (auto& words : out_) {
    if (own) words.resize(header_words);
    words[contribution] = static_cast<std::uint64_t>(given);
    words[suspicion] = suspects;
    words[failed] = own != nullptr;
    if (own) append_failure(words, *own);
  }
  part_.transport->exchange(out_, in_);

  auto first = own ? std::make_unique<network_failure>(*own) : nullptr;
  std::int64_t sum = given;
  suspected_ = suspects;
  for (const std::vector<std::uint64_t>& message : in_) {
    if (message.empty()) continue;  // our own
    word_reader words(message);
    sum += static_cast<std::int64_t>(words.next());
    if (words.next() != 0) suspected_ = true;
    if (words.next() == 0) {
      take(words);
      continue;
    }
    network_failure failure = failure_in(words);
    if (!first || comes_first(failure, *first)) first = std::make_unique<network_failure>(failure);
  }
  for (auto& words : out_) words.resize(header_words);
  if (first) return first;
  part_.window_done(sum);
  return nullptr;
}

}  // namespace toriscope
