// SPDX-License-Identifier: Apache-2.0
//
// The tight steps out of the cells of a 2-D raster with 4 or 8 neighbours, for one instruction set.
#pragma once

#include <cstdint>

#include "cpu/cost/tiles/sweep.hpp"

namespace thiessen::cpu::cost {

/// A raster in C order, and for each cell the bits of core/cost/labels.hpp.
template <class T>
struct TightRaster {
  const T* resistance = nullptr;
  const T* cost = nullptr;
  std::uint8_t* steps = nullptr;
  std::int64_t height = 0;
  std::int64_t width = 0;
  const PlacedSteps<T>* placed = nullptr;  ///< null where steps do not depend on their place
};

/// A range of rows and columns.
struct TightPart {
  std::int64_t first_row = 0;
  std::int64_t last_row = 0;
  std::int64_t first_column = 0;
  std::int64_t last_column = 0;  ///< at most kTightColumns farther
};
inline constexpr std::int64_t kTightColumns = 512;

template <class T>
struct TightKernel {
  void (*find)(const TightRaster<T>& raster, const SweepEdges<T>& edges,
               const TightPart& part) = nullptr;
};

/// The kernel of the best instruction set among `targets` (bits of Highway); null without vectors.
TightKernel<float> tight_kernel(std::int64_t targets, float);
TightKernel<double> tight_kernel(std::int64_t targets, double);

}  // namespace thiessen::cpu::cost
