// SPDX-License-Identifier: Apache-2.0
#include "networks/searches.hpp"

#include <string>
#include <utility>

#include "core/base/context_state.hpp"
#include "core/base/refuse.hpp"
#include "core/problem/problem.hpp"

namespace thiessen::networks {
namespace {

/// The one that has the extents; both must lie on the host, where paths are followed.
const View<const void>& checked_ground(const CostMap& map, const View<const void>& elevation) {
  if (!map && !elevation) refuse("map", "is missing; must be given, or an elevation");
  if (map) check_cells("map", map);
  if (elevation) check_cells("elevation", elevation);
  return map ? map.cells() : elevation;
}

}  // namespace

Searches::Searches(Context& context, const CostMap& map, const CostDistanceOptions& options)
    : context_(context),
      map_(map),
      extents_(checked_ground(map, options.elevation).extents()),
      options_(options),
      strict_(options.strict) {
  if (options.walk_direction)
    refuse("walk_direction", std::string(name_of(*options.walk_direction)),
           "must not be given: walks lead from the first places to the second ones");
  options_.distance_type = FloatType::f64;
  options_.unreached = std::int64_t{0};
  options_.nodata_label = std::int64_t{0};
  options_.labels_carried = false;
  options_.strict = false;
}

void Searches::begin_part() { context_.state().progress.begin_part(part_++, parts_); }

void Searches::check(const NumberedPlaces& places, const char* name) {
  begin_part();
  Array<double> distance(extents_);
  CostDistanceOptions options = options_;
  options.max_distance = 0;  // the cells of the places are enough
  options.strict = strict_;
  places.search(context_, map_, options, {.distance = distance.view()});
  for (Warning warning : context_.state().warnings) {
    warning.message = std::string(name) + ": " + warning.message;
    warnings_.push_back(std::move(warning));
  }
}

void Searches::run(const NumberedPlaces& places, WalkDirection direction,
                   const CostDistanceOutputs& out, std::int32_t number) {
  begin_part();
  CostDistanceOptions options = options_;
  if (options.elevation) options.walk_direction = direction;
  places.search(context_, map_, options, out, number);
}

void Searches::finish() { context_.state().warnings = std::move(warnings_); }

}  // namespace thiessen::networks
