// SPDX-License-Identifier: Apache-2.0
//
// Writes the outputs that the caller wants from the winner of every cell. Methods pass a chunk of a
// row at a time, while it is in the cache; labels, distances and the rest are views of the winners.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/base/cell_access.hpp"
#include "core/base/context_state.hpp"
#include "core/order/nearest_image.hpp"
#include "core/problem/problem.hpp"
#include "core/slabs/slab.hpp"

namespace thiessen {

/// A piece of a row: cells (z, y, x) … (z, y, x + count - 1) of the slab.
struct Chunk {
  std::int64_t z = 0;
  std::int64_t y = 0;
  std::int64_t x = 0;
  std::int64_t count = 0;  ///< at most kChunk
};

/// Calls visit(chunk) for the chunks of row (z, y) from cell `first` to before cell `end`.
template <class Visit>
void for_each_chunk(std::int64_t z, std::int64_t y, std::int64_t first, std::int64_t end,
                    Visit&& visit) {
  for (std::int64_t x = first; x < end; x += kChunk)
    visit(Chunk{z, y, x, std::min(kChunk, end - x)});
}

/// The same for a whole row.
template <class Visit>
void for_each_chunk(std::int64_t z, std::int64_t y, std::int64_t width, Visit&& visit) {
  for_each_chunk(z, y, 0, width, visit);
}

/// For each cell of a chunk the site index of the winner, or kUnreached, and S.
template <class Scalar>
struct Winners {
  std::array<std::int64_t, kChunk> site;
  std::array<Scalar, kChunk> exact;
};

/// The outputs that a run writes.
enum class Write {
  all,
  all_but_distances,  ///< not those of Subject::distance: another run writes them
  distances,          ///< only these two; the index of a winner need only tell whether there is one
  /// Only `distance`, negated, for cells that are sites. The winners are those of the complement,
  /// in which these cells have S > 0.
  inside,
};

/// Calls make_map(state, problem, views, write) for all outputs and, for signed distances, again
/// for the cells inside. Each call takes `units` of the progress.
template <class MakeMap>
void make_maps(ContextState& state, const Problem& problem, const ProblemViews& views,
               std::int64_t units, const MakeMap& make_map) {
  const bool inside = problem.signed_distance && views.out.distance;
  state.progress.begin(units * (inside ? 2 : 1));
  make_map(state, problem, views, Write::all);
  if (!inside) return;
  Problem complement = problem;
  complement.rule.complement = true;
  make_map(state, complement, views, Write::inside);
}

template <class Scalar>
class ResultWriter {
 public:
  ResultWriter(const Problem& problem, const Slab& slab, const ProblemViews& views, Write write);

  /// Writes the cells of a chunk. Changes `winners`: cells out of range become kUnreached, nodata
  /// cells kNodata.
  void write(const Chunk& chunk, Winners<Scalar>& winners) const;

 private:
  void write_all(const Chunk& chunk, Winners<Scalar>& winners) const;
  void mark_special(const Chunk& chunk, Winners<Scalar>& winners) const;
  void write_inside(const Chunk& chunk, const Winners<Scalar>& winners) const;
  void write_labels(const Chunk& chunk, const Winners<Scalar>& winners) const;
  void write_site_index(const Chunk& chunk, const Winners<Scalar>& winners) const;
  template <class Value>
  void write_lengths(const View<void>& out, const Chunk& chunk, const Winners<Scalar>& winners,
                     Value&& value) const;
  void write_distance(const Chunk& chunk, const Winners<Scalar>& winners) const;
  void write_weighted_distance(const Chunk& chunk, const Winners<Scalar>& winners) const;
  void write_squared(const Chunk& chunk, const Winners<Scalar>& winners) const;
  void write_offset(const Chunk& chunk, const Winners<Scalar>& winners) const;
  using ChunkCells = std::array<std::array<std::int32_t, kChunk>, kAxes>;
  ChunkCells cells_of_sites(const std::array<std::int64_t, kChunk>& site, std::int64_t count) const;
  void move_to_images(const Axes& first, std::int64_t count, ChunkCells& sites) const;
  void write_direction(const Chunk& chunk, const Winners<Scalar>& winners) const;
  template <class T>
  T load_label(std::int64_t site) const;
  /// The place of a site, in the units of S.
  Axes site_at(std::int64_t site) const;
  Axes whole_cell(const Chunk& chunk) const;

  const Problem& problem_;
  const Slab& slab_;
  const ProblemViews& views_;
  Write write_;
  CellReader sites_;
  Images images_;
  bool linear_;  ///< the index of a site is the position of its label in memory
};

}  // namespace thiessen
