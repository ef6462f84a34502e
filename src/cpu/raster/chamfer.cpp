// SPDX-License-Identifier: Apache-2.0
//
// The algebraic distance transform: a downward pass, in which a cell takes the least of its own
// value and those of the neighbours before it plus the step from there, and an upward pass with the
// neighbours behind it. (A. Rosenfeld, J. L. Pfaltz, "Sequential operations in digital picture
// processing", 1966; masks by G. Borgefors, "Distance transformations in digital images", 1986.)
//
// A value is (S, site) in one number: steps are added to it, and the lesser number is the first in
// the order. That makes labels exact, too. Between each site and cell there is a shortest path that
// goes forward first and backward then, and never leaves the box of both. So each cell gets (S,
// site) of every site or less, and never less than that of some site.
//
// Octagonal distance is the exception: whether a way may go on along a diagonal depends on how long
// it is, steps to 4 and to 8 neighbours being in turn. S tells: from an odd S a diagonal step is 1,
// from an even S it is 2, two steps of another kind. A way that is longer now may be shorter later,
// and a pass keeps one only. So S is that of a way, which may not be the shortest.
//
// Both passes go row by row: first what comes from other rows, then along the row
// (raster/expansion_kernel.cpp). Rows have room for steps over their ends, where no site comes in
// from the left; what lands to the right of a row is the value that such a cell would have.
#include "cpu/raster/chamfer.hpp"

#include <algorithm>
#include <array>
#include <type_traits>

#include "core/order/measure.hpp"
#include "core/search/result_writer.hpp"
#include "cpu/raster/kernels.hpp"
#include "cpu/raster/rank_writer.hpp"

namespace thiessen::cpu {
namespace {

using raster::kNoKey;
using raster::kRowSlack;
using raster::SweepSource;

/// A step of a mask, from a neighbour in a row before the cell's, in raster order.
struct MaskStep {
  std::int64_t dz = 0;
  std::int64_t dy = 0;
  std::int64_t dx = 0;
  std::int64_t length = 0;  ///< in S
};

/// Steps from the rows before that of the cell; a step along the row has the length along().
std::vector<MaskStep> mask_steps(const Problem& problem) {
  std::vector<MaskStep> steps;
  const auto add = [&](std::int64_t dz, std::int64_t dy, std::int64_t dx, Int128 length) {
    steps.push_back({dz, dy, dx, static_cast<std::int64_t>(length)});
  };
  const auto& factor = problem.weights.factor;
  switch (problem.metric) {
    case Metric::manhattan:
      add(0, -1, 0, factor[1]);
      if (problem.rank == 3) add(-1, 0, 0, factor[0]);
      break;
    case Metric::chessboard:
      for (std::int64_t dx = -1; dx <= 1; ++dx) {
        add(0, -1, dx, factor[1]);
        for (std::int64_t dy = -1; dy <= 1 && problem.rank == 3; ++dy) add(-1, dy, dx, factor[0]);
      }
      break;
    case Metric::chamfer_3_4:
      for (std::int64_t dx = -1; dx <= 1; ++dx) add(0, -1, dx, dx == 0 ? 3 : 4);
      break;
    case Metric::octagonal:  // diagonal steps are of two lengths: read_diagonals()
      add(0, -1, 0, 1);
      break;
    default:
      for (std::int64_t dx = -1; dx <= 1; ++dx) add(0, -1, dx, dx == 0 ? 5 : 7);
      for (const std::int64_t side : {-1, 1}) {
        add(0, -1, 2 * side, 11);
        add(0, -2, side, 11);
      }
  }
  return steps;
}

std::int64_t step_along_row(const Problem& problem) {
  return is_by_axes(problem.metric) ? static_cast<std::int64_t>(problem.weights.factor[2])
                                    : mask_unit(problem.metric);  // octagonal: 1
}

constexpr std::int64_t kPad = 16;  ///< in front of rows

template <class Key>
class Chamfer {
 public:
  Chamfer(ContextState& state, const Problem& problem, const ProblemViews& views, Write write,
          const raster::SiteBits& bits, int site_bits)
      : state_(state),
        problem_(problem),
        bits_(bits),
        site_bits_(site_bits),
        scratch_(state.scratch),
        sites_(kNarrow ? raster::list_sites(scratch_, problem, bits) : raster::SiteTable{}),
        slab_(whole_raster(problem)),
        writer_(problem, slab_, views, write),
        rank_writer_(state, problem, views, write, sites_),
        kernels_(take_kernels(state.instruction_sets)),
        steps_(mask_steps(problem)),
        along_(static_cast<Key>(step_along_row(problem) << site_bits)),
        stride_((problem.extent[2] + kPad + 2 * kRowSlack - 1) / kRowSlack * kRowSlack) {
    allocate();
  }

  void run() {
    go_down();
    go_up();
  }

 private:
  static constexpr bool kNarrow = std::is_same_v<Key, std::int32_t>;
  /// The last row that went through a pass, and the two before it that masks reach.
  static constexpr std::int64_t kRingRows = 3;

  static raster::SweepKernels<Key> take_kernels(std::int64_t targets) {
    if constexpr (kNarrow)
      return raster::narrow_sweeps(targets);
    else
      return raster::wide_sweeps(targets);
  }

  std::int64_t depth() const { return problem_.extent[0]; }
  std::int64_t height() const { return problem_.extent[1]; }
  std::int64_t width() const { return problem_.extent[2]; }

  void allocate() {
    const auto take = [&](std::int64_t rows) {
      return scratch_.template array<Key>(rows * stride_) + kPad;
    };
    keys_ = take(depth() * height());
    own_ = take(1);
    ring_ = take(kRingRows);
    if (problem_.metric == Metric::octagonal) {
      diagonals_ = take(1);
      std::fill_n(diagonals_ - kPad, stride_, kNoKey<Key>);
    }
    std::fill_n(own_ - kPad, stride_, kNoKey<Key>);
    for (std::int64_t row = 0; row < kRingRows; ++row) clear_ends(ring_ + row * stride_);
  }

  /// Clears the cells that steps read beyond the ends of a row.
  void clear_ends(Key* row) const {
    std::fill_n(row - kPad, kPad, kNoKey<Key>);
    std::fill_n(row + width(), stride_ - kPad - width(), kNoKey<Key>);
  }

  Key* row_of(std::int64_t z, std::int64_t y) const { return keys_ + (z * height() + y) * stride_; }

  /// A row of the pass upward. In 2-D they lie in a ring, as nobody reads them later.
  Key* upward_row(std::int64_t z, std::int64_t y) const {
    return problem_.rank == 2 ? ring_ + y % kRingRows * stride_ : row_of(z, y);
  }

  /// Octagonal: adds to each cell of a finished row the step from it along a diagonal.
  void read_diagonals(const Key* row) {
    const Key unit = Key{1} << site_bits_;
    for (std::int64_t x = 0; x < width(); ++x) diagonals_[x] = row[x] + 2 * unit - (row[x] & unit);
  }

  /// The rows that a pass has gone through, whether it goes down or up.
  template <class RowOf>
  int find_sources(std::int64_t z, std::int64_t y, std::int64_t direction, const RowOf& row) {
    int count = 0;
    const std::int64_t before = y - direction;
    if (diagonals_ != nullptr && before >= 0 && before < height()) {
      read_diagonals(row(z, before));
      for (const std::int64_t side : {-1, 1})
        sources_[static_cast<std::size_t>(count++)] = {diagonals_ + side, 0};
    }
    for (const MaskStep& step : steps_) {
      const std::int64_t from_z = z + direction * step.dz;
      const std::int64_t from_y = y + direction * step.dy;
      if (from_z < 0 || from_z >= depth() || from_y < 0 || from_y >= height()) continue;
      sources_[static_cast<std::size_t>(count++)] = {row(from_z, from_y) + direction * step.dx,
                                                     static_cast<Key>(step.length << site_bits_)};
    }
    return count;
  }

  void go_down() {
    const PhaseTimer phase(state_, "downward pass");
    Key rank = 0;
    for (std::int64_t z = 0; z < depth(); ++z)
      for (std::int64_t y = 0; y < height(); ++y) {
        Key* const out = row_of(z, y);
        clear_ends(out);
        const int count = find_sources(z, y, 1, [&](auto... at) { return row_of(at...); });
        for_each_site(z, y, [&](std::int64_t x) {
          own_[x] = kNarrow ? rank : static_cast<Key>(to_index(problem_.extent, {z, y, x}));
          ++rank;
        });
        kernels_.eastward(own_, sources_.data(), count, along_, width(), out);
        for_each_site(z, y, [&](std::int64_t x) { own_[x] = kNoKey<Key>; });
        state_.progress.advance(width());
      }
  }

  void go_up() {
    const PhaseTimer phase(state_, "upward pass");
    auto* const exact = scratch_.template array<std::uint32_t>(2 * kChunk);
    for (std::int64_t z = depth() - 1; z >= 0; --z)
      for (std::int64_t y = height() - 1; y >= 0; --y) {
        Key* const out = upward_row(z, y);
        const int count = find_sources(z, y, -1, [&](auto... at) { return upward_row(at...); });
        kernels_.westward(row_of(z, y), sources_.data(), count, along_, width(), out);
        for_each_chunk(z, y, width(), [&](const Chunk& chunk) { write(chunk, out, exact); });
        state_.progress.advance(width());
      }
  }

  template <class Visit>
  void for_each_site(std::int64_t z, std::int64_t y, const Visit& visit) const {
    raster::for_each_bit(bits_.row(z, y), bits_.row_words, visit);
  }

  /// `exact` is room for S and ranks of a chunk.
  void write(const Chunk& chunk, const Key* row, std::uint32_t* exact) const {
    if constexpr (kNarrow) {
      if (bits_.count == 0) {
        std::fill_n(exact, chunk.count, 0);
        std::fill_n(exact + kChunk, chunk.count, raster::kNoRank);
      } else {
        rank_writer_.kernels().split(row + chunk.x, site_bits_, chunk.count, exact, exact + kChunk);
      }
      rank_writer_.write({chunk.z, chunk.y, chunk.x}, chunk.count, exact, exact + kChunk);
    } else {
      Winners<std::int64_t> winners;
      const std::int64_t mask = (std::int64_t{1} << site_bits_) - 1;
      for (std::int64_t i = 0; i < chunk.count; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const std::int64_t key = row[chunk.x + i];
        winners.site[at] = bits_.count == 0 ? kUnreached : key & mask;
        winners.exact[at] = key >> site_bits_;
      }
      writer_.write(chunk, winners);
    }
  }

  ContextState& state_;
  const Problem& problem_;
  const raster::SiteBits& bits_;
  int site_bits_;
  Scratch::Frame scratch_;
  raster::SiteTable sites_;
  Slab slab_;
  ResultWriter<std::int64_t> writer_;
  raster::RankWriter rank_writer_;
  raster::SweepKernels<Key> kernels_;
  std::vector<MaskStep> steps_;
  Key along_;
  std::int64_t stride_;
  Key* keys_ = nullptr;
  Key* own_ = nullptr;
  Key* diagonals_ = nullptr;  ///< octagonal only
  Key* ring_ = nullptr;
  std::array<SweepSource<Key>, 16> sources_{};
};

int bits_for(std::int64_t numbers) {
  int bits = 1;
  while (std::int64_t{1} << bits < numbers) ++bits;
  return bits;
}

/// Whether S plus a vector of steps, and this number of bits, fit below kNoKey.
bool fits_narrow(const Problem& problem, int site_bits) {
  std::int64_t longest = problem.metric == Metric::octagonal ? 2 : step_along_row(problem);
  for (const MaskStep& step : mask_steps(problem)) longest = std::max(longest, step.length);
  const Int128 greatest = longest_of_two_passes(problem) + Int128{kRowSlack} * longest;
  return site_bits < 30 && greatest << site_bits < kNoKey<std::int32_t>;
}

void chamfer_map(ContextState& state, const Problem& problem, const ProblemViews& views,
                 Write write) {
  Scratch::Frame scratch(state.scratch);
  const raster::SiteBits bits = raster::read_bits(state, scratch, problem, views);
  const int rank_bits = bits_for(bits.count);
  if (fits_narrow(problem, rank_bits))
    Chamfer<std::int32_t>(state, problem, views, write, bits, rank_bits).run();
  else
    Chamfer<std::int64_t>(state, problem, views, write, bits, bits_for(problem.cells())).run();
}

}  // namespace

Support supports_chamfer(const ContextState& /*state*/, const Problem& problem) {
  return thiessen::supports_chamfer(problem);
}

void run_chamfer(ContextState& state, const Problem& problem, const ProblemViews& views) {
  make_maps(state, problem, views, 3 * problem.cells(), chamfer_map);
}

}  // namespace thiessen::cpu
