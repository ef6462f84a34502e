// SPDX-License-Identifier: Apache-2.0
#include "placing/nearest_cells.hpp"

#include <algorithm>

#include "core/order/weights.hpp"
#include "core/problem/points.hpp"
#include "threads/rows.hpp"

namespace thiessen::placing {
namespace {

struct Nearest {
  Int128 exact = 0;
  std::int64_t cell = -1;

  void take(const Nearest& other) {
    if (other.cell < 0) return;
    if (cell >= 0 && (exact < other.exact || (exact == other.exact && cell < other.cell))) return;
    *this = other;
  }
};

/// The cells of rows of one label are looked at together: of a run the nearest cell is known.
class Search {
 public:
  Search(const Axes& extent, const Weights& weights, const std::int32_t* labels,
         const Places& places)
      : extent_(extent), weights_(weights), labels_(labels), places_(places) {}

  void look_at(std::int64_t row, std::vector<Nearest>& found) const {
    const std::int32_t* const labels = labels_ + row * extent_[2];
    for (std::int64_t x = 0; x < extent_[2];) {
      const std::int32_t label = labels[x];
      std::int64_t end = x + 1;
      while (end < extent_[2] && labels[end] == label) ++end;
      if (label > 0) {
        const auto site = static_cast<std::size_t>(label - 1);
        if (const auto& place = places_[site]) found[site].take(in_run(*place, row, x, end));
      }
      x = end;
    }
  }

 private:
  Nearest in_run(const Axes& place, std::int64_t row, std::int64_t begin, std::int64_t end) const {
    constexpr std::int64_t kHalf = std::int64_t{1} << (kFractionBits - 1);
    // The nearest column; halfway between two of them the smaller one.
    const std::int64_t column = (place[2] + kHalf - 1) >> kFractionBits;
    const Axes cell{row / extent_[1], row % extent_[1], std::clamp(column, begin, end - 1)};
    Int128 exact = 0;
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      const Int128 delta = (cell[axis] << kFractionBits) - place[axis];
      exact += weights_.factor[axis] * delta * delta;
    }
    return {exact, to_index(extent_, cell)};
  }

  Axes extent_;
  Weights weights_;
  const std::int32_t* labels_;
  const Places& places_;
};

}  // namespace

std::vector<std::int64_t> find_nearest_cells(ContextState& state, const Axes& extent,
                                             std::span<const double> spacing,
                                             const std::int32_t* labels, const Places& places) {
  const Axes reach{extent[0] << kFractionBits, extent[1] << kFractionBits,
                   extent[2] << kFractionBits};
  const Search search(extent, make_weights(reach, spacing, Metric::euclidean), labels, places);
  std::vector<std::vector<Nearest>> found(static_cast<std::size_t>(state.threads));
  state.progress.begin(extent[0] * extent[1] * extent[2]);
  parallel_for(state, extent[0] * extent[1], rows_per_task(extent[2]), extent[2],
               [&](std::int64_t begin, std::int64_t end, int worker) {
                 auto& own = found[static_cast<std::size_t>(worker)];
                 own.resize(places.size());
                 for (std::int64_t row = begin; row < end; ++row) search.look_at(row, own);
               });
  std::vector<std::int64_t> cells(places.size(), -1);
  for (std::size_t site = 0; site < places.size(); ++site) {
    Nearest nearest;
    for (const auto& own : found)
      if (!own.empty()) nearest.take(own[site]);
    cells[site] = nearest.cell;
  }
  return cells;
}

}  // namespace thiessen::placing
