// SPDX-License-Identifier: Apache-2.0
#include "results/cost_paths.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "inputs/sites/site_keys.hpp"
#include "io/table/feature_file.hpp"
#include "results/measured_lines.hpp"
#include "talk/interrupt.hpp"
#include "words/arguments.hpp"
#include "words/flag_group.hpp"

namespace thiessen::cli {
namespace {

io::OutputFile& open_file(const PathArguments& arguments, const Extents& extents,
                          ResultFiles& files) {
  if (!arguments.are_lines()) return files.add_other(arguments.file, io::Writers::one);
  try {
    io::require_feature_file(arguments.file, true);
  } catch (const Error& error) {
    throw UsageError("--paths " + std::string(error.what()) + "; .csv and .txt are text");
  }
  require_plane("--paths " + arguments.file, "vector outputs", extents);
  return files.add_other(arguments.file, io::Writers::library);
}

double cost_at(const View<const void>& costs, std::int64_t index) {
  if (costs.element_type() == ElementType::f64)
    return reinterpret_cast<const double*>(costs.bytes())[index];
  return static_cast<double>(reinterpret_cast<const float*>(costs.bytes())[index]);
}

/// Paths as lines through the centres of their cells, or within these; measures are the cost from
/// the start.
struct PathLines {
  MeasuredLines lines = {};
  std::vector<double> costs = {}, lengths = {};

  /// Adds a path through places (y, x), of which there is one at least.
  void add(const std::vector<double>& places, const View<const void>& distance,
           const std::vector<double>& spacing) {
    const auto cost_of = [&](double y, double x) {
      return cost_at(distance, std::lround(y) * distance.extent(1) + std::lround(x));
    };
    const double cost = cost_of(places[0], places[1]);
    double length = 0;
    for (std::size_t i = 0; i < places.size(); i += 2) {
      const double y = places[i], x = places[i + 1];
      lines.add_point(y, x, cost - cost_of(y, x));
      if (i > 0)
        length += std::hypot((y - places[i - 2]) * spacing[0], (x - places[i - 1]) * spacing[1]);
    }
    lines.end_line();
    costs.push_back(cost);
    lengths.push_back(length);
  }
};

}  // namespace

bool PathArguments::are_lines() const {
  return are_given() && !file.ends_with(".csv") && !file.ends_with(".txt");
}

void add_path_flags(CLI::App& command, PathArguments& arguments) {
  auto* from = FlagGroup(command, "Choice")
                   .input("--paths-from", arguments.from,
                          "Points from which least-cost paths lead back to sites: x,y[,z] (.csv "
                          ".txt), or a vector layer");
  auto* paths = FlagGroup(command, "Outputs")
                    .output("--paths", arguments.file,
                            "Paths of --paths-from, or between the sites and --to, as lines with "
                            "their costs (2-D; .gpkg .geojson .fgb .shp); those of --paths-from "
                            "also cell by cell as path,x,y[,z] in cells (.csv .txt)");
  from->needs(paths);
}

CostPaths::CostPaths(const PathArguments& arguments, const CostInput& input, ResultFiles& files)
    : arguments_(arguments),
      starts_(load_path_starts(arguments.from, input.grid, arguments.transform)),
      file_(open_file(arguments, input.sites.extents(), files)) {}

void CostPaths::write(const CostInput& input, const PathRasters& rasters,
                      const CostDistanceOptions& options) {
  for (const std::vector<std::int64_t>& start : starts_.cells) {
    throw_if_interrupted();
    paths_.push_back(least_cost_path(rasters.back_link, options.connectivity, start));
  }
  if (arguments_.are_lines())
    write_lines(input, rasters, options);
  else
    write_text(input.sites.extents());
}

void CostPaths::write_text(const Extents& extents) {
  std::string text = extents.rank() == 3 ? "path,x,y,z\n" : "path,x,y\n";
  for (std::size_t number = 0; number < paths_.size(); ++number) {
    for (std::int64_t index : paths_[number]) {
      text += std::to_string(number + 1);
      for (int axis = extents.rank() - 1; axis >= 0; --axis) {
        text += "," + std::to_string(index % extents[axis]);
        index /= extents[axis];
      }
      text += "\n";
    }
  }
  file_.write(text.data(), text.size());
  file_.close();
}

std::vector<double> CostPaths::places_of(const std::vector<std::int64_t>& path,
                                         const CostInput& input, const PathRasters& rasters,
                                         const CostDistanceOptions& options) const {
  const std::int64_t columns = input.sites.extents()[1];
  const auto place_of = [&](std::int64_t cell) {
    const std::int64_t y = cell / columns, x = cell % columns;
    return std::vector{static_cast<double>(y), static_cast<double>(x)};
  };
  if (input.has_fronts) {
    LeastCostLineInputs inputs{.direction = rasters.direction,
                               .back_link = rasters.back_link,
                               .site_index = rasters.site_index};
    if (input.sites.are_points()) inputs.points = input.sites.point_list().coordinates;
    return least_cost_line(inputs, options.connectivity, options.spacing, place_of(path.front()));
  }
  std::vector<double> places;
  for (const std::int64_t cell : path) {
    const std::vector<double> place = place_of(cell);
    places.insert(places.end(), place.begin(), place.end());
  }
  return places;
}

void CostPaths::write_lines(const CostInput& input, const PathRasters& rasters,
                            const CostDistanceOptions& options) {
  const std::vector<double> spacing =
      options.spacing.empty() ? std::vector<double>{1, 1} : options.spacing;
  PathLines lines;
  std::vector<std::int64_t> numbers, cells, rows;
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    if (paths_[i].empty()) continue;
    lines.add(places_of(paths_[i], input, rasters, options), rasters.distance, spacing);
    numbers.push_back(static_cast<std::int64_t>(i) + 1);
    cells.push_back(paths_[i].front());
    rows.push_back(starts_.row_of_start[i]);
  }
  io::Features features{.rows = static_cast<std::int64_t>(numbers.size()),
                        .columns = {io::integer_column("path", std::move(numbers))},
                        .lines = lines.lines.lines(),
                        .georeference = *georeferenced(input.grid).georeference};
  for (io::Column& column : site_keys(input.sites, io::rows_of(rasters.regions, cells)))
    features.columns.push_back(std::move(column));
  features.columns.push_back(io::real_column("cost", std::move(lines.costs)));
  // On the Earth cells have no one size, in which lengths could be counted.
  if (!options.earth)
    features.columns.push_back(io::real_column("length", std::move(lines.lengths)));
  for (const io::Column& column : starts_.columns)
    features.columns.push_back(io::rows_of(column, rows));
  io::write_features(file_, features);
}

std::optional<CommandWarning> CostPaths::lost() const {
  const auto is_lost = [](const std::vector<std::int64_t>& path) { return path.empty(); };
  const std::int64_t count = std::count_if(paths_.begin(), paths_.end(), is_lost);
  if (count == 0) return std::nullopt;
  const std::int64_t first = std::find_if(paths_.begin(), paths_.end(), is_lost) - paths_.begin();
  return CommandWarning{
      "no_path", count,
      arguments_.from + ": " + std::to_string(count) + " of " + std::to_string(paths_.size()) +
          (paths_.size() == 1 ? " point" : " points") +
          " lie on nodata cells or are unreached, and have no path; the first is point " +
          std::to_string(first + 1)};
}

}  // namespace thiessen::cli
