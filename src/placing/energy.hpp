// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/base/context_state.hpp"
#include "placing/density.hpp"
#include "placing/images.hpp"

namespace thiessen::placing {

/// Writes the squared distance of each of `count` cells of a row, from the linear index `first` on,
/// to its site; 0 for cells without a site. It is called from all threads.
using Squares = std::function<void(std::int64_t first, std::int64_t count, double* squares)>;

/// The squared distances to points: the sum over the axes, in their order, of the square of spacing
/// · (cell - point), in double; on periodic axes by the shorter way. All that it refers to must
/// outlive it.
///
/// labels       the position of the own point + 1, or <= 0
/// coordinates  of the points, as many for each as there are lengths in `spacing`: 2 or 3
Squares squares_to_points(const Axes& extent, const std::int32_t* labels,
                          const std::vector<double>& coordinates, const Periods& periods,
                          const std::vector<double>& spacing);

/// The squares of the distances of cells with a label > 0.
Squares squares_of(const std::int32_t* labels, const double* distance);

/// The sum of density · squared distance over the cells with a label > 0: each term in double, the
/// sum of the terms exact and rounded once. Throws Error{invalid_argument} for the first of these
/// cells whose density is NaN, infinite or < 0.
double find_energy(ContextState& state, const Density& density, const std::int32_t* labels,
                   const Squares& squares);

}  // namespace thiessen::placing
