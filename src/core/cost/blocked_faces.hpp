// SPDX-License-Identifier: Apache-2.0
//
// Which steps pass where faces between cells are blocked.
//
//   box    of a step: the smallest one around its two cells; at most 8 cells
//   way    of a step: from its one cell to the other across open faces, within the box; with tight
//          barriers through open cells
//
// A step passes if it has a way. So costs that spread by steps of any kind reach no cell that steps
// across open faces do not reach: where blocked faces close a region off, nothing gets in or out.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/scratch.hpp"
#include "core/cost/edges.hpp"
#include "core/cost/inputs.hpp"
#include "core/cost/problem.hpp"

namespace thiessen {

/// The options for a check that knows no blocked faces.
inline CostDistanceOptions without_blocked_faces(CostDistanceOptions options) {
  options.blocked_faces = {};
  return options;
}

/// The blocked faces of the box of a raster that begins at `first`, one element a cell of the box
/// in C order; without those at the end of an axis that is not periodic. `blocked_faces` has three
/// axes. Throws Error{invalid_argument} naming the first cell of the box with a bit that is no
/// face's.
const std::uint8_t* load_blocked_faces(const CostProblem& problem,
                                       const View<const std::uint8_t>& blocked_faces,
                                       const Axes& first, const Loop& loop,
                                       Scratch::Frame& scratch);

/// Bit k of a cell where no blocked face stops step k from it. Where no face nearby is blocked it
/// leaves tight barriers to sum_along(), which stops the same steps. Bits of steps that lead out of
/// the raster mean nothing.
template <class T>
class OpenSteps {
 public:
  /// `resistance` and `faces` are those of all cells, in C order.
  OpenSteps(const Axes& extent, const CostEdges<T>& edges, const T* resistance,
            const std::uint8_t* faces);

  /// Finds those of the cells of a row.
  void find_row(std::int64_t row, std::uint32_t* steps) const;
  /// Finds those of a cell.
  std::uint32_t find(const Axes& cell) const;

 private:
  /// The box of a step, whose cells come in C order. Bit i of a set is its i-th cell.
  struct StepBox {
    static constexpr std::size_t kMostCells = 8;

    std::size_t count = 0;
    std::uint32_t begin = 0;                       ///< where the step begins
    std::uint32_t end = 0;                         ///< where it ends
    std::array<Axes, kMostCells> way{};            ///< from where it begins to each cell
    std::array<std::uint8_t, kMostCells> faces{};  ///< of each cell towards others of the box
    std::array<std::int64_t, kAxes> stride{};      ///< along x, y and z, as bits of a cell count
  };

  static StepBox make_box(const CostOffset& step);
  template <class Visit>
  void for_each_in_reach(std::size_t axis, std::int64_t from, const Visit& visit) const;
  template <class Visit>
  void for_each_row_near(const Axes& cell, const Visit& visit) const;
  std::vector<std::uint8_t> faces_near(const Axes& row) const;
  std::uint32_t steps_from(const Axes& cell) const;
  bool has_way(const StepBox& box, std::int64_t from) const;

  Axes extent_;
  const CostEdges<T>& edges_;
  const T* resistance_;
  const std::uint8_t* faces_;
  std::array<StepBox, kMostNeighbours> boxes_{};
};

/// PlacedSteps::open_steps of a raster, for faces of three axes. Throws as load_blocked_faces()
/// does.
template <class T>
const std::uint32_t* find_open_steps(const CostProblem& problem,
                                     const View<const std::uint8_t>& blocked_faces,
                                     const CostEdges<T>& edges, const T* resistance,
                                     const Loop& loop, Scratch::Frame& scratch);

}  // namespace thiessen
