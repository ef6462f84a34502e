// SPDX-License-Identifier: Apache-2.0
//
// What the kernels of the linear CUDA methods do along lines, by threads of the host, one after the
// other, against the oracle.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "cases/cases.hpp"
#include "core/rng.hpp"
#include "cuda/lines/between_edges.hpp"
#include "cuda/lines/boundary_passes.hpp"
#include "cuda/lines/chessboard_passes.hpp"
#include "cuda/lines/row_between_edges.hpp"
#include "cuda/lines/separable_passes.hpp"
#include "oracle/oracle.hpp"
#include "unit/cuda_line_bits.hpp"

namespace thiessen::cuda {
namespace {

/// All lines of a pass, in groups of the size that the device would take, or of one.
template <class Index, class Pass>
void run_lines(const Pass& pass, std::int32_t most_together) {
  using Memory = MemoryOf<Pass, Index>;
  const LinePlan plan = plan_lines(pass.job, pass.axis(), pass.lines(pass.axis()), most_together,
                                   Memory::kLeafBytes, kLineBytes);
  std::vector<Int128> bytes(static_cast<std::size_t>(Memory::bytes(plan)) / sizeof(Int128) + 1);
  for (std::int64_t group = 0; group < plan.groups; ++group)
    solve_lines<HostBlock>(pass, plan, group,
                           Memory::at(reinterpret_cast<std::byte*>(bytes.data()), plan));
}

/// A case, as a job whose memory is the host's.
class HostJob {
 public:
  explicit HostJob(const cases::Case& item)
      : item_(item), sites_(cases::make_sites(item)), problem_(make()) {
    const auto cells = static_cast<std::size_t>(problem_.cells());
    site_index.assign(cells, 77);
    distance.assign(cells, 77);
    job_ = {.rank = problem_.rank,
            .metric = problem_.metric,
            .extent = problem_.extent,
            .period = problem_.period,
            .factor = problem_.weights.factor,
            .unit = problem_.weights.unit,
            .spacing = problem_.spacing,
            .limited = problem_.limited,
            .limit = problem_.limit};
    job_.sites = {sites_.bytes(), static_cast<std::int32_t>(size_of(item.type))};
    job_.rule = {.type = problem_.rule.type,
                 .selection = problem_.rule.selection,
                 .has_nodata = problem_.rule.nodata.has_value(),
                 .complement = false,
                 .nodata = problem_.rule.nodata.value_or(LabelBits{}),
                 .values = problem_.rule.values.data(),
                 .value_count = static_cast<std::int32_t>(problem_.rule.values.size())};
    job_.out.site_index = site_index.data();
    job_.out.distance = {reinterpret_cast<std::byte*>(distance.data()), 8};
  }

  const Problem& problem() const { return problem_; }
  oracle::Result truth() const { return oracle::nearest_site(problem_, sites_.view()); }

  void run() {
    if (problem_.distance_to == DistanceTo::boundary) {
      Job map = job_;
      map.out.distance = {};
      run_map(map);
      Job distances = job_;
      distances.out.site_index = nullptr;
      with_integers([&]<class Scalar, class Index>(Scalar, Index) {
        with_metric(
            [&]<class Geometry>(Geometry) { run_boundary<Geometry, Scalar, Index>(distances); });
      });
      return;
    }
    run_map(job_);
    if (!problem_.signed_distance) return;
    Job inside = job_;
    inside.rule.complement = true;
    inside.inside = true;
    run_map(inside);
  }

  /// By tiles between edges, if these take the case.
  bool run_between_edges() {
    const Problem& problem = problem_;
    if (problem.rank != 2 || problem.metric != Metric::euclidean || problem.signed_distance ||
        problem.distance_to == DistanceTo::boundary || problem.wide ||
        problem.weights.greatest >= 1 << 30)
      return false;
    for (const std::int64_t period : problem.period)
      if (period != kNoPeriod) return false;
    settle_between_edges(job_);
    return true;
  }

  std::vector<std::int64_t> site_index;
  std::vector<double> distance;

 private:
  Problem make() const { return make_problem(sites_.view(), item_.options, {}); }

  template <class Run>
  void with_integers(const Run& run) const {
    bool periodic = false;
    for (const std::int64_t period : problem_.period) periodic |= period != kNoPeriod;
    if (problem_.wide) return run(Int128{}, std::int32_t{});
    if (periodic || problem_.weights.greatest >= 1 << 30)
      return run(std::int64_t{}, std::int32_t{});
    run(std::int32_t{}, std::int16_t{});
  }

  template <class Run>
  void with_metric(const Run& run) const {
    switch (problem_.metric) {
      case Metric::euclidean:
        return run(Euclidean{});
      case Metric::manhattan:
        return run(Manhattan{});
      default:
        return run(Chessboard{});
    }
  }

  template <class Common>
  static void fill(Common& common, const Job& job) {
    common.job = job;
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      common.factor[axis] = static_cast<typename Common::Scalar>(job.factor[axis]);
  }

  void run_map(const Job& job) const {
    with_integers([&]<class Scalar, class Index>(Scalar, Index) {
      if (problem_.metric == Metric::euclidean)
        run_separable<Euclidean, Scalar, Index>(job);
      else if (problem_.metric == Metric::manhattan)
        run_separable<Manhattan, Scalar, Index>(job);
      else
        run_chessboard<Scalar, Index>(job);
    });
  }

  static IsSet is_site(const Job& job) {
    return
        [&job](const Axes& cell) { return class_of(job, to_index(job.extent, cell)) == kSiteCell; };
  }

  template <class Geometry, class Scalar, class Index>
  void run_separable(const Job& job) const {
    PassOf<Geometry, Scalar> common;
    fill(common, job);
    const HostLineBits first(job, job.rank == 2 ? 1 : 0, is_site(job));
    common.first = first.bits;
    if (job.rank == 2) return run_lines<Index>(FlatRows<Geometry, Scalar, Index>{common}, 1);
    std::vector<Index> winner(static_cast<std::size_t>(job.cells()));
    run_lines<Index>(PlaneColumns<Geometry, Scalar, Index>{common, winner.data()}, 32);
    run_lines<Index>(PlaneRows<Geometry, Scalar, Index>{common, winner.data()}, 1);
  }

  void settle_between_edges(const Job& job) const {
    TileEdges<Euclidean, std::int32_t, std::int16_t> pass;
    fill(pass, job);
    const HostLineBits columns(job, 1, is_site(job));
    const HostLineBits rows(job, 2, is_site(job));
    pass.first = columns.bits;
    pass.rows = rows.bits;
    std::vector<std::int16_t> edge(static_cast<std::size_t>(job.extent[1] * pass.edges()));
    pass.edge = edge.data();
    run_lines<std::int16_t>(pass, 1);
    const EdgedRaster raster{job,
                             columns.bits,
                             edge.data(),
                             pass.edges(),
                             pass.factor[1],
                             pass.factor[2],
                             no_rows_of(pass.factor[1])};
    std::vector<EdgeMemory> memory(1);
    for (std::int32_t y = 0; y < job.extent[1]; y += kTileRows)
      for (std::int32_t x = 0; x < job.extent[2]; x += kLanes) {
        const Tile tile{{0, y, x}};
        BetweenEdges<HostWarp> found(raster, tile, memory[0]);
        const bool is_settled = found.settle();
        for (int column = 0; is_settled && column < kLanes; ++column)
          for_each_row<2>(job, tile, column, [&](int row, std::int64_t cell) {
            const std::int32_t site_x = found.site_x(row, column);
            write_found(raster, cell, found.site_y(row, site_x), site_x);
          });
        if (!is_settled || (x + y) % 64 == 0) settle_rows_of(raster, tile);
      }
  }

  static void settle_rows_of(const EdgedRaster& raster, const Tile& tile) {
    std::vector<std::uint64_t> memory(
        static_cast<std::size_t>(RowMemory::bytes(raster.width()) / 8 + 1));
    const RowMemory parts = RowMemory::at(reinterpret_cast<std::byte*>(memory.data()));
    for (int row = 0; row < kTileRows; ++row) {
      RowBetweenEdges<HostBlock> found(raster, tile, row, parts);
      found.settle();
      for (std::int32_t column = 0; column < kLanes; ++column) {
        const std::int64_t x = tile.first[2] + column;
        if (!has_row<2>(raster.job, tile, row) || x >= raster.width()) continue;
        const std::int32_t site_x = found.site_x(column);
        write_found(raster, (std::int64_t{tile.first[1]} + row) * raster.width() + x,
                    found.site_y(site_x), site_x);
      }
    }
  }

  static void write_found(const EdgedRaster& raster, std::int64_t cell, std::int64_t y,
                          std::int64_t x) {
    const std::int64_t width = raster.width();
    write_result(raster.job, cell, y * width + x,
                 raster.exact(static_cast<std::int32_t>(cell / width - y),
                              static_cast<std::int32_t>(cell % width - x)));
  }

  template <class Scalar, class Index>
  void run_chessboard(const Job& job) const {
    ChessboardPassOf<Scalar> common;
    fill(common, job);
    const HostLineBits rows(job, 2, is_site(job));
    common.rows = rows.bits;
    if (job.rank == 2) return run_lines<Index>(ChessboardColumns<Scalar, Index>{common}, 4);
    std::vector<Index> first_y(static_cast<std::size_t>(job.cells()));
    run_lines<Index>(ChessboardColumns<Scalar, Index>{common, first_y.data()}, 32);
    std::vector<std::int32_t> least;
    const NearTree tree = make_tree(job, rows.bits, least);
    run_lines<Index>(ChessboardDepths<Scalar, Index>{common, first_y.data(), tree}, 32);
  }

  static NearTree make_tree(const Job& job, const LineBits& rows,
                            std::vector<std::int32_t>& least) {
    NearTree tree;
    tree.width = job.extent[2];
    for (std::int64_t count = job.extent[1]; count > 1;) {
      count = (count + 1) / 2;
      tree.first_row[++tree.top] = tree.rows_of_plane;
      tree.rows_of_plane += count;
    }
    least.assign(static_cast<std::size_t>(job.extent[0] * tree.rows_of_plane * tree.width),
                 kNoneAfter);
    for (std::int64_t z = 0; z < job.extent[0]; ++z)
      for (int level = 1; level <= tree.top; ++level)
        for (std::int64_t y = 0; y < job.extent[1]; ++y)
          for (std::int64_t x = 0; x < tree.width; ++x) {
            std::int32_t& node = least[static_cast<std::size_t>(
                (z * tree.rows_of_plane + tree.first_row[level] + (y >> level)) * tree.width + x)];
            node = std::min(node, rows.cells_to_nearest(z * job.extent[1] + y, 0,
                                                        static_cast<std::int32_t>(x)));
          }
    tree.least = least.data();
    return tree;
  }

  IsSet changes(const Job& job, std::size_t axis) const {
    return [this, &job, axis](const Axes& cell) {
      Axes before = cell;
      if (cell[axis] == 0 && job.period[axis] == kNoPeriod) return false;
      before[axis] = cell[axis] == 0 ? job.extent[axis] - 1 : cell[axis] - 1;
      std::uint8_t same = 0;
      const auto at = [&](const Axes& place) {
        return job.sites.bytes + to_index(job.extent, place) * job.sites.element;
      };
      compare_cells(problem_.rule.type, at(cell), at(before), 1, &same);
      return same == 0;
    };
  }

  template <class Geometry, class Scalar, class Index>
  void run_boundary(const Job& job) const {
    PassOf<Geometry, Scalar> common;
    fill(common, job);
    const bool is_flat = job.rank == 2;
    const HostLineBits first(job, is_flat ? 1 : 0, changes(job, is_flat ? 1 : 0));
    const HostLineBits along_y(job, 1, changes(job, 1));
    const HostLineBits along_x(job, 2, changes(job, 2));
    common.first = first.bits;
    std::vector<Scalar> across(static_cast<std::size_t>(job.cells()));
    if (!is_flat)
      run_lines<Index>(
          BoundaryLines<Geometry, Scalar, true>{common, along_y.bits, nullptr, across.data()}, 8);
    run_lines<Index>(
        BoundaryLines<Geometry, Scalar, false>{common, along_x.bits,
                                               is_flat ? nullptr : across.data(), nullptr},
        1);
  }

  cases::Case item_;
  Raster sites_;
  Problem problem_;
  Job job_;
};

std::vector<cases::Case> some_cases() {
  constexpr std::int64_t kMostCells = 700;
  std::vector<cases::Case> some;
  for (const cases::Case& item : cases::small_cases_by_axes())
    if (item.extents.count() > 0 && item.extents.count() <= kMostCells) some.push_back(item);
  return some;
}

TEST(CudaLines, EqualTheOracle) {
  for (const cases::Case& item : some_cases()) {
    HostJob job(item);
    job.run();
    const oracle::Result truth = job.truth();
    ASSERT_EQ(job.site_index, truth.site) << item.name;
    for (std::size_t i = 0; i < truth.distance.size(); ++i)
      ASSERT_TRUE(job.distance[i] == truth.distance[i] ||
                  (std::isnan(job.distance[i]) && std::isnan(truth.distance[i])))
          << item.name << ", cell " << i << ": " << job.distance[i] << " for " << truth.distance[i];
  }
}

void expect_between_edges(const cases::Case& item, int& taken) {
  HostJob job(item);
  const oracle::Result truth = job.truth();
  // Without any site nothing is left to this method.
  if (std::none_of(truth.site.begin(), truth.site.end(), [](std::int64_t i) { return i >= 0; }))
    return;
  if (!job.run_between_edges()) return;
  ++taken;
  ASSERT_EQ(job.site_index, truth.site) << item.name;
  for (std::size_t i = 0; i < truth.distance.size(); ++i)
    ASSERT_TRUE(job.distance[i] == truth.distance[i] ||
                (std::isnan(job.distance[i]) && std::isnan(truth.distance[i])))
        << item.name << ", cell " << i;
}

TEST(CudaEdges, EqualTheOracle) {
  int taken = 0;
  for (const cases::Case& item : some_cases()) expect_between_edges(item, taken);
  EXPECT_GT(taken, 100);
}

/// Few sites, or such that many are equally near, on rasters of several tiles: ranges of columns
/// are longer than the table, or as short as can be.
TEST(CudaEdges, EqualTheOracleAcrossTiles) {
  using cases::Pattern;
  int taken = 0;
  for (const auto& [pattern, amount] : {std::pair{Pattern::random, 1},
                                        {Pattern::random, 3},
                                        {Pattern::random, 60},
                                        {Pattern::circle, 20},
                                        {Pattern::lattice, 9},
                                        {Pattern::checkerboard, 20}})
    for (const double spacing : {1.0, 2.0}) {
      cases::Case item{"tiles", Extents{40, 205}, pattern, amount};
      item.options.spacing = {spacing, 1.0};
      expect_between_edges(item, taken);
    }
  EXPECT_EQ(taken, 12);
}

/// Leaves in plain arrays.
struct ArrayLeaves {
  using Scalar = std::int64_t;
  using Unit = std::int32_t;
  using Seen = SeenLeaf<Scalar>;

  std::vector<Interval<Scalar>> sites;
  std::int32_t cells;
  Scalar weight;
  std::vector<std::int32_t>& winners;
  std::vector<Seen>& heads;

  std::int32_t count() const { return static_cast<std::int32_t>(sites.size()); }
  std::int32_t length() const { return cells; }
  Scalar factor() const { return weight; }
  bool exists(std::int32_t i) const { return sites[static_cast<std::size_t>(i)].base >= 0; }
  Interval<Scalar> site(std::int32_t i) const { return sites[static_cast<std::size_t>(i)]; }
  std::int32_t winner(std::int32_t x) const { return winners.at(static_cast<std::size_t>(x)); }
  void set_winner(std::int32_t x, std::int32_t i) const {
    EXPECT_EQ(winners.at(static_cast<std::size_t>(x)), -1) << "settled twice";
    winners[static_cast<std::size_t>(x)] = i;
  }
  Seen head(std::int32_t part) const { return heads.at(static_cast<std::size_t>(part)); }
  void set_head(std::int32_t part, const Seen& seen) const {
    heads.at(static_cast<std::size_t>(part)) = seen;
  }
};

template <class Geometry>
void settle_winners(const ArrayLeaves& leaves, std::int32_t parts) {
  using Level = WinnerLevel<Geometry, ArrayLeaves>;
  std::vector<typename Level::Tail> tails(static_cast<std::size_t>(parts));
  for (std::int32_t step = first_step(leaves.length()); step > 0; step /= 2) {
    const Level level(leaves, step, parts);
    for (std::int32_t part = parts - 1; part >= 0; --part)
      tails[static_cast<std::size_t>(part)] = level.walk(part);
    for (std::int32_t part = 0; part < parts; ++part)
      level.settle_tail(part, tails[static_cast<std::size_t>(part)]);
  }
}

template <class Geometry>
std::int32_t winner_of(const ArrayLeaves& leaves, std::int32_t x) {
  std::int32_t best = -1;
  std::int64_t least = 0;
  for (std::int32_t i = 0; i < leaves.count(); ++i) {
    if (!leaves.exists(i)) continue;
    const auto site = leaves.site(i);
    const std::int64_t exact =
        Geometry::join(site.base, Geometry::along(leaves.weight, std::int64_t{x} - site.position));
    if (best >= 0 && (exact > least || (exact == least && site.order >= leaves.site(best).order)))
      continue;
    best = i;
    least = exact;
  }
  return best;
}

template <class Geometry>
void check_winners() {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    std::uint64_t draw = 0;
    const auto random = [&](std::uint64_t below) {
      return static_cast<std::int32_t>(splitmix64(seed, draw++) % below);
    };
    const std::int32_t length = 1 + random(90);
    const std::int32_t parts = 1 + random(40);
    std::vector<std::int32_t> winners(static_cast<std::size_t>(length), -1);
    std::vector<ArrayLeaves::Seen> heads(static_cast<std::size_t>(parts));
    ArrayLeaves leaves{{}, length, 1 + random(3), winners, heads};
    const std::int32_t rough = 1 + random(3000);
    const std::int32_t empty = 1 + random(5);
    for (std::int32_t i = 0; i < length; ++i)
      leaves.sites.push_back({random(static_cast<std::uint64_t>(empty)) != 0
                                  ? -1
                                  : random(static_cast<std::uint64_t>(rough)),
                              random(20), i, 0});
    settle_winners<Geometry>(leaves, parts);
    for (std::int32_t x = 0; x < length; ++x) {
      const std::int32_t found = leaves.winner(x);
      ASSERT_EQ(leaves.exists(found) ? found : -1, winner_of<Geometry>(leaves, x))
          << "seed " << seed << ", cell " << x;
    }
  }
}

// Turing's blocks, those of what is for graphics since, and Hopper's.
TEST(CudaLines, FitTheSharedMemoryOfTheDevice) {
  using Memory = LineMemory<std::int32_t, std::int16_t, std::int16_t>;
  for (const std::int64_t shared : {64 << 10, 99 << 10, 227 << 10}) {
    const std::int64_t room = room_for_leaves(shared, Memory::kHeadBytes);
    for (std::int64_t length = 1; length * Memory::kLeafBytes <= room; ++length) {
      Job job;
      job.extent = {1, length, 64};
      job.period.fill(kNoPeriod);
      const LinePlan plan = plan_lines(job, 1, all_lines(job, 1), 32, Memory::kLeafBytes, room);
      ASSERT_LE(Memory::bytes(plan), shared) << length;
    }
  }
}

TEST(CudaWinners, AreThoseOfEveryCell) {
  check_winners<Euclidean>();
  check_winners<Manhattan>();
  check_winners<Chessboard>();
}

}  // namespace
}  // namespace thiessen::cuda
