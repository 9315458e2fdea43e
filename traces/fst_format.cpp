// SPDX-License-Identifier: Apache-2.0
#include "traces/fst_format.h"

#include <algorithm>
#include <atomic>
#include <boost/iostreams/copy.hpp>
#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filter/zlib.hpp>
#include <boost/iostreams/filtering_streambuf.hpp>
#include <cstring>
#include <future>
#include <thread>

#include "traces/lz4_block.h"

namespace toriscope {
namespace {

enum block_type : char { header_block = 0, changes_block = 1, widths_block = 3, hierarchy_lz4_block = 6 };
enum hierarchy_tag : char {
  module_scope = 0,
  wire = 16,
  attribute_tag = '\374',
  scope_tag = '\376',
  upscope_tag = '\377'
};
constexpr char lz4_packed = '4';
constexpr std::uint32_t one_bit_none = 3;  ///< a record of one bit: z
constexpr std::size_t least_packed = 33;   ///< bytes of a chain; shorter ones stay as they are
constexpr std::size_t longest_record = 5 + 8;
constexpr std::size_t first_piece_bytes = 48, max_piece_bytes = 768;
constexpr std::size_t block_bytes = std::size_t{1} << 20;
constexpr std::size_t max_section_bytes = std::size_t{128} << 20, section_bytes_of_variable = 160;
constexpr std::size_t parallel_chains = 4096;  ///< fewer are packed by one thread
constexpr unsigned max_threads = 8;

std::uint8_t* put_varint(std::uint8_t* at, std::uint32_t value) {
  for (; value > 127; value >>= 7) *at++ = static_cast<std::uint8_t>(value | 128);
  *at++ = static_cast<std::uint8_t>(value);
  return at;
}

void add_varint(std::string& to, std::uint64_t value) {
  for (; value > 127; value >>= 7) to += static_cast<char>(value | 128);
  to += static_cast<char>(value);
}

void add_number(std::string& to, std::uint64_t value) {
  for (int byte = 8; byte-- > 0;) to += static_cast<char>(value >> 8 * byte);
}

std::string zlib(const std::string& text) {
  namespace io = boost::iostreams;
  std::string packed;
  io::filtering_streambuf<io::input> in;
  in.push(io::zlib_compressor(io::zlib_params(io::zlib::best_speed)));
  in.push(io::array_source(text.data(), text.size()));
  io::copy(in, io::back_inserter(packed));
  return packed.size() < text.size() ? packed : text;
}

std::string lz4(const std::string& text) {
  std::string packed(lz4_packer::bound(text.size()), '\0');
  packed.resize(lz4_packer().pack(reinterpret_cast<const std::uint8_t*>(text.data()), text.size(),
                                  reinterpret_cast<std::uint8_t*>(packed.data())));
  return packed;
}

/// "100 ps" is -10.
std::int8_t exponent_of(std::string_view timescale) {
  int exponent = 0;
  for (const char c : timescale) exponent += c == '0';
  const char unit = timescale[timescale.find(' ') + 1];
  constexpr std::string_view units = "smunpf";
  return static_cast<std::int8_t>(exponent - 3 * static_cast<int>(units.find(unit)));
}

std::size_t bytes_of(unsigned width) { return (width + 7) / 8; }

}  // namespace

// --- the header ---

fst_format::fst_format(output_file& out, std::string_view timescale, const std::vector<std::string>& comments,
                       std::size_t section_bytes)
    : out_(out), section_bytes_(section_bytes), timescale_(exponent_of(timescale)) {
  for (const std::string& comment : comments)
    hierarchy_ += std::string{attribute_tag, 0, 0} + comment + std::string(2, '\0');
}

void fst_format::open_scope(std::string_view name) {
  hierarchy_ += std::string{scope_tag, module_scope};
  hierarchy_ += name;
  hierarchy_.append(2, '\0');
  ++scopes_;
}

void fst_format::close_scope() { hierarchy_ += upscope_tag; }

void fst_format::add(std::string_view name, unsigned width) {
  hierarchy_ += std::string{wire, 0};
  hierarchy_ += name;
  if (width > 1) hierarchy_ += " [" + std::to_string(width - 1) + ":0]";
  hierarchy_ += '\0';
  add_varint(hierarchy_, width);
  hierarchy_ += '\0';  // not an alias
  add_varint(widths_, width);
  chain c;
  c.width = static_cast<std::uint8_t>(width);
  c.value = width == 64 ? 0 : no_wave_value;
  chains_.push_back(c);
}

std::string fst_format::header() const {
  constexpr std::size_t version_length = 128, date_length = 119;
  const double endian_test = 2.7182818284590452354;
  std::string text{header_block};
  add_number(text, 329);
  add_number(text, first_time_);
  add_number(text, stamps_.empty() ? first_time_ : stamps_.back());
  text.append(reinterpret_cast<const char*>(&endian_test), sizeof endian_test);
  add_number(text, section_bytes_);
  for (const std::uint64_t count : {scopes_, chains_.size(), chains_.size(), sections_})
    add_number(text, count);
  text += static_cast<char>(timescale_);
  const std::size_t version = text.size();
  text += "toriscope";
  text.resize(version + version_length + date_length);  // no date: the same run writes the same file
  text += '\0';                                         // Verilog
  add_number(text, 0);
  return text;
}

/// The numbers in it are not known yet. Where they cannot be written over later - a pipe -, this is an error at once.
void fst_format::end_header() {
  section_bytes_ = std::max(section_bytes_, section_bytes_of_variable * chains_.size());
  out_.write(header());
  out_.overwrite(0, header());
}

// --- changes ---

void fst_format::add_piece(chain& c) {
  c.piece_bytes = static_cast<std::uint16_t>(
      c.first ? std::min<std::size_t>(2u * c.piece_bytes, max_piece_bytes) : first_piece_bytes);
  if (static_cast<std::size_t>(space_end_ - space_) < c.piece_bytes) {
    if (blocks_used_ == blocks_.size()) blocks_.emplace_back(new std::uint8_t[block_bytes]);
    space_ = blocks_[blocks_used_++].get();
    space_end_ = space_ + block_bytes;
  }
  piece* const made = new (space_) piece{nullptr, space_ + sizeof(piece)};
  (c.first ? c.last->next : c.first) = made;
  c.last = made;
  space_ += c.piece_bytes;
  c.space_end = space_;
}

void fst_format::append(chain& c, std::uint64_t value) {
  if (!c.first || static_cast<std::size_t>(c.space_end - c.last->end) < longest_record) add_piece(c);
  const auto now = static_cast<std::uint32_t>(stamps_.size() - 1);
  const std::uint32_t since = now - c.stamp;
  const bool none = c.width < 64 && value == no_wave_value;
  std::uint8_t* at = c.last->end;
  if (c.width == 1) {
    at = put_varint(
        at, none ? since << 4 | one_bit_none : since << 2 | static_cast<std::uint32_t>(value & 1) << 1);
  } else {
    at = put_varint(at, since << 1 | none);
    if (!none) {
      const std::uint64_t big_endian = __builtin_bswap64(value << (64 - c.width));
      std::memcpy(at, &big_endian, sizeof big_endian);
      at += bytes_of(c.width);
    }
  }
  c.last->end = at;
  c.had_none |= none;
  c.stamp = now;
  c.value = value;
}

void fst_format::write(const wave_batch& batch) {
  std::size_t i = 0;
  for (const wave_batch::stamp& stamp : batch.stamps) {
    if (stamps_.empty()) {
      first_time_ = stamp.time;
      begin_section(stamp.time);
    } else {
      if (blocks_used_ * block_bytes > section_bytes_) {
        write_section(1);  // the simulation runs on
        begin_section(stamps_.back());
        section_bytes_ = std::max(section_bytes_, std::min(section_bytes_ * 3 / 2, max_section_bytes));
      }
      stamps_.push_back(stamp.time);
    }
    for (; i < stamp.end; ++i) append(chains_[batch.changes[i].variable], batch.changes[i].value);
  }
}

void fst_format::end(std::uint64_t time) {
  if (time > stamps_.back()) stamps_.push_back(time);
  write_section(std::min(max_threads, std::thread::hardware_concurrency()));
  std::string rest{widths_block};
  const std::string widths = zlib(widths_);
  add_number(rest, 24 + widths.size());
  add_number(rest, widths_.size());
  add_number(rest, chains_.size());
  rest += widths;
  rest += hierarchy_lz4_block;
  const std::string hierarchy = lz4(hierarchy_);
  add_number(rest, 16 + hierarchy.size());
  add_number(rest, hierarchy_.size());
  rest += hierarchy;
  out_.write(rest);
  out_.overwrite(0, header());
}

// --- sections ---

/// The values of all variables as characters.
std::string fst_format::frame() const {
  std::string text;
  for (const chain& c : chains_) {
    if (c.width < 64 && c.value == no_wave_value)
      text.append(c.width, 'z');
    else
      for (unsigned bit = c.width; bit-- > 0;) text += static_cast<char>('0' + (c.value >> bit & 1));
  }
  return text;
}

void fst_format::begin_section(std::uint64_t time) {
  const std::string values = frame();
  frame_bytes_ = values.size();
  section_frame_ = zlib(values);
  stamps_.assign(1, time);
  for (chain& c : chains_) {
    c.first = c.last = nullptr;
    c.stamp = 0;
    c.had_none = false;
  }
  blocks_used_ = 0;
  space_ = space_end_ = nullptr;
}

/// The chains of some variables, as they stand in the file.
struct fst_format::packed_chains {
  std::string text;
  std::vector<std::uint32_t> lengths{};  ///< by variable; 0: no change
  std::uint64_t unpacked_bytes = 0;
};

class fst_format::chain_packer {
 public:
  packed_chains pack(const chain* from, const chain* to) {
    packed_chains all;
    for (const chain* c = from; c != to; ++c) {
      const std::size_t before = all.text.size();
      if (c->first) add(all, *c);
      all.lengths.push_back(static_cast<std::uint32_t>(all.text.size() - before));
    }
    return all;
  }

 private:
  struct space {
    std::unique_ptr<std::uint8_t[]> bytes;
    std::size_t size = 0;
    std::uint8_t* of(std::size_t needed) {
      if (size < needed) bytes.reset(new std::uint8_t[size = 2 * needed]);
      return bytes.get();
    }
  };

  void add(packed_chains& all, const chain& c) {
    const std::size_t count = collect(c);
    const std::uint8_t* const bytes = records_.bytes.get();
    all.unpacked_bytes += count;
    if (count >= least_packed) {
      std::uint8_t* const packed = packed_.of(lz4_packer::bound(count));
      const std::size_t packed_count = packer_.pack(bytes, count, packed);
      if (packed_count < count) {
        add_varint(all.text, count);
        all.text.append(reinterpret_cast<const char*>(packed), packed_count);
        return;
      }
    }
    all.text += '\0';
    all.text.append(reinterpret_cast<const char*>(bytes), count);
  }

  /// The records of a chain one behind the other; "no value" as characters. @returns their length
  std::size_t collect(const chain& c) {
    const bool expands = c.had_none && c.width > 1;
    std::size_t count = 0;
    for (const piece* p = c.first; p; p = p->next) count += static_cast<std::size_t>(p->end - begin_of(p));
    std::uint8_t* const begin = records_.of(expands ? count * (1u + c.width) : count);
    std::uint8_t* at = begin;
    for (const piece* p = c.first; p; p = p->next)
      at = expands ? copy_expanded(c, *p, at)
                   : std::copy(begin_of(p), static_cast<const std::uint8_t*>(p->end), at);
    return static_cast<std::size_t>(at - begin);
  }

  static const std::uint8_t* begin_of(const piece* p) { return reinterpret_cast<const std::uint8_t*>(p + 1); }

  static std::uint8_t* copy_expanded(const chain& c, const piece& p, std::uint8_t* at) {
    for (const std::uint8_t* from = begin_of(&p); from < p.end;) {
      const bool none = *from & 1u;
      while (*from & 128u) *at++ = *from++;
      *at++ = *from++;
      if (none) {
        at = std::fill_n(at, c.width, static_cast<std::uint8_t>('z'));
      } else {
        at = std::copy_n(from, bytes_of(c.width), at);
        from += bytes_of(c.width);
      }
    }
    return at;
  }

  lz4_packer packer_;
  space records_, packed_;
};

/// The result does not depend on the number of threads.
std::vector<fst_format::packed_chains> fst_format::pack_all(unsigned threads) const {
  const std::size_t parts = chains_.size() / parallel_chains + 1;
  std::vector<packed_chains> all(parts);
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    chain_packer packer;
    const auto first_of = [&](std::size_t part) { return chains_.data() + chains_.size() * part / parts; };
    for (std::size_t part; (part = next++) < parts;)
      all[part] = packer.pack(first_of(part), first_of(part + 1));
  };
  std::vector<std::future<void>> others;
  for (std::size_t i = 1; i < std::min<std::size_t>(parts, threads); ++i)
    others.push_back(std::async(std::launch::async, work));
  work();
  for (std::future<void>& other : others) other.get();
  return all;
}

void fst_format::write_section(unsigned threads) {
  const std::vector<packed_chains> packed = pack_all(threads);
  ++sections_;
  std::string places;
  std::uint64_t unpacked_bytes = 0, chains_length = 0, last_place = 0, place = 1, without = 0;
  const auto skip = [&] {
    if (without > 0) add_varint(places, without << 1);
    without = 0;
  };
  for (const packed_chains& part : packed) {
    unpacked_bytes += part.unpacked_bytes;
    chains_length += part.text.size();
    for (const std::uint32_t length : part.lengths) {
      if (length == 0) {
        ++without;
        continue;
      }
      skip();
      add_varint(places, (place - last_place) << 1 | 1);
      last_place = place;
      place += length;
    }
  }
  skip();

  std::string times;
  std::uint64_t before = 0;
  for (const std::uint64_t stamp : stamps_) {
    add_varint(times, stamp - before);
    before = stamp;
  }
  const std::string packed_times = zlib(times);

  std::string begin;
  add_varint(begin, frame_bytes_);
  add_varint(begin, section_frame_.size());
  add_varint(begin, chains_.size());
  begin += section_frame_;
  add_varint(begin, chains_.size());
  begin += lz4_packed;

  std::string end = places;
  add_number(end, places.size());
  end += packed_times;
  for (const std::uint64_t number : {times.size(), packed_times.size(), stamps_.size()})
    add_number(end, number);

  std::string front{changes_block};
  add_number(front, 4 * 8 + begin.size() + chains_length + end.size());
  for (const std::uint64_t number : {stamps_.front(), stamps_.back(), unpacked_bytes})
    add_number(front, number);
  out_.write(front + begin);
  for (const packed_chains& part : packed) out_.write(part.text);
  out_.write(end);
}

}  // namespace toriscope
