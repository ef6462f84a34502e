// SPDX-License-Identifier: Apache-2.0
//
// Searches the blocks of a raster on all threads (block_search.hpp), and writes what they found.
#include "cpu/nearest_k/nearest_k.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "core/search/geometry.hpp"
#include "core/search/result_writer.hpp"
#include "cpu/nearest_k/block_search.hpp"
#include "cpu/nearest_k/near_sites.hpp"
#include "cpu/nearest_k/site_boxes.hpp"
#include "threads/parallel.hpp"

namespace thiessen::cpu {
namespace {

/// Blocks that are searched by one thread, and whose results are kept until they are written.
class BlockGrid {
 public:
  BlockGrid(const Axes& extent, std::int64_t k) : extent_(extent) {
    constexpr std::int64_t kFlat = 64, kSolid = 16;
    constexpr std::int64_t kMostResults = std::int64_t{1} << 18;
    const bool is_flat = extent[0] == 1;
    size_ = is_flat ? Axes{1, kFlat, kFlat} : Axes{kSolid, kSolid, kSolid};
    while (size_[0] * size_[1] * size_[2] * k > kMostResults && size_[1] > 1)
      for (std::int64_t& side : size_) side = std::max<std::int64_t>(side / 2, 1);
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      count_[axis] = (extent[axis] + size_[axis] - 1) / size_[axis];
  }

  std::int64_t count() const { return count_[0] * count_[1] * count_[2]; }
  std::int64_t cells() const { return size_[0] * size_[1] * size_[2]; }
  CellBlock block(std::int64_t i) const {
    const Axes place = to_cell(count_, i);
    CellBlock block;
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      block.begin[axis] = place[axis] * size_[axis];
      block.end[axis] = std::min(block.begin[axis] + size_[axis], extent_[axis]);
    }
    return block;
  }

 private:
  Axes extent_, size_{}, count_{};
};

/// Calls visit(chunk) for the rows of a block.
template <class Visit>
void for_each_chunk_of(const CellBlock& block, const Visit& visit) {
  for (std::int64_t z = block.begin[0]; z < block.end[0]; ++z)
    for (std::int64_t y = block.begin[1]; y < block.end[1]; ++y)
      for_each_chunk(z, y, block.begin[2], block.end[2], visit);
}

/// The answers of one rank in a chunk.
template <class Search, class Scalar>
void read_winners(const Search& search, const Chunk& chunk, std::int64_t rank,
                  Winners<Scalar>& winners) {
  for (std::int64_t i = 0; i < chunk.count; ++i) {
    const Axes cell{chunk.z, chunk.y, chunk.x + i};
    winners.site[static_cast<std::size_t>(i)] = search.site(cell, rank);
    winners.exact[static_cast<std::size_t>(i)] = search.exact(cell, rank);
  }
}

/// Searches all blocks on all threads, and calls write(search, block) with the answers of each.
template <class Geometry, class Scalar, class Write>
void search_blocks(ContextState& state, const Problem& problem, const SiteBoxes& boxes,
                   const NearSites* near, const BlockQuery& query, const Write& write) {
  const BlockGrid grid(problem.extent, query.k);
  std::vector<std::unique_ptr<BlockSearch<Geometry, Scalar>>> searches(
      static_cast<std::size_t>(state.threads));
  parallel_for(state, grid.count(), 1, grid.cells(),
               [&](std::int64_t begin, std::int64_t end, int worker) {
                 auto& search = searches[static_cast<std::size_t>(worker)];
                 if (!search)
                   search = std::make_unique<BlockSearch<Geometry, Scalar>>(problem, boxes, near,
                                                                            query, grid.cells());
                 for (std::int64_t i = begin; i < end; ++i) {
                   search->search(grid.block(i));
                   write(*search, grid.block(i));
                 }
               });
}

}  // namespace

std::int64_t nearest_k_units(const Problem& problem) {
  const BlockGrid grid(problem.extent, std::max<std::int64_t>(problem.k, 1));
  return grid.count() * grid.cells();
}

void find_nearest_k(ContextState& state, const Problem& problem, const ProblemViews& views) {
  const PhaseTimer phase(state, "k nearest");
  // Each site of a mask has a label of its own.
  const bool by_label = problem.distinct_labels && problem.rule.type != ElementType::boolean;
  std::optional<NearSites> near;
  if (!problem.point_sites && !by_label) near.emplace(state, problem, views.sites);
  const SiteBoxes boxes =
      near ? SiteBoxes(state, *near)
           : SiteBoxes(state, problem, views, by_label, ListedCells::rims_of_labels, problem.k);
  const Slab slab = whole_raster(problem);
  std::vector<ProblemViews> ranks;
  for (std::int64_t rank = 0; rank < problem.k; ++rank) ranks.push_back(views_of_rank(views, rank));
  with_geometry(problem, [&]<class Geometry, class Scalar>(Geometry, Scalar) {
    const BlockQuery query{.k = problem.k, .by_label = by_label};
    search_blocks<Geometry, Scalar>(state, problem, boxes, near ? &*near : nullptr, query,
                                    [&](const auto& search, const CellBlock& block) {
                                      for (std::int64_t rank = 0; rank < problem.k; ++rank) {
                                        const ResultWriter<Scalar> writer(
                                            problem, slab, ranks[static_cast<std::size_t>(rank)],
                                            Write::all);
                                        for_each_chunk_of(block, [&](const Chunk& chunk) {
                                          Winners<Scalar> winners;
                                          read_winners(search, chunk, rank, winners);
                                          writer.write(chunk, winners);
                                        });
                                      }
                                    });
  });
}

void count_ties(ContextState& state, const Problem& problem, const ProblemViews& views) {
  const PhaseTimer phase(state, "ties");
  const SiteBoxes boxes(state, problem, views, true, ListedCells::rims, kMostTies);
  const Slab slab = whole_raster(problem);
  ProblemViews nothing = views, labels = views;
  nothing.out = {};
  labels.out = {};
  if (problem.ties_unreached) labels.out.labels = views.out.labels;
  with_geometry(problem, [&]<class Geometry, class Scalar>(Geometry, Scalar) {
    const ResultWriter<Scalar> marker(problem, slab, nothing, Write::all);
    const ResultWriter<Scalar> writer(problem, slab, labels, Write::all);
    search_blocks<Geometry, Scalar>(
        state, problem, boxes, nullptr, {.counts_ties = true},
        [&](const auto& search, const CellBlock& block) {
          for_each_chunk_of(block, [&](const Chunk& chunk) {
            Winners<Scalar> winners;
            read_winners(search, chunk, 0, winners);
            marker.write(chunk, winners);
            for (std::int64_t i = 0; i < chunk.count; ++i) {
              const Axes cell{chunk.z, chunk.y, chunk.x + i};
              std::int64_t& site = winners.site[static_cast<std::size_t>(i)];
              const std::uint8_t ties = site < 0 ? std::uint8_t{0} : search.ties(cell);
              if (views.out.ties) std::memcpy(address_of(views.out.ties, cell), &ties, sizeof ties);
              if (ties > 1) site = kUnreached;
            }
            if (labels.out.labels) writer.write(chunk, winners);
          });
        });
  });
}

}  // namespace thiessen::cpu
