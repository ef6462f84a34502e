// SPDX-License-Identifier: Apache-2.0
#include "core/problem/raster_choice.hpp"

#include <algorithm>

#include "core/base/refuse.hpp"
#include "core/order/measure.hpp"

namespace thiessen {
namespace {

std::string text_of(Metric metric) { return "metric = " + std::string(name_of(metric)); }

}  // namespace

void check_metric(Metric metric, int rank, const std::vector<double>& spacing) {
  if (!is_by_steps(metric)) return;
  if (rank != 2) refuse(text_of(metric) + " of a 3-D raster; it exists only in 2-D");
  if (std::any_of(spacing.begin(), spacing.end(), [](double length) { return length != 1; }))
    refuse(text_of(metric) + " and a spacing other than 1; it exists only for a spacing of 1");
}

void check_points_on_centres(Metric metric, const PointSites& points) {
  if (!is_by_steps(metric) || points.fraction_bits == 0) return;
  if (points.at == nullptr)
    throw Error(ErrorCode::unsupported,
                text_of(metric) + " of points in device memory; it exists on the host");
  refuse(text_of(metric) + "; it exists only if all points lie on centres of cells, and points[" +
         std::to_string(points.first_off_centre) + "] does not");
}

}  // namespace thiessen
