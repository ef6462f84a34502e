// SPDX-License-Identifier: Apache-2.0
//
// Runs the search by candidates on all threads: tree, tiles, results. The search itself is in
// walk-inl.hpp.
#include "cpu/candidates/candidates.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <vector>

#include "core/search/geometry.hpp"
#include "core/search/result_writer.hpp"
#include "core/search/special_values.hpp"
#include "cpu/candidates/row_writer.hpp"
#include "cpu/candidates/sites.hpp"
#include "threads/parallel.hpp"

namespace thiessen::cpu {
namespace candidates {
namespace {

SearchTile find_search(const Search& search) {
  const std::int64_t targets = search.state->instruction_sets;
  const Problem& problem = *search.problem;
  const SearchKind kind{.rank = problem.rank, .has_ranks = search.ranks != nullptr};
  if (problem.keys.has_metrics) return search_by_metrics(targets, kind);
  if (problem.metric != Metric::euclidean) return search_by_axes(targets, kind, problem.metric);
  if (problem.keys.weighting == Weighting::additive) return search_by_roots(targets, kind);
  if (problem.keys.weighting == Weighting::multiplicative) return search_by_ratios(targets, kind);
  return search_by_squares(targets, kind);
}

/// An output as rows for vectors; none if it is not of that kind.
Rows rows_of(const ContextState& state, const View<const void>& view) {
  constexpr std::int64_t kBytes = 4, kLine = 64;
  const auto is_multiple_of = [&](std::int64_t bytes) {
    return reinterpret_cast<std::uintptr_t>(view.bytes()) % static_cast<std::uintptr_t>(bytes) ==
               0 &&
           view.stride(0) % bytes == 0 && view.stride(1) % bytes == 0;
  };
  if (!view || size_of(view.element_type()) != kBytes || view.stride(2) != kBytes ||
      !is_multiple_of(kBytes))
    return {};
  const bool is_large = view.extents().count() * kBytes > state.limits.cache_bytes;
  return {.first = const_cast<std::byte*>(view.bytes()),
          .stride = {view.stride(0), view.stride(1)},
          .streams = is_large && is_multiple_of(kLine)};
}

/// Sets what vectors find distances with. Returns whether the distances are normal floats.
bool set_distance_unit(Search& search) {
  constexpr double kLeast = 1e-30, kGreatest = 1e30;
  const Problem& problem = *search.problem;
  const Unit unit = scaled(problem.weights.unit, problem.fraction_bits);
  search.distance_unit = unit.numerator / unit.denominator;
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    search.factor[axis] = static_cast<double>(problem.weights.factor[axis]);
  return to_distance(problem.weights, problem.metric, Int128{1}) > kLeast &&
         to_distance(problem.weights, problem.metric, problem.weights.greatest) < kGreatest;
}

/// The tiles on the top: one, or several for each thread, in the order of (z, y, x).
class TopTiles {
 public:
  TopTiles(const ContextState& state, const Problem& problem) {
    const std::int64_t longest = *std::max_element(problem.extent.begin(), problem.extent.end());
    constexpr std::int64_t kLeast = 16;
    constexpr std::int64_t kMost = 4096;
    edge_ =
        std::clamp(static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(longest))),
                   kLeast, kMost);
    set_counts(problem);
    while (edge_ > 4 * kLeast && state.threads > 1 && count() < std::int64_t{4} * state.threads) {
      edge_ /= 2;
      set_counts(problem);
    }
  }

  std::int64_t count() const { return counts_[0] * counts_[1] * counts_[2]; }
  Tile tile(std::int64_t i) const {
    Tile tile{to_cell(counts_, i), edge_};
    for (std::int64_t& first : tile.first) first *= edge_;
    return tile;
  }

 private:
  void set_counts(const Problem& problem) {
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      counts_[axis] = (problem.extent[axis] + edge_ - 1) / edge_;
  }

  std::int64_t edge_;
  Axes counts_{};
};

/// Lets vectors write an output of floats, if they can.
void take_floats(const Search& search, View<void>& out, Rows& rows) {
  if (!out || out.element_type() != ElementType::f32) return;
  rows = rows_of(*search.state, out);
  if (rows.first != nullptr) out = {};
}

}  // namespace

ProblemViews choose_rows(Search& search, const ProblemViews& views, Scratch::Frame& scratch) {
  ProblemViews rest = views;
  NearestSiteOutputs& out = rest.out;
  if (search.problem->limited || search.solved != nullptr) return rest;
  if (!search.problem->keys.has_metrics && set_distance_unit(search)) {
    take_floats(search, out.distance, search.distance);
    take_floats(search, out.weighted_distance, search.key);
  }
  if (search.key.first != nullptr) {
    auto* typed = scratch.array<double>(search.sites.count);
    for (std::uint32_t site = 0; site < search.sites.count; ++site)
      typed[site] = search.weights.typed[search.sites.index[site]];
    search.typed = typed;
  }
  if (is_packed(views.labels)) search.labels = rows_of(*search.state, out.labels);
  if (search.labels.first == nullptr) return rest;
  out.labels = {};
  if (search.label != nullptr) return rest;
  auto* label = scratch.array<std::uint32_t>(search.sites.count);
  for (std::uint32_t site = 0; site < search.sites.count; ++site)
    std::memcpy(
        label + site,
        views.labels.bytes() + search.sites.index[site] * static_cast<std::int64_t>(sizeof *label),
        sizeof *label);
  search.label = label;
  return rest;
}

void search_tiles(const Search& search) {
  ContextState& state = *search.state;
  const PhaseTimer phase(state, "candidates");
  const SearchTile search_tile = find_search(search);
  const TopTiles tiles(state, *search.problem);
  std::vector<std::unique_ptr<Workspace>> memory(static_cast<std::size_t>(state.threads));
  parallel_for(state, tiles.count(), 1, 0, [&](std::int64_t begin, std::int64_t end, int worker) {
    auto& own = memory[static_cast<std::size_t>(worker)];
    if (!own) own = std::make_unique<Workspace>();
    for (std::int64_t i = begin; i < end; ++i) search_tile(search, *own, tiles.tile(i));
  });
}

}  // namespace candidates

void run_candidates(ContextState& state, const Problem& problem, const ProblemViews& views) {
  if (problem.cells() == 0) return;
  Scratch::Frame scratch(state.scratch);
  candidates::Search search;
  search.state = &state;
  search.problem = &problem;
  search.weights = views.weights;
  search.solved = views.solved;
  with_geometry(problem, [&]<class Geometry, class Scalar>(Geometry, Scalar) {
    using RowWriter = candidates::RowWriter<Geometry, Scalar>;
    if (views.points.count == 0) return RowWriter(search, views).fill_unreached();
    {
      const PhaseTimer phase(state, "site tree");
      const candidates::SiteList list{
          .at = views.points.at, .weights = views.weights, .count = views.points.count};
      search.sites = candidates::make_sites(problem, list, 1, scratch);
    }
    const ProblemViews rest = candidates::choose_rows(search, views, scratch);
    const RowWriter writer(search, rest);
    if (wants_besides(rest.out, {})) search.write_row = RowWriter::write;
    search.writer = &writer;
    candidates::search_tiles(search);
  });
}

}  // namespace thiessen::cpu
