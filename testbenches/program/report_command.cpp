// SPDX-License-Identifier: Apache-2.0
#include "testbenches/program/report_command.h"

#include <fmt/format.h>

#include <filesystem>
#include <stdexcept>
#include <system_error>

#include "base/output_directory.h"
#include "testbenches/experiments/report/figure_files.h"
#include "testbenches/experiments/report/report_document.h"
#include "testbenches/experiments/report/report_page.h"
#include "testbenches/program/run_command.h"
#include "testbenches/program/text_options.h"
#include "testbenches/program/text_output.h"

namespace toriscope {

void add_report_options(CLI::App& report, report_request& r) {
  report
      .add_option(
          "RESULTS", r.results,
          "directories of sweep and reproduce, files of run --json, each followed by its --link-stats "
          "FILE.json if there is one")
      ->required();
  text_options options(report, "Output");
  options.add("-o,--output", r.page, "FILE.html", "the page; - is standard output [report.html]");
  options.add("--figures", r.figures, "DIR", "also write every chart as SVG and PNG (needs Chromium)");
  report.footer(
      "report writes one HTML file that works offline: latency and throughput by load, saturation, latency\n"
      "histograms, link use on the network's layout, stall reasons, verdicts of reproduce, and the configuration\n"
      "and command of every curve. See docs/report.md.\n\n"
      "Examples:\n"
      "  toriscope report results -o report.html\n"
      "  toriscope report sweep_ttn sweep_torus reproduced --figures figures\n"
      "  toriscope run --topology torus:8x8 --rate 0.3 --observe --json run.json --link-stats links.json\n"
      "  toriscope report run.json links.json");
}

namespace {

/// Before the page is written. @throws std::invalid_argument
void check_figures(const report_request& r) {
  namespace fs = std::filesystem;
  if (is_stdout(r.page))
    throw std::invalid_argument("--figures needs the page in a file; give --output a file name, not -");
  std::error_code error;
  const fs::path page = fs::weakly_canonical(fs::absolute(r.page, error), error);
  fs::path directory = error ? fs::path() : fs::weakly_canonical(fs::absolute(r.figures, error), error);
  if (!directory.has_filename()) directory = directory.parent_path();
  if (!error && directory == page)
    throw std::invalid_argument("--output and --figures both write to " + r.figures + "; only one of them can");
  check_writable_directory(r.figures);
  find_chromium();
}

}  // namespace

int report_command(const report_request& r) {
  if (!r.figures.empty()) check_figures(r);
  const nlohmann::ordered_json document = report_document(read_results(r.results), TORISCOPE_VERSION);
  const std::string page = report_page(document);
  write_text(r.page, page);
  if (is_stdout(r.page)) return fine;
  write_stdout(fmt::format("{}: {} curves, {} verdicts, {:.1f} MB\n", r.page, document["curves"].size(),
                           document["verdicts"].size(), static_cast<double>(page.size()) / 1e6));
  if (!r.figures.empty())
    write_stdout(fmt::format("{}: {} files\n", r.figures, write_figures(r.page, r.figures)));
  return fine;
}

}  // namespace toriscope
