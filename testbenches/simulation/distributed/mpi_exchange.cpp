// SPDX-License-Identifier: Apache-2.0
// mpi_exchange MODULE, started by mpirun: the ranks send each other messages of lengths around that of the first part.
// Status 1, with a line, where a rank got other words than were meant for it.
#include <dlfcn.h>

#include <cstdint>
#include <cstdio>
#include <ctime>
#include <vector>

#include "network/distributed/process_transport.h"

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

}  // namespace

int main(int, char** arguments) {
  void* const module = dlopen(arguments[1], RTLD_NOW | RTLD_GLOBAL);
  if (!module) {
    std::fprintf(stderr, "%s\n", dlerror());
    return 2;
  }
  toriscope::process_transport& team =
      *reinterpret_cast<toriscope::process_transport* (*)(unsigned)>(dlsym(module, "toriscope_make_mpi_transport"))(60);
  const unsigned rank = team.rank(), ranks = team.ranks();
  toriscope::rank_words in;
  for (unsigned round = 0; round < 14; ++round) {
    toriscope::rank_words out;
    for (unsigned r = 0; r < ranks; ++r) out.push_back(message(rank, r, round));
    const double before = cpu_seconds(), waited = team.waiting_cpu_seconds();
    team.exchange(out, in);
    const double here = team.waiting_cpu_seconds() - waited;
    bool good = in.size() == ranks && here > 0 && here <= cpu_seconds() - before;
    for (unsigned r = 0; good && r < ranks; ++r) good = in[r] == (r == rank ? words() : message(r, rank, round));
    if (good) continue;
    std::fprintf(stderr, "rank %u of %u, round %u: other words, or other seconds (%g)\n", rank, ranks, round, here);
    team.abort(1);
  }
  team.finish();
  std::printf("rank %u of %u\n", rank, ranks);
}
