// SPDX-License-Identifier: Apache-2.0
// For tests: mpi_exchange MODULE [cut], started by mpirun: the ranks send each other messages of lengths around that
// of the first part. Status 1, with a line, where a rank got other words than were meant for it, or took another time
// for it than is said. cut: rank 1 cuts its connections to other ranks again and again; status 2 where one says that it
// waits in vain.
#include <dlfcn.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <stdexcept>
#include <vector>

#include "testbenches/simulation/distributed/watchful_transport.h"

namespace {

using words = std::vector<std::uint64_t>;

words message(unsigned from, unsigned to, unsigned round) {
  constexpr unsigned lengths[] = {0, 4095, 1, 4096, 9000, 4094, 4097};
  words all(lengths[(round + 2 * from + to) % 7]);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = (std::uint64_t{from} << 48) + (std::uint64_t{to} << 40) + i * 7;
  return all;
}

double cpu_seconds() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) / 1e9;
}

/// The sockets of this process that are connected.
std::vector<int> connections() {
  std::vector<int> all;
  for (int i = 0; i < 256; ++i) {
    sockaddr_storage peer;
    socklen_t bytes = sizeof peer;
    if (getpeername(i, reinterpret_cast<sockaddr*>(&peer), &bytes) == 0) all.push_back(i);
  }
  return all;
}

}  // namespace

int main(int count, char** arguments) {
  const bool cuts = count > 2;
  void* const module = dlopen(arguments[1], RTLD_NOW | RTLD_GLOBAL);
  if (!module) {
    std::fprintf(stderr, "%s\n", dlerror());
    return 2;
  }
  const auto make =
      reinterpret_cast<toriscope::watchful_transport* (*)()>(dlsym(module, "toriscope_make_mpi_transport"));
  toriscope::watchful_transport& team = *make();
  team.limit_silence(cuts ? 5 : 60);
  const std::vector<int> to_mpirun = connections();
  const unsigned rank = team.rank(), ranks = team.ranks();
  const auto fail = [&](const char* what, double number) {
    std::fprintf(stderr, "rank %u of %u: %s (%g)\n", rank, ranks, what, number);
    team.abort(1);
  };
  toriscope::rank_words in;
  const auto exchange = [&](const toriscope::rank_words& out) {
    try {
      team.exchange(out, in);
    } catch (const std::runtime_error& silence) {
      std::fprintf(stderr, "rank %u of %u: %s\n", rank, ranks, silence.what());
      team.abort(2);
    }
  };
  unsigned cut = 0;
  for (unsigned round = 0; round < 14; ++round) {
    if (cuts && rank == 1 && round % 4 == 1) {
      for (const int socket : connections())
        if (std::find(to_mpirun.begin(), to_mpirun.end(), socket) == to_mpirun.end())
          cut += shutdown(socket, SHUT_RDWR) == 0;
      if (cut == 0 && round > 9) fail("nothing to cut in round", round);  // a busy machine may connect them late
    }
    toriscope::rank_words out;
    for (unsigned r = 0; r < ranks; ++r) out.push_back(message(rank, r, round));
    in.assign(ranks, words{round});  // which are gone then
    exchange(out);
    bool good = in.size() == ranks;
    for (unsigned r = 0; good && r < ranks; ++r) good = in[r] == (r == rank ? words() : message(r, rank, round));
    if (!good) fail("other words in round", round);
  }
  // Under a limit of CPU time (ulimit -t) its clock goes on in steps of some milliseconds.
  const double begin = cpu_seconds(), waited = team.waiting_cpu_seconds(), step = .01;
  bool on = true;
  while (on) {
    on = cpu_seconds() - begin < 10 * step;
    exchange(toriscope::rank_words(ranks, words{on}));
    for (const words& w : in) on = on || (!w.empty() && w[0]);
  }
  const double here = team.waiting_cpu_seconds() - waited;
  if (here < step || here > cpu_seconds() - begin + step) fail("other seconds", here);
  team.finish();
  std::printf("rank %u of %u\n", rank, ranks);
}
