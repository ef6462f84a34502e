// SPDX-License-Identifier: Apache-2.0
//
// From the text of the tutorial alone: minVoro, the guarded functor, and "k = n/2 … 1 (plus a first
// jump with k = 1)", with n the longer side.
#include "oracle/papers/coeurjolly.hpp"

#include <algorithm>
#include <utility>

namespace thiessen::oracle::papers {

std::vector<int> coeurjolly(int m, int n, const std::vector<int>& sites, bool literal) {
  std::vector<int> in(static_cast<std::size_t>(m * n), m * n);
  for (const int site : sites) in[static_cast<std::size_t>(site)] = site;
  const auto min_voro = [&](int x_i, int y_i, int p, int q) {
    if (q == m * n) return p;
    if (p == m * n && !literal) return q;
    const int y_q = q / m;
    const int x_q = q % m;
    const int y_p = p / m;
    const int x_p = p % m;
    const int d_iq = (x_i - x_q) * (x_i - x_q) + (y_i - y_q) * (y_i - y_q);
    const int d_ip = (x_i - x_p) * (x_i - x_p) + (y_i - y_p) * (y_i - y_p);
    return d_iq < d_ip ? q : p;
  };
  const auto jump = [&](int k) {
    std::vector<int> out = in;
    for (int i = 0; i < m * n; ++i) {
      const int y = i / m;
      const int x = i % m;
      int v = in[static_cast<std::size_t>(i)];
      const auto look = [&](int offset) {
        v = min_voro(x, y, v, in[static_cast<std::size_t>(i + offset)]);
      };
      if (x >= k) {
        look(-k);
        if (y >= k) look(-k - m * k);
        if (y + k < n) look(-k + m * k);
      }
      if (x + k < m) {
        look(k);
        if (y >= k) look(k - m * k);
        if (y + k < n) look(k + m * k);
      }
      if (y >= k) look(-m * k);
      if (y + k < n) look(m * k);
      out[static_cast<std::size_t>(i)] = v;
    }
    in = std::move(out);
  };
  jump(1);
  for (int k = std::max(m, n) / 2; k >= 1; k /= 2) jump(k);
  return in;
}

}  // namespace thiessen::oracle::papers
