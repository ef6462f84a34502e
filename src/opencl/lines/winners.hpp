// SPDX-License-Identifier: Apache-2.0
//
// From the codes of winning sites (device/cell_codes.hpp) to outputs.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/order/torus.hpp"
#include "core/search/result_writer.hpp"
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
  void write(const Chunk& chunk, const State* from) const {
    Winners<std::int64_t> winners;
    if (from == nullptr) {
      winners.site.fill(kUnreached);
      winners.exact.fill(0);
    } else {
      // What the device has written is in no cache: one quick copy saves a sixth of the time.
      std::array<State, kChunk> sites;
      std::copy_n(from, chunk.count, sites.begin());
      if (problem_.has_period())
        convert<true>(chunk, sites.data(), winners);
      else
        convert<false>(chunk, sites.data(), winners);
    }
    writer_.write(chunk, winners);
  }

 private:
  template <bool kPeriodic>
  void convert(const Chunk& chunk, const State* sites, Winners<std::int64_t>& winners) const {
    if (problem_.metric == Metric::euclidean)
      convert<kPeriodic, Metric::euclidean>(chunk, sites, winners);
    else
      convert<kPeriodic, Metric::manhattan>(chunk, sites, winners);
  }

  template <bool kPeriodic, Metric kMetric>
  void convert(const Chunk& chunk, const State* sites, Winners<std::int64_t>& winners) const {
    const auto part = [this](std::size_t axis, std::int64_t from, std::int64_t to) {
      const std::int64_t period = kPeriodic ? problem_.period[axis] : kNoPeriod;
      return along<kMetric>(factor_[axis],
                            kPeriodic ? periodic_distance(from, to, period) : to - from);
    };
    const State x_mask = (State{1} << codes_.x_bits) - 1;
    State row = kNone<State>;  // of the last site, as neighbours mostly have theirs in one row
    std::int64_t row_index = kUnreached;
    std::int64_t across = 0;
    for (std::int64_t i = 0; i < chunk.count; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const State site = sites[i];
      if (site == kNone<State>) {
        winners.site[at] = kUnreached;
        winners.exact[at] = 0;
        continue;
      }
      if (site >> codes_.x_bits != row) {
        row = site >> codes_.x_bits;
        const Axes first = codes_.place(site);
        row_index = to_index(problem_.extent, {first[0], first[1], 0});
        across = part(0, chunk.z, first[0]) + part(1, chunk.y, first[1]);
      }
      const auto x = static_cast<std::int64_t>(site & x_mask);
      winners.site[at] = row_index + x;
      winners.exact[at] = across + part(2, chunk.x + i, x);
    }
  }

  const Problem& problem_;
  const Slab slab_;
  const ResultWriter<std::int64_t> writer_;
  const CellCodes codes_;
  std::array<std::int64_t, kAxes> factor_{};
};

}  // namespace thiessen::opencl
