// SPDX-License-Identifier: Apache-2.0
// A file of transactions in the format FTR, "fast transaction recording" (github.com/Minres/LWTR4SC describes it;
// Surfer reads it): streams, in them generators, of these transactions with a begin, an end and attributes, and
// relations between transactions. CBOR in chunks, each packed by LZ4.
//
//   order    texts, streams and generators first, then transactions in any order
//   memory   a block of transactions for each stream: some 64 MB for all of them, at least 2 kB each
//   limits   the file is the same for the same calls: its time of creation is 0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/output_file.h"
#include "traces/cbor.h"
#include "traces/lz4_records.h"

namespace toriscope {

/// A name, or a text as a value: a number in the dictionary of the file.
using ftr_text = std::uint32_t;

/// One transaction, made attribute by attribute.
class ftr_transaction {
 public:
  static constexpr unsigned most_attributes = 20;

  /// @param id         of no other transaction of the file
  /// @param generator  as ftr_file::add_generator() returned it
  ftr_transaction(std::uint64_t id, std::uint32_t generator, std::uint64_t begin, std::uint64_t end);

  void add_number(ftr_text name, std::uint64_t value) { add(name, 3, value); }
  void add_text(ftr_text name, ftr_text value) { add(name, 10, value); }
  /// A point in time.
  void add_time(ftr_text name, std::uint64_t value) { add(name, 11, value); }

  std::uint64_t begin() const { return begin_; }
  std::uint64_t end() const { return end_; }
  std::string_view bytes() const {
    return {reinterpret_cast<const char*>(bytes_), static_cast<std::size_t>(at_ - bytes_)};
  }

 private:
  void add(ftr_text name, unsigned data_type, std::uint64_t value);

  std::uint8_t bytes_[(most_attributes + 1) * (2 + 4 * cbor_most_bytes)];
  std::uint8_t* at_ = bytes_;
  std::uint64_t begin_, end_;
};

class ftr_file {
 public:
  /// @param timescale  a unit of time is 10^timescale seconds
  /// @throws std::runtime_error "cannot write PATH: reason"
  ftr_file(std::string path, int timescale);

  ftr_text add_text(std::string_view text);
  /// @returns its number, 1 for the first
  std::uint32_t add_stream(std::string_view name, std::string_view kind);
  /// @returns its number
  std::uint32_t add_generator(std::uint32_t stream, std::string_view name);
  /// No texts, streams and generators are added from now on.
  void begin();

  /// @param kind  transactions of a stream and a kind (modulo lz4_records::kinds - 1) have most bytes in common
  void add(std::uint32_t stream, const ftr_transaction& transaction, unsigned kind);
  void relate(ftr_text name, std::uint32_t from_stream, std::uint64_t from, std::uint32_t to_stream,
              std::uint64_t to);

  /// Completes the file. @throws std::runtime_error "cannot write PATH: reason"
  void close();

 private:
  static constexpr std::size_t time_bytes = 5,
                               identity_bytes = 5;  ///< of most times and identities, as items

  struct block {
    lz4_records records{time_bytes};
    std::uint64_t begin = ~std::uint64_t{0}, end = 0;
  };
  enum chunk : unsigned { info = 6, dictionary = 9, directory = 11, transactions = 13, relations = 15 };

  void write_chunk(chunk kind, const std::string& head, unsigned head_items, std::uint64_t bytes,
                   std::string_view packed);
  void write_packed(chunk kind, const std::string& content);
  void write_block(std::uint32_t stream);
  void write_relations();

  output_file out_;
  std::string texts_;  ///< the dictionary
  std::uint32_t text_count_ = 0;
  std::string directory_;
  std::uint32_t generators_ = 0;
  std::vector<block> blocks_;  ///< by stream, from 1 on
  std::size_t block_bytes_ = 0;
  lz4_records relations_{identity_bytes};
};

}  // namespace toriscope
