// SPDX-License-Identifier: Apache-2.0
//
// Weighted sites of a raster, by candidates (candidates/walk-inl.hpp).
//
// A site all of whose neighbours are sites of its weight has the least key in no other cell: the
// neighbour on the way there is nearer. So only the others are listed. In the cell of one that is
// not listed, its own key is that of S = 0. It is compared with the winner among the listed ones,
// which may have a greater weight.
#include "cpu/nearest_k/weighted_cells.hpp"

#include <array>

#include "core/search/geometry.hpp"
#include "core/search/result_writer.hpp"
#include "cpu/candidates/candidates.hpp"
#include "cpu/candidates/row_writer.hpp"
#include "cpu/candidates/sites.hpp"
#include "cpu/nearest_k/listed_sites.hpp"

namespace thiessen::cpu {
namespace {

using candidates::Search;

int compare(Weighting weighting, const ExactKey& a, const ExactKey& b) {
  if (weighting == Weighting::additive) return compare_keys<Weighting::additive>(a, b);
  if (weighting == Weighting::multiplicative) return compare_keys<Weighting::multiplicative>(a, b);
  return compare_keys<Weighting::power>(a, b);
}

/// Writes rows of winners among the listed sites, and the others in their own cells.
template <class Geometry, class Scalar>
class WeightedRows {
 public:
  WeightedRows(const Search& search, const ListedSites& sites, const ProblemViews& views)
      : search_(search), inner_(sites.inner()), rows_(search, views) {}

  static void write(const void* self, const Axes& cell, std::int64_t count,
                    const std::int32_t* winners) {
    static_cast<const WeightedRows*>(self)->write(cell, count, winners);
  }

  /// Writes all cells where no site is listed.
  void write_without_listed() const {
    std::array<std::int32_t, kChunk> nothing;
    nothing.fill(candidates::kNoSite);
    candidates::visit_all_chunks(search_, [&](const Chunk& chunk) {
      write({chunk.z, chunk.y, chunk.x}, chunk.count, nothing.data());
    });
  }

 private:
  void write(const Axes& cell, std::int64_t count, const std::int32_t* winners) const {
    if (inner_ == nullptr) return Rows::write(&rows_, cell, count, winners);
    std::array<std::int32_t, kChunk> all;
    for (std::int64_t i = 0; i < count; ++i)
      all[static_cast<std::size_t>(i)] = winner_of({cell[0], cell[1], cell[2] + i}, winners[i]);
    Rows::write(&rows_, cell, count, all.data());
  }

  std::int32_t winner_of(const Axes& cell, std::int32_t listed) const {
    const std::int64_t index = to_index(search_.problem->extent, cell);
    if (inner_[index] == 0) return listed;
    if (listed < 0) return candidates::kOwnSite;
    const auto site = static_cast<std::uint32_t>(listed);
    const int order = compare(search_.problem->keys.weighting, {0, search_.weights.exact[index]},
                              exact_key(search_, site, cell));
    const bool wins = order < 0 || (order == 0 && index < search_.sites.index[site]);
    return wins ? candidates::kOwnSite : listed;
  }

  using Rows = candidates::RowWriter<Geometry, Scalar>;

  const Search& search_;
  const std::uint32_t* inner_;
  Rows rows_;
};

}  // namespace

void run_weighted_cells(ContextState& state, const Problem& problem, const ProblemViews& views) {
  Scratch::Frame scratch(state.scratch);
  const ListedSites sites(state, problem, views, false, ListedCells::rims_of_weights);
  Search search;
  search.state = &state;
  search.problem = &problem;
  search.weights = views.weights;
  {
    const PhaseTimer phase(state, "site tree");
    search.sites = candidates::make_sites(problem, sites.list(), 1, scratch);
  }
  const bool may_have_nodata = problem.rule.nodata.has_value();
  with_geometry(problem, [&]<class Geometry, class Scalar>(Geometry, Scalar) {
    using Rows = WeightedRows<Geometry, Scalar>;
    const bool is_plain = sites.inner() == nullptr && !may_have_nodata && sites.list().count > 0;
    const ProblemViews rest = is_plain ? choose_rows(search, views, scratch) : views;
    const Rows writer(search, sites, rest);
    if (sites.list().count == 0) return writer.write_without_listed();
    if (wants_besides(rest.out, {})) search.write_row = Rows::write;
    search.writer = &writer;
    search_tiles(search);
  });
}

}  // namespace thiessen::cpu
