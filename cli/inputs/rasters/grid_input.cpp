// SPDX-License-Identifier: Apache-2.0
#include "inputs/rasters/grid_input.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "io/raster/crs.hpp"
#include "io/raster/inspect.hpp"
#include "words/arguments.hpp"
#include "words/flag_group.hpp"

namespace thiessen::cli {
namespace {

std::string decimal(const char* format, double number) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), format, number);
  return text.data();
}

/// Lengths of a degree at a latitude, in metres, on the ellipsoid of WGS 84.
struct DegreeLengths {
  double east, north;

  explicit DegreeLengths(double latitude) {
    constexpr double kRadian = 0.017453292519943295;
    constexpr double kEquator = 6378137;
    constexpr double kEccentricity = 0.0066943799901413165;  // squared
    const double sine = std::sin(latitude * kRadian);
    const double rest = 1 - kEccentricity * sine * sine;
    east = kEquator / std::sqrt(rest) * std::cos(latitude * kRadian) * kRadian;
    north = kEquator * (1 - kEccentricity) / (rest * std::sqrt(rest)) * kRadian;
  }
};

/// The number of cells of this size that cover the length.
std::int64_t cells_to_cover(const GridArguments& arguments, double length, double cell) {
  constexpr double kNothing = 1e-6;  // of a cell: the rounding error of 0.3 / 0.1
  const double cells = std::max(1.0, std::ceil(length / cell - kNothing));
  if (!(cells <= static_cast<double>(kMaxExtent)))
    throw UsageError("--bounds " + arguments.bounds + " with --cell-size " + arguments.cell_size +
                     ": makes " + decimal("%.6g", cells) +
                     " cells along an axis; must be at most 2^30");
  return static_cast<std::int64_t>(cells);
}

Grid bounded_grid(const GridArguments& arguments) {
  const std::vector<double> bounds = parse_reals("--bounds", arguments.bounds);
  if (bounds.size() != 4)
    throw UsageError("--bounds " + arguments.bounds + ": must be x0,y0,x1,y1");
  if (!(bounds[0] < bounds[2]) || !(bounds[1] < bounds[3]))
    throw UsageError("--bounds " + arguments.bounds +
                     ": must be x0,y0,x1,y1 with x0 < x1 and y0 < y1");
  std::vector<double> cell = parse_reals("--cell-size", arguments.cell_size);
  if (cell.size() == 1) cell.push_back(cell[0]);
  if (cell.size() != 2 || !(cell[0] > 0) || !(cell[1] > 0))
    throw UsageError("--cell-size " + arguments.cell_size + ": must be a length > 0, or two: x,y");
  Grid grid;
  grid.extents = {cells_to_cover(arguments, bounds[3] - bounds[1], cell[1]),
                  cells_to_cover(arguments, bounds[2] - bounds[0], cell[0])};
  grid.spacing = {cell[1], cell[0]};
  grid.georeference =
      Georeference{.transform = {bounds[0], cell[0], 0, bounds[3], 0, -cell[1]}, .crs = {}};
  return grid;
}

/// Whether distances along the axes add up as in a plane.
bool is_perpendicular(const Georeference& georeference) {
  constexpr double kNothing = 1e-9;
  const auto& t = georeference.transform;
  const double along = t[1] * t[2] + t[4] * t[5];
  return std::abs(along) <= kNothing * std::hypot(t[1], t[4]) * std::hypot(t[2], t[5]);
}

/// Flags with a spacing in metres for the middle latitude, and its error elsewhere.
std::string spacing_advice(const Grid& grid) {
  constexpr double kPole = 90;
  constexpr double kMostError = 0.5;
  std::string unknown = "give --spacing in metres";
  if (!grid.georeference) return unknown;
  const auto& t = grid.georeference->transform;
  const auto rows = static_cast<double>(grid.extents[grid.extents.rank() - 2]);
  const double middle = t[3] + rows / 2 * t[5];
  if (t[2] != 0 || t[4] != 0 || !(std::abs(middle) < kPole)) return unknown;
  const DegreeLengths lengths(middle);
  double error = 0;
  for (const double edge : {t[3], t[3] + rows * t[5]}) {
    const DegreeLengths there(std::clamp(edge, -kPole, kPole));
    error = std::max(error, std::abs(lengths.east / there.east - 1));
  }
  if (error > kMostError)
    return "no --spacing fits latitudes from " + decimal("%.4g", t[3] + rows * t[5]) + " to " +
           decimal("%.4g", t[3]);
  return "give --spacing " + decimal("%.7g", std::abs(t[1]) * lengths.east) + "," +
         decimal("%.7g", std::abs(t[5]) * lengths.north) + (grid.extents.rank() == 3 ? ",1" : "") +
         " (metres at latitude " + decimal("%.4g", middle) +
         ", an approximation: lengths from west to east are up to " + decimal("%.2g", 100 * error) +
         " % wrong at its edges)";
}

}  // namespace

void add_grid_flags(CLI::App& command, GridArguments& arguments) {
  const FlagGroup grid(command, "Grid");
  auto* size = grid.option("--size", arguments.size, "SIZE",
                           "Cells of the grid, WxH or WxHxD; points are then in cells, where the "
                           "centre of the first is 0");
  auto* like = grid.input("--like", arguments.like,
                          "The grid of this raster, and its domain: its nodata cells are nodata in "
                          "the result")
                   ->excludes(size);
  auto* like_grid = grid.input("--like-grid", arguments.like_grid,
                               "The grid of this raster, without its nodata cells as a domain")
                        ->excludes(size)
                        ->excludes(like);
  auto* bounds = grid.option("--bounds", arguments.bounds, "LIST",
                             "World coordinates that whole cells cover: x0,y0,x1,y1; row 0 at y1")
                     ->excludes(size)
                     ->excludes(like)
                     ->excludes(like_grid);
  auto* cell_size = grid.option("--cell-size", arguments.cell_size, "LENGTH",
                                "World length of a cell of --bounds, or two lengths: x,y")
                        ->needs(bounds);
  bounds->needs(cell_size);
}

const char* given_flag(const GridArguments& arguments) {
  if (!arguments.size.empty()) return "--size";
  if (!arguments.like.empty()) return "--like";
  if (!arguments.like_grid.empty()) return "--like-grid";
  return arguments.bounds.empty() ? nullptr : "--bounds";
}

const std::string& like_file(const GridArguments& arguments) {
  return arguments.like.empty() ? arguments.like_grid : arguments.like;
}

std::optional<Grid> load_grid(const GridArguments& arguments) {
  if (arguments.known) return arguments.known;
  if (!arguments.size.empty()) return Grid{.extents = parse_size("--size", arguments.size)};
  const std::string& like = like_file(arguments);
  if (!like.empty()) return as_usage_error([&] { return io::inspect_raster(like).grid; });
  if (!arguments.bounds.empty()) return bounded_grid(arguments);
  return std::nullopt;
}

std::string cause_of(const GridArguments& arguments, const Extents& extents) {
  const std::string makes = " makes " + size_text(extents) + " cells";
  if (!arguments.size.empty()) return "--size " + arguments.size + makes;
  if (!arguments.like.empty()) return "--like " + arguments.like + makes;
  return "--cell-size " + arguments.cell_size + " with --bounds " + arguments.bounds + makes;
}

bool can_be_on_earth(const Grid& grid) {
  if (!grid.georeference || !grid.georeference->degrees || grid.extents.rank() != 2) return false;
  const auto& t = grid.georeference->transform;
  return t[2] == 0 && t[4] == 0;
}

bool goes_around_earth(const Grid& grid) {
  if (!grid.georeference) return false;
  const auto columns = static_cast<double>(grid.extents[grid.extents.rank() - 1]);
  return (columns + 0.5) * std::abs(grid.georeference->transform[1]) > 360;
}

std::string advice_for_degrees(const Grid& grid) {
  std::string spacing = spacing_advice(grid);
  if (!can_be_on_earth(grid)) return spacing;
  return "--metric ellipsoidal measures in metres on the Earth" +
         std::string(spacing.starts_with("give") ? "; or " : ", while ") + spacing;
}

void require_planar(const Grid& grid, const std::string& name, const std::string& advice) {
  if (!grid.georeference) return;
  if (grid.georeference->degrees)
    throw UsageError(name + ": its coordinates are degrees, which are no lengths; " + advice +
                     ", or project it with gdalwarp -t_srs");
  if (!is_perpendicular(*grid.georeference))
    throw UsageError(name + ": its georeference is sheared, so that cells have no spacing; " +
                     advice + ", or warp it with gdalwarp");
}

std::vector<double> choose_spacing(const std::string& text, const Grid& grid,
                                   const std::string& name) {
  if (!text.empty()) return parse_spacing("--spacing", text, grid.extents.rank());
  const bool degrees = grid.georeference && grid.georeference->degrees;
  require_planar(grid, name, degrees ? advice_for_degrees(grid) : "give --spacing x,y");
  return grid.spacing;
}

Earth choose_earth(const Grid& grid, const std::string& name, Metric metric,
                   const std::string& spacing) {
  const std::string why =
      "; --metric " + std::string(name_of(metric)) + " is for grids of longitude and latitude";
  if (!grid.georeference) throw UsageError(name + ": it has no georeference" + why);
  const Georeference& world = *grid.georeference;
  if (!world.crs.empty() && !world.degrees)
    throw UsageError(name + ": its coordinates are lengths" + why +
                     "; gdalwarp -t_srs EPSG:4326 makes one");
  const auto& t = world.transform;
  if (t[2] != 0 || t[4] != 0) throw UsageError(name + ": its rows are no parallels" + why);
  if (grid.extents.rank() != 2) throw UsageError(name + ": it has planes" + why + ", in 2-D");
  if (!spacing.empty())
    throw UsageError("--spacing and --metric " + std::string(name_of(metric)) +
                     " are given; distances on the Earth need no spacing");
  Earth earth;
  for (std::int64_t y = 0; y < grid.extents[0]; ++y)
    earth.latitude.push_back(t[3] + (static_cast<double>(y) + 0.5) * t[5]);
  for (std::int64_t x = 0; x < grid.extents[1]; ++x)
    earth.longitude.push_back(t[0] + (static_cast<double>(x) + 0.5) * t[1]);
  if (const auto own = io::ellipsoid_of(world.crs); own && metric == Metric::ellipsoidal) {
    earth.radius = own->radius;
    earth.flattening = own->flattening;
  }
  return earth;
}

WorldToCell::WorldToCell(const Georeference& georeference, const std::string& name)
    : transform_(georeference.transform),
      determinant_(transform_[1] * transform_[5] - transform_[2] * transform_[4]) {
  if (!std::isnormal(determinant_))
    throw UsageError(name +
                     ": its georeference cannot be inverted; world coordinates have no cell");
}

std::array<double, 2> WorldToCell::operator()(double x, double y) const {
  const double east = x - transform_[0];
  const double north = y - transform_[3];
  const double column = (east * transform_[5] - north * transform_[2]) / determinant_;
  const double row = (north * transform_[1] - east * transform_[4]) / determinant_;
  return {column - 0.5, row - 0.5};
}

}  // namespace thiessen::cli
