// SPDX-License-Identifier: Apache-2.0
//
// Method "exact" on OpenCL: rasters, by passes along lines. What these do not take is refused, and
// the reason names who does.
#include "opencl/exact.hpp"

#include "opencl/device/integers.hpp"
#include "opencl/device/session.hpp"
#include "opencl/lines/separable.hpp"

namespace thiessen::opencl {
namespace {

Support supports_lines(const Problem& problem) {
  if (problem.extent[0] <= kLongestLine && problem.extent[1] <= kLongestLine) return {};
  return {"columns have at most " + std::to_string(kLongestLine) +
          " cells; device = cpu takes longer ones, and so does method = raster-gpu"};
}

}  // namespace

Support supports_exact(const Capabilities& capabilities, const Problem& problem) {
  if (problem.point_sites)
    return {
        "it takes rasters only; method = raster-gpu takes points, and so do device = cpu and cuda"};
  if (problem.distance_to == DistanceTo::boundary)
    return {"it measures to sites only; device = cpu and cuda measure to the boundary"};
  if (problem.metric != Metric::euclidean && problem.metric != Metric::manhattan)
    return {"it takes euclidean and manhattan only; method = raster-gpu takes " +
            std::string(name_of(problem.metric))};
  if (Support lines = supports_lines(problem); !lines) return lines;
  if (has_long_codes(problem) && !capabilities.int64)
    return {"sites of this raster need 64 bits, which the device does not have"};
  return supports_exact_distances(capabilities, problem);
}

Support supports_exact(const ContextState& state, const Problem& problem) {
  return supports_exact(session_of(state).device().capabilities(), problem);
}

void run_exact(ContextState& state, const Problem& problem, const ProblemViews& views) {
  make_maps(state, problem, views, separable_units(problem), run_separable);
}

}  // namespace thiessen::opencl
