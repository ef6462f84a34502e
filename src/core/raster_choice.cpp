// SPDX-License-Identifier: Apache-2.0
#include "core/raster_choice.hpp"

#include <algorithm>

#include "core/measure.hpp"
#include "core/refuse.hpp"

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

RasterOptions make_raster_options(Method method, const RasterOptions& options) {
  constexpr std::int64_t kMostGrowth = std::int64_t{1} << 30;
  const auto only_for = [&](const char* option, bool is_given, const char* methods, bool takes_it) {
    if (is_given && !takes_it)
      refuse(option, std::string("is given; it is for ") + methods + ", not for " +
                         std::string(name_of(method)));
  };
  only_for("scan_sites", options.scan_sites != -1, "method raster-gpu",
           method == Method::raster_gpu);
  only_for("growth_step", options.growth_step != 1, "method circle-growing",
           method == Method::circle_growing);
  only_for("labels_carried", options.labels_carried, "methods dilation and expansion",
           method == Method::dilation || method == Method::expansion);
  only_for("allotment", options.allotment.has_value(), "method brute-force",
           method == Method::brute_force);
  if (options.scan_sites < -1)
    refuse("scan_sites", std::to_string(options.scan_sites), "must be >= 0");
  if (options.growth_step < 1 || options.growth_step > kMostGrowth)
    refuse("growth_step", std::to_string(options.growth_step), "must be 1 to 2^30 cells");
  RasterOptions own = options;
  return own;
}

}  // namespace thiessen
