// SPDX-License-Identifier: Apache-2.0
//
// Pieces that the methods share when they go through planes and rows.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "core/lower_envelope.hpp"
#include "core/problem.hpp"
#include "core/result_writer.hpp"
#include "threads/parallel.hpp"

namespace thiessen::cpu {

/// Lines across memory are worked on in blocks of neighbours, so that a cache line is used whole.
inline constexpr std::int64_t kLines = 16;

/// Cells of the lines along y that one worker holds at once.
inline std::int64_t block_cells(const Problem& problem) {
  return std::min(kLines, problem.extent[2]) * problem.extent[1];
}

/// The factors of S as the integers that the passes compute with.
template <class Scalar>
std::array<Scalar, kAxes> factors_of(const Problem& problem) {
  std::array<Scalar, kAxes> factors{};
  std::transform(problem.weights.factor.begin(), problem.weights.factor.end(), factors.begin(),
                 [](Int128 factor) { return static_cast<Scalar>(factor); });
  return factors;
}

/// Rows that one piece of work takes: enough cells to be worth handing out.
inline std::int64_t rows_at_once(std::int64_t width) {
  return std::max<std::int64_t>(1, 16 * kChunk / width);
}

/// Planes that are worked on together: enough for all threads, few enough to stay small.
inline std::int64_t planes_at_once(std::int64_t planes, std::int64_t cells_per_plane) {
  constexpr std::int64_t kCells = std::int64_t{1} << 20;
  return std::clamp<std::int64_t>(kCells / std::max<std::int64_t>(cells_per_plane, 1), 1,
                                  std::max<std::int64_t>(planes, 1));
}

/// The passes along y and along x in all planes of a slab, a few planes at a time: along_y(z, x, i,
/// worker) for the columns x, x + 1, … of a block, then row(z, y, i, worker); i counts the planes
/// that are worked on together. Each cell counts one unit of progress a pass.
template <class AlongY, class Row>
void for_each_plane(ContextState& state, const Problem& problem, std::int64_t planes,
                    const AlongY& along_y, const Row& row) {
  const std::int64_t height = problem.extent[1];
  const std::int64_t width = problem.extent[2];
  const std::int64_t together = planes_at_once(planes, height * width);
  const std::int64_t blocks = (width + kLines - 1) / kLines;
  for (std::int64_t z = 0; z < planes; z += together) {
    const std::int64_t batch = std::min(together, planes - z);
    parallel_for(state, batch * blocks, 1, height * width / blocks,
                 [&](std::int64_t begin, std::int64_t end, int worker) {
                   for (std::int64_t i = begin; i < end; ++i)
                     along_y(z + i / blocks, i % blocks * kLines, i / blocks, worker);
                 });
    parallel_for(state, batch * height, rows_at_once(width), width,
                 [&](std::int64_t begin, std::int64_t end, int worker) {
                   for (std::int64_t i = begin; i < end; ++i)
                     row(z + i / height, i % height, i / height, worker);
                 });
  }
}

/// Calls run(Geometry{}, Scalar{}) with the metric, one that is by axes, and the integer that the
/// problem needs.
template <class Run>
void with_geometry(const Problem& problem, Run&& run) {
  const auto with_scalar = [&](auto geometry) {
    if (problem.wide)
      run(geometry, Int128{});
    else
      run(geometry, std::int64_t{});
  };
  switch (problem.metric) {
    case Metric::euclidean:
      return with_scalar(Euclidean{});
    case Metric::manhattan:
      return with_scalar(Manhattan{});
    default:
      return with_scalar(Chessboard{});
  }
}

}  // namespace thiessen::cpu
