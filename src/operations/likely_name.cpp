// SPDX-License-Identifier: Apache-2.0
//
// Which of our names somebody means who writes another one.
#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "thiessen/choices/choice.hpp"

namespace thiessen {
namespace {

/// What papers and other programs call a method, a metric or a device, and our name for it.
constexpr std::pair<std::string_view, std::string_view> kOtherNames[] = {
    {"jfa-1", "1+jfa"},
    {"jfa+", "jfa-plus"},
    {"jfa*", "jfa-star"},
    {"jfa*+1", "jfa-star"},
    {"scan", "brute-force"},
    {"distance-transform", "chamfer"},
    {"two-pass", "chamfer"},
    {"circle-detection", "circle-growing"},
    {"morphology", "dilation"},
    {"neighbourhood-expansion", "expansion"},
    {"city-block", "manhattan"},
    {"cityblock", "manhattan"},
    {"taxicab", "manhattan"},
    {"l1", "manhattan"},
    {"l2", "euclidean"},
    {"linf", "chessboard"},
    {"degrade", "gradient"},
    {"gpu", "cuda"},
    {"chebyshev", "chessboard"},
    {"逐点法", "brute-force"},
    {"逐个空白栅格确定法", "brute-force"},
    {"距离变换法", "chamfer"},
    {"代数距离变换法", "chamfer"},
    {"圆检测法", "circle-growing"},
    {"圆扩张法", "circle-growing"},
    {"数学形态学", "dilation"},
    {"数学形态学距离变换法", "dilation"},
    {"邻域扩张", "expansion"},
    {"街区距离", "manhattan"},
    {"棋盘距离", "chessboard"},
    {"八角形距离", "octagonal"},
};

/// The number of slips from one word to the other: letters wrong, missing, too many, or swapped.
std::size_t slips_between(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t wrong = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, wrong});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

}  // namespace

std::string_view likely_name(std::string_view given, std::span<const std::string_view> names) {
  std::string word(given);
  for (char& letter : word)
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  for (const auto& [other, own] : kOtherNames)
    if (other == word)
      return std::find(names.begin(), names.end(), own) != names.end() ? own : std::string_view();
  std::size_t fewest = std::max<std::size_t>(1, word.size() / 3) + 1;
  std::string_view nearest;
  for (const std::string_view name : names) {
    const std::size_t slips = slips_between(word, name);
    if (slips >= fewest) continue;
    fewest = slips;
    nearest = name;
  }
  constexpr std::size_t kFewLetters = 3;
  if (!nearest.empty() || word.size() < kFewLetters) return nearest;
  for (const std::string_view name : names) {  // one name alone begins so
    if (!name.starts_with(word)) continue;
    if (!nearest.empty()) return {};
    nearest = name;
  }
  return nearest;
}

}  // namespace thiessen
