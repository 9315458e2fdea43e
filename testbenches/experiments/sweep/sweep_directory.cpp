// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/sweep/sweep_directory.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <stdexcept>
#include <thread>
#include <utility>

#include "base/output_file.h"
#include "base/text_file.h"

namespace toriscope {
namespace {

namespace fs = std::filesystem;

constexpr const char* tables[] = {"plan.json", "points.csv", "curves.csv", "sweep.json"};

/// Whether a plan written by an older toriscope, which lacks parameters, is this one.
bool was_the_plan(const std::string& older, const std::string& plan) {
  try {
    return sweep_plan::from({}, older, "plan.json").text() == plan;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

/// Left by a process that was killed.
bool is_torn_table(const std::string& name) {
  return std::any_of(std::begin(tables), std::end(tables),
                     [&](const char* table) { return is_abandoned_part(name, table); });
}

}  // namespace

sweep_directory::sweep_directory(std::string path, const sweep_plan& plan, share how)
    : path_((make_directory(path), std::move(path))), plan_(plan), store_(path_) {
  claim(how);
}

sweep_directory::open_directory::~open_directory() {
  if (file >= 0) close(file);
}

/// The directory itself is locked: no file has to be left behind. Where that cannot be done (some network
/// file systems) nothing is lost: all files are written whole, and two sweeps of a plan write the same.
bool sweep_directory::lock(share how) const {
  return flock(lock_.file, (how == share::alone ? LOCK_EX : LOCK_SH) | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

void sweep_directory::claim(share how) {
  lock_.file = open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  // Who has just been killed may take a moment to be gone. Another plan's place is taken by one that is alone.
  for (int patience = 10; patience > 0; --patience) {
    if (lock(how) && (has_plan() || lock(share::alone))) {
      put_plan();
      if (lock(how)) return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  throw std::invalid_argument(
      path_ + ": another sweep is at work there; wait for it, or give another directory by --out");
}

bool sweep_directory::has_plan() const { return text_if_there(path_ + "/plan.json") == plan_.text(); }

void sweep_directory::put_plan() const {
  if (has_plan()) return;
  const std::string file = path_ + "/plan.json";
  const std::string plan = plan_.text();
  std::error_code ignored;
  // A plan without results - it was rejected, as a rule - may be replaced.
  if (fs::exists(file, ignored) && !fs::is_empty(path_ + "/points", ignored) &&
      !was_the_plan(text_if_there(file).value_or(""), plan))
    throw std::invalid_argument(
        path_ +
        " holds the results of another plan (plan.json there); give another directory by "
        "--out, or remove that one");
  replace_text_file(file, plan);
}

void sweep_directory::finish(const curve_searches& searches) const {
  std::set<std::string> used;
  for (const auto& s : searches) {
    for (const load_figures& load : s->loads()) {
      for (const auto& p : load.points) used.insert(p->hash());
      if (load.confirmation) used.insert(load.confirmation->what->hash());
    }
    if (const auto seen = s->observed()) used.insert(seen->what->hash());
  }
  replace_text_file(path_ + "/points.csv", points_csv(plan_, searches));
  replace_text_file(path_ + "/curves.csv", curves_csv(plan_, searches));
  replace_text_file(path_ + "/sweep.json", sweep_json(plan_, searches));
  store_.keep_only(used);
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(path_, ignored))
    if (is_torn_table(entry.path().filename().string())) fs::remove(entry.path(), ignored);
}

}  // namespace toriscope
