// SPDX-License-Identifier: Apache-2.0
// Drives an exported network on its own: reads a file of packets, hands them to network interfaces at the
// local ports, and prints how many arrived and the hash over all of them.
//
//   use       testbench PACKETS +route_tables=DIR
//   PACKETS   lines "cycle source destination length [class=N] [after=N,...] [delay=N]"; a terminal is a number
//             or an address; what a packet is after is ignored; # starts a comment
//   contract  edge t of the clock is cycle t; before it, flit_i and credit_i hold what was sent in t-1, after
//             it flit_o and credit_o hold what was sent in t, which is shown in t+1
//   routes    where the routing draws a packet's way, the interface draws the route state of its head by the packet's
//             number, or the packets of each pair take them in turn
//
// Stands on the network's header (network.h) and Verilator only.
#include <verilated.h>

#include <algorithm>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "Vnetwork.h"
#include "network.h"

#ifndef FLIT_BITS
#define FLIT_BITS 64
#endif

namespace {

using word = std::uint64_t;
using exported::message_classes;
using exported::terminals;
using exported::vcs;
constexpr bool shared = exported::shared_classes;

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "testbench: %s\n", what.c_str());
  std::exit(1);
}

// --- packets ---

struct packet {
  word created;
  unsigned source, destination;
  unsigned flits;
  unsigned message_class = 0;
  word state = 0;  ///< the route state of its head when it is injected
};

/// Whether `text` is a whole number up to `most`, by the rules of toriscope's own reader: digits alone.
bool to_number(const std::string& text, word most, word& value) {
  value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return false;
    value = 10 * value + static_cast<word>(c - '0');
    if (value > most) return false;
  }
  return !text.empty();
}

constexpr word last_cycle = word{1} << 48;
constexpr word most_flits = 65535;

/// A number, or else an address.
unsigned terminal_of(const std::string& text) {
  word number = 0;
  if (to_number(text, terminals - 1, number)) return static_cast<unsigned>(number);
  for (unsigned t = 0; t < terminals; ++t)
    if (text == exported::addresses[t]) return t;
  fail("there is no terminal " + text);
}

/// What stands behind the length of packet `number`.
void read_extra(const std::string& text, packet& p, std::size_t number, const std::string& line) {
  const std::size_t equals = std::min(text.find('='), text.size() - 1);
  const std::string key = text.substr(0, equals), value = text.substr(equals + 1);
  bool known = key == "after" ? number > 0 : (key == "class" || key == "delay") && value.find(',') == std::string::npos;
  word read = 0;
  std::istringstream numbers(value + ',');
  for (std::string n; std::getline(numbers, n, ',');)
    known = known && to_number(n, key == "after" ? number - 1 : last_cycle, read);
  if (!known) fail("expected class=N, after=N,... or delay=N behind the length: " + line);
  if (key != "class") return;
  if (read >= message_classes)
    fail("the network has " + std::to_string(message_classes) + " message classes: " + line);
  p.message_class = static_cast<unsigned>(read);
}

/// The packet of a line without its comment.
packet read_packet(const std::string& line, std::size_t number) {
  std::istringstream fields(line);
  std::string cycle, source, destination, length;
  packet p{};
  word flits = 0;
  if (!(fields >> cycle >> source >> destination >> length) || !to_number(cycle, last_cycle, p.created) ||
      !to_number(length, most_flits, flits) || flits == 0)
    fail("not 'cycle source destination length': " + line);
  p.source = terminal_of(source);
  p.destination = terminal_of(destination);
  p.flits = static_cast<unsigned>(flits);
  for (std::string more; fields >> more;) read_extra(more, p, number, line);
  return p;
}

/// In order of creation: by cycle, then as they stand in the file. The place is the packet's number.
std::vector<packet> read_packets(const char* path) {
  std::ifstream file(path);
  if (!file) fail(std::string("cannot open ") + path);
  std::vector<packet> packets;
  bool recorded = false, ended = false;
  std::string line;
  for (bool first = true; std::getline(file, line); first = false) {
    recorded = recorded || (first && line == "# toriscope packets 1");
    const auto is_blank = [&] { return line.find_first_not_of(" \t\r\v\f") == std::string::npos; };
    if (is_blank()) continue;
    ended = !file.eof() && line.rfind("# end packets=" + std::to_string(packets.size()) + ' ', 0) == 0;
    line.erase(std::min(line.find('#'), line.size()));
    if (is_blank()) continue;
    if (file.eof()) fail("the last line does not end with a newline: is the file cut off?");
    packets.push_back(read_packet(line, packets.size()));
  }
  if (recorded && !ended) fail("the file does not end with '# end packets=N' of its N packets: is it cut off?");
  if (packets.empty()) fail(std::string(path) + " has no packets");
  std::stable_sort(packets.begin(), packets.end(),
                   [](const packet& a, const packet& b) { return a.created < b.created; });
  return packets;
}

// --- the word on a link: valid, head, tail, VC (4 bits), then {destination, state} or the index, the tag ---

constexpr unsigned field_shift = 7;
constexpr unsigned tag_shift = field_shift + exported::destination_bits + exported::state_bits;
constexpr unsigned flit_bits = FLIT_BITS;
constexpr unsigned word_bits = flit_bits < 64 ? flit_bits : 64;
static_assert(word_bits > tag_shift, "FLIT_BITS leaves no bit for the tag");
constexpr word index_mask = (word{1} << (tag_shift - field_shift)) - 1;
constexpr word destination_mask = (word{1} << exported::destination_bits) - 1;

bool is_valid(word f) { return f & 1; }
bool is_head(word f) { return f & 2; }
bool is_tail(word f) { return f & 4; }
unsigned vc_of(word f) { return f >> 3 & 15; }

word mix(word x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}
/// A route state drawn for a packet's head when it is injected.
word drawn_state(word number) {
  constexpr word states = exported::injection_states;
  return states == 1 ? 0 : (mix((number + 1) * 0x9e3779b97f4a7c15u) >> 32) * states >> 32;
}

word make_flit(word number, const packet& p, unsigned index, unsigned vc) {
  const bool head = index == 0, tail = index + 1 == p.flits;
  const word field = head ? p.state << exported::destination_bits | p.destination : index & index_mask;
  return number << tag_shift | field << field_shift | word{vc} << 3 | word{tail} << 2 | word{head} << 1 | 1;
}

// --- the hash of what arrived: order does not matter ---

word mix(std::initializer_list<word> values) {
  word hash = *values.begin();
  for (auto v = values.begin() + 1; v != values.end(); ++v) hash = mix(hash + 0x9e3779b97f4a7c15u) ^ *v;
  return mix(hash);
}

// --- pins: Verilator's vectors of any width, the lowest byte first ---

/// `count` bits, 64 at most, from `bit` on.
word bits_at(const void* pins, std::size_t bit, unsigned count) {
  const auto* bytes = static_cast<const unsigned char*>(pins);
  word value = 0;
  for (unsigned done = 0; done < count;) {
    const std::size_t at = bit + done;
    value |= word{static_cast<unsigned char>(bytes[at / 8] >> at % 8)} << done;
    done += 8 - at % 8;
  }
  return count < 64 ? value & ((word{1} << count) - 1) : value;
}

void set_bits(void* pins, std::size_t bit, unsigned count, word value) {
  auto* bytes = static_cast<unsigned char*>(pins);
  for (unsigned done = 0; done < count; ++done) {
    const std::size_t at = bit + done;
    const unsigned mask = 1u << at % 8;
    bytes[at / 8] =
        static_cast<unsigned char>(value >> done & 1 ? bytes[at / 8] | mask : bytes[at / 8] & ~mask);
  }
}

/// The lowest bits, which the routers look at, and the tag.
word flit_at(const void* pins, unsigned terminal) {
  return bits_at(pins, std::size_t{terminal} * flit_bits, word_bits);
}

/// Payload beyond them: it follows from them.
word payload_of(word flit, unsigned from) {
  constexpr word hop = (word{1} << field_shift) - 8;  // the VC is another at the other end
  const word routed = is_head(flit) ? flit & ~(index_mask << field_shift) : flit;
  return mix((routed & ~hop) + from);
}

void set_flit(void* pins, unsigned terminal, word flit) {
  const std::size_t first = std::size_t{terminal} * flit_bits;
  set_bits(pins, first, word_bits, flit);
  for (unsigned from = 64; from < flit_bits; from += 64)
    set_bits(pins, first + from, std::min(64u, flit_bits - from),
             is_valid(flit) ? payload_of(flit, from) : 0);
}

bool has_its_payload(const void* pins, unsigned terminal, word flit) {
  for (unsigned from = 64; from < flit_bits; from += 64) {
    const unsigned count = std::min(64u, flit_bits - from);
    const word expected = payload_of(flit, from) & (count < 64 ? (word{1} << count) - 1 : ~word{0});
    if (bits_at(pins, std::size_t{terminal} * flit_bits + from, count) != expected) return false;
  }
  return true;
}

word credits_at(const void* pins, unsigned terminal) {
  const auto* bytes = static_cast<const unsigned char*>(pins);
  word credits = 0;
  for (unsigned v = 0; v < vcs; ++v) {
    const unsigned bit = terminal * vcs + v;
    credits |= word{bytes[bit / 8] >> bit % 8 & 1u} << v;
  }
  return credits;
}
void set_credits(void* pins, unsigned terminal, word credits) {
  auto* bytes = static_cast<unsigned char*>(pins);
  for (unsigned v = 0; v < vcs; ++v) {
    const unsigned bit = terminal * vcs + v;
    const unsigned mask = 1u << bit % 8;
    unsigned char& byte = bytes[bit / 8];
    byte = static_cast<unsigned char>(credits >> v & 1 ? byte | mask : byte & ~mask);
  }
}

// --- the network interface ---

class network_interface {
 public:
  explicit network_interface(const exported::router_buffers& entry) : entry_vcs_(entry.vcs) {
    std::fill(credits_, credits_ + vcs, entry.depth);
  }

  void enqueue(std::size_t number, unsigned message_class) { queues_[message_class].packets.push_back(number); }

  void take_credits(word freed) {
    for (unsigned v = 0; v < vcs; ++v) credits_[v] += freed >> v & 1;
  }

  /// The flit to send in this cycle; 0: none.
  word send(const std::vector<packet>& packets) {
    for (unsigned k = 0; k < message_classes; ++k) {
      const unsigned m = (class_pointer_ + k) % message_classes;
      source_queue& queue = queues_[m];
      if (queue.packets.empty() || !has_vc(m)) continue;
      class_pointer_ = (m + 1) % message_classes;
      --credits_[queue.vc];
      const std::size_t number = queue.packets.front();
      const word f = make_flit(number, packets[number], queue.sent++, queue.vc);
      if (is_tail(f)) {
        queue.packets.pop_front();
        queue.sent = 0;
      }
      return f;
    }
    return 0;
  }

  /// Takes a flit; true when its packet is complete. `number` is that of the packet.
  bool receive(word f, unsigned terminal, const std::vector<packet>& packets, word& number) {
    arriving& open = arriving_[vc_of(f)];
    number = f >> tag_shift;
    if (number >= packets.size()) fail("a flit of packet " + std::to_string(number) + ", which was not sent");
    const std::string name = "packet " + std::to_string(number);
    const word field = f >> field_shift & index_mask;
    if (is_head(f)) {
      if (open.flits != 0) fail(name + " begins within another of its VC");
      if ((field & destination_mask) != terminal)
        fail(name + " is at the wrong terminal, " + std::to_string(terminal));
      open.number = number;
    } else if (open.flits == 0 || open.number != number || field != (open.flits & index_mask)) {
      fail(name + ": a flit is out of order");
    }
    ++open.flits;
    const unsigned flits = packets[number].flits;
    if (is_tail(f) ? open.flits != flits : open.flits >= flits)
      fail(name + " has another length than " + std::to_string(flits) + " flits");
    if (!is_tail(f)) return false;
    open.flits = 0;
    return true;
  }

 private:
  struct arriving {
    word number = 0;
    unsigned flits = 0;
  };

  /// Packets of a class; the first one is being sent.
  struct source_queue {
    std::deque<std::size_t> packets;
    unsigned sent = 0;     ///< flits of the first one
    unsigned vc = 0;       ///< its VC, once one has been sent
    unsigned pointer = 0;  ///< where the search for a VC begins; of shared classes that of class 0
  };

  /// Whether the class can send a flit: its packet has a VC with a credit, or there is one for the next packet.
  bool has_vc(unsigned m) {
    source_queue& queue = queues_[m];
    if (queue.sent > 0) return credits_[queue.vc] > 0;
    const unsigned first = shared ? 0 : m * vcs / message_classes;
    const unsigned count = shared ? entry_vcs_ : std::min(entry_vcs_, vcs / message_classes);
    unsigned& pointer = queues_[shared ? 0 : m].pointer;
    for (unsigned k = 0; k < count; ++k)
      if (const unsigned v = first + (pointer + k) % count; credits_[v] > 0 && !is_busy(v)) {
        queue.vc = v;
        pointer = (v - first + 1) % count;
        return true;
      }
    return false;
  }
  /// A packet of another class is on this VC.
  bool is_busy(unsigned v) const {
    return std::any_of(std::begin(queues_), std::end(queues_),
                       [v](const source_queue& q) { return q.sent > 0 && q.vc == v; });
  }

  source_queue queues_[message_classes];
  const unsigned entry_vcs_;
  unsigned credits_[vcs];
  arriving arriving_[vcs];
  unsigned class_pointer_ = 0;
};

// --- the run ---

class testbench {
 public:
  testbench(VerilatedContext& context, std::vector<packet> packets)
      : context_(context),
        packets_(std::move(packets)),
        interfaces_(std::begin(exported::buffers), std::end(exported::buffers)),
        top_(&context, "TOP") {
    if (word_bits - tag_shift < 64 && packets_.size() > word{1} << (word_bits - tag_shift))
      fail("FLIT_BITS is " + std::to_string(flit_bits) + ": a payload of " + std::to_string(word_bits - tag_shift) +
           " bits does not number " + std::to_string(packets_.size()) + " packets");
    top_.rst_i = 1;
    for (int edge = 0; edge < 2; ++edge) clock();
    top_.rst_i = 0;
  }

  /// Until all packets have arrived.
  void run() {
    constexpr word patience = 1000000;
    word last_arrival = 0;
    for (cycle_ = 0; received_ < packets_.size(); ++cycle_) {
      const bool all_created = next_ == packets_.size();
      const word before = received_;
      step();
      if (received_ != before || !all_created) last_arrival = cycle_;
      if (cycle_ - last_arrival > patience) fail("nothing has arrived for a long time");
    }
    top_.final();
  }

  void print() const {
    std::printf("packets %" PRIu64 "\ncycles %" PRIu64 "\npacket_hash %016" PRIx64 "\n", received_, cycle_,
                hash_);
  }

 private:
  void clock() {
    top_.clk_i = 0;
    eval();
    top_.clk_i = 1;
    eval();
  }
  void eval() {
    top_.eval();
    context_.timeInc(500);
  }

  /// What the interfaces do with the words shown in this cycle goes onto the pins after its edge.
  void step() {
    for (; next_ < packets_.size() && packets_[next_].created <= cycle_; ++next_) {
      packets_[next_].state = state_at_injection(next_);
      interfaces_[packets_[next_].source].enqueue(next_, packets_[next_].message_class);
    }
    std::vector<word> sent(terminals), freed(terminals);
    for (unsigned n = 0; n < terminals; ++n) {
      const word f = flit_at(&top_.flit_o, n);
      if (is_valid(f)) {
        if (!has_its_payload(&top_.flit_o, n, f))
          fail("packet " + std::to_string(f >> tag_shift) + ": a flit has another payload");
        accept(n, f);
        freed[n] = word{1} << vc_of(f);
      }
      interfaces_[n].take_credits(credits_at(&top_.credit_o, n));
      sent[n] = interfaces_[n].send(packets_);
    }
    clock();
    for (unsigned n = 0; n < terminals; ++n) {
      set_flit(&top_.flit_i, n, sent[n]);
      set_credits(&top_.credit_i, n, freed[n]);
    }
  }

  /// Drawn, or what the packets of the pair take in turn.
  word state_at_injection(std::size_t number) {
    if (!exported::states_in_turn) return drawn_state(number);
    const word pair = word{packets_[number].source} * terminals + packets_[number].destination;
    return (drawn_state(pair) + packets_of_pair_[pair]++) % exported::injection_states;
  }

  void accept(unsigned terminal, word flit) {
    word number = 0;
    if (!interfaces_[terminal].receive(flit, terminal, packets_, number)) return;
    const packet& p = packets_[number];
    hash_ += mix({p.source, p.destination, p.created, cycle_});
    ++received_;
  }

  VerilatedContext& context_;
  std::vector<packet> packets_;
  std::vector<network_interface> interfaces_;
  Vnetwork top_;
  std::size_t next_ = 0;  ///< the next packet to be created
  word cycle_ = 0;
  word received_ = 0;
  word hash_ = 0;
  std::map<word, word> packets_of_pair_;  ///< created so far, if they take turns
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '+') fail("usage: testbench PACKETS +route_tables=DIR");
  for (int i = 2; i < argc; ++i)
    if (std::strncmp(argv[i], "+stall=", 7) == 0 && std::strcmp(argv[i], "+stall=0") != 0)
      fail(std::string(argv[i]) + ": streams wait in testbench.sv only; expected make run_sv or make run_icarus");
  VerilatedContext context;
  context.commandArgs(argc, argv);
  auto bench = std::make_unique<testbench>(context, read_packets(argv[1]));
  bench->run();
  bench->print();
  return 0;
}
