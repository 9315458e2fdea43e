// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/sweep/job_pool.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <ctime>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <thread>

#include "base/measured_process.h"
#include "base/words.h"
#include "testbenches/experiments/sweep/sweep_progress.h"

namespace toriscope {
namespace {

/// Lets one wait for the end of a child, for as long as it lives.
class child_watch {
 public:
  child_watch() {
    sigemptyset(&child_);
    sigaddset(&child_, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child_, &before_);
  }
  ~child_watch() { sigprocmask(SIG_SETMASK, &before_, nullptr); }
  child_watch(const child_watch&) = delete;
  child_watch& operator=(const child_watch&) = delete;

  void wait_at_most_a_second() const {
    const timespec second{1, 0};
    sigtimedwait(&child_, nullptr, &second);
  }

 private:
  sigset_t child_{};
  sigset_t before_{};
};

/// One call of job_pool::run().
class pool_run {
 public:
  pool_run(const job_settings& settings, const std::vector<point_search*>& searches,
           const result_store& store)
      : settings_(settings), searches_(searches), store_(store), shown_(settings.progress, settings.now) {
    for (const point_search* s : searches_) wanted_.push_back(s->wanted());
  }

  std::vector<failed_point> run() {
    for (;;) {
      take_stored();
      stop_unwanted();
      while (running_.size() < settings_.jobs && launch_next()) {
      }
      if (running_.empty()) break;
      watch_.wait_at_most_a_second();
      collect();
      shown_.waiting(expected(), settings_.jobs);
    }
    shown_.end();
    // One that was run ahead may not be needed after all.
    failures_.erase(std::remove_if(failures_.begin(), failures_.end(),
                                   [&](const failed_point& f) { return !is_wanted(f.hash, 2); }),
                    failures_.end());
    return failures_;
  }

 private:
  struct job {
    std::shared_ptr<const point> what;
    running_process process;
    double started;  ///< seconds
  };

  bool is_running(const point& p) const {
    return std::any_of(running_.begin(), running_.end(),
                       [&](const job& j) { return j.what->hash() == p.hash(); });
  }

  /// @param below  only with a priority below it; 2: it is needed
  bool is_wanted(const std::string& hash, unsigned below = ~0U) const {
    for (const auto& list : wanted_)
      for (const wanted_point& w : list)
        if (w.priority < below && w.what->hash() == hash) return true;
    return false;
  }

  std::size_t expected() const {
    std::size_t sum = 0;
    for (const point_search* s : searches_) sum += s->expected();
    return sum;
  }

  /// A result goes to all searches that want it.
  void give(const point& p, const run_result& result) {
    for (std::size_t i = 0; i < searches_.size(); ++i) {
      const auto asked = std::any_of(wanted_[i].begin(), wanted_[i].end(),
                                     [&](const wanted_point& w) { return w.what->hash() == p.hash(); });
      if (!asked) continue;
      searches_[i]->take(p, result);
      wanted_[i] = searches_[i]->wanted();
      shown_.learned(*searches_[i]);
    }
  }

  void take_stored() {
    for (bool found = true; found;) {
      found = false;
      for (std::size_t i = 0; i < searches_.size() && !found; ++i)
        for (const wanted_point& w : wanted_[i]) {
          // What the store had once is asked again: another search may want it later.
          if (missing_.count(w.what->hash()) != 0) continue;
          const std::shared_ptr<const point> p = w.what;
          if (const std::optional<run_result> known = store_.load(*p)) {
            give(*p, *known);
            found = true;
            break;
          }
          missing_.insert(p->hash());
        }
    }
  }

  void stop_unwanted() {
    running_.remove_if([&](const job& j) { return !is_wanted(j.what->hash()); });
  }

  /// @returns whether there was something to do
  bool launch_next() {
    const wanted_point* best = nullptr;
    for (const auto& list : wanted_)
      for (const wanted_point& w : list) {
        if (failed_.count(w.what->hash()) != 0 || is_running(*w.what)) continue;
        if (!best || w.priority < best->priority ||
            (w.priority == best->priority && w.what->expected_cost() > best->what->expected_cost()))
          best = &w;
      }
    if (!best) return false;
    std::vector<std::string> arguments = best->what->arguments();
    arguments.insert(arguments.begin(), settings_.program);
    const double started = settings_.now();
    running_.push_back({best->what, running_process(arguments, {"", best->what->config_text()}), started});
    return true;
  }

  void collect() {
    for (auto j = running_.begin(); j != running_.end();) {
      const double seconds = settings_.now() - j->started;
      std::optional<measured_process> ended = j->process.poll();
      std::string trouble;
      if (ended) {
        trouble = take_output(*j->what, *ended, seconds);
      } else if (seconds > settings_.timeout_seconds) {
        trouble = fmt::format("not done after {:.0f} s (--timeout)", settings_.timeout_seconds);
      } else {
        ++j;
        continue;
      }
      const std::shared_ptr<const point> p = j->what;
      j = running_.erase(j);  // kills one that hangs
      if (!trouble.empty()) note_trouble(*p, trouble);
    }
  }

  /// @returns why there is no result; empty when there is one
  std::string take_output(const point& p, const measured_process& done, double seconds) {
    // 2: bad input, which no second try makes good; or other points may leave more memory.
    if (done.status == 2 && done.last_words() != out_of_memory)
      throw std::invalid_argument(done.last_words() + " (" + p.command() + ")");
    if (done.status > 128) return fmt::format("killed by signal {}", done.status - 128);
    if (done.status > 1) return fmt::format("exit status {}: {}", done.status, done.last_words());
    if (p.files_have_changed())
      throw std::invalid_argument("a file that the configuration names has changed since the sweep began: its result "
                                  "does not count; start the sweep again (" + p.command() + ")");
    std::optional<run_result> result;
    try {
      result = store_.save(p, done.out);
    } catch (const std::invalid_argument& error) {
      return fmt::format("exit status {}: {}{}", done.status, error.what(),
                         done.err.empty() ? "" : ": " + done.last_words());
    }
    shown_.point_done(seconds);
    if (result->broken())  // a second try ends likewise, or hides a defect
      give_up(p, result->failure()->message);
    else
      give(p, *result);
    return {};
  }

  void note_trouble(const point& p, const std::string& reason) {
    if (++tries_[p.hash()] < settings_.tries) {
      tell(fmt::format("point {}: {}; it is run again", p.hash(), reason));
      return;
    }
    give_up(p, fmt::format("{}, after {} tries", reason, settings_.tries));
  }

  void give_up(const point& p, const std::string& reason) {
    failed_.insert(p.hash());
    failures_.push_back({p.hash(), p.command(), one_line(reason)});
    tell(fmt::format("point {} is given up: {}; {}", p.hash(), failures_.back().reason, p.command()),
         std::string::npos);  // a command is worth something as a whole only
  }

  const job_settings& settings_;
  const std::vector<point_search*>& searches_;
  const result_store& store_;
  child_watch watch_;
  sweep_progress shown_;
  std::vector<std::vector<wanted_point>> wanted_;  ///< by search
  std::list<job> running_;
  std::set<std::string> missing_;  ///< not in the store, when it was asked
  std::set<std::string> failed_;
  std::map<std::string, unsigned> tries_;
  std::vector<failed_point> failures_;
};

}  // namespace

job_pool::job_pool(const job_settings& settings) : settings_(settings) {
  if (settings_.jobs == 0) settings_.jobs = std::max(1U, std::thread::hardware_concurrency());
  if (settings_.program.empty()) settings_.program = own_program();
}

std::vector<failed_point> job_pool::run(const std::vector<point_search*>& searches,
                                        const result_store& store) const {
  return pool_run(settings_, searches, store).run();
}

bool take_from_store(const std::vector<point_search*>& searches, const result_store& store) {
  // From the end: units of a job array come in order, so that what is missing, if anything, is found soon.
  for (auto s = searches.rbegin(); s != searches.rend(); ++s)
    while (!(*s)->done()) {
      const std::vector<wanted_point> wanted = (*s)->wanted();  // with each result other ones
      const auto needed =
          std::find_if(wanted.begin(), wanted.end(), [](const wanted_point& w) { return w.priority < 2; });
      const std::optional<run_result> known = store.load(*needed->what);
      if (!known) return false;
      (*s)->take(*needed->what, *known);
    }
  return true;
}

}  // namespace toriscope
