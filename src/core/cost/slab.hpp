// SPDX-License-Identifier: Apache-2.0
//
// A visit of a slab of cost distance (thiessen/slabs/cost_slabs.hpp), normalised.
//
//   row   along the first axis: a row in 2-D, a plane in 3-D
//   own   of the rows of the arrays, those of the slab; the others lie beside it
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/cost/problem.hpp"
#include "thiessen/slabs/cost_slabs.hpp"

namespace thiessen {

struct CostSlabProblem {
  CostProblem problem;  ///< that of all rows of the arrays
  CostViews views;      ///< of the same; `out` only for finishing, and of the own rows
  std::int64_t rows = 0;
  std::int64_t begin = 0;      ///< first own row
  std::int64_t end = 0;        ///< row after the last own one
  std::int64_t row_cells = 0;  ///< cells of a row
  std::int64_t first_row = 0;  ///< of the arrays, in the whole raster
  std::int64_t raster_rows = 0;
  std::int64_t sites_before = 0;

  // What is known, in C order; null where it is not wanted.
  void* resistance = nullptr;
  void* cost = nullptr;
  std::int64_t* site = nullptr;
  std::byte* label = nullptr;
  std::size_t label_bytes = 0;
  std::int64_t* hops = nullptr;

  std::int64_t own_begin() const { return begin * row_cells; }
  std::int64_t own_end() const { return end * row_cells; }
  bool is_own(std::int64_t cell) const { return cell >= own_begin() && cell < own_end(); }
  /// The linear index of the first cell in the whole raster.
  std::int64_t first_cell() const { return first_row * row_cells; }

  /// Calls visit(cell) for the cells beside the slab, in order.
  template <class Visit>
  void for_each_beside(const Visit& visit) const {
    for (std::int64_t cell = 0; cell < own_begin(); ++cell) visit(cell);
    for (std::int64_t cell = own_end(); cell < rows * row_cells; ++cell) visit(cell);
  }
};

/// Checks everything that a caller can get wrong, except values in cells: of a visit, and of the
/// end. Throws Error{invalid_argument, unsupported}.
CostSlabProblem make_cost_slab_problem(const CostSlab& slab, const CostDistanceOptions& options,
                                       CostStage stage, bool is_first);
CostSlabProblem make_cost_slab_problem(const CostSlab& slab, const CostDistanceOptions& options,
                                       const CostDistanceOutputs& out);

}  // namespace thiessen
