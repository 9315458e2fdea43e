// SPDX-License-Identifier: Apache-2.0
// The fuzz targets without a fuzzer: sound inputs, and some hundred of each that are not.
#include <gtest/gtest.h>

#include <iostream>
#include <map>
#include <random>

#include "base/words.h"
#include "testbenches/fuzz/parser_targets.h"

namespace toriscope {

/// For messages.
void PrintTo(const parser_target& target, std::ostream* out) { *out << target.name; }

namespace {

using namespace std::string_literals;

constexpr const char* zstd = "\x28\xb5\x2f\xfd";

class parser : public testing::TestWithParam<parser_target> {};

/// One change as a fuzzer would make it.
std::string changed(std::string text, const std::vector<std::string>& words, std::mt19937& random) {
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % (n + 1)); };
  const std::size_t at = below(text.size()), length = std::min(below(8), text.size() - at);
  switch (random() % 6) {
    case 0: return text.erase(at, length);
    case 1: return text.insert(at, words[random() % words.size()]);
    case 2: return text.replace(at, length, words[random() % words.size()]);
    case 3: return text.insert(at, text.substr(below(text.size()), 16));
    case 4: return text.substr(0, at);
    default: return text.insert(at, 1, static_cast<char>(random() % 256));
  }
}

/// How many inputs were taken, and which.
struct verdicts {
  unsigned taken = 0;
  std::uint32_t which = 0;
};

/// Where an input that was rejected is taken now, or the other way round, a check has been lost or added: if that is
/// meant, the new verdicts belong here. Inputs of the parsers that are not here name files.
const std::map<std::string, verdicts> known_verdicts{
    {"address_map", {13, 397621079}},
    {"certificate", {26, 1033238834}},
    {"configuration", {69, 653242239}},
    {"export_list", {361, 3120864279}},
    {"expression", {155, 2745866363}},
    {"flows", {32, 2694808304}},
    {"links", {74, 279393942}},
    {"module_header", {542, 4080892644}},
    {"network", {208, 4038909368}},
    {"numbers", {973, 1429506391}},
    {"option", {9135, 1071104507}},
    {"packets", {595, 2875877651}},
    {"plan", {25, 4082855041}},
    {"proof", {13, 2517594229}},
    {"rdt_assignment", {9, 3216914425}},
    {"result", {125, 4249157901}},
    {"results", {144, 2498311192}},
    {"some of state c", {498, 1012165496}},
    {"some of state d", {323, 29752075}},
    {"some of state f", {391, 3714644637}},
    {"some of state m", {342, 1909887516}},
    {"some of state o", {370, 2231530318}},
    {"some of state p", {577, 3926757761}},
    {"some of state r", {391, 4273265347}},
    {"some of state s", {386, 1631972930}},
    {"some of state v", {401, 2392823135}},
    {"some of state x", {410, 2211759400}},
    {"state c", {2519, 3941669429}},
    {"state d", {1573, 919006993}},
    {"state f", {1920, 1043255970}},
    {"state m", {1729, 3041129461}},
    {"state o", {1861, 101995647}},
    {"state p", {2855, 2827038215}},
    {"state r", {1948, 3443714162}},
    {"state s", {1928, 3151922236}},
    {"state v", {1971, 3367014331}},
    {"state x", {2081, 3730837973}},
    {"state", {115, 3841997993}},
    {"topology", {262, 2515108176}},
    {"vcd", {241, 2655732359}},
    {"verdicts", {24, 2061384108}},
    {"wave_options", {1929, 3828794431}},
};

void expect_known(const std::string& name, const verdicts& found) {
  if (name == "file_list" || name == "router_description") return;
  const auto known = known_verdicts.find(name);
  EXPECT_TRUE(known != known_verdicts.end() && found.taken == known->second.taken &&
              found.which == known->second.which)
      << "other inputs are taken than before: {\"" << name << "\", {" << found.taken << ", " << found.which << "}},";
}

TEST_P(parser, reads_or_rejects_in_one_line) {
  std::mt19937 random(1);
  verdicts found;
  bool compressed = false;  // other libraries make other bytes of the same text; such seeds are the last
  const std::string name = GetParam().name;
  const unsigned changed_inputs = name == "state" || name == "flows" || name == "export_list" ? 400 : 1500;
  const auto check = [&](const std::string& text) {
    const bool taken = check_parser(GetParam(), text);
    if (compressed) return;
    found.taken += taken;
    found.which = found.which * 31 + taken;
  };
  for (const std::string& seed : GetParam().seeds) {
    compressed = begins_with(seed, "\x1f\x8b") || begins_with(seed, zstd);
    ASSERT_NO_THROW(check(seed)) << seed;
    for (unsigned number = 0; number < changed_inputs; ++number) {
      std::string text = seed;
      for (unsigned changes = 1 + number % 4; changes > 0; --changes) text = changed(text, GetParam().words, random);
      ASSERT_NO_THROW(check(text)) << text;
    }
  }
  expect_known(GetParam().name, found);
}

/// A fuzzer's inputs are short. Here a character, or a word of the format, is repeated until it has 400 kB. (Names of
/// 300 kB ended a reader that called itself for each character.)
TEST_P(parser, long_words_of_any_kind) {
  std::mt19937 random(1);
  std::vector<std::string> fillings = GetParam().words;
  for (const char c : "a0 \n\t\"\\'([{<,.:;=-#*/?&\xff"s) fillings.emplace_back(1, c);
  for (const std::string& seed : GetParam().seeds) {
    if (begins_with(seed, zstd)) continue;  // line breaks in it stand for 20,000 times as many
    for (const std::string& filling : fillings) {
      std::string filled;
      while (filled.size() < 400000) filled += filling;
      for (unsigned place = 0; place < 3; ++place) {
        const std::size_t at = random() % (seed.size() + 1);
        EXPECT_NO_THROW(check_parser(GetParam(), std::string(seed).insert(at, filled)))
            << seed << "\nwith '" << filling << "' at " << at;
      }
    }
  }
}

/// A target whose seeds are rejected would fuzz its first check alone.
TEST_P(parser, takes_a_seed) {
  unsigned taken = 0;
  for (const std::string& seed : GetParam().seeds) try {
      GetParam().read(seed);
      ++taken;
    } catch (const std::invalid_argument& e) {
      std::cout << seed << ": " << e.what() << '\n';
    }
  EXPECT_GT(taken, 0u);
}

INSTANTIATE_TEST_SUITE_P(each, parser, testing::ValuesIn(parser_targets()),
                         [](const auto& of) { return std::string(of.param.name); });

/// Bytes of each state, `stride` from each other, are replaced by two others. What is taken is simulated.
/// (A state whose route offered no VC led the search for deadlock beyond its edges.)
void check_bytes_of_states(std::size_t stride) {
  for (const parser_target& target : parser_targets()) {
    if (target.name != std::string("state")) continue;
    for (const std::string& seed : target.seeds) {
      verdicts found;
      for (std::size_t at = 1; at < seed.size(); at += stride)
        for (const char value : {static_cast<char>(seed[at] ^ 1), at % 2 ? '\0' : '\x7f'}) {
          std::string text = seed;
          text[at] = value;
          bool taken = false;
          ASSERT_NO_THROW(taken = check_parser(target, text)) << seed[0] << " byte " << at << " is " << int{value};
          found.taken += taken;
          found.which = found.which * 31 + taken;
        }
      expect_known((stride == 1 ? "state " : "some of state ") + seed.substr(0, 1), found);
    }
  }
}
TEST(state_parser, checks_bytes) { check_bytes_of_states(5); }
TEST(state_parser, long_checks_each_byte) { check_bytes_of_states(1); }

/// Found by the fuzzer: 28 bytes of zstd, and an option of 1 kB, were echoed as messages of 66 and 4 kB.
TEST(parser_check, words_of_many_characters_are_cut_in_messages) {
  for (const parser_target& target : parser_targets()) {
    if (target.name == std::string("packets")) {
      EXPECT_NO_THROW(check_parser(target, std::string(60000, 'T') + " 1 2 3\n"));
      EXPECT_NO_THROW(check_parser(target, "0 0 1 4 " + std::string(60000, 'T') + "\n"));
    }
    if (target.name != std::string("option")) continue;
    for (const char* const option : {"link-width ", "link-delay ", "rate ", "pipeline "})
      EXPECT_NO_THROW(check_parser(target, option + std::string(5000, '\x01'))) << option;
  }
}

TEST(parser_check, notices_what_is_not_an_error_of_the_input) {
  EXPECT_THROW(check_parser({"a", [](const std::string&) { throw std::runtime_error("full"); }, {}, {}}, ""),
               std::logic_error);
  EXPECT_THROW(check_parser({"a", [](const std::string&) { throw std::invalid_argument("two\nlines"); }, {}, {}}, ""),
               std::logic_error);
  EXPECT_THROW(check_parser({"a", [](const std::string&) { throw std::out_of_range("stoul"); }, {}, {}}, ""),
               std::logic_error);
  EXPECT_NO_THROW(check_parser({"a", [](const std::string&) { throw std::invalid_argument("one line"); }, {}, {}}, ""));
}

}  // namespace
}  // namespace toriscope
