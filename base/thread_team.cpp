// SPDX-License-Identifier: Apache-2.0
#include "base/thread_team.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace toriscope {
namespace {

constexpr std::uint64_t dissolved = ~std::uint64_t{0};

constexpr unsigned looks = 100;                    // some microseconds
constexpr std::chrono::microseconds yielding{50};  // about what it costs to sleep and be woken
constexpr unsigned least_rest = 4, longest_rest = 256;

void pause_briefly() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

template <class Ready>
bool comes_soon(const Ready& ready) {
  for (unsigned i = 0; i < looks; ++i) {
    if (ready()) return true;
    pause_briefly();
  }
  return false;
}

}  // namespace

template <class Ready>
bool thread_team::waiting_place::wait(const Ready& ready) {
  if (comes_soon(ready)) return true;
  // Where other processes want the core, the first yield takes longer than this.
  const auto until = std::chrono::steady_clock::now() + yielding;
  do {
    std::this_thread::yield();
    if (ready()) return true;
  } while (std::chrono::steady_clock::now() < until);
  std::unique_lock<std::mutex> lock(mutex_);
  ++sleepers_;  // before the last look: who makes it ready looks for sleepers afterwards
  woken_.wait(lock, ready);
  --sleepers_;
  return false;
}

void thread_team::waiting_place::wake() {
  if (sleepers_ == 0) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  woken_.notify_all();
}

thread_team::~thread_team() {
  round_ = dissolved;
  for_round_.wake();
  for (std::thread& t : others_) t.join();
}

void thread_team::start() {
  for (unsigned i = 1; i < threads_; ++i) others_.emplace_back([this, i] { work(i); });
}

void thread_team::work(unsigned own) {
  for (std::uint64_t seen = 0;;) {
    for_round_.wait([&] { return round_ != seen; });
    seen = round_;
    if (seen == dissolved) return;
    if (try_job(own, seen)) for_jobs_.wake();
  }
}

/// Does job i unless it has been begun in this round. @returns whether it was the last
bool thread_team::try_job(unsigned i, std::uint64_t round) {
  std::uint64_t before = jobs_[i].begun;
  if (before >= round || !jobs_[i].begun.compare_exchange_strong(before, round)) return false;
  do_job(i, function_, context_);
  return ++done_ == threads_ - 1;
}

void thread_team::do_job(unsigned i, job_function function, const void* context) {
  try {
    function(context, i);
  } catch (...) {
    jobs_[i].thrown = std::current_exception();
    threw_ = true;
  }
}

/// The first job is done. @returns whether the others were in time
bool thread_team::meet(std::uint64_t round) {
  const auto all_done = [this] { return done_ == threads_ - 1; };
  if (comes_soon(all_done)) return true;
  bool late = false;
  for (unsigned i = 1; i < threads_; ++i)
    if (jobs_[i].begun != round) {
      late = true;
      try_job(i, round);
    }
  return for_jobs_.wait(all_done) && !late;
}

void thread_team::run(job_function function, const void* context) {
  if (alone_ > 0 || threads_ == 1) return run_alone(function, context);
  if (others_.empty()) start();
  function_ = function;
  context_ = context;
  done_ = 0;
  const std::uint64_t round = ++round_;
  for_round_.wake();
  do_job(0, function, context);
  rest_ = meet(round) ? rest_ / 2 : std::clamp(2 * rest_, least_rest, longest_rest);
  if (rest_ >= least_rest) alone_ = rest_;
  throw_first();
}

void thread_team::run_alone(job_function function, const void* context) {
  if (alone_ > 0) --alone_;
  for (unsigned i = 0; i < threads_; ++i) do_job(i, function, context);
  throw_first();
}

void thread_team::throw_first() {
  if (!threw_) return;
  threw_ = false;
  std::exception_ptr first;
  for (unsigned i = threads_; i-- > 0;)
    if (jobs_[i].thrown) first = std::exchange(jobs_[i].thrown, nullptr);
  std::rethrow_exception(first);
}

}  // namespace toriscope
