// SPDX-License-Identifier: Apache-2.0
//
// Writes the outputs that the caller wants from ranks and costs, a row at a time.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "core/base/cell_access.hpp"
#include "core/cost/elevation.hpp"
#include "core/cost/inputs.hpp"
#include "core/cost/labels.hpp"
#include "core/cost/problem.hpp"
#include "core/order/compass.hpp"
#include "core/search/special_values.hpp"

namespace thiessen {

/// The array of the output `distance`, if methods can compute in it; else null.
template <class T>
T* costs_in_place(const CostViews& views) {
  const View<void>& distance = views.out.distance;
  const bool fits = distance && distance.element_type() == detail::element_type_of<T>() &&
                    is_packed(distance) &&
                    reinterpret_cast<std::uintptr_t>(distance.bytes()) % alignof(T) == 0;
  return fits ? reinterpret_cast<T*>(distance.bytes()) : nullptr;
}

/// Whether any output is wanted that needs to know how the way back leaves each cell.
inline bool wants_ways(const CostDistanceOutputs& out) { return out.back_link || out.direction; }

/// Whether any output is wanted that needs ranks.
inline bool wants_ranks(const CostDistanceOutputs& out) {
  return out.labels || out.site_index || wants_ways(out) || wants_other_labels(out);
}

/// The answer without the sites of each cell's label, one element a cell: infinity and kNoRank
/// where no site of another label reaches it, or none at all.
template <class T>
struct OtherSites {
  T* cost = nullptr;
  Rank* rank = nullptr;
};

template <class T, class Steps>
class CostWriter {
 public:
  CostWriter(const CostProblem& problem, const CostViews& views, const CostSites<T>& sites,
             const TightGraph<T, Steps>& graph, const OtherSites<T>& others = {})
      : problem_(problem),
        views_(views),
        sites_(sites),
        graph_(graph),
        others_(others),
        deltas_(neighbour_deltas(graph.edges, graph.extent)),
        compass_(problem.spacing[1], problem.spacing[2]),
        outside_(problem, views),
        in_place_(graph.cost == costs_in_place<T>(views)) {}

  /// Writes row `row` (z·height + y) of all outputs.
  void write_row(std::int64_t row) const {
    const Axes& extent = problem_.extent;
    for (std::int64_t x = 0; x < extent[2]; x += kChunk) {
      const Axes cell{row / extent[1], row % extent[1], x};
      const std::int64_t count = std::min(kChunk, extent[2] - x);
      std::array<std::uint8_t, kChunk> classes;
      if (outside_.any()) outside_.find(cell, count, classes.data());
      write_chunk({cell, row * extent[2] + x, count, outside_.any() ? classes.data() : nullptr});
    }
  }

 private:
  struct Piece {
    Axes cell;
    std::int64_t index;
    std::int64_t count;
    const std::uint8_t* classes;  ///< null: no cell is nodata

    bool is_nodata(std::int64_t i) const { return classes != nullptr && classes[i] == kNodataCell; }
  };

  void write_chunk(const Piece& piece) const {
    const CostDistanceOutputs& out = views_.out;
    if (out.labels) write_labels(out.labels, graph_.rank, piece);
    if (out.distance && !(in_place_ && piece.classes == nullptr))
      write_distance(out.distance, graph_.cost, piece);
    if (out.site_index) write_site_index(out.site_index, graph_.rank, piece);
    if (out.other_labels) write_labels(out.other_labels, others_.rank, piece);
    if (out.other_distance) write_distance(out.other_distance, others_.cost, piece);
    if (out.other_site_index) write_site_index(out.other_site_index, others_.rank, piece);
    if (out.back_link)
      write<std::uint8_t>(out.back_link, piece, [&](std::int64_t i) {
        if (piece.is_nodata(i)) return kBackLinkNodata;
        if (graph_.rank[piece.index + i] == kNoRank) return kBackLinkUnreached;
        return link_of(piece, i);
      });
    if (out.direction)
      write<float>(out.direction, piece, [&](std::int64_t i) {
        if (piece.is_nodata(i) || graph_.rank[piece.index + i] == kNoRank) return kNoDirection;
        return graph_.fronts != nullptr ? against_front(graph_.fronts[piece.index + i])
                                        : direction_of_link(link_of(piece, i));
      });
  }

  std::uint8_t link_of(const Piece& piece, std::int64_t i) const {
    return back_link(graph_, deltas_, piece.index + i);
  }

  float direction_of_link(std::uint8_t link) const {
    if (link == 0) return 0;
    const CostOffset& step = graph_.edges.offset[std::size_t{link} - 1];
    return compass_.direction({step.z, step.y, step.x});
  }

  static float against_front(std::int64_t front) {
    const auto [y, x] = std::bit_cast<std::array<float, 2>>(front);
    return static_cast<float>(compass_degrees(-x, y));
  }

  void write_site_index(const View<void>& view, const Rank* ranks, const Piece& piece) const {
    write<std::int64_t>(view, piece, [&](std::int64_t i) {
      if (piece.is_nodata(i)) return kNodata;
      const Rank rank = ranks[piece.index + i];
      return rank == kNoRank ? kUnreached : sites_.index_of(rank);
    });
  }

  void write_labels(const View<void>& view, const Rank* ranks, const Piece& piece) const {
    visit_element_width(view.element_type(), [&]<class L>(std::type_identity<L>) {
      L unreached;
      L nodata;
      std::memcpy(&unreached, problem_.unreached.bytes.data(), sizeof unreached);
      std::memcpy(&nodata, problem_.nodata_label.bytes.data(), sizeof nodata);
      const L* labels = reinterpret_cast<const L*>(sites_.label);
      write<L>(view, piece, [&](std::int64_t i) {
        if (piece.is_nodata(i)) return nodata;
        const Rank rank = ranks[piece.index + i];
        if (rank == kNoRank) return unreached;
        return labels == nullptr ? static_cast<L>(rank + std::uint64_t{1}) : labels[rank];
      });
    });
  }

  void write_distance(const View<void>& view, const T* costs, const Piece& piece) const {
    const auto of = [&](std::int64_t i) {
      return piece.is_nodata(i) ? static_cast<T>(kNodataDistance) : costs[piece.index + i];
    };
    if (view.element_type() == ElementType::f32)
      write<float>(view, piece, [&](std::int64_t i) { return static_cast<float>(of(i)); });
    else
      write<double>(view, piece, [&](std::int64_t i) { return static_cast<double>(of(i)); });
  }

  template <class Out, class Of>
  void write(const View<void>& view, const Piece& piece, const Of& of) const {
    ChunkBuffer buffer;
    const CellWriter<Out> writer(address_of(view, piece.cell), view.stride(2), buffer);
    Out* const cells = writer.begin();
    for (std::int64_t i = 0; i < piece.count; ++i) cells[i] = of(i);
    writer.flush(piece.count);
  }

  const CostProblem& problem_;
  const CostViews& views_;
  const CostSites<T>& sites_;
  const TightGraph<T, Steps>& graph_;
  OtherSites<T> others_;
  std::array<std::int64_t, kMostNeighbours> deltas_;
  Compass compass_;
  OutsideCells outside_;
  bool in_place_;
};

}  // namespace thiessen
