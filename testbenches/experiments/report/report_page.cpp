// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/report/report_page.h"

#include <stdexcept>
#include <string_view>

#ifdef TORISCOPE_REPORT_PAGE
// The bundled page as it is: as a string literal it would be beyond what compilers must take.
asm(".pushsection .rodata\n"
    "toriscope_report_page: .incbin \"" TORISCOPE_REPORT_PAGE
    "\"\n"
    "toriscope_report_page_end: .byte 0\n"
    ".popsection\n");
extern const char page_begin[] asm("toriscope_report_page");
extern const char page_end[] asm("toriscope_report_page_end");
#endif

namespace toriscope {
namespace {

std::string_view page_template() {
#ifdef TORISCOPE_REPORT_PAGE
  return {page_begin, static_cast<std::size_t>(page_end - page_begin)};
#else
  throw std::runtime_error(
      "this toriscope was built without its report page: install nodejs and npm, configure and build again");
#endif
}

/// JSON in which nothing can end the element that it stands in.
std::string embedded(const nlohmann::ordered_json& document) {
  const std::string text = document.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  std::string safe;
  safe.reserve(text.size());
  for (const char c : text) {
    if (c == '<')
      safe += "\\u003c";
    else
      safe += c;
  }
  return safe;
}

}  // namespace

std::string report_page(const nlohmann::ordered_json& document) {
  const std::string_view page = page_template();
  const std::string_view place = "@@DATA@@";
  const std::size_t at = page.find(place);
  std::string text(page.substr(0, at));
  text += embedded(document);
  return text += page.substr(at + place.size());
}

}  // namespace toriscope
