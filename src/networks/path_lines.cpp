// SPDX-License-Identifier: Apache-2.0
#include "networks/path_lines.hpp"

#include <cmath>
#include <cstdlib>

#include "backend/backend.hpp"
#include "core/base/context_state.hpp"

namespace thiessen::networks {
namespace {

/// The steps are asked of the CPU, whatever the device of the context.
std::unique_ptr<CostSteps> make_steps(ContextState& state, const CostProblem& problem,
                                      const CostViews& views) {
  if (const Backend* const backend = find_backend("cpu"))
    if (auto steps = backend->make_cost_steps(state, problem, views)) return steps;
  throw Error(ErrorCode::unsupported, {"device", "cpu", "this build has no steps of maps there"});
}

CostDistanceOptions without_sites(CostDistanceOptions options) {
  options.values.clear();
  options.zero_is_site = false;
  options.site_nodata.reset();
  return options;
}

}  // namespace

SteppedMap::SteppedMap(const Searches& searches)
    : options_(without_sites(searches.options())),
      no_points_({0, searches.extents().rank()}),
      problem_(make_cost_problem(searches.map(), PointList{.coordinates = no_points_.view()},
                                 options_, {})),
      edges_(make_edges<double>(problem_)) {
  views_.map = with_three_axes<View<const void>>(searches.map());
  views_.elevation = with_three_axes(options_.elevation);
  views_.blocked_faces = with_three_axes(options_.blocked_faces);
  steps_ = make_steps(searches.context().state(), problem_, views_);
}

double SteppedMap::length(std::int64_t from, std::int64_t to) const {
  const Axes a = to_cell(problem_.extent, from), b = to_cell(problem_.extent, to);
  Axes way{b[0] - a[0], b[1] - a[1], b[2] - a[2]};
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    if (const std::int64_t cells = problem_.extent[axis];
        problem_.periodic[axis] && 2 * std::abs(way[axis]) > cells)
      way[axis] -= way[axis] > 0 ? cells : -cells;
  for (int k = 0; k < edges_.count; ++k) {
    const CostOffset& o = edges_.offset[static_cast<std::size_t>(k)];
    if (way == Axes{o.z, o.y, o.x}) return steps_->length(k, from);
  }
  double square = 0;
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    const double along = static_cast<double>(way[axis]) * problem_.spacing[axis];
    square += along * along;
  }
  return std::sqrt(square);
}

std::vector<std::int64_t> path_back(const View<const std::uint8_t>& back_link,
                                    Connectivity connectivity, std::int64_t from) {
  const Axes cell = to_cell(to_axes(back_link.extents()), from);
  return least_cost_path(back_link, connectivity, {cell.end() - back_link.rank(), cell.end()});
}

}  // namespace thiessen::networks
