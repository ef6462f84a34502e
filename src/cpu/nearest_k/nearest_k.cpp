// SPDX-License-Identifier: Apache-2.0
//
// Chooses the sites among which the k nearest are sought (candidates/ranks-inl.hpp), answers cells
// that have theirs right beside them, and writes what was found.
#include "cpu/nearest_k/nearest_k.hpp"

#include <algorithm>
#include <cstring>
#include <deque>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "core/search/geometry.hpp"
#include "core/search/result_writer.hpp"
#include "cpu/candidates/candidates.hpp"
#include "cpu/candidates/row_writer.hpp"
#include "cpu/candidates/sites.hpp"
#include "cpu/nearest_k/listed_sites.hpp"
#include "cpu/nearest_k/near_sites.hpp"

namespace thiessen::cpu {
namespace {

using candidates::KnownSite;
using candidates::RankSearch;
using candidates::Search;
using candidates::Tile;

/// The part of a block that the raster has.
struct BlockRows {
  const Problem& problem;
  const Tile& block;

  std::int64_t end(std::size_t axis) const {
    return std::min(block.first[axis] + (axis == 0 && problem.rank == 2 ? 1 : block.edge),
                    problem.extent[axis]);
  }
  /// Calls visit(cell, count, place) for its rows; `place` of their first result in each array.
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (std::int64_t z = block.first[0]; z < end(0); ++z)
      for (std::int64_t y = block.first[1]; y < end(1); ++y) {
        const std::int64_t row = (z - block.first[0]) * block.edge + (y - block.first[1]);
        visit(Axes{z, y, block.first[2]}, end(2) - block.first[2], row * block.edge);
      }
  }
};

/// Answers cells whose k nearest sites lie right beside them; these are numbered by their steps.
class NearAnswers {
 public:
  NearAnswers(const Problem& problem, const NearSites& sites)
      : problem_(problem), sites_(sites), cells_(candidates::cells_of_block(problem.rank)) {}

  candidates::RankHooks hooks() const {
    return {.self = this, .answer = answer, .receive = receive, .read = read};
  }

 private:
  static const NearAnswers& of(const void* self) { return *static_cast<const NearAnswers*>(self); }

  /// Ends at the first cell that is not found.
  static bool answer(const void* self, const Tile& block, std::int32_t* results) {
    bool is_found = true;
    BlockRows{of(self).problem_, block}.for_each(
        [&](const Axes& cell, std::int64_t count, std::int64_t place) {
          for (std::int64_t i = 0; is_found && i < count; ++i)
            is_found = of(self).put({cell[0], cell[1], cell[2] + i}, results + place + i);
        });
    return is_found;
  }

  /// Answers cells from a site on, as far as they find their sites.
  static void receive(const void* self, const Tile& block, std::int32_t* results) {
    BlockRows{of(self).problem_, block}.for_each(
        [&](const Axes& cell, std::int64_t count, std::int64_t place) {
          bool is_found = false;
          for (std::int64_t i = 0; i < count; ++i) {
            const Axes at{cell[0], cell[1], cell[2] + i};
            is_found = (is_found || of(self).sites_.is_site(at)) && of(self).is_near(at);
            if (is_found) of(self).put(at, results + place + i);
          }
        });
  }

  static KnownSite read(const void* self, const Axes& cell, std::int32_t result) {
    const auto [index, exact] = of(self).sites_.site_at(cell, candidates::kFirstKnown - result);
    return {index, exact};
  }

  std::int64_t limit() const {
    constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();
    return problem_.limited ? static_cast<std::int64_t>(std::min<Int128>(problem_.limit, kNone))
                            : kNone;
  }

  /// Whether the walk around a cell comes to all of its answers.
  bool is_near(const Axes& cell) const {
    const std::int64_t limit = this->limit();
    std::int64_t found = 0;
    sites_.walk(cell, [&](std::int32_t, std::int64_t exact) {
      if (exact <= limit) ++found;
      return exact <= limit && found < problem_.k;
    });
    return found == problem_.k || limit <= sites_.reached();
  }

  /// Puts the answers of a cell where its results are. Returns whether the walk comes to all.
  bool put(const Axes& cell, std::int32_t* results) const {
    const std::int64_t limit = this->limit();
    const bool is_in_order = !problem_.has_period();
    std::int64_t found = 0, last = -1;
    sites_.walk(cell, [&](std::int32_t step, std::int64_t exact) {
      if (exact > limit || (found == problem_.k && (is_in_order || exact > last))) return false;
      if (is_in_order || exact > last) {
        results[found++ * cells_] = candidates::kFirstKnown - step;
        last = exact;
      } else {
        found = insert(cell, step, found, results);
      }
      return true;
    });
    for (std::int64_t rank = found; rank < problem_.k; ++rank)
      results[rank * cells_] = candidates::kNoSite;
    return found == problem_.k || limit <= sites_.reached();
  }

  /// Puts a step behind those with less S or a lesser site index. Returns how many there are then.
  std::int64_t insert(const Axes& cell, std::int32_t step, std::int64_t found,
                      std::int32_t* results) const {
    const auto site = [&](std::int32_t of) {
      const auto [index, exact] = sites_.site_at(cell, of);
      return std::pair(exact, index);
    };
    const auto site_of_rank = [&](std::int64_t rank) {
      return site(candidates::kFirstKnown - results[rank * cells_]);
    };
    const std::pair own = site(step);
    std::int64_t rank = found;
    if (found == problem_.k) {
      if (site_of_rank(found - 1) < own) return found;
      rank = found - 1;
    }
    for (; rank > 0 && own < site_of_rank(rank - 1); --rank)
      results[rank * cells_] = results[(rank - 1) * cells_];
    results[rank * cells_] = candidates::kFirstKnown - step;
    return std::min(found + 1, problem_.k);
  }

  const Problem& problem_;
  const NearSites& sites_;
  std::int64_t cells_;
};

/// A search among some sites.
// NOLINTNEXTLINE(readability-function-size): a problem, and what is sought
Search make_search(ContextState& state, const Problem& problem, const ListedSites& sites,
                   const RankSearch& ranks, Scratch::Frame& scratch) {
  Search search;
  search.state = &state;
  search.problem = &problem;
  search.weights = sites.list().weights;
  search.ranks = &ranks;
  const PhaseTimer phase(state, "site tree");
  search.sites = candidates::make_sites(
      problem, sites.list(), ranks.counts_ties ? candidates::kMostTies : ranks.k, scratch);
  return search;
}

/// The same search without the tree, for the outputs of a rank.
Search row_of(Search& search) {
  auto levels = std::exchange(search.sites.levels, {});
  Search row = search;
  search.sites.levels = std::move(levels);
  return row;
}

/// Writes the ties of blocks.
template <class Geometry, class Scalar>
class TieWriter {
 public:
  TieWriter(const Search& search, const ProblemViews& views)
      : problem_(*search.problem),
        ties_(views.out.ties),
        nothing_(with_labels(views, {})),
        labels_(with_labels(views, problem_.ties_unreached ? views.out.labels : View<void>())),
        slab_(whole_raster(problem_)),
        rows_(search, nothing_),
        marker_(problem_, slab_, nothing_, Write::all),
        writer_(problem_, slab_, labels_, Write::all) {}

  static void receive(const void* self, const Tile& block, std::int32_t* results) {
    const auto& own = *static_cast<const TieWriter*>(self);
    const std::int32_t* const ties = results + candidates::cells_of_block(own.problem_.rank);
    BlockRows{own.problem_, block}.for_each(
        [&](const Axes& cell, std::int64_t count, std::int64_t place) {
          own.write({cell[0], cell[1], cell[2], count}, results + place, ties + place);
        });
  }

 private:
  static ProblemViews with_labels(const ProblemViews& views, const View<void>& labels) {
    ProblemViews copy = views;
    copy.out = {.labels = labels};
    return copy;
  }

  void write(const Chunk& chunk, const std::int32_t* results, const std::int32_t* ties) const {
    Winners<Scalar> winners = rows_.find({chunk.z, chunk.y, chunk.x}, chunk.count, results);
    marker_.write(chunk, winners);
    for (std::int64_t i = 0; i < chunk.count; ++i) {
      std::int64_t& site = winners.site[static_cast<std::size_t>(i)];
      const auto own = static_cast<std::uint8_t>(site < 0 ? 0 : ties[i]);
      if (ties_) std::memcpy(address_of(ties_, {chunk.z, chunk.y, chunk.x + i}), &own, sizeof own);
      if (own > 1) site = kUnreached;
    }
    if (labels_.out.labels) writer_.write(chunk, winners);
  }

  const Problem& problem_;
  View<std::uint8_t> ties_;
  const ProblemViews nothing_, labels_;
  const Slab slab_;
  candidates::RowWriter<Geometry, Scalar> rows_;
  ResultWriter<Scalar> marker_, writer_;
};

}  // namespace

void find_nearest_k(ContextState& state, const Problem& problem, const ProblemViews& views) {
  const PhaseTimer phase(state, "k nearest");
  Scratch::Frame scratch(state.scratch);
  // Each site of a mask has a label of its own.
  const bool by_label = problem.distinct_labels && problem.rule.type != ElementType::boolean;
  std::optional<NearSites> near;
  std::optional<NearAnswers> answers;
  if (!problem.point_sites && !problem.has_weights() && !by_label) {
    near.emplace(state, problem, views.sites);
    answers.emplace(problem, *near);
  }
  const ListedSites sites =
      near ? ListedSites(*near)
           : ListedSites(state, problem, views, by_label,
                         problem.has_weights() ? ListedCells::all : ListedCells::rims_of_labels);
  RankSearch ranks{.k = problem.k, .own = sites.inner()};
  if (answers) ranks.hooks = answers->hooks();
  Search search = make_search(state, problem, sites, ranks, scratch);
  const bool finds_all = problem.point_sites && sites.groups() >= problem.k;
  with_geometry(problem, [&]<class Geometry, class Scalar>(Geometry, Scalar) {
    using RowWriter = candidates::RowWriter<Geometry, Scalar>;
    std::vector<ProblemViews> rest;
    for (std::int64_t rank = 0; rank < problem.k; ++rank) {
      ranks.rows.push_back(row_of(rank == 0 ? search : ranks.rows.back()));
      const ProblemViews own = views_of_rank(views, rank);
      rest.push_back(finds_all ? choose_rows(ranks.rows.back(), own, scratch) : own);
    }
    std::deque<RowWriter> writers;  // which do not move
    for (std::size_t rank = 0; rank < rest.size(); ++rank) {
      Search& row = ranks.rows[rank];
      if (!wants_besides(rest[rank].out, {})) continue;
      writers.emplace_back(row, rest[rank]);
      row.write_row = RowWriter::write;
      row.writer = &writers.back();
    }
    search_tiles(search);
  });
}

void count_ties(ContextState& state, const Problem& problem, const ProblemViews& views) {
  const PhaseTimer phase(state, "ties");
  Scratch::Frame scratch(state.scratch);
  const ListedSites sites(state, problem, views, true,
                          problem.has_weights() ? ListedCells::all : ListedCells::rims);
  RankSearch ranks{.counts_ties = true, .own = sites.inner()};
  const Search search = make_search(state, problem, sites, ranks, scratch);
  with_geometry(problem, [&]<class Geometry, class Scalar>(Geometry, Scalar) {
    const TieWriter<Geometry, Scalar> writer(search, views);
    ranks.hooks = {.self = &writer, .receive = TieWriter<Geometry, Scalar>::receive};
    search_tiles(search);
  });
}

}  // namespace thiessen::cpu
