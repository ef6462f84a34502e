// SPDX-License-Identifier: Apache-2.0
//
// The outputs of the search by candidates that vectors do not write.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/search/geometry.hpp"
#include "core/search/result_writer.hpp"
#include "core/search/special_values.hpp"
#include "cpu/candidates/search.hpp"
#include "threads/parallel.hpp"

namespace thiessen::cpu::candidates {

/// Calls visit(chunk) for all chunks of the raster, on all threads.
template <class Visit>
void visit_all_chunks(const Search& search, const Visit& visit) {
  const Axes& extent = search.problem->extent;
  parallel_for(*search.state, extent[0] * extent[1], 1, extent[2],
               [&](std::int64_t begin, std::int64_t end, int) {
                 for (std::int64_t row = begin; row < end; ++row)
                   for_each_chunk(row / extent[1], row % extent[1], extent[2], visit);
               });
}

/// Writes rows of results. Its write() is a WriteRow.
template <class Geometry, class Scalar>
class RowWriter {
 public:
  RowWriter(const Search& search, const ProblemViews& views)
      : search_(search),
        factor_(factors_of<Scalar>(*search.problem)),
        needs_exact_(wants_distances(views.out) || search.problem->limited),
        slab_(whole_raster(*search.problem)),
        writer_(*search.problem, slab_, views, Write::all) {}

  static void write(const void* self, const Axes& cell, std::int64_t count,
                    const std::int32_t* winners) {
    static_cast<const RowWriter*>(self)->write(cell, count, winners);
  }

  void fill_unreached() const {
    visit_all_chunks(search_, [&](const Chunk& chunk) {
      Winners<Scalar> found;
      found.site.fill(kUnreached);
      found.exact.fill(0);
      writer_.write(chunk, found);
    });
  }

  /// The sites of some results, with S where it is wanted.
  Winners<Scalar> find(const Axes& cell, std::int64_t count, const std::int32_t* winners) const {
    Winners<Scalar> found;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      if (winners[i] >= 0)
        found.site[i] = search_.sites.index[static_cast<std::uint32_t>(winners[i])];
      else
        read_special({cell[0], cell[1], cell[2] + static_cast<std::int64_t>(i)}, winners[i], i,
                     found);
    }
    if (needs_exact_) find_exact(cell, count, winners, found);
    return found;
  }

 private:
  void write(const Axes& cell, std::int64_t count, const std::int32_t* winners) const {
    Winners<Scalar> found = find(cell, count, winners);
    writer_.write({cell[0], cell[1], cell[2], count}, found);
  }

  void read_special(const Axes& cell, std::int32_t winner, std::size_t i,
                    Winners<Scalar>& found) const {
    KnownSite known{.index = kUnreached};
    if (winner == kOwnSite)
      known.index = to_index(search_.problem->extent, cell);
    else if (winner <= kFirstKnown)
      known = search_.ranks->hooks.read(search_.ranks->hooks.self, cell, winner);
    found.site[i] = known.index;
    found.exact[i] = static_cast<Scalar>(known.squared);
  }

  /// S of the winners. Neighbours mostly share theirs, and with it the part of S across the row.
  void find_exact(const Axes& cell, std::int64_t count, const std::int32_t* winners,
                  Winners<Scalar>& found) const {
    if (search_.weights.form != nullptr) return find_in_metrics(cell, count, winners, found);
    const Axes centre = search_.problem->centre(cell);
    const std::int64_t step = search_.problem->centre({0, 0, 1})[2];
    std::int32_t last = -1;
    Scalar across{};
    std::int64_t x = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      if (winners[i] < 0) continue;
      if (winners[i] != last) {
        last = winners[i];
        const Axes at = place_of(search_, static_cast<std::uint32_t>(last));
        across = Geometry::combine(Geometry::along(factor_[0], at[0] - centre[0]),
                                   Geometry::along(factor_[1], at[1] - centre[1]));
        x = at[2] - centre[2];
      }
      const std::int64_t way = x - static_cast<std::int64_t>(i) * step;
      found.exact[i] = Geometry::combine(across, Geometry::along(factor_[2], way));
    }
  }

  void find_in_metrics(const Axes& cell, std::int64_t count, const std::int32_t* winners,
                       Winners<Scalar>& found) const {
    for (std::int64_t i = 0; i < count; ++i)
      if (winners[i] >= 0)
        found.exact[static_cast<std::size_t>(i)] = static_cast<Scalar>(squared_at(
            search_, static_cast<std::uint32_t>(winners[i]), {cell[0], cell[1], cell[2] + i}));
  }

  const Search& search_;
  std::array<Scalar, kAxes> factor_;
  bool needs_exact_;
  const Slab slab_;
  ResultWriter<Scalar> writer_;
};

}  // namespace thiessen::cpu::candidates
