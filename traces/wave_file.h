// SPDX-License-Identifier: Apache-2.0
// A waveform file that is given changes instead of polling for them: VCD, or FST when its name ends in ".fst".
//
//   values   wave_values.h
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
#include "traces/wave_values.h"

namespace toriscope {

/// Whether a waveform file of that name is FST.
bool is_fst(std::string_view path);

class wave_file final : public wave_values {
 public:
  /// @param timescale  of the time stamps: "1 ps"
  /// @param comments   human-readable lines
  /// @throws std::runtime_error when the file cannot be written
  wave_file(std::string path, std::string_view timescale, const std::vector<std::string>& comments);
  /// Without close(): leaves no file.
  ~wave_file() override;
  wave_file(const wave_file&) = delete;
  wave_file& operator=(const wave_file&) = delete;

  /// @param scope  dotted path of the module; names may hold '+' and '-', but neither blanks nor brackets
  /// @param width  in bits, 1..64
  variable add(std::string_view scope, std::string_view name, unsigned width);

  /// Ends the header; the values at `time` are dumped in full.
  void begin(std::uint64_t time);
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
  void batch_is_full() override { hand_over(); }
  void hand_over();
  void write_batches();
  /// What writes to the file, in the other thread. Its error is kept.
  template <class Write>
  void attempt(Write write);
  void stop(bool write_rest);

  output_file out_;
  std::unique_ptr<wave_format> format_;
  std::string scope_;                ///< the one open in the header
  std::vector<std::string> scopes_;  ///< its parts

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
