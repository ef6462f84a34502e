// SPDX-License-Identifier: Apache-2.0
#include "placing/energy.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "core/cell_access.hpp"
#include "placing/binned_sum.hpp"

namespace thiessen::placing {
namespace {

constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();

struct Worker {
  BinnedSum sum;
  std::int64_t first_bad = kNone;
};

}  // namespace

Squares squares_to_points(const Axes& extent, const std::int32_t* labels,
                          const std::vector<double>& coordinates,
                          const std::vector<double>& spacing) {
  return [extent, labels, at = coordinates.data(), spacing = spacing.data(), rank = spacing.size()](
             std::int64_t first, std::int64_t count, double* squares) {
    const Axes cell = to_cell(extent, first);
    const double* point = nullptr;
    double across = 0;  // of the axes before the last one
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int32_t label = labels[first + i];
      if (label <= 0) continue;
      if (const double* own = at + static_cast<std::size_t>(label - 1) * rank; own != point) {
        point = own;
        across = 0;
        for (std::size_t axis = 0; axis + 1 < rank; ++axis) {
          const auto place = static_cast<double>(cell[kAxes - rank + axis]);
          const double way = spacing[axis] * (place - point[axis]);
          across += way * way;
        }
      }
      const auto column = static_cast<double>(cell[kAxes - 1] + i);
      const double way = spacing[rank - 1] * (column - point[rank - 1]);
      squares[i] = across + way * way;
    }
  };
}

Squares squares_of(const double* distance) {
  return [distance](std::int64_t first, std::int64_t count, double* squares) {
    for (std::int64_t i = 0; i < count; ++i) squares[i] = distance[first + i] * distance[first + i];
  };
}

double find_energy(ContextState& state, const Density& density, const std::int32_t* labels,
                   const Squares& squares) {
  std::vector<Worker> workers(static_cast<std::size_t>(state.threads));
  state.progress.begin(density.cells());
  density.for_each(state, [&](std::int64_t first, std::int64_t count, const double* mass, int own) {
    Worker& worker = workers[static_cast<std::size_t>(own)];
    std::array<double, kChunk> square;
    squares(first, count, square.data());
    for (std::int64_t i = 0; i < count; ++i) {
      if (labels[first + i] <= 0) continue;
      if (!is_density(mass[i])) {
        worker.first_bad = std::min(worker.first_bad, first + i);
        continue;
      }
      // Without mass a cell has no energy, even where the square of its distance is infinite.
      if (mass[i] > 0) worker.sum.add(mass[i] * square[static_cast<std::size_t>(i)]);
    }
  });
  for (std::size_t i = 1; i < workers.size(); ++i) {
    workers[0].sum.add(workers[i].sum);
    workers[0].first_bad = std::min(workers[0].first_bad, workers[i].first_bad);
  }
  if (workers[0].first_bad != kNone) density.refuse(workers[0].first_bad, "cells that have a site");
  return workers[0].sum.value();
}

}  // namespace thiessen::placing
