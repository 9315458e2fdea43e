// SPDX-License-Identifier: Apache-2.0
#include "base/thread_team.h"

#include <chrono>
#include <utility>

namespace toriscope {
namespace {

constexpr std::uint64_t dissolved = ~std::uint64_t{0};

constexpr unsigned looks = 30;                     // about a microsecond
constexpr std::chrono::microseconds yielding{50};  // about what it costs to sleep and be woken

void pause_briefly() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

template <class Ready>
void thread_team::waiting_place::wait(const Ready& ready) {
  for (unsigned i = 0; i < looks; ++i) {
    if (ready()) return;
    pause_briefly();
  }
  // Where other processes want the core, the first yield takes longer than this.
  const auto until = std::chrono::steady_clock::now() + yielding;
  while (std::chrono::steady_clock::now() < until) {
    std::this_thread::yield();
    if (ready()) return;
  }
  std::unique_lock<std::mutex> lock(mutex_);
  ++sleepers_;  // before the last look: who makes it ready looks for sleepers afterwards
  woken_.wait(lock, ready);
  --sleepers_;
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
    try_job(own, seen);
  }
}

/// Does job i unless it has been begun.
void thread_team::try_job(unsigned i, std::uint64_t round) {
  job& mine = jobs_[i];
  std::uint64_t before = round - 1;
  if (!mine.begun.compare_exchange_strong(before, round)) return;
  try {
    function_(context_, i);
  } catch (...) {
    mine.thrown = std::current_exception();
  }
  if (++done_ == threads_) for_jobs_.wake();
}

void thread_team::run(job_function function, const void* context) {
  if (others_.empty()) start();
  function_ = function;
  context_ = context;
  done_ = 0;
  const std::uint64_t round = ++round_;
  for_round_.wake();
  for (unsigned i = 0; i < threads_; ++i) try_job(i, round);
  for_jobs_.wait([this] { return done_ == threads_; });
  std::exception_ptr first;
  for (unsigned i = threads_; i-- > 0;)
    if (jobs_[i].thrown) first = std::exchange(jobs_[i].thrown, nullptr);
  if (first) std::rethrow_exception(first);
}

}  // namespace toriscope
