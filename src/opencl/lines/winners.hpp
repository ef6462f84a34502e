// SPDX-License-Identifier: Apache-2.0
//
// From the codes of winning sites (device/cell_codes.hpp) to outputs.
#pragma once

#include <array>
#include <cstdint>

#include "core/result_writer.hpp"
#include "core/torus.hpp"
#include "opencl/device/cell_codes.hpp"

namespace thiessen::opencl {

/// Writes outputs by euclidean or manhattan distance; several threads may call it.
template <class State>
class WinnerWriter {
 public:
  WinnerWriter(const Problem& problem, const ProblemViews& views, Write write)
      : problem_(problem),
        slab_(whole_raster(problem)),
        writer_(problem, slab_, views, write),
        codes_(problem.extent) {
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      factor_[axis] = static_cast<std::int64_t>(problem.weights.factor[axis]);
  }

  /// Writes the cells of a chunk from the codes of their sites; null: there are none.
  void write(const Chunk& chunk, const State* sites) const {
    Winners<std::int64_t> winners;
    if (sites == nullptr) {
      winners.site.fill(kUnreached);
      winners.exact.fill(0);
    } else if (problem_.metric == Metric::euclidean) {
      convert<Metric::euclidean>(chunk, sites, winners);
    } else {
      convert<Metric::manhattan>(chunk, sites, winners);
    }
    writer_.write(chunk, winners);
  }

 private:
  template <Metric kMetric>
  void convert(const Chunk& chunk, const State* sites, Winners<std::int64_t>& winners) const {
    const Axes cell{chunk.z, chunk.y, chunk.x};
    for (std::int64_t i = 0; i < chunk.count; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const bool reached = sites[i] != kNone<State>;
      const Axes site = codes_.place(reached ? sites[i] : 0);
      const auto part = [&](std::size_t axis, std::int64_t from) {
        return along<kMetric>(factor_[axis], apart(from, site[axis], problem_.period[axis]));
      };
      winners.site[at] = reached ? to_index(problem_.extent, site) : kUnreached;
      winners.exact[at] = reached ? part(0, cell[0]) + part(1, cell[1]) + part(2, cell[2] + i) : 0;
    }
  }

  const Problem& problem_;
  const Slab slab_;
  const ResultWriter<std::int64_t> writer_;
  const CellCodes codes_;
  std::array<std::int64_t, kAxes> factor_{};
};

}  // namespace thiessen::opencl
