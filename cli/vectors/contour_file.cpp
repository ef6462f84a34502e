// SPDX-License-Identifier: Apache-2.0
#include "vectors/contour_file.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "io/table/feature_file.hpp"
#include "maps/scale/numbers.hpp"
#include "maps/scale/orientation.hpp"
#include "thiessen/element_visit.hpp"
#include "words/arguments.hpp"
#include "words/flag_group.hpp"

namespace thiessen::cli {
namespace {

ContourOptions to_options(const ContourArguments& arguments) {
  ContourOptions options;
  if (!arguments.levels.empty())
    options.levels = parse_reals("--contour-levels", arguments.levels);
  else if (arguments.interval != "auto")
    options.interval = parse_positive("--contours", arguments.interval);
  return options;
}

/// Turns all lines round.
void reverse_lines(Contours& contours) {
  const auto at = [&](std::size_t line) {
    return contours.coordinates.begin() + 2 * contours.points[line];
  };
  for (std::size_t line = 0; line < contours.levels.size(); ++line) {
    std::reverse(at(line), at(line + 1));
    for (auto y = at(line); y != at(line + 1); y += 2) std::iter_swap(y, y + 1);
  }
}

}  // namespace

void add_contour_flags(CLI::App& command, ContourArguments& arguments) {
  const FlagGroup outputs(command, "Vector outputs");
  auto* file = outputs
                   .option("--contours-to", arguments.file, "FILE",
                           "Lines of equal distance (2-D): .gpkg .geojson .fgb .shp")
                   ->check(check_file_name);
  auto* interval = outputs
                       .word("--contours", arguments.interval, "INTERVAL",
                             "Interval of the lines in the unit of the distances, or auto: a round "
                             "one for about a dozen lines")
                       ->capture_default_str()
                       ->needs(file);
  outputs
      .word("--contour-levels", arguments.levels, "LIST",
            "Distances of the lines, instead of an interval: 100,250,500")
      ->needs(file)
      ->excludes(interval);
}

std::optional<std::array<double, 2>> range_of(const View<const void>& distance) {
  double least = std::numeric_limits<double>::infinity();
  double greatest = -least;
  visit_element_type(distance.element_type(), [&]<class T>(std::type_identity<T>) {
    const auto* const cells = reinterpret_cast<const T*>(distance.bytes());
    for (std::int64_t i = 0; i < distance.extents().count(); ++i) {
      const auto value = static_cast<double>(cells[i]);
      if (!std::isfinite(value)) continue;
      least = std::min(least, value);
      greatest = std::max(greatest, value);
    }
  });
  if (!(least < greatest)) return std::nullopt;
  return std::array{least, greatest};
}

double auto_interval(const std::optional<std::array<double, 2>>& range) {
  constexpr double kMostLines = 12;
  return maps::round_step((range ? (*range)[1] - (*range)[0] : kMostLines) / kMostLines);
}

ContourFile::ContourFile(const ContourArguments& arguments, const Sites& sites, ResultFiles& files)
    : options_(to_options(arguments)), file_(files.add_features(arguments.file, true)) {
  require_plane("--contours-to " + arguments.file, "vector outputs", sites.extents());
}

void ContourFile::write(Context& context, const View<const void>& distance, const Grid& grid,
                        Report& report) {
  if (options_.levels.empty()) {
    if (!options_.interval) options_.interval = auto_interval(range_of(distance));
    report.set("contour_interval", *options_.interval);
  }
  Contours contours = contour_lines(context, distance, options_);
  if (maps::turn_of(grid.georeference, grid.extents)) reverse_lines(contours);
  io::write_features(file_, {.rows = static_cast<std::int64_t>(contours.levels.size()),
                             .columns = {io::real_column("level", std::move(contours.levels))},
                             .lines = io::Lines{contours.points, contours.coordinates},
                             .georeference = *georeferenced(grid).georeference});
}

}  // namespace thiessen::cli
