// SPDX-License-Identifier: Apache-2.0
// A waveform file that is given changes instead of polling for them: VCD, or FST when its name ends in ".fst".
//
//   values   up to 64 bits; `none` (no flit, no owner ...) is shown as z, which viewers draw as a line without a value
//   times    all changes of one time stamp are gathered; a variable that is back at its old value at the end of
//            the time stamp does not count
//   limits   variables are added before the first begin(), in hierarchical order
//   threads  a thread of its own writes the file. It falls behind by some megabytes of changes at most: then the
//            simulation waits for it
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/output_file.h"
#include "traces/wave_format.h"

namespace toriscope {

/// Whether a waveform file of that name is FST.
bool is_fst(std::string_view path);

class wave_file {
 public:
  using variable = std::uint32_t;
  static constexpr std::uint64_t none = no_wave_value;

  /// @param timescale  of the time stamps: "1 ps"
  /// @param comments   human-readable lines
  /// @throws std::runtime_error when the file cannot be written
  wave_file(std::string path, std::string_view timescale, const std::vector<std::string>& comments);
  /// Without close(): leaves no file.
  ~wave_file();
  wave_file(const wave_file&) = delete;
  wave_file& operator=(const wave_file&) = delete;

  /// @param scope  dotted path of the module; names may hold '+' and '-', but neither blanks nor brackets
  /// @param width  in bits, 1..64
  variable add(std::string_view scope, std::string_view name, unsigned width);

  /// Ends the header; the values at `time` are dumped in full.
  void begin(std::uint64_t time);
  bool begun() const { return begun_; }
  /// What is set from now on belongs to `time`, which never goes back.
  void advance(std::uint64_t time) {
    if (time == time_) return;
    gather();
    time_ = time;
  }
  /// @returns whether that is another value
  bool set(variable v, std::uint64_t value) {
    if (values_[v].now == value) return false;
    values_[v].now = value;
    dirty_[v / 64] |= std::uint64_t{1} << v % 64;
    dirty_words_[v / 4096] |= std::uint64_t{1} << v / 64 % 64;
    return true;
  }
  std::uint64_t value(variable v) const { return values_[v].now; }
  /// Whether a change of it was gathered after the dump.
  bool changed(variable v) const { return changed_[v / 64] >> v % 64 & 1u; }

  /// Nothing changes from now on: the other thread writes the rest, up to the end of time.
  void finish(std::uint64_t end);
  /// Finishes, waits for that, and gives the file its name. @throws std::runtime_error
  void close(std::uint64_t end);
  /// Leaves no file.
  void discard();

  const std::string& path() const { return out_.path(); }
  /// The first error so far, as close() will throw it; empty when there was none.
  const std::string& error() const;

 private:
  void enter(std::string_view scope);
  void gather();
  void gather_all();
  void hand_over();
  void write_batches();
  /// What writes to the file, in the other thread. Its error is kept.
  template <class Write>
  void attempt(Write write);
  void stop(bool write_rest);

  output_file out_;
  std::unique_ptr<wave_format> format_;
  struct value_pair {
    std::uint64_t now;
    std::uint64_t gathered;  ///< that the file has, or will have
  };
  std::vector<value_pair> values_;
  // Gathered in their order without sorting: a bit for each that was set, and a bit for each word of those.
  std::vector<std::uint64_t> dirty_;
  std::vector<std::uint64_t> dirty_words_;
  std::vector<std::uint64_t> changed_;
  std::string scope_;                ///< the one open in the header
  std::vector<std::string> scopes_;  ///< its parts
  std::uint64_t time_ = 0;
  bool begun_ = false;
  bool dumped_ = false;
  wave_batch batch_;  ///< being filled

  // --- shared with the writing thread ---
  std::mutex mutex_;
  std::condition_variable changed_queue_;
  std::vector<wave_batch> waiting_;  ///< the oldest first
  std::vector<wave_batch> empty_;    ///< to be filled again
  bool ends_ = false;
  bool drops_ = false;
  std::uint64_t end_ = 0;  ///< of time
  std::atomic<bool> failed_{false};  ///< failure_ is there, and stays
  std::string failure_;
  std::thread writer_;
};

}  // namespace toriscope
