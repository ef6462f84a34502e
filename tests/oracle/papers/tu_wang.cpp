// SPDX-License-Identifier: Apache-2.0
//
// From the text of the paper alone. It leaves open: of sites that take a cell at once the nearest
// wins, then the first; a diagonal step of octagonal distance is 1 from an odd distance, else 2.
#include "oracle/papers/tu_wang.hpp"

#include <algorithm>
#include <cstdlib>

namespace thiessen::oracle::papers {

std::vector<TuWangCell> tu_wang(const TuWangCase& c, const std::string& method) {
  const int cells = c.rows * c.columns;
  std::vector<TuWangCell> result(static_cast<std::size_t>(cells), {1 << 30, -1});
  TuWangCell* const a = result.data();
  for (const int site : c.sites) a[site] = {0, site};
  const auto measure = [columns = c.columns](int i, int site, const std::string& distance) {
    const int y = std::abs(i / columns - site / columns);
    const int x = std::abs(i % columns - site % columns);
    int k = distance == "city-block" ? y + x : std::max(y, x);
    while (distance == "octagonal" && y + x > k + k / 2) ++k;
    return k;
  };
  const auto look = [&](int i, bool diagonals, int first, int last, const auto& visit) {
    for (int k = first; k <= last; ++k) {
      const int y = i / c.columns + k / 3 - 1;
      const int x = i % c.columns + k % 3 - 1;
      if (y < 0 || y >= c.rows || x < 0 || x >= c.columns) continue;
      if (diagonals || k % 2 == 1) visit(y * c.columns + x, k % 2 == 0);
    }
  };
  const auto scan = [&](int i, int first, int last) {  // 4 is the cell itself
    look(i, c.distance != "city-block", first, last, [&](int from, bool diagonal) {
      const bool two = c.distance == "octagonal" && diagonal && a[from].first % 2 == 0;
      a[i] = std::min(a[i], {a[from].first + (two ? 2 : 1), a[from].second});
    });
  };
  for (int i = 0; i < cells && method == "distance transform"; ++i) scan(i, 0, 3);
  for (int i = cells - 1; i >= 0 && method == "distance transform"; --i) scan(i, 5, 8);
  for (int round = 1; round < c.rows + c.columns && method != "distance transform"; ++round) {
    const std::vector<TuWangCell> before = result;
    const bool square = c.distance == "chessboard" || (c.distance == "octagonal" && round % 2 == 0);
    for (int i = 0; i < cells; ++i) {
      if (before[std::size_t(i)].second >= 0) continue;
      for (const int site : c.sites)
        if (method == "scan" || (method == "circles" && measure(i, site, c.distance) <= round) ||
            (method == "expansion" && measure(i, site, "chessboard") == round))
          a[i] = std::min(a[i], {measure(i, site, c.distance), site});
      look(i, square, 0, method == "dilation" ? 8 : -1, [&](int from, bool) {
        const int site = before[std::size_t(from)].second;
        if (site >= 0) a[i] = std::min(a[i], {round, site});
      });
    }
  }
  return result;
}

}  // namespace thiessen::oracle::papers
