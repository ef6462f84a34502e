// SPDX-License-Identifier: Apache-2.0
#include "placing/energy.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "core/base/cell_access.hpp"
#include "placing/binned_sum.hpp"

namespace thiessen::placing {
namespace {

constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();

struct Worker {
  BinnedSum sum;
  std::int64_t first_bad = kNone;
};

/// The distance of two coordinates of a period, which may be infinite.
double shorter_way(double a, double b, double period) {
  const double way = std::fabs(a - b);
  return std::min(way, period - way);
}

}  // namespace

Squares squares_to_points(const Axes& extent, const std::int32_t* labels,
                          const std::vector<double>& coordinates, const Periods& periods,
                          const std::vector<double>& spacing) {
  return
      [extent, labels, at = coordinates.data(), spacing = spacing.data(), period = periods.data(),
       rank = spacing.size()](std::int64_t first, std::int64_t count, double* squares) {
        const Axes cell = to_cell(extent, first);
        for (std::int64_t begin = 0; begin < count;) {
          const std::int32_t label = labels[first + begin];
          std::int64_t end = begin + 1;
          while (end < count && labels[first + end] == label) ++end;
          if (label > 0) {
            const double* const point = at + static_cast<std::size_t>(label - 1) * rank;
            double across = 0;  // of the axes before the last one
            for (std::size_t axis = 0; axis + 1 < rank; ++axis) {
              const auto place = static_cast<double>(cell[kAxes - rank + axis]);
              const double way = spacing[axis] * shorter_way(place, point[axis], period[axis]);
              across += way * way;
            }
            const double length = spacing[rank - 1];
            const double column = point[rank - 1];
            const double width = period[rank - 1];
            const auto row_begin = static_cast<std::int32_t>(cell[kAxes - 1]);
            for (std::int64_t i = begin; i < end; ++i) {
              const double way =
                  length * shorter_way(row_begin + static_cast<std::int32_t>(i), column, width);
              squares[i] = across + way * way;
            }
          } else {
            std::fill(squares + begin, squares + end, 0.0);
          }
          begin = end;
        }
      };
}

Squares squares_of(const std::int32_t* labels, const double* distance) {
  return [labels, distance](std::int64_t first, std::int64_t count, double* squares) {
    for (std::int64_t i = first; i < first + count; ++i)
      squares[i - first] = labels[i] > 0 ? distance[i] * distance[i] : 0;
  };
}

namespace {

/// Multiplies the squares of `count` cells by their masses; whether all masses of cells with a
/// label are legal.
bool multiply(const std::int32_t* labels, const double* mass, std::int64_t count, double* squares) {
  int illegal = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    illegal |= static_cast<int>(labels[i] > 0) & static_cast<int>(!is_density(mass[i]));
    // Without mass a cell has no energy, even where the square of its distance is infinite.
    squares[i] = mass[i] > 0 ? mass[i] * squares[i] : 0;
  }
  return illegal == 0;
}

}  // namespace

double find_energy(ContextState& state, const Density& density, const std::int32_t* labels,
                   const Squares& squares) {
  std::vector<Worker> workers(static_cast<std::size_t>(state.threads));
  state.progress.begin(density.cells());
  density.for_each(state, [&](std::int64_t first, std::int64_t count, const double* mass, int own) {
    Worker& worker = workers[static_cast<std::size_t>(own)];
    std::array<double, kChunk> terms;
    squares(first, count, terms.data());
    if (!density || multiply(labels + first, mass, count, terms.data())) {
      worker.sum.add(terms.data(), count);
      return;
    }
    for (std::int64_t i = first + count - 1; i >= first; --i)
      if (labels[i] > 0 && !is_density(mass[i - first]))
        worker.first_bad = std::min(worker.first_bad, i);
  });
  for (std::size_t i = 1; i < workers.size(); ++i) {
    workers[0].sum.add(workers[i].sum);
    workers[0].first_bad = std::min(workers[0].first_bad, workers[i].first_bad);
  }
  if (workers[0].first_bad != kNone) density.refuse(workers[0].first_bad, "cells that have a site");
  return workers[0].sum.value();
}

}  // namespace thiessen::placing
