// SPDX-License-Identifier: Apache-2.0
#include "testbenches/program/reproduce_command.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <optional>
#include <stdexcept>

#include "base/scratch_directory.h"
#include "base/text_file.h"
#include "base/words.h"
#include "testbenches/experiments/papers/paper_registry.h"
#include "testbenches/experiments/papers/reproduction.h"
#include "testbenches/experiments/papers/verdict_table.h"
#include "testbenches/experiments/sweep/point.h"
#include "testbenches/program/run_command.h"
#include "testbenches/program/text_options.h"
#include "testbenches/program/text_output.h"

namespace toriscope {
namespace {

/// What was asked for, as it would be typed - wherever the results go, and whatever the number of jobs.
std::string command_of(const reproduce_request& request) {
  std::string text = "toriscope reproduce";
  for (const std::string& name : request.papers) text += " " + name;
  return text + (request.quick ? " --quick" : "") +
         (request.item.empty() ? "" : " --item " + quoted_for_shell(request.item)) + " --out DIR";
}

/// The verdicts that are in a file; none where there is no file.
std::vector<verdict> earlier_verdicts(const std::string& path) {
  const std::optional<std::string> text = text_if_there(path);
  try {
    return text ? verdicts_from_json(*text) : std::vector<verdict>();
  } catch (const std::invalid_argument&) {
    throw std::invalid_argument(
        path + ": expected the verdicts of toriscope reproduce, to add to them; name another directory");
  }
}

/// One line that is replaced on a terminal; nothing elsewhere.
void show(const std::string& line) {
  if (isatty(STDERR_FILENO) == 1) std::fprintf(stderr, "\r\033[K%s", line.c_str());
}

}  // namespace

void add_reproduce_options(CLI::App& reproduce, reproduce_request& r) {
  reproduce.add_option("PAPER", r.papers, "which papers [all]: " + joined(names_of(known_papers())));
  reproduce.add_option("--out", r.out, "directory for verdicts.json, verdicts.md and the points simulated")
      ->type_name("DIR")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  reproduce.add_flag("--quick", r.quick, "skip long simulations; their items are \"not run\"");
  reproduce
      .add_option("--item", r.item, "only this item or row, with all details: 'Fig. 7 (a)'")
      ->type_name("NAME")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  reproduce.add_flag("--list", r.list, "list the items and what is not judged; simulate nothing");
  reproduce.add_option("--jobs", r.jobs, "simulations at once [as many as there are cores]")
      ->type_name("N")
      ->check(whole_between(1, 4096));
  reproduce.footer(
      "reproduce compares every table, figure and claim of a paper with simulation. Verdicts: reproduced (with the\n"
      "tolerance), differs (why), undetermined (what the text leaves open), not run, not evidence. The same command\n"
      "resumes after it was stopped. docs/papers.md has the counts, docs/papers_table.md the verdicts.\n\n"
      "Examples:\n  toriscope reproduce rdt --out rdt\n"
      "  toriscope reproduce --quick --out papers\n"
      "  toriscope reproduce ttn2009 --item 'Table 1: TTN(2,2,0)'\n"
      "  toriscope reproduce ttn2009 --list");
}

int reproduce_command(const reproduce_request& request) {
  std::vector<paper> papers = papers_named(request.papers);
  if (!request.item.empty()) keep_items(papers, request.item);
  if (request.list) {
    write_stdout(item_list(papers));
    return 0;
  }
  if (request.out.empty() && request.item.empty())
    throw std::invalid_argument("reproduce needs --out DIR, the directory for the verdicts, or --item NAME");
  std::optional<scratch_directory> scratch;
  std::string directory = request.out;
  if (directory.empty()) directory = scratch.emplace().path();
  make_directory(directory);
  const std::string json = directory + "/verdicts.json";
  const std::vector<verdict> earlier = earlier_verdicts(json);
  check_writable(json);
  std::vector<verdict> verdicts = reproduce(papers, {directory, request.jobs, request.quick, show});
  show("");
  if (!request.item.empty()) keep_rows(verdicts, request.item);
  const std::vector<verdict> all = with_earlier(verdicts, earlier, papers, request.item);
  std::vector<paper> of_all = papers_named({});
  of_all.erase(std::remove_if(of_all.begin(), of_all.end(),
                              [&](const paper& p) {
                                return std::none_of(all.begin(), all.end(),
                                                    [&](const verdict& v) { return v.paper == p.name; });
                              }),
               of_all.end());
  const char* before = earlier.empty() ? "" : "` and earlier ones with the same `DIR";
  write_text(json, verdicts_as_json(all));
  write_text(directory + "/verdicts.md", verdicts_as_markdown(of_all, all, command_of(request) + before));
  write_stdout(request.item.empty() ? verdict_summary(papers, verdicts) : verdict_details(verdicts));
  const auto failed =
      std::count_if(verdicts.begin(), verdicts.end(), [](const verdict& v) { return v.failed; });
  if (failed == 0) return fine;
  std::fprintf(
      stderr, "toriscope: items not run because simulations failed: %td; the same command tries them again\n",
      failed);
  return check_failed;
}

}  // namespace toriscope
