// SPDX-License-Identifier: Apache-2.0
//
// From the text of the paper alone: equation (1), algorithms 1 and 2. Threads run one after the
// other, in ascending order. A pixel without stiffness has no edges.
#include "oracle/papers/toss_comba.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace thiessen::oracle::papers {

TossComba toss_comba(int rows, int columns, const std::vector<float>& w,
                     const std::vector<int>& sites) {
  const auto cells = static_cast<std::size_t>(rows * columns);
  TossComba out{std::vector<float>(cells, std::numeric_limits<float>::infinity()),
                std::vector<int>(cells, -1)};
  std::vector<bool> m(cells);
  std::vector<float>& c_o = out.cost;
  for (const int site : sites) {
    const auto i = static_cast<std::size_t>(site);
    if (w[i] == 0) continue;
    c_o[i] = 0;
    out.vor[i] = site;
    m[i] = true;
  }
  std::vector<float> c_u = c_o;
  const auto kernel1 = [&](std::size_t tid) {
    if (!m[tid]) return;
    for (int k = 0; k < 9; ++k) {
      const int y = static_cast<int>(tid) / columns + k / 3 - 1;
      const int x = static_cast<int>(tid) % columns + k % 3 - 1;
      if (k == 4 || y < 0 || y >= rows || x < 0 || x >= columns) continue;
      const auto nid = static_cast<std::size_t>(y * columns + x);
      if (w[nid] == 0) continue;
      const auto length = static_cast<float>((k % 2 == 0 ? std::sqrt(2.0) : 1.0) * 2);
      const float new_cost = c_o[tid] + length / (w[tid] + w[nid]);
      c_u[nid] = std::min(c_u[nid], new_cost);
      if (new_cost == c_u[nid]) out.vor[nid] = out.vor[tid];
    }
    m[tid] = false;
  };
  for (bool go_on = true; go_on; ++out.iterations) {
    go_on = false;
    for (std::size_t tid = 0; tid < cells; ++tid) kernel1(tid);
    for (std::size_t tid = 0; tid < cells; ++tid) {
      if (c_o[tid] > c_u[tid]) {
        c_o[tid] = c_u[tid];
        m[tid] = true;
        go_on = true;
      }
      c_u[tid] = c_o[tid];
    }
  }
  return out;
}

}  // namespace thiessen::oracle::papers
