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
    const auto part = [this](std::size_t axis, std::int64_t from, std::int64_t to) {
      return along<kMetric>(factor_[axis], apart(from, to, problem_.period[axis]));
    };
    State row = kNone<State>;  // of the last site, as neighbours mostly have theirs in one row
    std::int64_t row_index = 0;
    std::int64_t across = 0;
    for (std::int64_t i = 0; i < chunk.count; ++i) {
      const auto at = static_cast<std::size_t>(i);
      if (sites[i] == kNone<State>) {
        winners.site[at] = kUnreached;
        winners.exact[at] = 0;
        continue;
      }
      const Axes site = codes_.place(sites[i]);
      if (const State own = sites[i] >> codes_.x_bits; own != row) {
        row = own;
        row_index = to_index(problem_.extent, {site[0], site[1], 0});
        across = part(0, chunk.z, site[0]) + part(1, chunk.y, site[1]);
      }
      winners.site[at] = row_index + site[2];
      winners.exact[at] = across + part(2, chunk.x + i, site[2]);
    }
  }

  const Problem& problem_;
  const Slab slab_;
  const ResultWriter<std::int64_t> writer_;
  const CellCodes codes_;
  std::array<std::int64_t, kAxes> factor_{};
};

}  // namespace thiessen::opencl
