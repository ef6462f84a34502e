// SPDX-License-Identifier: Apache-2.0
//
// Passes along the first axis: down, where each cell remembers the last site at or above it, then
// up, where the first site below replaces it if it is nearer.
#include "cpu/lines/first_axis.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>

#include "core/base/cell_access.hpp"
#include "core/problem/cell_class.hpp"
#include "cpu/lines/stretches.hpp"

namespace thiessen::cpu {
namespace {

/// Columns that are done together: few enough that the way up still finds in the second-level cache
/// what the way down wrote, for rasters of a few thousand rows.
constexpr std::int64_t kStretch = 128;
static_assert(kStretch <= kChunk);

using Coordinates = std::array<std::int32_t, kStretch>;

/// What lies beyond the slab on one side, or `none`.
Coordinates beyond(const Neighbours& neighbours, const Stretch& stretch, std::int32_t none) {
  Coordinates coordinates;
  coordinates.fill(none);
  if (neighbours.coordinate == nullptr) return coordinates;
  for (std::int64_t i = 0; i < stretch.count; ++i) {
    const std::int32_t site = neighbours.coordinate[stretch.column + i];
    if (site != kNoSite) coordinates[static_cast<std::size_t>(i)] = site;
  }
  return coordinates;
}

/// The first and the last site of each column.
struct Ends {
  Coordinates first;
  Coordinates last;
};

/// The way down: the last site at or above each cell.
Ends sweep_down(const Problem& problem, const Slab& slab, const CellReader& cells,
                const Stretch& stretch, std::int32_t* nearest) {
  const std::int64_t columns = slab_columns(problem);
  Ends ends;
  Coordinates& last = ends.last;
  last = beyond(slab.above, stretch, kNoSite);
  ends.first.fill(kNoSite);
  std::array<std::uint8_t, kStretch> classes;
  ChunkBuffer buffer;
  for (std::int64_t k = 0; k < slab.count; ++k) {
    classify(problem.rule, read(cells, problem, stretch, k, buffer), stretch.count, classes.data());
    const auto here = static_cast<std::int32_t>(slab.first + k);
    std::int32_t* row = nearest + k * columns + stretch.column;
    for (std::int64_t i = 0; i < stretch.count; ++i) {
      // Loads come first, whatever the choice, so that the compiler can use vectors.
      const auto at = static_cast<std::size_t>(i);
      const std::int32_t above = last[at];
      const std::int32_t first = ends.first[at];
      const std::int32_t now = classes[at] == kSiteCell ? here : above;
      last[at] = now;
      ends.first[at] = first == kNoSite ? now : first;
      row[i] = now;
    }
  }
  return ends;
}

/// The way up: the first site below each cell replaces the one above where it is nearer. At equal
/// distance the one above stays: its index is smaller.
void sweep_up(const Problem& problem, const Slab& slab, const Stretch& stretch,
              std::int32_t* nearest) {
  constexpr std::int32_t kNoneBelow = std::numeric_limits<std::int32_t>::max();
  const std::int64_t columns = slab_columns(problem);
  Coordinates next = beyond(slab.below, stretch, kNoneBelow);
  for (std::int64_t k = slab.count - 1; k >= 0; --k) {
    const auto here = static_cast<std::int32_t>(slab.first + k);
    std::int32_t* row = nearest + k * columns + stretch.column;
    for (std::int64_t i = 0; i < stretch.count; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const std::int32_t above = row[i];
      const std::int32_t below = next[at];
      const std::int32_t nearer = below - here < here - above ? below : above;
      row[i] = below == kNoneBelow ? above : nearer;
      next[at] = above == here ? here : below;
    }
  }
}

/// The way up on a periodic axis. Beyond the slab lie images. For a whole raster without neighbours
/// they are those of its own columns: above the first site is the last one, a period before, and
/// below the last one is the first. At equal distance the smaller coordinate wins, and the upper of
/// two images of one site.
void sweep_up_periodic(const Problem& problem, const Slab& slab, const Stretch& stretch,
                       const Ends& ends, std::int32_t* nearest) {
  const std::int64_t columns = slab_columns(problem);
  const auto period =
      static_cast<std::int32_t>(problem.period[static_cast<std::size_t>(problem.first_axis())]);
  const bool whole = slab.count == period && slab.above.coordinate == nullptr;
  Coordinates next = beyond(slab.below, stretch, kNoSite);
  Coordinates before;
  before.fill(kNoSite);
  for (std::size_t i = 0; whole && i < static_cast<std::size_t>(stretch.count); ++i) {
    if (ends.last[i] == kNoSite) continue;
    before[i] = ends.last[i] - period;
    next[i] = ends.first[i] + period;
  }
  const auto coordinate_of = [&](std::int32_t image) {
    return static_cast<std::int32_t>(unwrap(image, period));
  };
  for (std::int64_t k = slab.count - 1; k >= 0; --k) {
    const auto here = static_cast<std::int32_t>(slab.first + k);
    std::int32_t* row = nearest + k * columns + stretch.column;
    for (std::int64_t i = 0; i < stretch.count; ++i) {
      const auto at = static_cast<std::size_t>(i);
      if (row[i] == here) {
        next[at] = here;
        continue;
      }
      const std::int32_t above = row[i] == kNoSite ? before[at] : row[i];
      const std::int32_t below = next[at];
      if (above == kNoSite && below == kNoSite) continue;
      const bool only_above = below == kNoSite;
      const bool only_below = above == kNoSite;
      const std::int32_t down = below - here;
      const std::int32_t up = here - above;
      const bool take =
          only_below ||
          (!only_above &&
           (down < up || (down == up && coordinate_of(below) < coordinate_of(above))));
      row[i] = coordinate_of(take ? below : above);
    }
  }
}

/// Counts cells since the last change of value, on the way down or on the way up; on the way up the
/// smaller of the two counts stays. It begins with what lies before the slab. On a periodic axis of
/// a whole raster it goes round twice, and knows in the second round what lies before the first
/// cell.
void count_since_change(const Problem& problem, const Slab& slab, const CellReader& cells,
                        const Stretch& stretch, bool down, std::int32_t* counts) {
  const std::int64_t columns = slab_columns(problem);
  const std::int64_t length = slab.count;
  const bool periodic = problem.period[static_cast<std::size_t>(problem.first_axis())] == length;
  const auto element = static_cast<std::int64_t>(size_of(cells.element_type()));
  const Neighbours& before = down ? slab.above : slab.below;
  Coordinates count;
  count.fill(kFar);
  std::array<std::uint8_t, kStretch> same;
  std::array<ChunkBuffer, 2> buffers;
  const std::byte* previous = nullptr;
  if (before.labels != nullptr) {
    previous = before.labels + stretch.column * element;
    const std::int64_t beside = down ? slab.first - 1 : slab.first + length;
    for (std::int64_t i = 0; i < stretch.count; ++i) {
      const std::int32_t other = before.coordinate[stretch.column + i];
      if (other != kNoSite)
        count[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(std::abs(beside - other));
    }
  }
  for (std::int64_t step = periodic ? -length : 0; step < length; ++step) {
    const std::int64_t along = step < 0 ? step + length : step;
    const std::int64_t k = down ? along : length - 1 - along;
    const std::byte* row =
        read(cells, problem, stretch, k, buffers[static_cast<std::size_t>(step & 1)]);
    if (previous != nullptr) {
      compare_cells(cells.element_type(), previous, row, stretch.count, same.data());
      for (std::size_t i = 0; i < static_cast<std::size_t>(stretch.count); ++i)
        count[i] = same[i] != 0 ? std::min(count[i] + 1, kFar) : 1;
    }
    previous = row;
    if (step < 0) continue;
    std::int32_t* out = counts + k * columns + stretch.column;
    for (std::int64_t i = 0; i < stretch.count; ++i) {
      const std::int32_t counted = count[static_cast<std::size_t>(i)];
      out[i] = down ? counted : std::min(out[i], counted);
    }
  }
}

}  // namespace

void nearest_in_columns(ContextState& state, const Problem& problem, const Slab& slab,
                        const View<const void>& sites, std::int32_t* nearest) {
  const CellReader cells(sites);
  for_each_stretch(state, problem, kStretch, slab.count, [&](const Stretch& stretch) {
    const Ends ends = sweep_down(problem, slab, cells, stretch, nearest);
    if (problem.period[static_cast<std::size_t>(problem.first_axis())] == kNoPeriod)
      sweep_up(problem, slab, stretch, nearest);
    else
      sweep_up_periodic(problem, slab, stretch, ends, nearest);
  });
}

void boundary_in_columns(ContextState& state, const Problem& problem, const Slab& slab,
                         const View<const void>& labels, std::int32_t* cells) {
  const CellReader reader(labels);
  for_each_stretch(state, problem, kStretch, slab.count, [&](const Stretch& stretch) {
    count_since_change(problem, slab, reader, stretch, true, cells);
    count_since_change(problem, slab, reader, stretch, false, cells);
  });
}

}  // namespace thiessen::cpu
