// SPDX-License-Identifier: Apache-2.0
#include "traces/packets/byte_source.h"

#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/filter/bzip2.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/zstd.hpp>
#include <boost/iostreams/filtering_streambuf.hpp>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <utility>

#include "base/files_read.h"

namespace toriscope {
namespace {

namespace io = boost::iostreams;
constexpr std::size_t block_bytes = std::size_t{1} << 16;
constexpr std::size_t longest_line = std::size_t{1} << 20;  // a configuration stands on one line

}  // namespace

struct byte_source::stream {
  std::ifstream file;
  io::filtering_istreambuf bytes;
};

byte_source::byte_source(std::string path) : name_(std::move(path)), is_file_(true), block_(block_bytes) {
  open();
}

byte_source::byte_source(std::string name, std::string content)
    : name_(std::move(name)), content_(std::move(content)), is_file_(false), block_(block_bytes) {
  open();
}

byte_source::~byte_source() = default;

void byte_source::open() {
  stream_ = std::make_unique<stream>();
  char first[4] = {};
  std::size_t count = 0;
  if (is_file_) {
    stream_->file.open(name_, std::ios::binary);
    if (!stream_->file)
      throw std::invalid_argument("traffic file " + name_ + " cannot be opened: " + std::strerror(errno));
    note_file_read(name_);
    stream_->file.read(first, sizeof first);
    count = static_cast<std::size_t>(stream_->file.gcount());
    if (stream_->file.bad())
      throw std::invalid_argument("traffic file " + name_ + " cannot be read: " + std::strerror(errno));
    stream_->file.clear();
    if (!stream_->file.seekg(0))
      throw std::invalid_argument("traffic file " + name_ +
                                  " cannot be read twice: it must be a file, not a pipe");
  } else {
    count = content_.copy(first, sizeof first);
  }
  compression_ = compression_of({first, count});
  switch (compression_) {
    case compression::gzip:
      stream_->bytes.push(io::gzip_decompressor());
      break;
    case compression::zstd:
      stream_->bytes.push(io::zstd_decompressor());
      break;
    case compression::bzip2:
      stream_->bytes.push(io::bzip2_decompressor());
      break;
    case compression::none:
      break;
  }
  if (is_file_)
    stream_->bytes.push(stream_->file);
  else
    stream_->bytes.push(io::array_source(content_.data(), content_.size()));
}

bool byte_source::refill() {
  checksum();
  block_offset_ += end_;
  position_ = end_ = summed_ = 0;
  try {
    const std::streamsize got =
        stream_->bytes.sgetn(block_.data(), static_cast<std::streamsize>(block_bytes));
    end_ = got > 0 ? static_cast<std::size_t>(got) : 0;
  } catch (const std::exception&) {
    throw std::invalid_argument(where(block_offset_) + ": damaged " + to_string(compression_) +
                                " data, within the next " + std::to_string(block_bytes) + " bytes");
  }
  if (end_ == 0 && stream_->file.bad())
    throw std::invalid_argument("traffic file " + name_ + " cannot be read to its end");
  // Boost.Iostreams takes the rest of a zstd frame that is cut off for the end.
  if (end_ == 0 && block_offset_ == 0 && compression_ != compression::none)
    throw std::invalid_argument(where(0) + ": there is nothing in the " + to_string(compression_) +
                                " data: is the file cut off?");
  return end_ > 0;
}

std::string byte_source::take(std::size_t count) {
  std::string bytes;
  while (bytes.size() < count && peek() >= 0) {
    const std::size_t part = std::min(count - bytes.size(), end_ - position_);
    bytes.append(block_.data() + position_, part);
    position_ += part;
  }
  return bytes;
}

bool byte_source::line(std::string& text, bool& complete) {
  text.clear();
  complete = false;
  while (peek() >= 0) {
    const char* const from = block_.data() + position_;
    const void* const newline = std::memchr(from, '\n', end_ - position_);
    const std::size_t part =
        newline ? static_cast<std::size_t>(static_cast<const char*>(newline) - from) : end_ - position_;
    text.append(from, part);
    position_ += part;
    if (text.size() > longest_line)
      throw std::invalid_argument(where(offset()) + ": a line of more than " + std::to_string(longest_line) +
                                  " bytes: this is not a packet trace");
    if (newline) {
      ++position_;
      complete = true;
      return true;
    }
  }
  return !text.empty();
}

std::uint32_t byte_source::checksum() {
  crc_.process_bytes(block_.data() + summed_, position_ - summed_);
  summed_ = position_;
  return crc_.checksum();
}

void byte_source::rewind() {
  position_ = end_ = summed_ = 0;
  block_offset_ = 0;
  crc_.reset();
  open();
}

std::string byte_source::where(std::uint64_t offset) const {
  return name_ + ": byte " + std::to_string(offset) +
         (compression_ == compression::none ? "" : " of what is compressed");
}

}  // namespace toriscope
