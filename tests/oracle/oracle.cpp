// SPDX-License-Identifier: Apache-2.0
#include "oracle/oracle.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace thiessen::oracle {
namespace {

struct Cell {
  Axes at;
  const std::byte* value;
  std::uint8_t cell_class;
};

std::vector<Cell> list_cells(const Problem& problem, const View<const void>& sites) {
  std::vector<Cell> cells;
  for (std::int64_t z = 0; z < problem.extent[0]; ++z)
    for (std::int64_t y = 0; y < problem.extent[1]; ++y)
      for (std::int64_t x = 0; x < problem.extent[2]; ++x) {
        const std::byte* value = sites.bytes() + y * sites.stride(sites.rank() - 2) +
                                 x * sites.stride(sites.rank() - 1) +
                                 (sites.rank() == 3 ? z * sites.stride(0) : 0);
        cells.push_back({{z, y, x}, value, kFreeCell});
        classify(problem.rule, value, 1, &cells.back().cell_class);
      }
  return cells;
}

struct Nearest {
  std::int64_t index = kUnreached;
  Int128 exact = 0;
};

/// The first, in the order (S, index), of the cells that `counts` accepts, if it is in range.
Nearest nearest_of(const Problem& problem, const std::vector<Cell>& cells, const Cell& from,
                   const std::function<bool(const Cell&)>& counts) {
  Nearest best;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (!counts(cells[i])) continue;
    const Int128 exact = exact_distance(problem, from.at, cells[i].at);
    if (exact > problem.limit || (best.index >= 0 && exact >= best.exact)) continue;
    best = {static_cast<std::int64_t>(i), exact};
  }
  return best;
}

/// The steps of a way over `dy` rows and `dx` columns, by the definition of the metric: an
/// octagonal way, or the shortest one of a mask's steps, in which knight's steps replace the others
/// as far as possible.
Int128 steps(Metric metric, std::int64_t dy, std::int64_t dx) {
  const std::int64_t diagonal = std::min(dy, dx);
  const std::int64_t straight = std::max(dy, dx) - diagonal;
  if (metric == Metric::chamfer_3_4) return 4 * diagonal + 3 * straight;
  if (metric == Metric::chamfer_5_7_11) {
    const std::int64_t knight = std::min(diagonal, straight);
    return 11 * knight + 7 * (diagonal - knight) + 5 * (straight - knight);
  }
  std::int64_t count = 0;  // every second step may be a diagonal one
  for (std::int64_t reached = 0; reached < dy + dx || count < std::max(dy, dx); ++count)
    reached += 1 + count % 2;
  return count;
}

}  // namespace

Int128 exact_distance(const Problem& problem, const Axes& p, const Axes& q) {
  if (problem.metric >= Metric::octagonal)
    return steps(problem.metric, periodic_distance(p[1], q[1], problem.period[1]),
                 periodic_distance(p[2], q[2], problem.period[2]));
  Int128 sum = 0;
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    const Int128 delta = periodic_distance(p[axis], q[axis], problem.period[axis]);
    const Int128 factor = problem.weights.factor[axis];
    switch (problem.metric) {
      case Metric::euclidean:
        sum += factor * delta * delta;
        break;
      case Metric::manhattan:
        sum += factor * delta;
        break;
      default:
        sum = std::max(sum, factor * delta);
        break;
    }
  }
  return sum;
}

Result nearest_site(const Problem& problem, const View<const void>& sites) {
  const std::vector<Cell> cells = list_cells(problem, sites);
  const auto is_site = [](const Cell& cell) { return cell.cell_class == kSiteCell; };
  Result result;
  for (const Cell& cell : cells) {
    Nearest map = nearest_of(problem, cells, cell, is_site);
    Nearest measured = map;
    const bool inside = problem.signed_distance && is_site(cell);
    if (inside) measured = nearest_of(problem, cells, cell, std::not_fn(is_site));
    if (problem.distance_to == DistanceTo::boundary)
      measured = nearest_of(problem, cells, cell, [&](const Cell& other) {
        std::uint8_t same = 0;
        compare_cells(problem.rule.type, cell.value, other.value, 1, &same);
        return same == 0;
      });
    if (cell.cell_class == kNodataCell) map.index = measured.index = kNodata;
    const double distance = measured.index == kNodata ? std::numeric_limits<double>::quiet_NaN()
                            : measured.index == kUnreached
                                ? std::numeric_limits<double>::infinity()
                                : to_distance(problem.weights, problem.metric, measured.exact);
    result.site.push_back(map.index);
    result.exact.push_back(measured.index < 0 ? measured.index : measured.exact);
    result.distance.push_back(inside ? -distance : distance);
  }
  return result;
}

}  // namespace thiessen::oracle
