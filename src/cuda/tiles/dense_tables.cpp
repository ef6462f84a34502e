// SPDX-License-Identifier: Apache-2.0
#include "cuda/tiles/dense_tables.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <tuple>
#include <vector>

#include "core/measure.hpp"

namespace thiessen::cuda {
namespace {

struct Difference {
  std::int64_t exact = 0;
  Axes delta{};
};

/// S of small differences.
class SmallExact {
 public:
  explicit SmallExact(const Problem& problem) : metric_(problem.metric) {
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      factor_[axis] = static_cast<std::int64_t>(problem.weights.factor[axis]);
  }
  std::int64_t operator()(const Axes& delta) const {
    switch (metric_) {
      case Metric::euclidean:
        return measure<Metric::euclidean>(delta);
      case Metric::manhattan:
        return measure<Metric::manhattan>(delta);
      default:
        return measure<Metric::chessboard>(delta);
    }
  }

 private:
  template <Metric kMetric>
  std::int64_t measure(const Axes& delta) const {
    std::int64_t exact = 0;
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      exact = join<kMetric>(exact, along<kMetric>(factor_[axis], delta[axis]));
    return exact;
  }

  Metric metric_;
  Axes factor_;
};

/// All differences with S <= bound in the order (S, dz, dy, dx). `bound` is lowered until they are
/// few enough.
std::vector<Difference> list_differences(const Problem& problem, const Axes& reach,
                                         std::int64_t& bound) {
  const SmallExact measure(problem);
  // What lies beyond the reach on any axis has at least this S.
  for (auto axis = static_cast<std::size_t>(problem.first_axis()); axis < kAxes; ++axis) {
    Axes beyond{};
    beyond[axis] = reach[axis] + 1;
    bound = std::min(bound, measure(beyond) - 1);
  }
  std::vector<Difference> all;
  for (std::int64_t z = -reach[0]; z <= reach[0]; ++z)
    for (std::int64_t y = -reach[1]; y <= reach[1]; ++y)
      for (std::int64_t x = -reach[2]; x <= reach[2]; ++x)
        if (const std::int64_t exact = measure({z, y, x}); exact <= bound)
          all.push_back({exact, {z, y, x}});
  std::sort(all.begin(), all.end(), [](const Difference& a, const Difference& b) {
    return std::tie(a.exact, a.delta) < std::tie(b.exact, b.delta);
  });
  if (all.size() > DenseTables::kMost) {
    bound = all[DenseTables::kMost].exact - 1;
    while (!all.empty() && all.back().exact > bound) all.pop_back();
  }
  return all;
}

template <int kRank>
DenseTables list_tables(const Problem& problem) {
  using Rows = DenseRows<kRank>;
  std::int64_t bound = std::numeric_limits<std::uint16_t>::max();
  const std::vector<Difference> all =
      list_differences(problem, {Rows::kMarginZ, Rows::kMarginY, kMostMargin}, bound);
  DenseTables tables;
  const auto count = static_cast<int>(all.size());
  tables.count = (count + DenseTables::kGroup - 1) / DenseTables::kGroup * DenseTables::kGroup;
  for (int i = 0; i < DenseTables::kMost; ++i) {
    // Those without a meaning are that of the cell itself, which has been tried.
    const Difference& difference = i < count ? all[static_cast<std::size_t>(i)] : Difference{};
    const auto [z, y, x] = difference.delta;
    const std::int64_t step = Rows::row(static_cast<int>(z), static_cast<int>(y)) - Rows::row(0, 0);
    tables.look[i] = static_cast<std::uint32_t>(step + (x < 0 ? 0 : Rows::kCount)) & 0xffff;
    tables.look[i] |= static_cast<std::uint32_t>(x < 0 ? x + kLanes : x) << 16;
    tables.exact[i] = static_cast<std::uint16_t>(difference.exact);
    const std::int64_t cell = to_index(problem.extent, difference.delta);
    if (std::abs(cell) > std::numeric_limits<std::int32_t>::max()) return {};
    tables.cell[i] = static_cast<std::int32_t>(cell);
  }
  return tables;
}

}  // namespace

DenseTables make_dense_tables(const Problem& problem) {
  const bool heavy = std::any_of(problem.weights.factor.begin(), problem.weights.factor.end(),
                                 [](Int128 factor) { return factor > 1 << 20; });
  if (heavy) return {};
  return problem.rank == 2 ? list_tables<2>(problem) : list_tables<3>(problem);
}

}  // namespace thiessen::cuda
