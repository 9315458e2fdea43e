// SPDX-License-Identifier: Apache-2.0
#include "testbenches/program/report_command.h"

#include <fmt/format.h>

#include <stdexcept>

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

int report_command(const report_request& r) {
  if (!r.figures.empty() && is_stdout(r.page))
    throw std::invalid_argument("--figures needs the page in a file; give --output a file name, not -");
  if (!r.figures.empty()) find_chromium();
  const nlohmann::ordered_json document = report_document(read_results(r.results), TORISCOPE_VERSION);
  const std::string page = report_page(document);
  check_writable(r.page);
  write_text(r.page, page);
  if (is_stdout(r.page)) return fine;
  write_stdout(fmt::format("{}: {} curves, {} verdicts, {:.1f} MB\n", r.page, document["curves"].size(),
                           document["verdicts"].size(), static_cast<double>(page.size()) / 1e6));
  if (!r.figures.empty())
    write_stdout(fmt::format("{}: {} files\n", r.figures, write_figures(r.page, r.figures)));
  return fine;
}

}  // namespace toriscope
