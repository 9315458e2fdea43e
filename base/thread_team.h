// SPDX-License-Identifier: Apache-2.0
// Threads that do a job together, again and again, with the thread that asks for it: a network's cycles.
//
//   jobs     are numbered; each thread does its own first, so that its data stay in its caches. The asking thread takes
//            jobs of threads that have not begun - which the system may have put aside - and does not wait for those
//   waiting  a thread that waits looks a microsecond long, then yields, and soon sleeps
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
    template <class Ready>
    void wait(const Ready& ready);
    /// What they wait for has come; it is in an atomic variable, written before.
    void wake();

   private:
    std::atomic<unsigned> sleepers_{0};
    std::mutex mutex_;
    std::condition_variable woken_;
  };

  void run(job_function function, const void* context);
  void start();
  void work(unsigned own);
  void try_job(unsigned i, std::uint64_t round);

  const unsigned threads_;
  std::vector<std::thread> others_;
  job_function function_ = nullptr;
  const void* context_ = nullptr;
  std::unique_ptr<job[]> jobs_;
  alignas(64) std::atomic<std::uint64_t> round_{0};  ///< of jobs; ~0: the team is dissolved
  waiting_place for_round_;
  alignas(64) std::atomic<unsigned> done_{0};  ///< jobs of this round
  waiting_place for_jobs_;
};

}  // namespace toriscope
