// SPDX-License-Identifier: Apache-2.0
//
// The reference: compares every cell with every site, by the order (S, site index), in the plainest
// way.
#pragma once

#include <cstdint>
#include <vector>

#include "core/problem/problem.hpp"

namespace thiessen::oracle {

struct Result {
  std::vector<std::int64_t> site;  ///< site index, kUnreached or kNodata
  std::vector<double> distance;  ///< as the output `distance` in f64, signed or to the boundary too
  std::vector<Int128> exact;     ///< S for |distance|, or kUnreached or kNodata
};

/// S of two places.
Int128 exact_distance(const Problem& problem, const Axes& p, const Axes& q);

/// `sites` as given to nearest_site(), 2-D or 3-D.
Result nearest_site(const Problem& problem, const View<const void>& sites);

}  // namespace thiessen::oracle
