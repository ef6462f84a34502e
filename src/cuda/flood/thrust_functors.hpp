// SPDX-License-Identifier: Apache-2.0
//
// The functor of Coeurjolly's program: a pass for one cell, from a tuple of the nine states around
// it and its index.
#pragma once

#include <cstdint>

#include "core/host_device.hpp"

namespace thiessen::cuda {

/// A state is the index of the site's cell. The program had width·height for "no site" and took it
/// for a site below the first column; here it is looked for on both sides, and -1.
inline constexpr std::int32_t kNoCell = -1;

/// The order of the neighbours in the tuple is that of the program: own, right, below, left, above,
/// below right, above right, below left, above left.
struct MinFunctor {
  std::int32_t width;
  std::int32_t height;
  std::int32_t step;

  /// Which of two sites is nearer to a cell; of two equally near ones that with the smaller index.
  THIESSEN_HD std::int32_t nearer(std::int32_t x, std::int32_t y, std::int32_t p,
                                  std::int32_t q) const {
    if (q == kNoCell || q == p) return p;
    if (p == kNoCell) return q;
    const std::int32_t of_p = squared(x, y, p);
    const std::int32_t of_q = squared(x, y, q);
    return of_q < of_p || (of_q == of_p && q < p) ? q : p;
  }

  /// A neighbour that does not exist is not read. state(i) is the i-th of the tuple.
  template <class State>
  THIESSEN_HD std::int32_t flood(std::int32_t cell, const State& state) const {
    const std::int32_t y = cell / width;
    const std::int32_t x = cell % width;
    const bool left = x >= step;
    const bool right = x < width - step;
    const bool above = y >= step;
    const bool below = y < height - step;
    std::int32_t site = state.template get<0>();
    if (left) site = nearer(x, y, site, state.template get<3>());
    if (left && above) site = nearer(x, y, site, state.template get<8>());
    if (left && below) site = nearer(x, y, site, state.template get<7>());
    if (right) site = nearer(x, y, site, state.template get<1>());
    if (right && above) site = nearer(x, y, site, state.template get<6>());
    if (right && below) site = nearer(x, y, site, state.template get<5>());
    if (above) site = nearer(x, y, site, state.template get<4>());
    if (below) site = nearer(x, y, site, state.template get<2>());
    return site;
  }

 private:
  THIESSEN_HD std::int32_t squared(std::int32_t x, std::int32_t y, std::int32_t site) const {
    const std::int32_t right = x - site % width;
    const std::int32_t down = y - site / width;
    return right * right + down * down;
  }
};

}  // namespace thiessen::cuda
