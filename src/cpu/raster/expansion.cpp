// SPDX-License-Identifier: Apache-2.0
//
// Each cell looks at the square rings (in 3-D shells of cubes) around itself, one after the other,
// until no cell of the next one can be as near as the best site found: step 5 of Tu and Wang,
// "Raster-based method for Voronoi diagram using GPU parallel technology" (2015). As they write it,
// a cell goes on until it meets a site; that would be exact for chessboard distance only. With
// labels_carried it ends like that, with the nearest site of the ring.
//
// A ring consists of segments of rows and columns, which are stored as bits: one look takes 64
// cells. In a segment only the nearest site to the left and to the right count, and the first of
// those that are as near as the nearer one (chessboard and octagonal distance may have more than
// two). If a cell meets its first site in ring r, the cell to its right has none nearer than ring r
// - 1, and begins there.
//
// Notation: r, cells from the middle of a ring to its sides.
#include "cpu/raster/expansion.hpp"

#include <algorithm>
#include <limits>

#include "core/problem/cell_metric.hpp"
#include "cpu/raster/bit_line.hpp"
#include "cpu/raster/line_bits.hpp"
#include "threads/parallel.hpp"

namespace thiessen::cpu {
namespace {

using raster::BitLine;

/// The search of one cell.
template <class Metric>
class Neighbourhood {
 public:
  Neighbourhood(const Problem& problem, const Metric& metric, const raster::SiteBits& rows,
                const raster::LineBits& columns)
      : extent_(problem.extent),
        limit_(static_cast<std::int64_t>(problem.limit)),
        limited_(problem.limited),
        ends_at_first_(problem.raster.labels_carried),
        metric_(metric),
        rows_(rows),
        columns_(columns) {}

  /// Finds the first site in the order (S, index), as far as the max distance. It is fastest to
  /// search cells beside each other from left to right.
  void search(const Axes& cell) {
    const bool goes_on = cell[2] == cell_[2] + 1 && cell[1] == cell_[1] && cell[0] == cell_[0];
    const std::int64_t empty = goes_on ? met_ - 1 : 0;
    cell_ = cell;
    site_ = kUnreached;
    exact_ = ends_at_first_ ? std::numeric_limits<std::int64_t>::max() : limit_;
    met_ = 0;
    const std::int64_t farthest = *std::max_element(extent_.begin(), extent_.end());
    for (std::int64_t r = std::max<std::int64_t>(empty, 0); r < farthest && may_matter(r); ++r) {
      look_at_ring(r);
      if (met_ == 0 && site_ != kUnreached && (ends_at_first_ || !limited_)) met_ = r;
    }
    if (exact_ > limit_) site_ = kUnreached;
  }

  std::int64_t site() const { return site_; }
  std::int64_t exact() const { return exact_; }

 private:
  /// Whether ring r may have the site that is sought.
  bool may_matter(std::int64_t r) const {
    if (ends_at_first_) return site_ == kUnreached;
    return metric_.least_beyond(extent_, r) <= exact_;
  }

  void look_at_ring(std::int64_t r) {
    const std::int64_t first = std::max<std::int64_t>(cell_[0] - r, 0);
    const std::int64_t last = std::min(cell_[0] + r, extent_[0] - 1);
    for (std::int64_t z = first; z <= last; ++z) {
      if (z == cell_[0] - r || z == cell_[0] + r)
        look_at_square(z, r);
      else
        look_at_border(z, r);
    }
  }

  void look_at_square(std::int64_t z, std::int64_t r) {
    const std::int64_t first = std::max<std::int64_t>(cell_[1] - r, 0);
    const std::int64_t last = std::min(cell_[1] + r, extent_[1] - 1);
    for (std::int64_t y = first; y <= last; ++y) look_along_row(z, y, r);
  }

  void look_at_border(std::int64_t z, std::int64_t r) {
    if (cell_[1] - r >= 0) look_along_row(z, cell_[1] - r, r);
    if (cell_[1] + r < extent_[1]) look_along_row(z, cell_[1] + r, r);
    if (cell_[2] - r >= 0) look_along_column(z, cell_[2] - r, r - 1);
    if (cell_[2] + r < extent_[2]) look_along_column(z, cell_[2] + r, r - 1);
  }

  void look_along_row(std::int64_t z, std::int64_t y, std::int64_t r) {
    const std::int64_t share = metric_.share(0, apart(z, cell_[0]), 1, apart(y, cell_[1]));
    const std::int64_t x = look_along({rows_.row(z, y)}, 2, share, r);
    if (x >= 0) consider(to_index(extent_, {z, y, x}), metric_.exact(share, 2, apart(x, cell_[2])));
  }

  void look_along_column(std::int64_t z, std::int64_t x, std::int64_t r) {
    const std::int64_t share = metric_.share(0, apart(z, cell_[0]), 2, apart(x, cell_[2]));
    const std::int64_t y = look_along(columns_.line(z, 0, x), 1, share, r);
    if (y >= 0) consider(to_index(extent_, {z, y, x}), metric_.exact(share, 1, apart(y, cell_[1])));
  }

  /// The first of the nearest sites on a line, among the cells up to r from the cell; -1 if none is
  /// near enough.
  std::int64_t look_along(const BitLine& line, std::size_t axis, std::int64_t share,
                          std::int64_t r) const {
    if (metric_.exact(share, axis, 0) > exact_) return -1;
    const std::int64_t middle = cell_[axis];
    const std::int64_t begin = std::max<std::int64_t>(middle - r, 0);
    const std::int64_t end = std::min(middle + r, extent_[axis] - 1);
    const std::int64_t left = line.last(begin, middle);
    const std::int64_t right = line.first(middle, end);
    if (left < 0 && right < 0) return -1;
    const std::int64_t nearest = left < 0    ? right - middle
                                 : right < 0 ? middle - left
                                             : std::min(middle - left, right - middle);
    const std::int64_t exact = metric_.exact(share, axis, nearest);
    if (exact > exact_) return -1;
    return line.first(std::max(begin, middle - metric_.reach(share, axis, exact)), end);
  }

  void consider(std::int64_t site, std::int64_t exact) {
    if (exact > exact_ || (exact == exact_ && site_ != kUnreached && site > site_)) return;
    site_ = site;
    exact_ = exact;
  }

  static std::int64_t apart(std::int64_t a, std::int64_t b) { return a < b ? b - a : a - b; }

  Axes extent_;
  std::int64_t limit_;
  bool limited_;
  bool ends_at_first_;  ///< at the first ring with a site, as the paper has it
  Metric metric_;
  const raster::SiteBits& rows_;
  const raster::LineBits& columns_;
  Axes cell_{-1, -1, -1};
  std::int64_t met_ = 0;  ///< ring of the first site; 0 if a max distance hides nearer ones
  std::int64_t site_ = kUnreached;
  std::int64_t exact_ = 0;
};

void expand_map(ContextState& state, const Problem& problem, const ProblemViews& views,
                Write write) {
  Scratch::Frame scratch(state.scratch);
  expand_cells(state, problem, views, write, raster::read_bits(state, scratch, problem, views));
}

}  // namespace

void expand_cells(ContextState& state, const Problem& problem, const ProblemViews& views,
                  Write write, const raster::SiteBits& bits) {
  const PhaseTimer phase(state, "expansion");
  Scratch::Frame scratch(state.scratch);
  const raster::LineBits columns(scratch, problem, bits, raster::Slope::column);
  const Slab slab = whole_raster(problem);
  const ResultWriter<std::int64_t> writer(problem, slab, views, write);
  const std::int64_t height = problem.extent[1];
  const std::int64_t width = problem.extent[2];
  with_cell_metric(problem, [&](const auto& metric) {
    parallel_for(state, problem.extent[0] * height, 1, width,
                 [&](std::int64_t begin, std::int64_t end, int) {
                   Neighbourhood search(problem, metric, bits, columns);
                   Winners<std::int64_t> winners;
                   for (std::int64_t row = begin; row < end; ++row)
                     for_each_chunk(row / height, row % height, width, [&](const Chunk& chunk) {
                       state.progress.check();
                       winners.site.fill(kUnreached);
                       winners.exact.fill(0);
                       for (std::int64_t i = 0; i < chunk.count && bits.count > 0; ++i) {
                         search.search({chunk.z, chunk.y, chunk.x + i});
                         winners.site[static_cast<std::size_t>(i)] = search.site();
                         winners.exact[static_cast<std::size_t>(i)] = search.exact();
                       }
                       writer.write(chunk, winners);
                     });
                 });
  });
}

Support supports_expansion(const ContextState& /*state*/, const Problem& problem) {
  return thiessen::supports_expansion(problem);
}

void run_expansion(ContextState& state, const Problem& problem, const ProblemViews& views) {
  make_maps(state, problem, views, 2 * problem.cells(), expand_map);
}

}  // namespace thiessen::cpu
