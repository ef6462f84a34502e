// SPDX-License-Identifier: Apache-2.0
//
// How wrong the raster methods are that follow Tu and Wang's paper to the letter.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "thiessen/thiessen.hpp"

namespace thiessen::cli {

/// A method that is not exact, against the exact answer for the same metric.
struct RasterError {
  Method method = Method::chamfer;
  Metric metric = Metric::octagonal;
  bool labels_carried = false;
  Extents extents;
  std::int64_t sites = 0;
  std::int64_t differing = 0;  ///< cells with another site
  std::int64_t wrong = 0;      ///< those of them whose site is not as near
  double largest_excess = 0;   ///< by how many cells it is farther
};

/// Measures all of them on the CPU, on random sites. None differs where there is one site.
std::vector<RasterError> raster_errors(const Extents& extents, std::int64_t sites,
                                       std::uint64_t seed, int threads);

/// Prints a line for each on stderr.
void print(const std::vector<RasterError>& errors);

nlohmann::ordered_json to_json(const RasterError& error);

}  // namespace thiessen::cli
