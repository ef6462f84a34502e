// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/base/refuse.hpp"
#include "core/problem/points.hpp"
#include "placing/density.hpp"
#include "placing/energy.hpp"
#include "placing/images.hpp"
#include "thiessen/placing.hpp"
#include "thiessen/raster.hpp"
#include "thiessen/statistics.hpp"

namespace thiessen::placing {

/// A diagram: the number of the own site, from 1 on, in each cell.
class Diagram {
 public:
  Diagram(const Extents& extents, const View<const void>& density)
      : density_(density, extents), labels_(extents) {}

  View<std::int32_t> labels() { return labels_.view(); }
  const Axes& extent() const { return density_.extent(); }

  double energy(ContextState& state, const Squares& squares) const {
    return find_energy(state, density_, labels_.data(), squares);
  }

  /// What the labels hold, ascending by label.
  SiteStatistics statistics(Context& context) {
    return site_statistics(context, labels(), {.field = density_.view()},
                           {.background = std::int64_t{0}, .nodata = std::int64_t{-1}});
  }
  /// The mass in a row of it.
  double mass_of(const SiteStatistics& table, std::size_t row) const {
    return density_ ? table.mass[row] : static_cast<double>(table.cells[row]);
  }

  /// Calls visit(label, mass, centroid) for each label whose cells have a mass, ascending; the
  /// centroid is in cells.
  template <class Visit>
  void for_each_centroid(Context& context, const Visit& visit) {
    const SiteStatistics table = statistics(context);
    const auto rank = static_cast<std::size_t>(table.rank);
    const View<const std::int32_t> label = std::as_const(table.labels).view<std::int32_t>();
    for (std::size_t row = 0; row < table.cells.size(); ++row) {
      const double mass = mass_of(table, row);
      if (mass > 0)
        visit(label(row), mass,
              (density_ ? table.mass_centroid : table.centroid).data() + row * rank);
    }
  }

 private:
  Density density_;
  Array<std::int32_t> labels_;
};

/// The length of a way of `rank` components in cells.
inline double length_of(const double* way, const std::vector<double>& spacing) {
  double squares = 0;
  for (std::size_t axis = 0; axis < spacing.size(); ++axis) {
    const double length = way[axis] * spacing[axis];
    squares += length * length;
  }
  return std::sqrt(squares);
}

/// Parts of a call with so many in each measure() and move(), if all steps are made.
inline std::int64_t parts_of(const RelaxOptions& options, std::int64_t measure, std::int64_t move) {
  constexpr std::int64_t kMostSteps = std::int64_t{1} << 40;  // beyond it progress says nothing
  return measure + std::min(options.steps, kMostSteps) * (measure + move);
}

/// Throws Error{invalid_argument} for more sites than `most`.
inline void check_count(std::int64_t count, std::int64_t most, const char* name) {
  if (count > most)
    refuse(name, "are " + std::to_string(count) + "; must be at most " + std::to_string(most));
}

}  // namespace thiessen::placing
