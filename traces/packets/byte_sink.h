// SPDX-License-Identifier: Apache-2.0
// Bytes into a file that appears whole or not at all, compressed on the way.
#pragma once

#include <boost/crc.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "traces/packets/compression.h"

namespace toriscope {

class byte_sink {
 public:
  /// @throws std::runtime_error "cannot write PATH: reason"
  byte_sink(const std::string& path, compression how);
  /// Without close() no file is left.
  ~byte_sink();
  byte_sink(const byte_sink&) = delete;
  byte_sink& operator=(const byte_sink&) = delete;

  void write(std::string_view bytes);
  /// CRC-32 of all that has been written, before compression.
  std::uint32_t checksum() const { return crc_.checksum(); }
  /// @throws std::runtime_error what went wrong on the way
  void close();

 private:
  struct stream;
  std::unique_ptr<stream> stream_;
  boost::crc_32_type crc_;
};

}  // namespace toriscope
