// SPDX-License-Identifier: Apache-2.0
//
// From the text of the slides alone: three kernels and the table of steps. Reads outside of the
// raster, which the kernels do not guard, are skipped. A number of 0 is no site, as is place (0,
// 0).
#include "oracle/papers/czyzewski.hpp"

#include <algorithm>
#include <cmath>

namespace thiessen::oracle::papers {

std::vector<int> czyzewski_steps(const std::string& method, double p, double n) {
  int most = method == "JFA+" ? static_cast<int>(std::ceil(std::max(std::log2(p), 1.) / 2)) : 99;
  if (method[3] == '*') most = method == "JFA*+1" ? -1 : 0;
  for (; n > 1 && method[3] == '*'; n = std::log2(n)) ++most;  // log*(n)
  std::vector<int> steps;
  for (int i = 1; i <= most && (steps.empty() || steps.back() > 1); ++i)
    steps.push_back(
        std::max(1, int(method[3] == '*' ? std::ceil(p / std::pow(3, i)) : p / std::exp2(i))));
  if (method != "JFA+") steps.push_back(1);
  return steps;
}

std::vector<int> czyzewski(const CzyzewskiCase& c, const std::string& method) {
  const auto place = [&](int m) { return m == 0 ? Place{} : c.sites.at(std::size_t(m) - 1); };
  const auto is_empty = [&](int m) { return place(m).x == 0 && place(m).y == 0; };
  const int cells = c.rows * c.columns;
  const int sites = static_cast<int>(c.sites.size());
  std::vector<int> g(static_cast<std::size_t>(cells));
  for (int m = 1; m <= sites; ++m) g.at(std::size_t(place(m).x * c.columns + place(m).y)) = m;
  for (int i = 0; i < cells && method[3] == '*'; ++i)  // the mask
    if (int& m = g.at(std::size_t(i)); is_empty(m)) m = 1 + c.noise(i);
  const std::vector<int> steps = czyzewski_steps(method, std::max(c.rows, c.columns), sites);
  for (std::size_t pass = 0; pass < steps.size(); ++pass) {
    const std::vector<int> in = g;
    for (int gid = 0; gid < cells; ++gid) {
      const auto metric = [x = gid / c.columns, y = gid % c.columns](const Place& a) {
        return (a.x - x) * (a.x - x) + (a.y - y) * (a.y - y);
      };
      int& best = g.at(std::size_t(gid));
      double best_s = best == 0 ? 4294967296 : metric(place(best));
      for (int k = 0; k < (method[3] == '*' ? 12 : 9); ++k) {
        const Place to = method[3] == '*' ? c.circle(int(pass), gid, steps[pass], k)
                                          : Place{gid / c.columns + (k / 3 - 1) * steps[pass],
                                                  gid % c.columns + (k % 3 - 1) * steps[pass]};
        if (to.x < 0 || to.x >= c.rows || to.y < 0 || to.y >= c.columns) continue;
        int m = in.at(std::size_t(to.x * c.columns + to.y));
        if (is_empty(m)) m = method == "JFA+" ? 1 + c.noise(to.x * c.columns + to.y) : 0;
        if (m == 0 || best_s < metric(place(m))) continue;
        best = m;
        best_s = metric(place(m));
      }
    }
  }
  return g;
}

}  // namespace thiessen::oracle::papers
