// SPDX-License-Identifier: Apache-2.0
//
// What methods refuse on all backends that have them.
#include <algorithm>

#include "backend/backend.hpp"
#include "core/order/measure.hpp"
#include "core/problem/flooding.hpp"
#include "core/problem/raster_choice.hpp"

namespace thiessen {
namespace {

bool is_mask(Metric metric) { return mask_unit(metric) != 1; }

bool is_evenly_spaced(const Problem& problem) {
  const auto& factor = problem.weights.factor;
  return factor[1] == factor[2] && (problem.rank == 2 || factor[0] == factor[1]);
}

/// What all methods refuse that carry sites from cell to cell, or search them around a cell.
Support supports_neighbourhoods(const Problem& problem) {
  if (Support distance = supports_distance_to(problem); !distance) return distance;
  if (problem.point_sites) return {"sites must be cells; lists of points are scanned"};
  if (problem.wide) return {"distances of this spacing need 128 bits, and it has 62"};
  if (!has_neighbourhoods(problem)) return {"it does not go over the ends of periodic axes"};
  return {};
}

int bits_of(Int128 number) {
  int bits = 0;
  for (; number > 0; number >>= 1) ++bits;
  return bits;
}

/// The most bits that S (with a few more steps) and the number of a site take together.
int key_bits(const Problem& problem) {
  constexpr Int128 kLongestOfMask = 11;
  constexpr Int128 kSteps = 64;
  const auto& factor = problem.weights.factor;
  const Int128 step = *std::max_element(factor.begin(), factor.end()) * kLongestOfMask;
  return bits_of(longest_of_two_passes(problem) + kSteps * step) + bits_of(problem.cells());
}

}  // namespace

Int128 longest_of_two_passes(const Problem& problem) {
  const Int128 greatest = problem.weights.greatest;
  return problem.metric == Metric::octagonal ? 2 * greatest : greatest;
}

Support supports_axes_metric(const Problem& problem) {
  if (!is_by_axes(problem.metric))
    return {"has the metrics euclidean, manhattan and chessboard, not " +
            std::string(name_of(problem.metric))};
  return {};
}

namespace {

Support supports_plane(const Problem& problem) {
  if (problem.earth != nullptr)
    return {std::string(name_of(problem.metric)) +
            " is measured by exact and brute-force on the cpu only"};
  return {};
}

}  // namespace

Support supports_scan(const Problem& problem) {
  if (Support distance = supports_distance_to(problem); !distance) return distance;
  if (Support plane = supports_plane(problem); !plane) return plane;
  if (is_mask(problem.metric))
    return {std::string(name_of(problem.metric)) + " is a path of steps, for method chamfer only"};
  return {};
}

Support supports_expansion(const Problem& problem) {
  if (Support scan = supports_scan(problem); !scan) return scan;
  return supports_neighbourhoods(problem);
}

Support supports_chamfer(const Problem& problem) {
  constexpr int kMostBits = 62;
  if (Support plane = supports_plane(problem); !plane) return plane;
  if (Support cells = supports_neighbourhoods(problem); !cells) return cells;
  if (problem.metric == Metric::euclidean)
    return {"two passes add up steps, and euclidean distance is no sum of these"};
  if (problem.metric == Metric::chessboard && !is_evenly_spaced(problem))
    return {"chessboard distance is a sum of steps only if the spacing is the same on all axes"};
  if (key_bits(problem) > kMostBits)
    return {"distance and site together need more than 62 bits on a raster of this size"};
  return {};
}

Support supports_settled_labels(const Problem& problem) {
  if (problem.raster.labels_carried) return {"labels are carried along on the cpu only"};
  return {};
}

Support supports_settled_labels(const CostProblem& problem) {
  if (problem.labels_carried) return {"labels are carried along on the cpu only"};
  return {};
}

Support supports_even_steps(const CostProblem& problem) {
  if (problem.walk) return {"elevation is given; the cpu alone walks over it"};
  if (problem.is_periodic()) return {"periodic is given; the cpu alone goes over the ends of axes"};
  if (problem.snap_distance > 0) return {"snap_distance is given; the cpu alone takes it"};
  if (problem.has_blocked_faces) return {"blocked_faces is given; the cpu alone takes it"};
  if (problem.earth != nullptr)
    return {"metric = " + std::string(name_of(problem.metric)) +
            "; the cpu alone measures on the Earth"};
  return {};
}

Support supports_fronts(const CostProblem& problem) {
  if (problem.walk) return {"an elevation is given; walks cost more in one direction than another"};
  if (problem.is_periodic()) return {"periodic is given; fronts end where the raster ends"};
  if (problem.has_blocked_faces)
    return {"blocked_faces is given; fronts run from cell to cell, not across faces"};
  if (problem.earth != nullptr) return {"the metric is one of the Earth"};
  if (problem.labels_carried) return {"labels are carried, which is for relaxation"};
  if (problem.wants_other_labels)
    return {"outputs of another label are wanted, which the other methods have"};
  return {};
}

Support supports_circle_growing(const Problem& problem) {
  if (Support expansion = supports_expansion(problem); !expansion) return expansion;
  if (problem.rank != 2) return {"circles are for 2-D rasters"};
  return {};
}

Support supports_dilation(const Problem& problem) {
  if (Support expansion = supports_expansion(problem); !expansion) return expansion;
  if (problem.metric == Metric::euclidean)
    return {"its rounds are steps from cell to cell, and euclidean distance does not count these"};
  if (!is_evenly_spaced(problem))
    return {"its rounds are steps from cell to cell; the spacing must be the same on all axes"};
  return {};
}

Support supports_distance_to(const Problem& problem) {
  if (problem.distance_to == DistanceTo::boundary)
    return {"the distance to the boundary is measured by method exact only"};
  return {};
}

namespace {

/// What a method of the jump flooding family that is as its paper has it supports.
Support supports_paper(const Problem& problem) {
  const FloodingPaper paper = problem.flooding->paper;
  if (paper == FloodingPaper::none) return {};
  const std::string whose =
      paper == FloodingPaper::coeurjolly ? "Coeurjolly's program" : "Czyżewski's kernel";
  const auto& period = problem.period;
  const auto& factor = problem.weights.factor;
  if (problem.rank != 2 || problem.point_sites) return {whose + " is for sites on 2-D rasters"};
  if (std::count(period.begin(), period.end(), kNoPeriod) != kAxes)
    return {whose + " has no periodic axes"};
  if (problem.signed_distance) return {whose + " has no signed distance"};
  if (paper == FloodingPaper::coeurjolly &&
      (problem.metric != Metric::euclidean || factor[1] != 1 || factor[2] != 1))
    return {whose + " is for Euclidean distance and equal spacing"};
  return {};
}

}  // namespace

Support supports_flooding(const Problem& problem) {
  if (Support metric = supports_axes_metric(problem); !metric) return metric;
  if (Support distance = supports_distance_to(problem); !distance) return distance;
  if (!problem.flooding) return {};
  if (Support paper = supports_paper(problem); !paper) return paper;
  if (problem.rank == 3 && problem.flooding->pattern != FloodingPattern::square)
    return {"circles are for 2-D rasters"};
  return {};
}

}  // namespace thiessen
