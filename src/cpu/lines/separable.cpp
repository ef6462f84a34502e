// SPDX-License-Identifier: Apache-2.0
//
// Exact nearest site, one axis after the other.
//
// Euclidean and manhattan S are sums over the axes, so only the best site of a column can win
// anywhere in a row: three passes, each linear in the cells, are enough.
//
//   1. Along the first axis (y in 2-D, z in 3-D): nearest site of every column (first_axis.hpp).
//   2. 3-D only, along y in every plane: lower envelope of the columns' sites of one x.
//   3. Along x in every row: lower envelope of what pass 2 (in 2-D pass 1) left over; its intervals
//      are the answer and go straight to the outputs.
//
// The order (S, site index) is the order (S, z, y, x) of the site. Pass 1 prefers the smaller first
// coordinate, pass 2 compares z·height + y, pass 3 the site index: at every step ties go as the
// whole order wants.
//
// Along a periodic axis every line gets the images of its sites up to half a period beyond its
// ends; none farther can be nearest. Images keep the rank of the site itself. |δ| of an earlier
// axis is the shorter way round, so only the coordinate of a site matters, not which image won.
//
// With weights of the kind `power`, the key S·u − w, for S·u in the unit of the weights, has the
// same parts: −w joins the first of them, and pass 1 is an envelope, too. (P. Felzenszwalb, D.
// Huttenlocher, "Distance transforms of sampled functions", 2012, is the same for reals.)
//
// Notation: nearest[k][c] is the first coordinate of the site of column c seen from cell k;
// winner_y[y][x] the y of the column that wins pass 2; kNoSite: none. Cells of a slab count from
// its first row or plane, coordinates of sites from that of the whole raster.
#include "cpu/lines/separable.hpp"

#include <algorithm>

#include "core/search/geometry.hpp"
#include "core/search/site_cells.hpp"
#include "cpu/lines/first_axis.hpp"
#include "threads/parallel.hpp"
#include "threads/rows.hpp"

namespace thiessen::cpu {
namespace {

template <class Geometry, class Scalar, bool kHasWeights>
class Separable {
 public:
  Separable(ContextState& state, const Problem& problem, const Slab& slab,
            const ProblemViews& views, Write write)
      : state_(state),
        problem_(problem),
        slab_(slab),
        views_(views),
        writer_(problem, slab, views, write),
        scratch_(state.scratch) {
    if constexpr (kHasWeights) {
      unit_ = static_cast<Scalar>(problem.keys.factor * problem.keys.factor);
      for (Scalar& factor : factor_) factor *= unit_;
      wants_exact_ = wants_distances(views.out) || problem.limited;
    }
  }

  void run() {
    nearest_ = scratch_.array<std::int32_t>(slab_.count * slab_columns(problem_));
    {
      const PhaseTimer phase(state_, "first axis");
      if constexpr (!kHasWeights)
        nearest_in_columns(state_, problem_, slab_, views_.sites, nearest_);
      else
        best_in_columns();
    }
    if constexpr (!kHasWeights) make_stacks(most_sites_of_a_line());
    const PhaseTimer phase(state_, problem_.rank == 2 ? "rows" : "planes");
    if (problem_.rank == 2)
      run_rows();
    else
      run_planes();
  }

 private:
  using Envelope = LowerEnvelope<Geometry, Scalar>;
  using Site = typename Envelope::Site;

  std::int64_t height() const { return problem_.extent[1]; }
  std::int64_t width() const { return problem_.extent[2]; }
  Site* stack(int worker) const { return stacks_ + worker * stack_size_; }
  void make_stacks(std::int64_t size) {
    stack_size_ = size;
    stacks_ = scratch_.array<Site>(state_.threads * stack_size_);
  }

  /// The part of the axes so far in the key of the site that pass 1 found for a cell.
  Scalar base_of(Scalar squared, std::int64_t cell) const {
    if constexpr (!kHasWeights) return squared;
    return squared - weight_[cell];
  }
  /// S of a site that has a key, where it is wanted.
  Scalar squared_of(Scalar key, std::int64_t site) const {
    if constexpr (!kHasWeights) return key;
    if (!wants_exact_) return 0;
    const Scalar squared = key + static_cast<Scalar>(views_.weights.exact[site]);
    return unit_ == 1 ? squared : squared / unit_;
  }

  /// Pass 1 for weights, of the whole raster.
  void best_in_columns() {
    const auto axis = static_cast<std::size_t>(problem_.first_axis());
    const std::int64_t columns = slab_columns(problem_);
    weight_ = scratch_.array<Scalar>(problem_.cells());
    std::fill_n(nearest_, problem_.cells(), kNoSite);
    for_each_site(problem_, views_.sites, state_.progress, [&](const Axes& cell) {
      const std::int64_t index = to_index(problem_.extent, cell);
      nearest_[index] = static_cast<std::int32_t>(cell[axis]);
      weight_[index] = static_cast<Scalar>(views_.weights.exact[index]);
    });
    std::int64_t longest = 0;
    for (std::size_t each = axis; each < kAxes; ++each)
      longest = std::max(longest, images_of(problem_.extent[each], problem_.period[each]));
    make_stacks(longest);
    const std::int64_t length = slab_.count;
    const std::int64_t block = kLines * length;
    auto* const lines = scratch_.array<std::int32_t>(state_.threads * block);
    auto* const weights = scratch_.array<Scalar>(state_.threads * block);
    parallel_for(state_, (columns + kLines - 1) / kLines, 1, block,
                 [&](std::int64_t begin, std::int64_t end, int worker) {
                   for (std::int64_t i = begin; i < end; ++i)
                     best_in_block(i * kLines, lines + worker * block, weights + worker * block,
                                   worker);
                 });
  }

  /// The same of some columns, which are gathered into contiguous lines.
  void best_in_block(std::int64_t column, std::int32_t* lines, Scalar* weights, int worker) {
    const std::int64_t columns = slab_columns(problem_);
    const std::int64_t length = slab_.count;
    const std::int64_t count = std::min(kLines, columns - column);
    const auto for_each_cell = [&](const auto& visit) {
      for (std::int64_t k = 0; k < length; ++k)
        for (std::int64_t i = 0; i < count; ++i) visit(i * length + k, k * columns + column + i);
    };
    for_each_cell([&](std::int64_t place, std::int64_t cell) {
      lines[place] = nearest_[cell];
      weights[place] = weight_[cell];
    });
    for (std::int64_t i = 0; i < count; ++i)
      best_in_line(lines + i * length, weights + i * length, worker);
    for_each_cell([&](std::int64_t place, std::int64_t cell) {
      const std::int32_t found = nearest_[cell] = lines[place];
      if (found != kNoSite) weight_[cell] = weights[place - place % length + found];
    });
  }

  void best_in_line(std::int32_t* line, const Scalar* weights, int worker) {
    const auto axis = static_cast<std::size_t>(problem_.first_axis());
    const std::int64_t length = slab_.count;
    Envelope envelope(stack(worker), factor_[axis], 0, static_cast<std::int32_t>(length - 1));
    for_each_image(length, problem_.period[axis], [&](std::int64_t position, std::int64_t at) {
      if (line[at] != kNoSite) envelope.add(-weights[at], at, static_cast<std::int32_t>(position));
    });
    fill_line(envelope, line, length, problem_.period[axis]);
  }

  /// Puts the coordinates of the winners into a line.
  static void fill_line(const Envelope& envelope, std::int32_t* line, std::int64_t length,
                        std::int64_t period) {
    std::fill_n(line, length, kNoSite);
    envelope.for_each_interval([&](const Site& site, std::int32_t begin, std::int32_t end) {
      std::fill(line + begin, line + end, static_cast<std::int32_t>(unwrap(site.position, period)));
    });
  }

  /// In 2-D a column has a site in the lists of all rows or of none, which matters for very long
  /// rows.
  std::int64_t most_sites_of_a_line() const {
    const std::int64_t row = images_of(width(), problem_.period[2]);
    if (problem_.rank == 3) return std::max(images_of(height(), problem_.period[1]), row);
    const std::int64_t sites = width() - std::count(nearest_, nearest_ + width(), kNoSite);
    return problem_.period[2] == kNoPeriod ? sites : std::min(row, 2 * sites);
  }

  /// The part of the difference of two coordinates along an axis in S.
  Scalar along(std::size_t axis, std::int64_t a, std::int64_t b) const {
    return Geometry::along(factor_[axis], periodic_distance(a, b, problem_.period[axis]));
  }

  void run_rows() {
    parallel_for(state_, slab_.count, rows_per_task(width()), width(),
                 [&](std::int64_t begin, std::int64_t end, int worker) {
                   for (std::int64_t y = begin; y < end; ++y)
                     if (is_open(0, y)) row_2d(y, worker);
                 });
  }

  /// Whether some cell of a row is not written yet.
  bool is_open(std::int64_t z, std::int64_t y) const {
    return views_.solved == nullptr || !views_.solved->covers(z, y, 0, width());
  }

  void row_2d(std::int64_t y, int worker) {
    Envelope envelope = row_envelope(worker);
    const std::int32_t* nearest = nearest_ + y * width();
    for_each_image(width(), problem_.period[2], [&](std::int64_t position, std::int64_t x) {
      if (nearest[x] == kNoSite) return;
      const Scalar base = base_of(along(1, slab_.first + y, nearest[x]), y * width() + x);
      envelope.add(base, nearest[x] * width() + x, static_cast<std::int32_t>(position));
    });
    write_row(envelope, 0, y);
  }

  void run_planes() {
    const std::int64_t plane = height() * width();
    std::int32_t* winner_y =
        scratch_.array<std::int32_t>(planes_per_batch(slab_.count, plane) * plane);
    const std::int64_t block = block_cells(problem_);
    std::int32_t* lines = scratch_.array<std::int32_t>(state_.threads * block);
    for_each_plane(
        state_, problem_, slab_.count,
        [&](std::int64_t z, std::int64_t x, std::int64_t i, int worker) {
          along_y(z, x, lines + worker * block, winner_y + i * plane, worker);
        },
        [&](std::int64_t z, std::int64_t y, std::int64_t i, int worker) {
          if (is_open(z, y)) row_3d(z, y, winner_y + i * plane + y * width(), worker);
        });
  }

  /// Pass 2 for the columns x, x + 1, … of one block in plane z. They are gathered into contiguous
  /// `lines`, and the winners are put back from there.
  void along_y(std::int64_t z, std::int64_t x, std::int32_t* lines, std::int32_t* winner_y,
               int worker) {
    const std::int64_t count = std::min(kLines, width() - x);
    const std::int32_t* plane = nearest_ + z * height() * width();
    for (std::int64_t y = 0; y < height(); ++y)
      for (std::int64_t i = 0; i < count; ++i) lines[i * height() + y] = plane[y * width() + x + i];
    for (std::int64_t i = 0; i < count; ++i) line_along_y(z, x + i, lines + i * height(), worker);
    for (std::int64_t y = 0; y < height(); ++y)
      for (std::int64_t i = 0; i < count; ++i)
        winner_y[y * width() + x + i] = lines[i * height() + y];
  }

  void line_along_y(std::int64_t z, std::int64_t x, std::int32_t* line, int worker) {
    Envelope envelope(stack(worker), factor_[1], 0, static_cast<std::int32_t>(height() - 1));
    for_each_image(height(), problem_.period[1], [&](std::int64_t position, std::int64_t y) {
      if (line[y] == kNoSite) return;
      const Scalar base =
          base_of(along(0, slab_.first + z, line[y]), (z * height() + y) * width() + x);
      envelope.add(base, line[y] * height() + y, static_cast<std::int32_t>(position));
    });
    fill_line(envelope, line, height(), problem_.period[1]);
  }

  void row_3d(std::int64_t z, std::int64_t y, const std::int32_t* winner_y, int worker) {
    Envelope envelope = row_envelope(worker);
    const std::int32_t* plane = nearest_ + z * height() * width();
    for_each_image(width(), problem_.period[2], [&](std::int64_t position, std::int64_t x) {
      const std::int32_t site_y = winner_y[x];
      if (site_y == kNoSite) return;
      const std::int32_t site_z = plane[site_y * width() + x];
      const Scalar base = Geometry::combine(along(0, slab_.first + z, site_z), along(1, y, site_y));
      envelope.add(base_of(base, (z * height() + site_y) * width() + x),
                   (site_z * height() + site_y) * width() + x, static_cast<std::int32_t>(position));
    });
    write_row(envelope, z, y);
  }

  Envelope row_envelope(int worker) const {
    return {stack(worker), factor_[2], 0, static_cast<std::int32_t>(width() - 1)};
  }

  /// Writes the intervals of a row as winners, chunk by chunk.
  void write_row(const Envelope& envelope, std::int64_t z, std::int64_t y) {
    Winners<Scalar> winners;
    Chunk chunk{z, y, 0, 0};
    const auto flush = [&] {
      writer_.write(chunk, winners);
      chunk.x += chunk.count;
      chunk.count = 0;
    };
    envelope.for_each_interval([&](const Site& site, std::int32_t begin, std::int32_t end) {
      for (std::int32_t x = begin; x < end;) {
        const auto stop = static_cast<std::int32_t>(std::min<std::int64_t>(end, chunk.x + kChunk));
        for (; x < stop; ++x) {
          const auto at = static_cast<std::size_t>(x - chunk.x);
          winners.site[at] = site.order;
          winners.exact[at] = squared_of(envelope.exact(site, x), site.order);
        }
        chunk.count = x - chunk.x;
        if (chunk.count == kChunk) flush();
      }
    });
    if (chunk.count > 0) flush();
    if (chunk.x == 0) write_unreached_row(z, y, winners);
  }

  void write_unreached_row(std::int64_t z, std::int64_t y, Winners<Scalar>& winners) {
    for_each_chunk(z, y, width(), [&](const Chunk& chunk) {
      winners.site.fill(kUnreached);
      winners.exact.fill(0);
      writer_.write(chunk, winners);
    });
  }

  ContextState& state_;
  const Problem& problem_;
  const Slab& slab_;
  const ProblemViews& views_;
  ResultWriter<Scalar> writer_;
  Scratch::Frame scratch_;
  std::array<Scalar, kAxes> factor_ = factors_of<Scalar>(problem_);
  Scalar unit_ = 1;           ///< 1 in S, in the unit of the weights
  Scalar* weight_ = nullptr;  ///< of each cell: that of the site that pass 1 found
  bool wants_exact_ = true;
  std::int32_t* nearest_ = nullptr;
  Site* stacks_ = nullptr;
  std::int64_t stack_size_ = 0;
};

}  // namespace

void run_separable(ContextState& state, const Problem& problem, const Slab& slab,
                   const ProblemViews& views, Write write) {
  with_geometry(problem, [&]<class Geometry, class Scalar>(Geometry, Scalar) {
    if constexpr (Geometry::kMetric != Metric::chessboard)
      Separable<Geometry, Scalar, false>(state, problem, slab, views, write).run();
  });
}

void run_weighted_separable(ContextState& state, const Problem& problem,
                            const ProblemViews& views) {
  const Slab slab = whole_raster(problem);
  Separable<Euclidean, std::int64_t, true>(state, problem, slab, views, Write::all).run();
}

std::int64_t separable_units(const Problem& problem, const Slab& slab) {
  return problem.rank * slab.count * slab_columns(problem);
}

}  // namespace thiessen::cpu
