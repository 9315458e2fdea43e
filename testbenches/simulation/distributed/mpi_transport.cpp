// SPDX-License-Identifier: Apache-2.0
// The ranks of mpirun, by Boost.MPI. The only source that knows MPI; a module that process_team.cpp loads.
#include <algorithm>
#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>
#include <boost/mpi/nonblocking.hpp>
#include <boost/mpi/request.hpp>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "testbenches/simulation/distributed/watchful_transport.h"

namespace toriscope {
namespace {

namespace mpi = boost::mpi;

class mpi_transport final : public watchful_transport {
 public:
  mpi_transport()
      : environment_(std::make_unique<mpi::environment>()),
        send_(world_.size(), buffer(first_part)),
        receive_(world_.size(), buffer(first_part)) {}

  unsigned rank() const override { return static_cast<unsigned>(world_.rank()); }
  unsigned ranks() const override { return static_cast<unsigned>(world_.size()); }

  void exchange(const rank_words& out, rank_words& in) override {
    const double start = cpu_seconds();
    exchange_parts(out, in);
    waiting_ += cpu_seconds() - start;
  }
  double waiting_cpu_seconds() const override { return waiting_; }
  void limit_silence(unsigned seconds) override { patience_ = seconds; }

  void finish() override { environment_.reset(); }
  [[noreturn]] void abort(int status) override {
    mpi::environment::abort(status);
    std::abort();
  }

 private:
  using buffer = std::vector<std::uint64_t>;
  struct part {
    std::uint64_t* words;
    std::size_t count;
  };
  struct request : mpi::request {
    unsigned peer;  ///< the other rank
  };
  enum tag : int { first, rest };
  static constexpr std::size_t first_part = 4096;  ///< words, the length of the whole included

  static double cpu_seconds() {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
  }

  void exchange_parts(const rank_words& out, rank_words& in) {
    in.resize(ranks());
    begin_receiving(first, [&](unsigned r) { return part{receive_[r].data(), first_part}; });
    begin_sending(first, [&](unsigned r) {
      const std::size_t words = std::min(out[r].size(), first_part - 1);
      send_[r][0] = out[r].size();
      std::copy_n(out[r].begin(), words, send_[r].begin() + 1);
      return part{send_[r].data(), words + 1};
    });
    wait();
    // Few messages are so long that they have a second part.
    begin_receiving(rest, [&](unsigned r) {
      in[r].resize(receive_[r][0]);
      const std::size_t here = std::min(in[r].size(), first_part - 1);
      std::copy_n(receive_[r].begin() + 1, here, in[r].begin());
      return part{in[r].data() + here, in[r].size() - here};
    });
    begin_sending(rest, [&](unsigned r) {
      const std::size_t gone = std::min(out[r].size(), first_part - 1);
      return part{const_cast<std::uint64_t*>(out[r].data()) + gone, out[r].size() - gone};
    });
    wait();
    in[rank()].clear();
  }

  template <class PartOf>
  void begin_receiving(tag t, PartOf part_of) {
    begin(part_of,
          [&](int from, std::uint64_t* words, int count) { return world_.irecv(from, t, words, count); });
  }

  template <class PartOf>
  void begin_sending(tag t, PartOf part_of) {
    begin(part_of,
          [&](int to, const std::uint64_t* words, int count) { return world_.isend(to, t, words, count); });
  }

  template <class PartOf, class Begin>
  void begin(PartOf part_of, Begin begin_one) {
    for (unsigned r = 0; r < ranks(); ++r) {
      if (r == rank()) continue;
      const part p = part_of(r);
      if (p.count == 0) continue;
      requests_.push_back({begin_one(static_cast<int>(r), p.words, static_cast<int>(p.count)), r});
    }
  }

  /// @throws std::runtime_error when ranks stay silent for longer than the patience
  void wait() {
    using clock = std::chrono::steady_clock;
    // The rank that has waited longest knows who is silent, and the lowest of them speaks.
    const std::chrono::duration<double> enough(patience_ + .5 * rank());
    std::chrono::duration<double> waited(0);
    clock::time_point last = clock::now();
    while (!mpi::test_all(requests_.begin(), requests_.end())) {
      const clock::time_point now = clock::now();
      // A process that was stopped itself, with the others, has not waited.
      waited += std::min<std::chrono::duration<double>>(now - last, std::chrono::seconds(1));
      last = now;
      if (patience_ && waited > enough) throw std::runtime_error(silence());
    }
    requests_.clear();
  }

  std::string silence() {
    std::set<unsigned> silent;
    for (request& r : requests_)
      if (!r.test()) silent.insert(r.peer);
    std::string text;
    for (const unsigned r : silent) text += (text.empty() ? "rank " : ", rank ") + std::to_string(r);
    return "no word from " + text + " for " + std::to_string(patience_) +
           " s: stopped, overloaded, or its connection is lost (TORISCOPE_RANK_PATIENCE: other seconds, 0: "
           "no limit)";
  }

  unsigned patience_ = 0;  ///< seconds that other ranks may stay silent; 0: for ever
  std::unique_ptr<mpi::environment> environment_;
  mpi::communicator world_;
  std::vector<buffer> send_;     ///< by rank
  std::vector<buffer> receive_;  ///< by rank
  std::vector<request> requests_;
  double waiting_ = 0;
};

}  // namespace
}  // namespace toriscope

/// What the program looks for in the module.
extern "C" toriscope::watchful_transport* toriscope_make_mpi_transport() { return new toriscope::mpi_transport; }
