// SPDX-License-Identifier: Apache-2.0
//
// Pieces that the methods share when they go through planes and rows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "core/problem.hpp"
#include "cpu/lower_envelope.hpp"
#include "cpu/result_writer.hpp"

namespace thiessen::cpu {

/// Lines across memory are worked on in blocks of neighbours, so that a cache line is used whole.
inline constexpr std::int64_t kLines = 16;

/// Calls visit(chunk) for the chunks of row (z, y).
template <class Visit>
void for_each_chunk(std::int64_t z, std::int64_t y, std::int64_t width, Visit&& visit) {
  for (std::int64_t x = 0; x < width; x += kChunk)
    visit(Chunk{z, y, x, std::min(kChunk, width - x)});
}

/// Planes that are worked on together: enough for all threads, few enough to stay small.
inline std::int64_t planes_at_once(std::int64_t planes, std::int64_t cells_per_plane) {
  constexpr std::int64_t kCells = std::int64_t{1} << 20;
  return std::clamp<std::int64_t>(kCells / std::max<std::int64_t>(cells_per_plane, 1), 1,
                                  std::max<std::int64_t>(planes, 1));
}

/// Calls run(Geometry{}, Scalar{}) with the metric and the integer that the problem needs.
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
    case Metric::chessboard:
      return with_scalar(Chessboard{});
  }
}

}  // namespace thiessen::cpu
