// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/observation/transaction_recorder.h"

#include <utility>

namespace toriscope {
namespace {

constexpr int nanoseconds = -9;  ///< a cycle
constexpr std::size_t batch_records = 4096;
constexpr std::size_t batches_waiting = 8;
constexpr unsigned stream_shift = 40;  ///< the identity of a hop: its stream, and its number there

}  // namespace

transaction_recorder::transaction_recorder(const std::string& path, const netlist& wiring, unsigned vcs,
                                           transaction_detail detail)
    : detail_(detail), file_(path, nanoseconds) {
  text_.source = file_.add_text("source");
  text_.destination = file_.add_text("destination");
  text_.message_class = file_.add_text("class");
  text_.flits = file_.add_text("flits");
  text_.sent = file_.add_text("sent");
  text_.hops = file_.add_text("hops");
  text_.packet = file_.add_text("packet");
  text_.vc = file_.add_text("vc");
  text_.out_port = file_.add_text("out_port");
  text_.out_vc = file_.add_text("out_vc");
  text_.state = file_.add_text("state");
  text_.refused = file_.add_text("refused");
  text_.discarded = file_.add_text("discarded");
  text_.under_way = file_.add_text("under way");
  text_.hop = file_.add_text("hop");
  for (std::size_t i = 0; i < stall_causes; ++i)
    text_.waits[i] = file_.add_text(std::string("wait_") + name_of(stall_at(i)));
  for (terminal_id t = 0; t < wiring.terminal_count(); ++t)
    terminals_.push_back(file_.add_text(wiring.terminal_address(t)));
  add_streams(wiring, vcs);
  file_.begin();
  writer_ = std::thread([this] { write_batches(); });
}

transaction_recorder::~transaction_recorder() { stop(false); }

/// As waves name them: "ttn.bm_1_2.node_0_3.ni", "ttn.bm_1_2.node_0_3.in_x+".
void transaction_recorder::add_streams(const netlist& wiring, unsigned vcs) {
  interfaces_.resize(wiring.terminal_count());
  std::vector<std::string> names;  // of ports
  std::vector<ftr_text> texts;
  for (node_id n = 0; n < wiring.node_count(); ++n) {
    const std::string node = wiring.name() + '.' + wiring.path(n) + '.';
    const unsigned ports = wiring.port_count(n), local = wiring.local_port(n);
    first_port_.push_back(inputs_.size());
    for (unsigned i = local; i < ports; ++i) {
      const terminal_id t = wiring.entering(n, static_cast<port_id>(i));
      if (t == no_terminal) continue;
      stream& s = interfaces_[t];
      s.number = file_.add_stream(
          node + (wiring.local_ports(n) == 1 ? "ni" : "ni" + std::to_string(i - local)), "packets");
      s.generator = file_.add_generator(s.number, "packets");
    }
    for (unsigned i = 0; i < ports; ++i) {
      const auto p = static_cast<port_id>(i);
      const std::string name = wiring.port_name(n, p);
      std::size_t known = 0;
      while (known < names.size() && names[known] != name) ++known;
      if (known == names.size()) {
        names.push_back(name);
        texts.push_back(file_.add_text(name));
      }
      port_names_.push_back(texts[known]);
      inputs_.emplace_back();
      const bool enters = i < local ? wiring.ports(n)[p].in != no_link : wiring.entering(n, p) != no_terminal;
      if (!enters || detail_ == transaction_detail::packets) continue;
      stream& s = inputs_.back();
      s.number = file_.add_stream(node + "in_" + name, "hops");
      for (unsigned v = 0; v < vcs; ++v) {
        const std::uint32_t g = file_.add_generator(s.number, "vc" + std::to_string(v));
        if (v == 0) s.generator = g;
      }
    }
  }
}

// --- in the simulation ---

void transaction_recorder::hop_ended(const hop_record& hop) {
  batch_.hops.push_back(hop);
  if (batch_.hops.size() >= batch_records) hand_over();
}

void transaction_recorder::add(packet_id id, const packet_record& record, cycle_t end, packet_end how) {
  batch_.packets.push_back({id, record, end, how});
  if (batch_.packets.size() >= batch_records) hand_over();
}

void transaction_recorder::packet_received(packet_id id, const packet_record& record, cycle_t received) {
  add(id, record, received, packet_end::received);
}

void transaction_recorder::packet_refused(packet_id id, const packet_record& record) {
  add(id, record, record.created, packet_end::refused);
}

void transaction_recorder::packet_discarded(packet_id id, const packet_record& record, node_id, port_id,
                                            cycle_t discarded) {
  add(id, record, discarded, packet_end::discarded);
  discarded_.insert(id);
}

void transaction_recorder::close(const packet_table& packets, cycle_t cycles_done) {
  for (packet_id id = 0; id < packets.created(); ++id)
    if (packets.has(id) && discarded_.count(id) == 0) add(id, packets[id], cycles_done, packet_end::unfinished);
  hand_over();
  stop(true);
  file_.close();
}

// --- between the two threads ---

void transaction_recorder::hand_over() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return waiting_.size() < batches_waiting; });
  waiting_.push_back(std::exchange(batch_, {}));
  if (!empty_.empty()) {
    batch_ = std::move(empty_.back());
    empty_.pop_back();
  }
  changed_.notify_all();
}

void transaction_recorder::stop(bool writes_rest) {
  if (!writer_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
    drops_ = !writes_rest;
  }
  changed_.notify_all();
  writer_.join();
}

// --- in the writing thread ---

void transaction_recorder::write_batches() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return ends_ || !waiting_.empty(); });
    if (drops_ || waiting_.empty()) return;
    batch done = std::move(waiting_.front());
    waiting_.erase(waiting_.begin());
    changed_.notify_all();
    lock.unlock();
    for (const hop_record& hop : done.hops) write(hop);
    for (const ended_packet& packet : done.packets) write(packet);
    done.hops.clear();
    done.packets.clear();
    lock.lock();
    empty_.push_back(std::move(done));
  }
}

void transaction_recorder::write(const hop_record& hop) {
  const std::size_t first = first_port_[hop.node];
  stream& s = inputs_[first + hop.in_port];
  const std::uint64_t id = std::uint64_t{s.number} << stream_shift | s.transactions++;
  ftr_transaction t(id, s.generator + hop.in_vc, hop.begin, hop.end);
  t.add_number(text_.packet, hop.packet);
  t.add_number(text_.vc, hop.in_vc);
  if (hop.out_port >= 0) {
    t.add_text(text_.out_port, port_names_[first + static_cast<unsigned>(hop.out_port)]);
    t.add_number(text_.out_vc, static_cast<unsigned>(hop.out_vc));
  }
  if (hop.how != hop_end::sent)
    t.add_text(text_.state, hop.how == hop_end::discarded ? text_.discarded : text_.under_way);
  unsigned causes = 0;
  for (std::size_t i = 0; i < stall_causes; ++i) {
    if (hop.waits[i] == 0) continue;
    t.add_number(text_.waits[i], hop.waits[i]);
    causes |= 1u << i;
  }
  const auto way = static_cast<unsigned>((hop.out_port + 1) << 16 | (hop.out_vc + 1) << 8 | hop.in_vc);
  file_.add(s.number, t, (way + causes * 0x85ebca6bu) * 0x9e3779b1u >> 20);
  if (detail_ == transaction_detail::relations)
    file_.relate(text_.hop, interfaces_[hop.source].number, hop.packet, s.number, id);
}

void transaction_recorder::write(const ended_packet& packet) {
  const packet_record& r = packet.record;
  const stream& s = interfaces_[r.source];
  ftr_transaction t(packet.id, s.generator, r.created, packet.end);
  t.add_text(text_.source, terminals_[r.source]);
  t.add_text(text_.destination, terminals_[r.destination]);
  t.add_number(text_.message_class, r.message_class);
  t.add_number(text_.flits, r.flits);
  t.add_number(text_.hops, r.hops);
  if (r.sent()) t.add_time(text_.sent, r.head_sent);
  if (packet.how == packet_end::refused) t.add_text(text_.state, text_.refused);
  if (packet.how == packet_end::discarded) t.add_text(text_.state, text_.discarded);
  if (packet.how == packet_end::unfinished) t.add_text(text_.state, text_.under_way);
  file_.add(s.number, t, static_cast<unsigned>(t.bytes().size()));
}

}  // namespace toriscope
