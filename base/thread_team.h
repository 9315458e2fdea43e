// SPDX-License-Identifier: Apache-2.0
// Threads that do a job together, again and again, with the thread that asks for it: a network's cycles.
//
//   jobs     are numbered; each thread does its own, so that its data stay in its caches. The asking thread does the
//            first one, and those of threads that have not begun by then - which the system may have put aside
//   waiting  a thread that waits looks for some microseconds, then yields, and soon sleeps
//   rest     where the others were late, the asking thread does the next rounds alone: the machine is busy
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace toriscope {

class thread_team {
 public:
  /// @param threads  with the one that calls run(); at least 1. They are started by the first run()
  explicit thread_team(unsigned threads) : threads_(threads), jobs_(std::make_unique<job[]>(threads)) {}
  ~thread_team();
  thread_team(const thread_team&) = delete;
  thread_team& operator=(const thread_team&) = delete;

  unsigned threads() const { return threads_; }

  /// Calls do_job(0) .. do_job(threads - 1), each once, on any thread, and returns when all are done. What happened
  /// before is seen by all, and what they did is seen after.
  /// @throws what the first of the jobs threw, when all are done
  template <class Job>
  void run(const Job& do_job) {
    run([](const void* context, unsigned i) { (*static_cast<const Job*>(context))(i); }, &do_job);
  }

 private:
  using job_function = void (*)(const void* context, unsigned i);

  struct alignas(64) job {
    std::atomic<std::uint64_t> begun{0};  ///< the last round in which some thread began it
    std::exception_ptr thrown;
  };

  /// Where threads wait for each other.
  class waiting_place {
   public:
    /// @param ready  asks an atomic variable
    /// @returns whether it came soon
    template <class Ready>
    bool wait(const Ready& ready);
    /// It has been made ready.
    void wake();

   private:
    std::atomic<unsigned> sleepers_{0};
    std::mutex mutex_;
    std::condition_variable woken_;
  };

  void run(job_function function, const void* context);
  void run_alone(job_function function, const void* context);
  void start();
  void work(unsigned own);
  bool try_job(unsigned i, std::uint64_t round);
  void do_job(unsigned i, job_function function, const void* context);
  bool meet(std::uint64_t round);
  void throw_first();

  const unsigned threads_;
  std::vector<std::thread> others_;
  std::unique_ptr<job[]> jobs_;
  unsigned rest_ = 0;   ///< rounds that were done alone after the last late one
  unsigned alone_ = 0;  ///< rounds to be done alone
  waiting_place for_round_;
  waiting_place for_jobs_;
  // What the others read at the beginning of a round, and what they write at its end.
  alignas(64) std::atomic<std::uint64_t> round_{0};  ///< ~0: the team is dissolved
  job_function function_ = nullptr;
  const void* context_ = nullptr;
  alignas(64) std::atomic<unsigned> done_{0};  ///< jobs of this round but the first
  std::atomic<bool> threw_{false};             ///< some job of this round
};

}  // namespace toriscope
