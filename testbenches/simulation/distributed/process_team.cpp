// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/distributed/process_team.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <new>
#include <stdexcept>
#include <thread>
#include <vector>

#include "base/text_file.h"
#include "base/text_hash.h"
#include "base/whole_number.h"
#include "base/word_reader.h"
#include "base/words.h"

namespace toriscope {
namespace {

constexpr int bad_input = 2;
constexpr unsigned usual_patience_s = 60;

unsigned number_in(const char* variable) {
  const char* const text = std::getenv(variable);
  return text ? static_cast<unsigned>(std::strtoul(text, nullptr, 10)) : 0;
}

/// In seconds.
unsigned patience_with_ranks() {
  const char* const text = std::getenv("TORISCOPE_RANK_PATIENCE");
  unsigned seconds = usual_patience_s;
  if (text && !to_number(text, seconds))
    throw std::invalid_argument("TORISCOPE_RANK_PATIENCE is '" + one_line(text) +
                                "'; expected whole seconds, or 0: no limit to how long a rank waits for another");
  return seconds;
}

/// Beside the program as it is built, or where it is installed.
void* open_module() {
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  for (const char* const place : {"libtoriscope_mpi.so", TORISCOPE_MODULES "/libtoriscope_mpi.so"}) {
    const std::filesystem::path file = program / place;
    if (!std::filesystem::exists(file)) continue;
    // Global: the components that MPI loads look for MPI's own symbols.
    void* const module = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (!module) throw std::runtime_error(std::string("mpirun: MPI cannot be loaded: ") + dlerror());
    return module;
  }
  throw std::runtime_error("mpirun needs libtoriscope_mpi.so, which is neither in " + program.string() + " nor in " +
                           (program / TORISCOPE_MODULES).lexically_normal().string() +
                           "; it is built where there are Open MPI and Boost.MPI (libopenmpi-dev, libboost-mpi-dev)");
}

/// Of this program's file: ranks of two builds would disagree later, and in worse words.
std::uint64_t hash_of_program() {
  return std::hash<std::string>()(text_if_there("/proc/self/exe").value_or(""));
}

std::string message_of(const std::exception& error) {
  return dynamic_cast<const std::bad_alloc*>(&error) ? out_of_memory : error.what();
}

/// Says what all ranks know.
int end_together(const process_team& team, const rank_disagreement& known) {
  if (team.leads()) tell(known.what());
  team.transport().finish();
  return team.leads() ? bad_input : 0;  // one is enough for mpirun to tell
}

int end_with(process_team& team, const std::string& message) {
  if (!team.agreed()) try {
      team.agree(message, "");
    } catch (const rank_disagreement& known) {
      return end_together(team, known);
    }
  tell(fmt::format("rank {}: {}", team.rank(), message));
  std::fflush(nullptr);
  team.transport().abort(bad_input);
  return bad_input;
}

}  // namespace

unsigned process_team::started() {
  const unsigned processes = number_in("OMPI_COMM_WORLD_SIZE");
  return processes ? processes : 1;
}

process_team::process_team() : patience_(patience_with_ranks()) {
  const auto make =
      reinterpret_cast<watchful_transport* (*)()>(dlsym(open_module(), "toriscope_make_mpi_transport"));
  if (!make) throw std::runtime_error("libtoriscope_mpi.so is not of this version of toriscope");
  transport_.reset(make());
  rank_ = transport_->rank();
  ranks_ = transport_->ranks();
}

void process_team::agree(const std::string& error, const std::string& same_here) {
  agreed_ = true;
  std::vector<std::uint64_t> words{mix_text(same_here), hash_of_program()};
  append_text(words, error);
  rank_words in;
  transport_->exchange(rank_words(ranks(), words), in);
  in[rank()] = words;
  std::vector<std::uint64_t> same, builds;
  for (const std::vector<std::uint64_t>& of_rank : in) {
    const std::size_t r = same.size();
    word_reader theirs(of_rank);
    same.push_back(theirs.next());
    builds.push_back(theirs.next());
    const std::string said = theirs.text();
    if (!said.empty()) throw rank_disagreement((r > 0 ? "rank " + std::to_string(r) + ": " : "") + said);
  }
  for (unsigned r = 1; r < ranks(); ++r) {
    const std::string rank = "rank " + std::to_string(r);
    if (builds[r] != builds[0])
      throw rank_disagreement(rank + " runs another build of toriscope than rank 0");
    if (same[r] != same[0])
      throw rank_disagreement(rank +
                              " has another configuration than rank 0; expected equal options, and equal "
                              "contents of the files that they name");
  }
}

int run_on_ranks(const std::function<int(process_team&)>& work) {
  std::unique_ptr<process_team> team;
  try {
    team = std::make_unique<process_team>();
  } catch (const std::exception& error) {
    const unsigned rank = number_in("OMPI_COMM_WORLD_RANK");
    if (rank == 0) throw;
    // Where rank 0 cannot join either, its line is enough: mpirun ends this rank before it speaks.
    std::this_thread::sleep_for(std::chrono::seconds(1));
    tell(fmt::format("rank {}: {}", rank, message_of(error)));
    return bad_input;
  }
  try {
    const int status = work(*team);
    team->transport().finish();
    return status;
  } catch (const rank_disagreement& known) {
    return end_together(*team, known);
  } catch (const std::exception& error) {
    return end_with(*team, message_of(error));
  }
}

}  // namespace toriscope
