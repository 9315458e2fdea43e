// SPDX-License-Identifier: Apache-2.0
// What a paper prints, what we get, and the verdict on it.
//
//   numbers  reproduced when ours lies within a tolerance that is stated: to the digits printed, or so many
//            per cent; else it differs, and the reason says why
//   claims   sentences of the paper: reproduced when true of our figures, which are shown
//   neither  what the paper leaves out cannot be decided; the reason says what is missing
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace toriscope {

enum class ruling { reproduced, differs, undecided };

/// "reproduced", "differs", "cannot be decided": the words of verdicts.json.
const char* to_string(ruling r);

/// A number, a text, or nothing.
using shown_value = std::variant<std::monostate, double, std::string>;

/// "12.6", a text as it is, "-".
std::string to_text(const shown_value& value);

struct verdict {
  std::string paper;  ///< "ttn2009"; set by reproduction
  std::string item;   ///< "Table 1: TTN(2,3,0), diameter"; different within the paper
  shown_value printed;
  shown_value ours;
  std::string tolerance;  ///< "as printed", "5 %", "true"
  ruling result = ruling::undecided;
  std::string reason;   ///< never empty unless reproduced
  std::string command;  ///< a toriscope command line that gives ours
  std::string group{};  ///< the paper's item that it is one of, "Table 1"; set by reproduction
};

/// How far ours may be from what is printed.
class tolerance {
 public:
  /// Rounded to so many decimals, the same number.
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

/// @param ours    none: there is no such number, and the reason says why: cannot be decided
/// @param reason  why it differs, where it does; where it does not, by what reading it is equal
verdict judge_number(const std::string& item, double printed, std::optional<double> ours,
                     const tolerance& allowed, const std::string& reason, const std::string& command);

/// @param words    the claim, as a sentence
/// @param figures  ours, behind it
/// @param reason   why it does not hold, where it does not; empty: the figures say it
verdict judge_claim(const std::string& item, const std::string& words, bool holds, const std::string& figures,
                    const std::string& reason, const std::string& command);

/// @param missing  what would have to be known
verdict undecided(const std::string& item, const shown_value& printed, const std::string& missing,
                  const std::string& command);

/// Of each ruling, how many.
struct ruling_counts {
  std::size_t reproduced = 0;
  std::size_t differs = 0;
  std::size_t undecided = 0;
  std::size_t total() const { return reproduced + differs + undecided; }
};
ruling_counts count_rulings(const std::vector<verdict>& verdicts);

}  // namespace toriscope
