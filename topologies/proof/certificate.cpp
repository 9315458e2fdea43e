// SPDX-License-Identifier: Apache-2.0
#include "topologies/proof/certificate.h"

#include <charconv>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "topologies/vc_classes.h"

namespace toriscope {

namespace {

constexpr std::string_view first_line = "toriscope certificate 1";

/// Lines of a text, and words of a line.
class line_reader {
 public:
  line_reader(std::string_view text, const std::string& name) : rest_(text), name_(name) {}

  std::string_view next() {
    ++number_;
    const std::size_t end = rest_.find('\n');
    if (end == std::string_view::npos) refuse("the file is cut off");
    const std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return line;
  }
  /// The rest of a line that begins with a key.
  std::string_view value_of(std::string_view key) {
    const std::string_view line = next();
    if (line.substr(0, key.size()) != key || (line.size() > key.size() && line[key.size()] != ' '))
      refuse("expected a line that begins with '" + std::string(key) + "'");
    return line.substr(std::min(line.size(), key.size() + 1));
  }
  /// All numbers of a line, appended.
  void numbers_of(std::string_view line, std::vector<std::uint32_t>& numbers) const {
    const char* at = line.data();
    const char* const end = at + line.size();
    while (at != end) {
      std::uint32_t number = 0;
      const auto [behind, error] = std::from_chars(at, end, number);
      if (error != std::errc() || (behind != end && *behind != ' ')) refuse("expected numbers");
      numbers.push_back(number);
      at = behind == end ? end : behind + 1;
    }
  }
  std::uint32_t number_of(std::string_view key) {
    std::vector<std::uint32_t> numbers;
    numbers_of(value_of(key), numbers);
    if (numbers.size() != 1) refuse("expected one number");
    return numbers.front();
  }
  bool at_end() const { return rest_.empty(); }
  [[noreturn]] void refuse(const std::string& what) const {
    throw std::invalid_argument(name_ + ":" + std::to_string(number_) + ": " + what +
                                "; toriscope prove --certificate writes such files");
  }

 private:
  std::string_view rest_;
  const std::string& name_;
  std::size_t number_ = 0;
};

}  // namespace

std::string to_text(const certificate& c) {
  const unsigned vcs = c.options.vcs;
  std::string text(first_line);
  const auto line = [&](const char* key, const std::string& value) {
    text += std::string("\n") + key + (value.empty() ? "" : " ") + value;
  };
  line("topology", c.options.spec);
  line("links", c.options.links);
  line("ties", c.options.ties);
  line("gates", c.options.gates);
  line("routing", c.options.routing);
  line("vc_rule", c.options.vc_rule);
  line("vcs", std::to_string(vcs));
  line("message_classes", std::to_string(c.options.message_classes));
  text += "\nescape_vcs";
  for (const unsigned vc : vc_set(c.escape_vcs)) text += " " + std::to_string(vc);
  line("numbers", std::to_string(c.numbers.size() / vcs));
  for (std::size_t i = 0; i < c.numbers.size(); ++i)
    text += (i % vcs == 0 ? "\n" : " ") + std::to_string(c.numbers[i]);
  return text + "\n";
}

certificate certificate_from_text(const std::string& text, const std::string& name) {
  line_reader lines(text, name);
  if (lines.next() != first_line) lines.refuse("not a certificate");
  certificate c;
  c.options.spec = lines.value_of("topology");
  c.options.links = lines.value_of("links");
  c.options.ties = lines.value_of("ties");
  c.options.gates = lines.value_of("gates");
  c.options.routing = lines.value_of("routing");
  c.options.vc_rule = lines.value_of("vc_rule");
  c.options.vcs = lines.number_of("vcs");
  if (c.options.vcs == 0 || c.options.vcs > max_vcs) lines.refuse("expected 1 to 16 VCs");
  c.options.message_classes = lines.number_of("message_classes");
  std::vector<std::uint32_t> escape;
  lines.numbers_of(lines.value_of("escape_vcs"), escape);
  for (const std::uint32_t vc : escape) {
    if (vc >= c.options.vcs) lines.refuse("there is no VC " + std::to_string(vc));
    c.escape_vcs |= vc_set::of(vc).mask();
  }
  const std::size_t links = lines.number_of("numbers");
  for (std::size_t l = 0; l < links; ++l) {
    lines.numbers_of(lines.next(), c.numbers);
    if (c.numbers.size() != (l + 1) * c.options.vcs)
      lines.refuse("expected " + std::to_string(c.options.vcs) + " numbers");
  }
  if (!lines.at_end()) lines.refuse("more lines than links");
  return c;
}

}  // namespace toriscope
