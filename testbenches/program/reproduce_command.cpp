// SPDX-License-Identifier: Apache-2.0
#include "testbenches/program/reproduce_command.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <stdexcept>

#include "testbenches/papers/paper_registry.h"
#include "testbenches/papers/reproduction.h"
#include "testbenches/papers/verdict_table.h"
#include "testbenches/program/text_output.h"

namespace toriscope {
namespace {

std::string paper_names() {
  std::string names;
  for (const known_paper& p : known_papers()) names += (names.empty() ? "" : ", ") + p.name;
  return names;
}

/// What was asked for, as it would be typed - wherever the results go, and whatever the number of jobs.
std::string command_of(const reproduce_request& request) {
  std::string text = "toriscope reproduce";
  for (const std::string& name : request.papers) text += " " + name;
  return text + (request.quick ? " --quick" : "") + " --out DIR";
}

void make_directory(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) throw std::runtime_error("--out: cannot make directory '" + path + "': " + error.message());
}

/// One line that is replaced on a terminal; nothing elsewhere.
void tell(const std::string& line) {
  if (isatty(STDERR_FILENO) == 1) std::fprintf(stderr, "\r\033[K%s", line.c_str());
}

}  // namespace

void add_reproduce_options(CLI::App& reproduce, reproduce_request& r) {
  reproduce.add_option("PAPER", r.papers, "which papers [all]: " + paper_names());
  reproduce.add_option("--out", r.out, "directory for verdicts.json, verdicts.md and the points simulated")
      ->type_name("DIR")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  reproduce.add_flag("--quick", r.quick, "fewer loads, shorter windows and wider tolerances: minutes");
  reproduce.add_flag("--list", r.list, "list the items, and simulate nothing");
  reproduce.add_option("--jobs", r.jobs, "simulations at once [as many as there are cores]")
      ->type_name("N")
      ->check(CLI::Range(1, 4096));
  reproduce.footer(
      "Every table, figure and claim of a paper: printed, ours, and the verdict - reproduced (with the "
      "tolerance),\n"
      "differs (why), cannot be decided (what is missing). The same command after a kill goes on where it "
      "was.\n"
      "docs/papers.md has the table, and what it means.\n\n"
      "Examples:\n  toriscope reproduce rdt --out rdt\n"
      "  toriscope reproduce --quick --out papers\n"
      "  toriscope reproduce ttn2009 --list");
}

int reproduce_command(const reproduce_request& request) {
  const std::vector<paper> papers =
      papers_named(request.papers, request.quick ? effort::quick : effort::full);
  if (request.list) {
    write_stdout(item_list(papers));
    return 0;
  }
  if (request.out.empty())
    throw std::invalid_argument("reproduce needs --out DIR, a directory for the verdicts");
  make_directory(request.out);
  const std::string json = request.out + "/verdicts.json";
  check_writable(json);
  const std::vector<verdict> verdicts = reproduce(papers, {request.out, request.jobs, tell});
  tell("");
  write_text(json, verdicts_as_json(verdicts));
  write_text(request.out + "/verdicts.md", verdicts_as_markdown(papers, verdicts, command_of(request)));
  write_stdout(verdict_summary(papers, verdicts));
  return 0;
}

}  // namespace toriscope
