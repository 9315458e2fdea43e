// SPDX-License-Identifier: Apache-2.0
#include "network/tlm/tlm_network.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "base/words.h"

namespace toriscope {

/// What processes send in one evaluation phase goes into the network at the next rising edge, whatever order
/// the processes ran in: by node.
class tlm_network::outbox final : public sc_core::sc_prim_channel {
 public:
  struct message {
    transfer_ptr transfer;
    packet_request packet;  ///< but for its length
    std::vector<std::uint32_t> flits;
  };

  outbox() : sc_prim_channel("outbox") {}

  void send(message m) {
    pending_.push_back(std::move(m));
    request_update();
  }
  std::vector<message> ready;

 private:
  void update() override {
    std::vector<message> sent = std::exchange(pending_, {});
    std::stable_sort(sent.begin(), sent.end(),
                     [](const message& a, const message& b) { return a.packet.source < b.packet.source; });
    std::move(sent.begin(), sent.end(), std::back_inserter(ready));
  }
  std::vector<message> pending_;
};

namespace {

const tlm_config& valid(const tlm_config& config, const packet_network& net) {
  const netlist& wiring = net.wiring();
  std::vector<std::string> errors;
  if (net.config().message_classes < tlm_network::message_classes)
    errors.push_back("the network has " + std::to_string(net.config().message_classes) +
                     " message class; requests and responses need 2: network_config::message_classes and "
                     "topology_options::message_classes");
  if (config.request_queue > 0 && !net.config().limited_reception)
    errors.emplace_back("tlm_config::request_queue needs network_config::limited_reception");
  for (std::string& error : config.validate()) errors.push_back(std::move(error));
  for (const address_range& range : config.map.ranges())
    if (range.node >= wiring.terminal_count())
      errors.push_back("address map: a range of node " + std::to_string(range.node) + "; nodes are 0.." +
                       std::to_string(wiring.terminal_count() - 1));
  if (!errors.empty()) throw std::invalid_argument(joined(errors, "; "));
  return config;
}

/// What no target could make sense of.
tlm::tlm_response_status malformed(const tlm::tlm_generic_payload& payload) {
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) return tlm::TLM_OK_RESPONSE;
  if (payload.get_data_length() == 0 || payload.get_streaming_width() == 0)
    return tlm::TLM_BURST_ERROR_RESPONSE;
  if (payload.get_byte_enable_ptr() && payload.get_byte_enable_length() == 0)
    return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  if (!payload.get_data_ptr()) return tlm::TLM_GENERIC_ERROR_RESPONSE;
  return tlm::TLM_OK_RESPONSE;
}

}  // namespace

tlm_network::tlm_network(const sc_core::sc_module_name& name, packet_network& net, const tlm_config& config)
    : sc_module(name), net_(net), config_(valid(config, net)), outbox_(std::make_unique<outbox>()) {
  net_.set_source(this);
  net_.add_sink(this);
  if (config_.request_queue > 0) net_.set_gate(this);
}

tlm_network::~tlm_network() = default;

node_id tlm_network::checked(node_id n) const {
  if (n < net_.wiring().terminal_count()) return n;
  throw std::logic_error(std::string(name()) + ": a socket of node " + std::to_string(n) +
                         " was asked for; nodes are 0.." +
                         std::to_string(net_.wiring().terminal_count() - 1));
}

std::string tlm_network::module_name(node_id n, const char* what) const {
  std::string text = std::string(name()) + "_" + net_.wiring().terminal_path(n) + "_" + what;
  std::replace(text.begin(), text.end(), '.', '_');
  return text;
}

void tlm_network::refuse_width(node_id n) const {
  throw std::logic_error(std::string(name()) + ": the socket of node " + std::to_string(n) +
                         " was asked for before, with another bus width");
}

unsigned tlm_network::outstanding(node_id n) const {
  const auto entry = entries_.find(n);
  return entry == entries_.end() ? 0 : entry->second->outstanding();
}

// --- from sockets to packets ---

const address_range* tlm_network::range_for(tlm::tlm_generic_payload& payload) const {
  const std::uint64_t span = std::min(payload.get_data_length(), payload.get_streaming_width());
  const address_range* const range = config_.map.find(payload.get_address(), span);
  if (!range || exits_.count(range->node) == 0) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return nullptr;
  }
  if ((payload.is_read() && !range->readable) || (payload.is_write() && !range->writable)) {
    payload.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
    return nullptr;
  }
  return range;
}

transfer_ptr tlm_network::send_request(tlm::tlm_generic_payload& original, node_id source) {
  const tlm::tlm_response_status status = malformed(original);
  if (status != tlm::TLM_OK_RESPONSE) original.set_response_status(status);
  const address_range* const range = status == tlm::TLM_OK_RESPONSE ? range_for(original) : nullptr;
  if (!range) {
    original.set_dmi_allowed(false);
    ++counters_.refused;
    return nullptr;
  }
  const auto transfer =
      std::make_shared<tlm_transfer>(original, original.get_address() - range->base + range->target_base);
  transfer->source = source;
  transfer->destination = range->node;
  transfer->sequence = sequences_[std::uint64_t{source} << 32 | range->node]++;
  std::vector<std::uint32_t> flits = config_.packet_flits(transfer->request_bytes());
  transfer->packets_left = flits.size();
  ++counters_.requests;
  counters_.request_packets += flits.size();
  outbox_->send({transfer, {source, range->node, 0, request_class}, std::move(flits)});
  return transfer;
}

void tlm_network::send_response(const transfer_ptr& transfer) {
  transfer->answering = true;
  std::vector<std::uint32_t> flits = config_.packet_flits(transfer->response_bytes());
  transfer->packets_left = flits.size();
  counters_.response_packets += flits.size();
  outbox_->send({transfer, {transfer->destination, transfer->source, 0, response_class}, std::move(flits)});
}

unsigned tlm_network::debug(tlm::tlm_generic_payload& payload) {
  const std::uint64_t address = payload.get_address();
  const unsigned length = payload.get_data_length();
  const address_range* const range = config_.map.find(address);
  const auto exit = range ? exits_.find(range->node) : exits_.end();
  if (exit == exits_.end()) return 0;
  const std::uint64_t offset = address - range->base;
  payload.set_address(offset + range->target_base);
  payload.set_data_length(static_cast<unsigned>(std::min<std::uint64_t>(length, range->size - offset)));
  const unsigned done = exit->second->debug(payload);
  payload.set_address(address);
  payload.set_data_length(length);
  return done;
}

void tlm_network::packets_at(cycle_t, std::vector<packet_request>& out) {
  packet_id next = net_.packets().created();
  for (outbox::message& m : outbox_->ready) {
    for (const std::uint32_t flits : m.flits) {
      m.packet.flits = flits;
      out.push_back(m.packet);
      flying_.emplace(next++, m.transfer);
    }
  }
  outbox_->ready.clear();
}

// --- from packets to sockets ---

void tlm_network::packet_received(packet_id id, const packet_record& record, cycle_t) {
  if (config_.request_queue > 0 && record.message_class == request_class) --admitted_[record.destination];
  count_packet(id, false);
}

void tlm_network::packet_refused(packet_id id, const packet_record&) { count_packet(id, true); }

void tlm_network::packet_discarded(packet_id id, const packet_record&, node_id, port_id, cycle_t) {
  count_packet(id, true);
}

bool tlm_network::admit(packet_id, const packet_record& record, cycle_t) {
  if (record.message_class != request_class) return true;
  const auto exit = exits_.find(record.destination);
  const std::size_t waiting = exit == exits_.end() ? 0 : exit->second->waiting();
  std::size_t& admitted = admitted_[record.destination];
  if (waiting + admitted >= config_.request_queue) return false;
  ++admitted;
  return true;
}

void tlm_network::count_packet(packet_id id, bool lost) {
  const auto flying = flying_.find(id);
  if (flying == flying_.end()) return;  // not a packet of a transfer
  const transfer_ptr transfer = flying->second;
  flying_.erase(flying);
  transfer->lost = transfer->lost || lost;
  if (--transfer->packets_left == 0) message_ended(transfer);
}

void tlm_network::message_ended(const transfer_ptr& transfer) {
  if (!transfer->answering) exits_.at(transfer->destination)->arrived(transfer);
  if (transfer->lost) transfer->remote.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
  if (!transfer->answering && !transfer->lost) return;
  ++(transfer->lost ? counters_.lost : counters_.responses);
  tlm_entry& entry = *entries_.at(transfer->source);
  if (transfer->abandoned) return entry.abandoned_ended();
  transfer->remote.respond_to(transfer->original);
  entry.answered(transfer->original);
}

}  // namespace toriscope
