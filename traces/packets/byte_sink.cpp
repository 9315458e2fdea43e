// SPDX-License-Identifier: Apache-2.0
#include "traces/packets/byte_sink.h"

#include <boost/iostreams/filter/bzip2.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/zstd.hpp>
#include <boost/iostreams/filtering_streambuf.hpp>

#include "base/output_file.h"

namespace toriscope {
namespace {

namespace io = boost::iostreams;

/// What Boost.Iostreams writes to.
struct to_file {
  using char_type = char;
  using category = io::sink_tag;
  output_file* file;
  std::streamsize write(const char* bytes, std::streamsize count) {
    file->write({bytes, static_cast<std::size_t>(count)});
    return count;
  }
};

}  // namespace

struct byte_sink::stream {
  explicit stream(const std::string& path) : file(path) {}
  output_file file;
  io::filtering_ostreambuf bytes;
};

byte_sink::byte_sink(const std::string& path, compression how) : stream_(std::make_unique<stream>(path)) {
  // Fast levels: a trace is written while the network is simulated.
  switch (how) {
    case compression::gzip:
      stream_->bytes.push(io::gzip_compressor(io::gzip_params(4)));
      break;
    case compression::zstd:
      stream_->bytes.push(io::zstd_compressor(io::zstd_params(3)));
      break;
    case compression::bzip2:
      stream_->bytes.push(io::bzip2_compressor());
      break;
    case compression::none:
      break;
  }
  stream_->bytes.push(to_file{&stream_->file});
}

byte_sink::~byte_sink() = default;

void byte_sink::write(std::string_view bytes) {
  crc_.process_bytes(bytes.data(), bytes.size());
  stream_->bytes.sputn(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

void byte_sink::close() {
  stream_->bytes.reset();  // flushes
  stream_->file.close();
}

}  // namespace toriscope
