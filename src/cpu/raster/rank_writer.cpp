// SPDX-License-Identifier: Apache-2.0
#include "cpu/raster/rank_writer.hpp"

#include <hwy/cache_control.h>

#include <cstring>

namespace thiessen::cpu::raster {
namespace {

/// Whether cells have 4 bytes and lie side by side along x.
bool has_plain_rows(const View<const void>& view) {
  const auto address = reinterpret_cast<std::uintptr_t>(view.bytes());
  return size_of(view.element_type()) == 4 && view.stride(2) == 4 && address % 4 == 0 &&
         view.stride(1) % 4 == 0 && view.stride(0) % 4 == 0;
}

/// Whether kernels write all that is wanted, and no cell is special.
bool is_plain(const Problem& problem, const ProblemViews& views, Write write,
              const SiteTable& sites) {
  const NearestSiteOutputs& out = views.out;
  return write == Write::all && sites.count > 0 && !problem.limited && !problem.rule.nodata &&
         views.solved == nullptr && !wants_besides(out, {"labels", "distance"}) &&
         (!out.labels || has_plain_rows(out.labels)) &&
         (!out.distance ||
          (out.distance.element_type() == ElementType::f32 && has_plain_rows(out.distance)));
}

}  // namespace

RankWriter::RankWriter(ContextState& state, const Problem& problem, const ProblemViews& views,
                       Write write, const SiteTable& sites)
    : state_(state),
      problem_(problem),
      views_(views),
      sites_(sites),
      slab_(whole_raster(problem)),
      writer_(problem, slab_, views, write),
      scratch_(state.scratch),
      kernels_(write_kernels(state.instruction_sets)),
      plain_(is_plain(problem, views, write, sites)) {
  if (plain_ && views.out.labels) list_labels();
}

void RankWriter::list_labels() {
  auto* const labels = scratch_.array<std::uint32_t>(sites_.count);
  for (std::int64_t rank = 0; rank < sites_.count; ++rank)
    std::memcpy(
        labels + rank,
        address_of(views_.labels, {sites_.at[0][rank], sites_.at[1][rank], sites_.at[2][rank]}),
        sizeof *labels);
  labels_ = labels;
}

bool RankWriter::streams(const View<void>& view) const {
  return view.extents().count() * 4 > state_.limits.cache_bytes;
}

void RankWriter::write(const Axes& cell, std::int64_t count, const std::uint32_t* exact,
                       const std::uint32_t* rank) const {
  if (plain_) return write_plain(cell, count, exact, rank);
  for_each_chunk(cell[0], cell[1], cell[2], cell[2] + count, [&](const Chunk& chunk) {
    Winners<std::int64_t> winners;
    std::uint32_t last = kNoRank;
    std::int64_t site = kUnreached;
    for (std::int64_t i = 0; i < chunk.count; ++i) {
      const std::int64_t from = chunk.x - cell[2] + i;
      if (rank[from] != last) {
        last = rank[from];
        site = last == kNoRank ? kUnreached : sites_.index(problem_.extent, last);
      }
      winners.site[static_cast<std::size_t>(i)] = site;
      winners.exact[static_cast<std::size_t>(i)] = exact[from];
    }
    writer_.write(chunk, winners);
  });
}

void RankWriter::write_plain(const Axes& cell, std::int64_t count, const std::uint32_t* exact,
                             const std::uint32_t* rank) const {
  if (const View<void>& out = views_.out.labels)
    kernels_.labels(labels_, rank, count, streams(out),
                    reinterpret_cast<std::uint32_t*>(address_of(out, cell)));
  if (const View<void>& out = views_.out.distance)
    kernels_.distance(exact, problem_.weights.unit, problem_.metric == Metric::euclidean, count,
                      streams(out), reinterpret_cast<float*>(address_of(out, cell)));
  hwy::FlushStream();
}

}  // namespace thiessen::cpu::raster
