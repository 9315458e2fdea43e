// SPDX-License-Identifier: Apache-2.0
// Packs records as one block of the LZ4 format (lz4_block.h has the reference), where their writer knows which are
// alike. Nothing is searched: that is some ten times as fast as lz4_packer.
//
//   matches  bytes that stand at the same place of the last record of the same kind, or of the record before, or some
//            bytes before in the same record
//   limits   a block of at most 65,535 bytes; its last record has at least 11
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace toriscope {

class lz4_records {
 public:
  static constexpr std::size_t most_bytes = 65535;
  static constexpr unsigned kinds = 128;

  /// @param repeat  bytes of a record are often those that stand N before them, and this is N
  explicit lz4_records(std::size_t repeat) : repeat_(repeat) {}

  /// @param kind  modulo `kinds`
  void add(std::string_view record, unsigned kind);
  /// Bytes that were added.
  std::size_t size() const { return size_; }

  /// Packs what was added, and begins anew. `end` follows it.
  /// @returns valid until the next call of anything
  std::string_view pack(std::string_view end);

 private:
  static constexpr std::size_t least_match = 4;
  using places = std::array<std::size_t, 3>;

  std::size_t common(std::size_t at, std::size_t before, std::size_t end) const;
  void append(std::string_view record);
  void pack_record(std::size_t begin, std::size_t end, const places& others);
  void put_sequence(std::size_t literals_to, std::size_t offset, std::size_t length);
  void put_match();

  const std::size_t repeat_;
  std::vector<std::uint8_t> bytes_, packed_;  ///< with space behind what is used
  std::size_t size_ = 0, packed_size_ = 0;
  std::array<std::uint16_t, kinds> last_{};  ///< where the last record of a kind begins, plus one
  std::size_t waiting_ = 0;                  ///< the last record: it is not packed yet
  places waiting_places_{};
  std::size_t literals_from_ = 0;
  // The match that the next record may continue.
  std::size_t match_from_ = 0, match_length_ = 0, offset_ = 0;
};

}  // namespace toriscope
