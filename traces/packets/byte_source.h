// SPDX-License-Identifier: Apache-2.0
// The bytes of a file from the first to the last, decompressed on the way (gzip, zstd, bzip2: seen by the first
// bytes, whatever the file is called). Holds one block of them, however long the file is. Errors are one line
// with the name and the byte, std::invalid_argument.
#pragma once

#include <boost/crc.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "traces/packets/compression.h"

namespace toriscope {

class byte_source {
 public:
  /// Opens the file. @throws std::invalid_argument "traffic file PATH cannot be opened: reason"
  explicit byte_source(std::string path);
  /// Reads `content` as if it were a file of that name.
  byte_source(std::string name, std::string content);
  ~byte_source();
  byte_source(const byte_source&) = delete;
  byte_source& operator=(const byte_source&) = delete;

  /// The next byte, -1: there is none.
  int get() { return position_ < end_ || refill() ? static_cast<unsigned char>(block_[position_++]) : -1; }
  /// The same without taking it.
  int peek() { return position_ < end_ || refill() ? static_cast<unsigned char>(block_[position_]) : -1; }
  /// The next `count` bytes, or as many as there are.
  std::string take(std::size_t count);
  /// The rest of the line without its '\n', which is taken, too. At the end of the file: whether there was one.
  /// @returns false  there is no line any more
  bool line(std::string& text, bool& complete);

  /// Bytes taken so far, decompressed.
  std::uint64_t offset() const { return block_offset_ + position_; }
  /// CRC-32 of the bytes taken so far.
  std::uint32_t checksum();
  /// Back to the first byte.
  void rewind();

  const std::string& name() const { return name_; }
  /// "NAME: byte N", for errors.
  std::string where(std::uint64_t offset) const;

 private:
  struct stream;
  bool refill();
  void open();

  const std::string name_;
  const std::string content_;  ///< when it is not a file
  const bool is_file_;
  compression compression_ = compression::none;
  std::unique_ptr<stream> stream_;
  std::vector<char> block_;
  std::size_t position_ = 0, end_ = 0;
  std::size_t summed_ = 0;  ///< bytes of the block that the checksum has seen
  std::uint64_t block_offset_ = 0;
  boost::crc_32_type crc_;
};

}  // namespace toriscope
