// SPDX-License-Identifier: Apache-2.0
// TLM-2.0 over a network: a TTN of 256 routers with loosely-timed initiators, a DMA engine that is
// approximately timed, and memories at its nodes. What the initiators wrote and the DMA engine copied is
// compared at the end.
#include <cstdint>
#include <cstring>
#include <deque>
#include <iostream>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <tlm_utils/tlm_quantumkeeper.h>

#include "network/network.h"
#include "network/tlm/tlm_network.h"
#include "network/transaction/transaction_network.h"
#include "topologies/registry.h"

using namespace toriscope;
using sc_core::sc_time;

constexpr std::uint64_t memory_bytes = 0x1000;
constexpr unsigned block = 64;  // bytes of a transaction

void fill_in(tlm::tlm_generic_payload& p, tlm::tlm_command command, std::uint64_t address,
             unsigned char* data, unsigned bytes) {
  p.set_command(command);
  p.set_address(address);
  p.set_data_ptr(data);
  p.set_data_length(bytes);
  p.set_streaming_width(bytes);
  p.set_byte_enable_ptr(nullptr);
  p.set_dmi_allowed(false);
  p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
}

struct memory : sc_core::sc_module {
  tlm_utils::simple_target_socket<memory> socket{"socket"};
  std::vector<unsigned char> bytes = std::vector<unsigned char>(memory_bytes);

  explicit memory(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_b_transport(this, &memory::access);
    socket.register_transport_dbg(this, &memory::look);
  }
  void access(tlm::tlm_generic_payload& p, sc_time& delay) {
    delay += sc_time(30, sc_core::SC_NS);
    look(p);
    p.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  unsigned look(tlm::tlm_generic_payload& p) {
    unsigned char* const here = bytes.data() + p.get_address();
    if (p.is_write()) std::memcpy(here, p.get_data_ptr(), p.get_data_length());
    if (p.is_read()) std::memcpy(p.get_data_ptr(), here, p.get_data_length());
    return p.get_data_length();
  }
};

/// Loosely timed: runs ahead of simulated time by up to a quantum, and writes a block now and then.
struct generator : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<generator> socket{"socket"};
  const std::uint64_t region;
  unsigned errors = 0;

  SC_HAS_PROCESS(generator);
  generator(const sc_core::sc_module_name& name, std::uint64_t to) : sc_module(name), region(to) {
    SC_THREAD(run);
  }
  void run() {
    tlm_utils::tlm_quantumkeeper ahead;
    ahead.reset();
    tlm::tlm_generic_payload p;
    for (unsigned offset = 0; offset < memory_bytes; offset += block) {
      ahead.inc(sc_time(20, sc_core::SC_NS));  // it computes what it writes
      unsigned char data[block];
      for (unsigned i = 0; i < block; ++i)
        data[i] = static_cast<unsigned char>(region / memory_bytes + offset + i);
      fill_in(p, tlm::TLM_WRITE_COMMAND, region + offset, data, block);
      sc_time delay = ahead.get_local_time();
      socket->b_transport(p, delay);
      ahead.set(delay);
      if (!p.is_response_ok()) ++errors;
      if (ahead.need_sync()) ahead.sync();
    }
  }
};

/// Approximately timed: copies a memory, several blocks on their way at a time: what has been read is
/// written.
struct dma : sc_core::sc_module, tlm::tlm_mm_interface {
  tlm_utils::simple_initiator_socket<dma> socket{"socket"};
  const std::uint64_t from, to;
  std::vector<std::unique_ptr<tlm::tlm_generic_payload>> channels;
  std::vector<unsigned char> data = std::vector<unsigned char>(memory_bytes);
  std::deque<tlm::tlm_generic_payload*> writes;
  sc_core::sc_event changed;
  bool requesting = false;
  unsigned errors = 0, copied = 0;

  SC_HAS_PROCESS(dma);
  dma(const sc_core::sc_module_name& name, std::uint64_t source, std::uint64_t destination)
      : sc_module(name), from(source), to(destination) {
    socket.register_nb_transport_bw(this, &dma::answer);
    SC_THREAD(run);
  }
  void free(tlm::tlm_generic_payload*) override { changed.notify(sc_core::SC_ZERO_TIME); }

  void run() {
    wait(40, sc_core::SC_US);  // until the generators are done
    for (unsigned offset = 0; offset < memory_bytes; offset += block) {
      channels.push_back(std::make_unique<tlm::tlm_generic_payload>(this));
      fill_in(*channels.back(), tlm::TLM_READ_COMMAND, from + offset, &data[offset], block);
      begin(*channels.back());
    }
    for (; copied < memory_bytes / block; ++copied) {
      while (writes.empty()) wait(changed);
      tlm::tlm_generic_payload& p = *writes.front();
      writes.pop_front();
      while (p.get_ref_count() > 0) wait(changed);  // the network still holds the read
      fill_in(p, tlm::TLM_WRITE_COMMAND, p.get_address() - from + to, p.get_data_ptr(), block);
      begin(p);
    }
  }
  void begin(tlm::tlm_generic_payload& p) {
    p.acquire();
    requesting = true;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_time delay;
    socket->nb_transport_fw(p, phase, delay);
    while (requesting) wait(changed);  // END_REQ: the network has room for it
  }
  tlm::tlm_sync_enum answer(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_time&) {
    changed.notify(sc_core::SC_ZERO_TIME);
    if (phase == tlm::END_REQ) {
      requesting = false;
      return tlm::TLM_ACCEPTED;
    }
    if (!p.is_response_ok()) ++errors;
    if (p.is_read()) writes.push_back(&p);
    p.release();
    return tlm::TLM_COMPLETED;
  }
};

std::unique_ptr<packet_network> make_chip(const topology& made, const network_config& routers,
                                          sc_core::sc_clock& clock, bool transactions) {
  if (transactions)
    return std::make_unique<transaction_network>("ttn", made.wiring, made.routing, routers, clock.period());
  auto chip = std::make_unique<network>("ttn", made.wiring, made.routing, routers);
  chip->clk(clock);
  return chip;
}

int sc_main(int argc, char*[]) {
  tlm::tlm_global_quantum::instance().set(sc_time(200, sc_core::SC_NS));
  topology_options two_classes;
  two_classes.vcs = 8;
  two_classes.message_classes = tlm_network::message_classes;
  const topology ttn = make_topology("ttn:2,2,0", two_classes);
  network_config routers;
  routers.router.vcs = two_classes.vcs;
  routers.message_classes = tlm_network::message_classes;
  sc_core::sc_clock clock("clock", 1, sc_core::SC_NS);
  const auto chip = make_chip(ttn, routers, clock, argc > 1);

  // Memory i is at node 16 i + 5, in the basic module i, and serves the addresses from i * memory_bytes on.
  const unsigned memories = 16;
  tlm_config config;
  for (unsigned i = 0; i < memories; ++i) config.map.add({16 * i + 5, i * memory_bytes, memory_bytes});
  tlm_network sockets("tlm", *chip, config);
  std::vector<std::unique_ptr<memory>> banks;
  for (unsigned i = 0; i < memories; ++i) {
    banks.push_back(std::make_unique<memory>(("memory_" + std::to_string(i)).c_str()));
    sockets.initiator_socket(16 * i + 5).bind(banks.back()->socket);
  }
  // Generator i, in the basic module i, writes the memory of another.
  std::vector<std::unique_ptr<generator>> generators;
  for (unsigned i = 0; i < memories - 1; ++i) {
    const std::uint64_t region = (i + 7) % (memories - 1) * memory_bytes;
    generators.push_back(std::make_unique<generator>(("generator_" + std::to_string(i)).c_str(), region));
    generators.back()->socket.bind(sockets.target_socket(16 * i));
  }
  dma copier("dma", 0, (memories - 1) * memory_bytes);  // the first memory to the last
  copier.socket.bind(sockets.target_socket(100));

  sc_core::sc_start(100, sc_core::SC_US);

  unsigned wrong = copier.errors;
  for (const auto& g : generators) wrong += g->errors;
  for (unsigned i = 0; i < memories; ++i)
    for (unsigned b = 0; b < memory_bytes; ++b) {
      const unsigned wrote = i == memories - 1 ? 0 : i;
      wrong += banks[i]->bytes[b] != static_cast<unsigned char>(wrote + b);
    }
  const tlm_counters& counted = sockets.counters();
  std::cout << counted.responses << " transactions in " << counted.request_packets + counted.response_packets
            << " packets, " << copier.copied << " blocks copied, " << wrong << " bytes or responses wrong\n";
  return sockets.idle() && wrong == 0 ? 0 : 1;
}
