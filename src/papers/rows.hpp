// SPDX-License-Identifier: Apache-2.0
//
// Loops over the rows of a raster on all threads.
#pragma once

#include <cstdint>

#include "core/problem/problem.hpp"
#include "core/search/result_writer.hpp"
#include "threads/parallel.hpp"

namespace thiessen::papers {

/// Calls visit(z, y) for all rows, `at_once` of them a piece of work.
template <class Visit>
void for_each_row(ContextState& state, const Problem& problem, std::int64_t at_once,
                  const Visit& visit) {
  const std::int64_t height = problem.extent[1];
  parallel_for(state, problem.extent[0] * height, at_once, problem.extent[2],
               [&](std::int64_t begin, std::int64_t end, int) {
                 for (std::int64_t row = begin; row < end; ++row) visit(row / height, row % height);
               });
}

/// Writes all outputs: find(chunk, winners) fills the winners of a chunk.
template <class Scalar, class Find>
void write_map(ContextState& state, const Problem& problem, const ProblemViews& views, Write write,
               std::int64_t at_once, const Find& find) {
  const Slab slab = whole_raster(problem);
  const ResultWriter<Scalar> writer(problem, slab, views, write);
  for_each_row(state, problem, at_once, [&](std::int64_t z, std::int64_t y) {
    Winners<Scalar> winners;
    for_each_chunk(z, y, problem.extent[2], [&](const Chunk& chunk) {
      find(chunk, winners);
      writer.write(chunk, winners);
    });
  });
}

}  // namespace thiessen::papers
