// SPDX-License-Identifier: Apache-2.0
#include "traces/wave_file.h"

#include <algorithm>
#include <exception>
#include <stdexcept>
#include <utility>

#include "base/words.h"
#include "traces/fst_format.h"
#include "traces/vcd_format.h"

namespace toriscope {

bool is_fst(std::string_view path) { return ends_in(path, ".fst"); }

namespace {

constexpr std::size_t max_waiting = 24;  // while a section of an FST file is packed, more changes come

}  // namespace

wave_file::wave_file(std::string path, std::string_view timescale, const std::vector<std::string>& comments)
    : out_(std::move(path)) {
  if (is_fst(out_.path()))
    format_ = std::make_unique<fst_format>(out_, timescale, comments);
  else
    format_ = std::make_unique<vcd_format>(out_, timescale, comments);
}

wave_file::~wave_file() { discard(); }

void wave_file::enter(std::string_view scope) {
  if (scope == scope_) return;
  scope_ = scope;
  const std::vector<std::string> wanted = scope.empty() ? std::vector<std::string>() : split(scope, '.');
  const auto [open, next] = std::mismatch(scopes_.begin(), scopes_.end(), wanted.begin(), wanted.end());
  for (auto closed = open; closed != scopes_.end(); ++closed) format_->close_scope();
  for (auto opened = next; opened != wanted.end(); ++opened) format_->open_scope(*opened);
  scopes_ = wanted;
}

wave_file::variable wave_file::add(std::string_view scope, std::string_view name, unsigned width) {
  enter(scope);
  format_->add(name, width);
  return wave_values::add(width);
}

void wave_file::begin(std::uint64_t time) {
  enter("");
  format_->end_header();
  wave_values::begin(time);
  writer_ = std::thread([this] { write_batches(); });
}

void wave_file::hand_over() {
  std::unique_lock lock(mutex_);
  changed_queue_.wait(lock, [&] { return waiting_.size() < max_waiting; });
  wave_batch next;
  if (!empty_.empty()) {
    next = std::move(empty_.back());
    empty_.pop_back();
  }
  waiting_.push_back(take(std::move(next)));
  changed_queue_.notify_all();
}

template <class Write>
void wave_file::attempt(Write write) {
  if (failed_) return;
  try {
    write();
    failure_ = out_.error();
  } catch (const std::exception& error) {
    failure_ = "cannot write " + path() + ": " + error.what();
  }
  failed_ = !failure_.empty();
}

void wave_file::write_batches() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_queue_.wait(lock, [&] { return ends_ || !waiting_.empty(); });
    if (drops_) return;
    if (waiting_.empty()) break;
    wave_batch batch = std::move(waiting_.front());
    waiting_.erase(waiting_.begin());
    changed_queue_.notify_all();
    lock.unlock();
    attempt([&] { format_->write(batch); });
    batch.stamps.clear();
    batch.changes.clear();
    lock.lock();
    empty_.push_back(std::move(batch));
  }
  attempt([&] { format_->end(end_); });
}

void wave_file::stop(bool write_rest) {
  if (!writer_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
    drops_ = !write_rest;
  }
  changed_queue_.notify_all();
  writer_.join();
}

void wave_file::finish(std::uint64_t end) {
  if (!begun() || ends_) return;
  gather();
  hand_over();
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
    end_ = end;
  }
  changed_queue_.notify_all();
}

void wave_file::close(std::uint64_t end) {
  finish(end);
  stop(true);
  if (!error().empty()) {
    out_.discard();
    throw std::runtime_error(error());
  }
  out_.close();
}

void wave_file::discard() {
  stop(false);
  out_.discard();
}

const std::string& wave_file::error() const {
  static const std::string nothing;
  if (failed_) return failure_;
  return writer_.joinable() ? nothing : out_.error();
}

}  // namespace toriscope
