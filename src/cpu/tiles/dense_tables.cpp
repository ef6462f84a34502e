// SPDX-License-Identifier: Apache-2.0
#include "cpu/tiles/dense_tables.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <tuple>
#include <vector>

#include "cpu/tiles/small_exact.hpp"

namespace thiessen::cpu::tiles {
namespace {

struct Offset {
  std::int64_t exact = 0;
  Axes delta{};
};

Axes reach_of(const Problem& problem) {
  if (problem.rank == 2) return {Blocks<2>::kDenseZ, Blocks<2>::kDenseY, kDenseX};
  return {Blocks<3>::kDenseZ, Blocks<3>::kDenseY, kDenseX};
}

/// All differences with S <= bound in the order (S, dz, dy, dx). `bound` is lowered until they are
/// few enough.
std::vector<Offset> list_offsets(const Problem& problem, std::int64_t& bound) {
  const Axes reach = reach_of(problem);
  // What lies beyond the reach on any axis has at least this S.
  for (auto axis = static_cast<std::size_t>(problem.first_axis()); axis < kAxes; ++axis)
    bound = std::min(bound, small_exact_along(problem, axis, reach[axis] + 1) - 1);
  std::vector<Offset> offsets;
  for (std::int64_t z = -reach[0]; z <= reach[0]; ++z)
    for (std::int64_t y = -reach[1]; y <= reach[1]; ++y)
      for (std::int64_t x = -reach[2]; x <= reach[2]; ++x)
        if (const std::int64_t exact = small_exact(problem, {z, y, x}); exact <= bound)
          offsets.push_back({exact, {z, y, x}});
  std::sort(offsets.begin(), offsets.end(), [](const Offset& a, const Offset& b) {
    return std::tie(a.exact, a.delta) < std::tie(b.exact, b.delta);
  });
  if (offsets.size() > DenseTables::kMost) {
    bound = offsets[DenseTables::kMost].exact - 1;
    while (offsets.back().exact > bound) offsets.pop_back();
  }
  return offsets;
}

std::int64_t word_of(const Problem& problem, const Axes& delta) {
  return problem.rank == 2 ? DenseWindow<2>::word(delta[0], delta[1], delta[2])
                           : DenseWindow<3>::word(delta[0], delta[1], delta[2]);
}

}  // namespace

void make_dense_tables(const Problem& problem, const Axes& label_stride, DenseTables& tables) {
  std::int64_t bound = kTooFar - 1;
  std::vector<Offset> offsets = list_offsets(problem, bound);
  tables.complete = problem.limited && problem.limit <= bound;
  if (tables.complete)
    while (offsets.back().exact > problem.limit) offsets.pop_back();
  tables.count = static_cast<int>(offsets.size());
  tables.short_labels = true;
  std::int64_t columns = 0;
  for (std::size_t i = 0; i < tables.word.size(); ++i) {
    // The entries without a meaning are those of the cell itself.
    const Offset& offset = offsets[i < offsets.size() ? i : 0];
    const Axes& delta = offset.delta;
    columns = std::max(columns, std::abs(delta[2]));
    tables.word[i] = static_cast<std::int32_t>(word_of(problem, delta));
    tables.columns[i] = static_cast<std::int32_t>(columns);
    tables.label[i] =
        delta[0] * label_stride[0] + delta[1] * label_stride[1] + delta[2] * label_stride[2];
    tables.label32[i] = static_cast<std::int32_t>(tables.label[i]);
    tables.short_labels = tables.short_labels && std::abs(tables.label[i]) < kTooFar - 64;
    tables.site[i] = to_index(problem.extent, delta);
    tables.exact[i] = static_cast<std::int32_t>(offset.exact);
    tables.distance[i] =
        static_cast<float>(to_distance(problem.weights, problem.metric, offset.exact));
  }
  tables.site[DenseTables::kUnreached] = kUnreached;
  tables.site[DenseTables::kNodata] = kNodata;
  tables.exact[DenseTables::kUnreached] = -1;
  tables.exact[DenseTables::kNodata] = -2;
  tables.distance[DenseTables::kUnreached] = std::numeric_limits<float>::infinity();
  tables.distance[DenseTables::kNodata] = std::numeric_limits<float>::quiet_NaN();
}

}  // namespace thiessen::cpu::tiles
