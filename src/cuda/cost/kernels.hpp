// SPDX-License-Identifier: Apache-2.0
//
// The stages of cost distance on the device; each puts work on the stream. T is float or double.
#pragma once

#include <cstdint>

#include "cuda/cost/tiles/flow.hpp"
#include "cuda/device/session.hpp"
#include "cuda/job/job.hpp"
#include "cuda/job/site_class.hpp"

namespace thiessen::cuda::cost {

struct TileQueue;

/// What kernels report to the host; an index is ~0 if there is none.
struct CostNotes {
  unsigned long long illegal;  ///< first cell of the map that is // NOLINT(google-runtime-int)
  unsigned long long ignored;  ///< sites on barriers or outside  // NOLINT(google-runtime-int)
  unsigned long long
      first_ignored;  ///< the least of their ranks      // NOLINT(google-runtime-int)
};

/// The values of the map, and which of them are nodata.
struct CostMap {
  Cells<const std::byte> cells;
  Rule rule;
};

THIESSEN_HD inline bool is_nodata(const CostMap& map, std::int64_t cell) {
  return map.rule.has_nodata && class_of(map.cells, map.rule, cell) == kNodataCell;
}

/// Where results go; null: not wanted.
struct CostResults {
  CostMap map;                               ///< for nodata
  Cells<std::byte> labels;                   ///< out
  const std::byte* site_labels = nullptr;    ///< by rank; null: rank + 1
  const std::int64_t* site_index = nullptr;  ///< by rank; null: rank
  LabelBits unreached;
  LabelBits nodata;
  std::int64_t* index = nullptr;
  Cells<std::byte> distance;
  std::uint8_t* back_link = nullptr;
  const std::uint8_t* links = nullptr;  ///< of reached cells; null: they follow from hops
};

/// What a call starts with, beside its job.
struct CostStart {
  CostMap map;
  CostNotes* notes = nullptr;
  Cells<const std::byte> sites;      ///< the raster in which labels of sites lie
  std::byte* site_labels = nullptr;  ///< where they go, by rank; null: not wanted
};

/// Costs at the fixed point, by tiles.
template <class T>
void find_costs(const CudaSession& session, const CostJob<T>& job, const CostStart& from,
                Scratch::Frame& device);

/// The same from costs that have been started, which entered the tiles of the queue.
template <class T>
void run_cost_front(const CudaSession& session, const CostJob<T>& job, const TileQueue& queue);

/// Finds tight steps, ranks, and hops if there is an array for them.
template <class T>
void find_labels(const CudaSession& session, const CostJob<T>& job, Scratch::Frame& device);

/// The numbers of active cells before the iterations of a launch, and after the last; 0 after the
/// end.
struct ActiveCells {
  static constexpr int kMostIterations = 512;
  std::uint32_t cells[kMostIterations + 1];
};

/// Algorithms 1 and 2 of the document; an iteration runs each of them once.
template <class T>
struct CostIteration {
  CostJob<T> job;
  T* lowered;
  std::uint32_t* listed;
  ActiveCells* active;
};
template <class T>
void start_iterations(const CudaSession& session, const CostIteration<T>& iteration,
                      const CostStart& from);
/// One launch of many iterations; returns how many at most. The end is not reached if cells are
/// active after the last: then the next launch goes on, which is not `is_first`.
template <class T>
int iterate_costs(const CudaSession& session, const CostIteration<T>& iteration, bool is_first);

template <class T>
void write_cost_results(const CudaSession& session, const CostJob<T>& job,
                        const CostResults& results);

}  // namespace thiessen::cuda::cost
