// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "core/base/cell_access.hpp"
#include "core/base/context_state.hpp"
#include "core/problem/problem.hpp"
#include "core/search/result_writer.hpp"

namespace thiessen {

/// Calls visit(cell) for the cells of a raster that are sites, in the order of their index.
template <class Visit>
void for_each_site(const Problem& problem, const View<const void>& sites, const Progress& progress,
                   Visit&& visit) {
  const CellReader cells(sites);
  ChunkBuffer buffer;
  std::array<std::uint8_t, kChunk> classes;
  for (std::int64_t row = 0; row < problem.extent[0] * problem.extent[1]; ++row) {
    for_each_chunk(row / problem.extent[1], row % problem.extent[1], problem.extent[2],
                   [&](const Chunk& chunk) {
                     classify(problem.rule,
                              cells.read(chunk.z, chunk.y, chunk.x, chunk.count, buffer),
                              chunk.count, classes.data());
                     for (std::int64_t i = 0; i < chunk.count; ++i)
                       if (classes[static_cast<std::size_t>(i)] == kSiteCell)
                         visit(Axes{chunk.z, chunk.y, chunk.x + i});
                   });
    progress.check();
  }
}

/// Calls reserve(count) with the number of sites, and then visit(cell) for at most so many of them:
/// there may be more or fewer by then, if somebody writes to the raster meanwhile. Returns how many
/// were visited.
template <class Reserve, class Visit>
std::int64_t list_site_cells(const Problem& problem, const View<const void>& sites,
                             const Progress& progress, Reserve&& reserve, Visit&& visit) {
  std::int64_t count = 0;
  for_each_site(problem, sites, progress, [&](const Axes&) { ++count; });
  reserve(count);
  std::int64_t visited = 0;
  for_each_site(problem, sites, progress, [&](const Axes& cell) {
    if (visited == count) return;
    visit(cell);
    ++visited;
  });
  return visited;
}

}  // namespace thiessen
