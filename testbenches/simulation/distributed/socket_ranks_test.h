// SPDX-License-Identifier: Apache-2.0
// For tests: one of two ranks without MPI, each at one end of a pair of sockets.
#pragma once

#include <sys/socket.h>

#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "network/distributed/process_transport.h"

namespace toriscope {

using words = std::vector<std::uint64_t>;

class socket_transport final : public process_transport {
 public:
  /// @param tamper  changes what this rank sends
  socket_transport(unsigned rank, int end, std::function<void(words&)> tamper)
      : rank_(rank), end_(end), tamper_(std::move(tamper)) {}

  unsigned rank() const override { return rank_; }
  unsigned ranks() const override { return 2; }
  void exchange(const rank_words& out, rank_words& in) override {
    ++meetings_;
    words mine = out[1 - rank_];
    tamper_(mine);
    in.assign(2, {});
    if (rank_ == 0) send_words(mine);
    in[1 - rank_] = received_words();
    if (rank_ == 1) send_words(mine);
  }
  double waiting_cpu_seconds() const override { return 3600; }  // before the run
  unsigned meetings() const { return meetings_; }
  void finish() override {}
  [[noreturn]] void abort(int status) override { std::_Exit(status); }

 private:
  void send_words(const words& list) {
    const std::uint64_t count = list.size();
    send_bytes(&count, sizeof count);
    send_bytes(list.data(), count * sizeof count);
  }
  words received_words() {
    std::uint64_t count = 0;
    receive_bytes(&count, sizeof count);
    words list(count);
    receive_bytes(list.data(), count * sizeof count);
    return list;
  }
  void send_bytes(const void* bytes, std::size_t count) {
    for (std::size_t done = 0; done < count;) {
      const ssize_t n = ::send(end_, static_cast<const char*>(bytes) + done, count - done, MSG_NOSIGNAL);
      if (n <= 0) throw std::runtime_error("the other rank is gone");
      done += static_cast<std::size_t>(n);
    }
  }
  void receive_bytes(void* bytes, std::size_t count) {
    if (count > 0 && ::recv(end_, bytes, count, MSG_WAITALL) != static_cast<ssize_t>(count))
      throw std::runtime_error("the other rank is gone");
  }

  const unsigned rank_;
  const int end_;
  unsigned meetings_ = 0;
  const std::function<void(words&)> tamper_;
};

}  // namespace toriscope
