// SPDX-License-Identifier: Apache-2.0
// What a paper prints, what we get, and the verdict on it.
//
//   numbers   reproduced when ours lies within a stated tolerance; else it differs
//   claims    sentences of the paper: reproduced when true of our figures, which are shown
//   readings  where the text admits several, all of them are judged: when they agree, that is the verdict; when
//             all miss, it differs; when only some miss, it is undetermined
//   not run   left out in this mode; says nothing about the paper
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace toriscope {

/// `undetermined`: the text does not determine the value or the reading. `not_run`: not computed in this mode.
/// `not_evidence`: arithmetic of printed or judged numbers, shown and not counted.
enum class ruling { reproduced, differs, undetermined, not_run, not_evidence };
inline constexpr std::size_t ruling_count = 5;

/// Where our figure comes from.
enum class provenance { simulated, built, proven, equation, arithmetic, none };
inline constexpr std::size_t provenance_count = 6;

/// "reproduced", "differs", "undetermined", "not run", "not evidence": the words of verdicts.json.
const char* to_string(ruling r);
/// "simulated", "built" (counted in the network as built), "proven" (by channel dependencies), "equation" (the
/// paper's, evaluated), "arithmetic", "none" (a network that is not built here).
const char* to_string(provenance p);

/// A number, a text, or nothing.
using shown_value = std::variant<std::monostate, double, std::string>;

/// "12.6" with as many digits as the commands print, a text as it is, "-".
std::string to_text(const shown_value& value, provenance source = provenance::simulated);

struct verdict {
  std::string paper{};  ///< "ttn2009"; set by reproduction
  std::string item;     ///< "Table 1: TTN(2,3,0), diameter"; different within the paper
  shown_value printed{};
  shown_value ours{};
  std::string tolerance{};  ///< "as printed", "5 %", "true of our figures"
  ruling result = ruling::undetermined;
  provenance source = provenance::built;
  std::string reading{};  ///< what the text says it is; where it is silent, what was chosen
  std::string others{};   ///< other readings, and what they give
  std::string reason{};   ///< never empty unless reproduced
  std::string command{};  ///< prints ours, digit for digit; empty: `toriscope reproduce PAPER --item ITEM`
  std::vector<std::string> beneath{};  ///< the runs, sweeps and proofs that ours is worked out from
  bool failed = false;                 ///< not run, for a simulation crashed, hung or broke an invariant
};

/// How far ours may be from what is printed.
class tolerance {
 public:
  /// Rounded to N decimals, the same number.
  static tolerance as_printed(unsigned decimals);
  /// By at most this share of the printed number: .05 is 5 %.
  static tolerance relative(double share);
  /// By at most this much. @param unit  for the words: "cycles"
  static tolerance absolute(double difference, const std::string& unit = "");

  bool holds(double printed, double ours) const;
  const std::string& words() const { return words_; }

 private:
  enum class kind { decimals, share, difference };
  tolerance(kind what, double value, std::string words)
      : kind_(what), value_(value), words_(std::move(words)) {}

  kind kind_;
  double value_;
  std::string words_;
};

/// @param reason  why it differs, where it does
verdict judge_number(const std::string& item, provenance source, double printed, double ours,
                     const tolerance& allowed, const std::string& reason = "");

/// A number that readings give; none: this reading has no value.
struct number_reading {
  std::string words;
  std::optional<double> value;
};

/// What the readings are: all choices that the text leaves open, such as a number of VCs; or points of a
/// quantity that it leaves open, such as a load, so that it admits what lies between them, too.
enum class left_open { choice, quantity };

/// Why a number differs that the text admits several readings of.
inline constexpr const char* all_readings_miss = "none of the readings that the text admits gives it";
/// Why a number is undetermined that lies between readings of a quantity.
inline constexpr const char* between_readings =
    "what is printed lies between the readings, and the text admits what lies between them";

/// Of several readings that the text admits: decided when all of them agree. When all miss, it differs - even
/// where they lie on both sides of what is printed, unless a quantity is open. Ours is the first one's.
verdict judge_readings(const std::string& item, provenance source, double printed,
                       const std::vector<number_reading>& readings, const tolerance& allowed,
                       const std::string& reason = "", left_open what = left_open::choice);
/// `all_readings_miss`, and why.
std::string all_miss(const std::string& reason);

/// @param words    the claim, as a sentence
/// @param figures  ours, behind it
/// @param reason   why it does not hold, where it does not; empty: the figures contradict it
verdict judge_claim(const std::string& item, provenance source, const std::string& words, bool holds,
                    const std::string& figures, const std::string& reason = "");

/// @param missing  what the text would have to say
verdict undetermined(verdict v, const std::string& missing);
verdict undetermined(const std::string& item, const shown_value& printed, const std::string& missing);
verdict not_run(const std::string& item, const shown_value& printed, const std::string& why);

/// Adds to a list in words: "a; b".
void append(std::string& list, const std::string& piece, const char* separator = "; ");

/// What another reading gives stands beside ours; where the two disagree it is undetermined.
void add_reading(verdict& v, const std::string& words, const verdict& other, const std::string& why_open);

/// What follows from the rest once an item is judged: arithmetic is not evidence, a difference has a reason,
/// and an empty command is that of the item.
verdict completed(verdict v, const std::string& paper);

/// Of each ruling and provenance, how many.
struct ruling_counts {
  std::array<std::array<std::size_t, provenance_count>, ruling_count> by{};

  std::size_t of(ruling r) const;
  std::size_t of(ruling r, provenance p) const { return by[std::size_t(r)][std::size_t(p)]; }
  /// "3 reproduced, 2 differ, 1 undetermined, 0 not run, 1 not evidence".
  std::string words() const;
};
ruling_counts count_rulings(const std::vector<verdict>& verdicts);

}  // namespace toriscope
