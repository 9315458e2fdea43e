// SPDX-License-Identifier: Apache-2.0
#include "traces/ftr_file.h"

#include <algorithm>
#include <utility>

#include "traces/lz4_block.h"

namespace toriscope {
namespace {

constexpr std::size_t memory_bytes = std::size_t{32}
                                     << 20;  ///< of blocks; packed ones take about as much again
constexpr std::size_t least_block = 1024, largest_block = 61440;
constexpr unsigned self_described = 55799;  ///< tag of a CBOR file
constexpr unsigned epoch = 1;               ///< tag of a time in seconds
constexpr unsigned stream_entry = 16, generator_entry = 17;
constexpr unsigned event = 6, attribute = 8;
constexpr unsigned frame_kind = lz4_records::kinds - 1;  ///< of what is not a transaction

std::string_view open_array() { return {"\x9f", 1}; }
std::string_view end_of_array() { return {"\xff", 1}; }

}  // namespace

ftr_transaction::ftr_transaction(std::uint64_t id, std::uint32_t generator, std::uint64_t begin,
                                 std::uint64_t end)
    : begin_(begin), end_(end) {
  at_ = put_cbor(at_, cbor_type::array, 1);
  at_ = put_cbor(at_, cbor_type::tag, event);
  at_ = put_cbor(at_, cbor_type::array, 4);
  for (const std::uint64_t number : {id, std::uint64_t{generator}, begin, end})
    at_ = put_cbor(at_, cbor_type::number, number);
}

void ftr_transaction::add(ftr_text name, unsigned data_type, std::uint64_t value) {
  ++*bytes_;  // the count of items is below 24: it is in the first byte
  at_ = put_cbor(at_, cbor_type::tag, attribute);
  at_ = put_cbor(at_, cbor_type::array, 3);
  at_ = put_cbor(at_, cbor_type::number, name);
  at_ = put_cbor(at_, cbor_type::number, data_type);
  at_ = put_cbor(at_, cbor_type::number, value);
}

ftr_file::ftr_file(std::string path, int timescale) : out_(std::move(path)), blocks_(1) {
  std::string text;
  add_cbor(text, cbor_type::tag, self_described);
  text += static_cast<char>(cbor_open_array);
  std::string content;
  add_cbor(content, cbor_type::array, 2);
  add_cbor_number(content, timescale);
  add_cbor(content, cbor_type::tag, epoch);
  add_cbor_number(content, 0);
  add_cbor(text, cbor_type::tag, info);
  add_cbor(text, cbor_type::bytes, content.size());
  out_.write(text + content);
  add_text("");
}

ftr_text ftr_file::add_text(std::string_view text) {
  add_cbor_number(texts_, text_count_);
  add_cbor_text(texts_, text);
  return text_count_++;
}

std::uint32_t ftr_file::add_stream(std::string_view name, std::string_view kind) {
  const auto number = static_cast<std::uint32_t>(blocks_.size());
  blocks_.emplace_back();
  add_cbor(directory_, cbor_type::tag, stream_entry);
  add_cbor(directory_, cbor_type::array, 3);
  add_cbor_number(directory_, number);
  add_cbor_number(directory_, add_text(name));
  add_cbor_number(directory_, add_text(kind));
  return number;
}

std::uint32_t ftr_file::add_generator(std::uint32_t stream, std::string_view name) {
  const std::uint32_t number = ++generators_;
  add_cbor(directory_, cbor_type::tag, generator_entry);
  add_cbor(directory_, cbor_type::array, 3);
  add_cbor_number(directory_, number);
  add_cbor_number(directory_, add_text(name));
  add_cbor_number(directory_, stream);
  return number;
}

void ftr_file::begin() {
  std::string content;
  add_cbor(content, cbor_type::map, text_count_);
  write_packed(dictionary, content + texts_);
  content = open_array();
  content += directory_;
  content += end_of_array();
  write_packed(directory, content);
  block_bytes_ = std::clamp(memory_bytes / blocks_.size(), least_block, largest_block);
}

/// @param head        what comes before the count of bytes, in items
/// @param bytes       of the content
void ftr_file::write_chunk(chunk kind, const std::string& head, unsigned head_items, std::uint64_t bytes,
                           std::string_view packed) {
  std::string text;
  add_cbor(text, cbor_type::tag, kind);
  add_cbor(text, cbor_type::array, head_items + 2);
  text += head;
  add_cbor(text, cbor_type::number, bytes);
  add_cbor(text, cbor_type::bytes, packed.size());
  out_.write(text);
  out_.write(packed);
}

void ftr_file::write_packed(chunk kind, const std::string& content) {
  std::string packed(lz4_packer::bound(content.size()), '\0');
  packed.resize(lz4_packer().pack(reinterpret_cast<const std::uint8_t*>(content.data()), content.size(),
                                  reinterpret_cast<std::uint8_t*>(packed.data())));
  write_chunk(kind, "", 0, content.size(), packed);
}

void ftr_file::add(std::uint32_t stream, const ftr_transaction& transaction, unsigned kind) {
  block& b = blocks_[stream];
  const std::string_view bytes = transaction.bytes();
  if (b.records.size() + bytes.size() >= block_bytes_) write_block(stream);
  if (b.records.size() == 0) b.records.add(open_array(), frame_kind);
  b.records.add(bytes, kind % frame_kind);
  b.begin = std::min(b.begin, transaction.begin());
  b.end = std::max(b.end, transaction.end());
}

void ftr_file::write_block(std::uint32_t stream) {
  block& b = blocks_[stream];
  const std::size_t bytes = b.records.size() + end_of_array().size();
  if (bytes == end_of_array().size()) return;
  std::string head;
  for (const std::uint64_t number : {std::uint64_t{stream}, b.begin, b.end})
    add_cbor(head, cbor_type::number, number);
  write_chunk(transactions, head, 3, bytes, b.records.pack(end_of_array()));
  b.begin = ~std::uint64_t{0};
  b.end = 0;
}

void ftr_file::relate(ftr_text name, std::uint32_t from_stream, std::uint64_t from, std::uint32_t to_stream,
                      std::uint64_t to) {
  std::uint8_t bytes[6 * cbor_most_bytes];
  std::uint8_t* at = put_cbor(bytes, cbor_type::array, 5);
  for (const std::uint64_t number :
       {std::uint64_t{name}, from, to, std::uint64_t{from_stream}, std::uint64_t{to_stream}})
    at = put_cbor(at, cbor_type::number, number);
  if (relations_.size() + sizeof bytes >= lz4_records::most_bytes) write_relations();
  if (relations_.size() == 0) relations_.add(open_array(), frame_kind);
  relations_.add({reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(at - bytes)}, to_stream);
}

void ftr_file::write_relations() {
  const std::size_t bytes = relations_.size() + end_of_array().size();
  if (bytes == end_of_array().size()) return;
  write_chunk(relations, "", 0, bytes, relations_.pack(end_of_array()));
}

void ftr_file::close() {
  for (std::uint32_t s = 1; s < blocks_.size(); ++s) write_block(s);
  write_relations();
  out_.write(end_of_array());
  out_.close();
}

}  // namespace toriscope
