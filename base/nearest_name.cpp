// SPDX-License-Identifier: Apache-2.0
#include "base/nearest_name.h"

#include <algorithm>
#include <cctype>
#include <numeric>

#include "base/words.h"

namespace toriscope {
namespace {

constexpr std::size_t longest_name = 256;

/// Letters and digits only, in lower case.
std::string squeezed(std::string_view name) {
  std::string result;
  for (const char c : name)
    if (std::isalnum(static_cast<unsigned char>(c)))
      result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

}  // namespace

unsigned edit_distance(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  std::vector<unsigned> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0u);
  for (std::size_t i = 0; i < a.size(); ++i) {
    unsigned diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const unsigned replaced = diagonal + (lower(a[i]) == lower(b[j]) ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

std::string nearest_name(std::string_view name, const std::vector<std::string>& known) {
  std::string best;
  auto best_distance = ~0u;
  const auto compare = [&](const std::string& candidate, std::string_view with) {
    if (std::max(name.size(), with.size()) > longest_name) return;  // the time is the product of both
    const unsigned distance = edit_distance(name, with);
    const auto limit = static_cast<unsigned>((std::max(name.size(), with.size()) + 2) / 3);
    if (distance > limit || distance >= best_distance) return;
    best = candidate;
    best_distance = distance;
  };
  for (const std::string& candidate : known) compare(candidate, candidate);
  if (!best.empty()) return best;
  for (const std::string& candidate : known)
    if (candidate.find('.') != std::string::npos)
      for (const std::string& part : split(candidate, '.')) compare(candidate, part);
  if (!best.empty() || name.size() > longest_name) return best;
  const std::string begun = squeezed(name);
  for (const std::string& candidate : known)
    for (const std::string& part : split(candidate, '.'))
      if (begun.size() >= 3 && begins_with(squeezed(part), begun)) {
        if (!best.empty()) return "";
        best = candidate;
        break;
      }
  return best;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& known,
                         const std::string& otherwise) {
  const std::string nearest = nearest_name(name, known);
  return nearest.empty() ? otherwise : "did you mean '" + nearest + "'?";
}

std::string unknown_name(std::string_view what, std::string_view name, const std::vector<std::string>& known,
                         const std::string& otherwise) {
  return "unknown " + std::string(what) + " '" + one_line(name, longest_name) + "'; " +
         did_you_mean(name, known, otherwise);
}

std::string unknown_name(std::string_view what, std::string_view name,
                         const std::vector<std::string>& known) {
  return unknown_name(what, name, known, "known: " + joined(known));
}

}  // namespace toriscope
