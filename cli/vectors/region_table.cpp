// SPDX-License-Identifier: Apache-2.0
#include "vectors/region_table.hpp"

#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "inputs/sites/site_keys.hpp"
#include "inputs/sites/values_on_grid.hpp"
#include "io/raster/cell_values.hpp"
#include "io/raster/file_part.hpp"
#include "thiessen/element_visit.hpp"
#include "vectors/cell_areas.hpp"
#include "words/arguments.hpp"

namespace thiessen::cli {
namespace {

constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

/// Changes each cell.
template <class Change>
void change_cells(Raster& values, const Change& change) {
  double* const cells = values.view<double>().data();
  for (std::int64_t i = 0; i < values.extents().count(); ++i) cells[i] = change(cells[i]);
}

/// The place of a point in its list, where regions are site indices or, i32, numbers from 1 on.
std::int64_t place_of_point(const Raster& regions, std::int64_t i) {
  if (regions.element_type() == ElementType::i32) return regions.view<std::int32_t>()(i) - 1;
  return regions.view<std::int64_t>()(i);
}

}  // namespace

RegionTable::RegionTable(Context& context, const FeatureInputs& inputs,
                         const std::vector<std::string>& sums)
    : inputs_(inputs) {
  count(context);
  for (const std::string& path : sums) sum(context, path);
  find_attributes();
}

void RegionTable::count(Context& context) {
  SiteStatisticsOptions options{.background = inputs_.unreached, .nodata = inputs_.nodata};
  if (!inputs_.spacing.empty()) options.spacing = inputs_.spacing;
  const bool on_earth = !inputs_.cell_areas.empty();
  Raster areas;
  if (on_earth) areas = area_raster(inputs_.regions.extents(), inputs_.cell_areas);
  statistics_ = site_statistics(context, inputs_.regions,
                                {.field = areas.view(), .distance = inputs_.distance}, options);
  const auto regions = static_cast<std::int64_t>(statistics_.cells.size());
  const Sites& sites = inputs_.sites;
  rows_ = sites.are_points() ? static_cast<std::int64_t>(sites.points.size()) / 2 : regions;
  for (std::int64_t i = 0; i < regions; ++i) {
    if (!sites.are_points()) row_of_label_.emplace(label_text(statistics_.labels, i), i);
    row_of_region_.push_back(sites.are_points() ? place_of_point(statistics_.labels, i) : i);
  }
  io::Column cells =
      io::integer_column("cells", std::vector<std::int64_t>(static_cast<std::size_t>(rows_), 0));
  for (std::size_t i = 0; i < row_of_region_.size(); ++i)
    cells.integers[static_cast<std::size_t>(row_of_region_[i])] = statistics_.cells[i];
  measures_.push_back(std::move(cells));
  append("area", on_earth ? statistics_.mass : statistics_.volume);
  const std::array<double, 6> t = georeferenced(sites.grid).georeference->transform;
  const double height = inputs_.spacing.empty() ? 1 : inputs_.spacing[0];
  const double width = inputs_.spacing.empty() ? 1 : inputs_.spacing[1];
  std::vector<double> x, y;
  for (std::size_t i = 0; i < row_of_region_.size(); ++i) {
    const double row = statistics_.centroid[2 * i] / height + 0.5;
    const double column = statistics_.centroid[2 * i + 1] / width + 0.5;
    x.push_back(t[0] + column * t[1] + row * t[2]);
    y.push_back(t[3] + column * t[4] + row * t[5]);
  }
  append("x", x);
  append("y", y);
  append("greatest_distance", statistics_.greatest_distance);
  append("mean_distance", statistics_.mean_distance);
}

void RegionTable::sum(Context& context, const std::string& path) {
  Raster values = values_on_grid("--sum-of", path, inputs_.sites, kNoValue);
  Raster masses = Raster::of<double>(values.extents());
  std::copy_n(values.bytes(), values.size_bytes(), masses.bytes());
  change_cells(masses, [](double value) { return std::isnan(value) ? 0 : value; });
  const SiteStatisticsOptions options{.background = inputs_.unreached, .nodata = inputs_.nodata};
  const SiteStatistics sums =
      site_statistics(context, inputs_.regions,
                      {.field = masses.view(), .distance = std::as_const(values).view()}, options);
  change_cells(values, [](double value) { return -value; });
  std::vector<double> least =
      site_statistics(context, inputs_.regions, {.distance = std::as_const(values).view()}, options)
          .greatest_distance;
  for (double& value : least) value = 0 - value;  // and no -0
  const io::FilePart part = io::part_of(path);
  const std::string name =
      part.file.stem().string() + (part.band ? "_band" + std::to_string(*part.band) : "");
  append(name + "_sum", sums.mass);
  append(name + "_mean", sums.mean_distance);
  append(name + "_least", least);
  append(name + "_greatest", sums.greatest_distance);
}

void RegionTable::append(const std::string& name, const std::vector<double>& of_regions) {
  io::Column column =
      io::real_column(name, std::vector<double>(static_cast<std::size_t>(rows_), kNoValue));
  for (std::size_t i = 0; i < row_of_region_.size(); ++i)
    column.reals[static_cast<std::size_t>(row_of_region_[i])] = of_regions[i];
  measures_.push_back(std::move(column));
}

void RegionTable::find_attributes() {
  const SiteAttributes& attributes = inputs_.sites.attributes;
  if (inputs_.sites.are_points()) {
    attribute_rows_ = attributes.row_of_point;
    return;
  }
  attribute_rows_.assign(static_cast<std::size_t>(rows_), -1);
  if (attributes.columns.empty()) return;
  for (std::int64_t i = attributes.labels.extents()[0] - 1; i >= 0; --i)
    if (const auto found = row_of_label_.find(label_text(attributes.labels, i));
        found != row_of_label_.end())
      attribute_rows_[static_cast<std::size_t>(found->second)] = i;  // of the first feature
}

std::int64_t RegionTable::row_of(const Raster& regions, std::int64_t i) const {
  if (inputs_.sites.are_points()) return place_of_point(regions, i);
  return row_of_label_.at(label_text(regions, i));
}

std::vector<io::Column> RegionTable::keys(const std::string& suffix) const {
  if (!inputs_.sites.are_points()) return site_keys(inputs_.sites, statistics_.labels, suffix);
  Raster places = Raster::of<std::int64_t>({rows_});
  std::iota(places.view<std::int64_t>().data(), places.view<std::int64_t>().data() + rows_, 0);
  return site_keys(inputs_.sites, places, suffix);
}

std::vector<io::Column> RegionTable::measures() const { return measures_; }

std::vector<io::Column> RegionTable::attributes() const {
  std::vector<io::Column> columns;
  for (const io::Column& column : inputs_.sites.attributes.columns)
    columns.push_back(io::rows_of(column, attribute_rows_));
  return columns;
}

}  // namespace thiessen::cli
