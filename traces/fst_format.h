// SPDX-License-Identifier: Apache-2.0
// FST, GTKWave's format for large waveforms (GTKWave manual, "Implementation of an Efficient Method for Digital
// Waveform Compression"; the reader is GTKWave's fstapi). A file of blocks: a header, sections with the changes of a
// span of time, the widths of the variables and the hierarchy.
//
//   section   the changes of each variable, one behind the other and packed (LZ4): most of them are predictable from
//             those before. The longer a section, the better it packs; the shorter, the less is left to do when the
//             run ends. So the first is short, and each may be half as long again as the one before, up to 128 MB
//   sizes     a sixth of the VCD, for the waves of routers
//   limits    the file is written at two places: it cannot be a pipe
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/output_file.h"
#include "traces/wave_format.h"

namespace toriscope {

class fst_format final : public wave_format {
 public:
  static constexpr std::size_t default_section_bytes = std::size_t{8} << 20;

  /// @param section_bytes  of the changes of the first section; more where there are many variables
  fst_format(output_file& out, std::string_view timescale, const std::vector<std::string>& comments,
             std::size_t section_bytes = default_section_bytes);

  void open_scope(std::string_view name) override;
  void close_scope() override;
  void add(std::string_view name, unsigned width) override;
  void end_header() override;
  void write(const wave_batch& batch) override;
  void end(std::uint64_t time) override;

 private:
  /// Part of the changes of a variable; its bytes stand behind it.
  struct piece {
    piece* next;
    std::uint8_t* end;  ///< of what is used
  };
  /// The changes of a variable in the present section. A record is the number of stamps since the last one, and the
  /// value, as in the file; but "no value" takes no characters yet.
  struct chain {
    std::uint64_t value = 0;  ///< the last
    piece* first = nullptr;
    piece* last = nullptr;
    std::uint8_t* space_end = nullptr;
    std::uint32_t stamp = 0;  ///< of the last change
    std::uint16_t piece_bytes = 0;
    std::uint8_t width = 1;
    bool had_none = false;
  };
  class chain_packer;
  struct packed_chains;

  void append(chain& c, std::uint64_t value);
  void add_piece(chain& c);
  std::string header() const;
  std::string frame() const;
  void begin_section(std::uint64_t time);
  /// @param threads  that pack
  void write_section(unsigned threads);
  std::vector<packed_chains> pack_all(unsigned threads) const;

  output_file& out_;
  std::size_t section_bytes_;  ///< a longer one is written
  const std::int8_t timescale_;
  std::string hierarchy_;
  std::string widths_;
  std::uint64_t scopes_ = 0;
  std::vector<chain> chains_;  ///< by variable

  std::uint64_t sections_ = 0;
  std::uint64_t first_time_ = 0;
  std::vector<std::uint64_t> stamps_;                    ///< of the present section
  std::string section_frame_;                            ///< the values before it, packed
  std::uint64_t frame_bytes_ = 0;                        ///< unpacked
  std::vector<std::unique_ptr<std::uint8_t[]>> blocks_;  ///< space for pieces
  std::size_t blocks_used_ = 0;
  std::uint8_t* space_ = nullptr;  ///< what is left of the block in use
  std::uint8_t* space_end_ = nullptr;
};

}  // namespace toriscope
