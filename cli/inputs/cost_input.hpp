// SPDX-License-Identifier: Apache-2.0
//
// The map and the sites of the command `cost`.
#pragma once

#include <CLI/CLI.hpp>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "inputs/sites/site_input.hpp"
#include "io/raster/inspect.hpp"
#include "talk/progress.hpp"
#include "thiessen/slabs/stream.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::cli {

/// The words of the command line, not parsed yet.
struct MapArguments {
  std::string stiffness, cost, material, nodata;
  std::vector<std::string> barriers, walls;
  std::string cost_of, speed_of;  ///< FILE:FIELD
  std::string speed_unit, cost_unit;
  std::string elevation, elevation_nodata;

  /// Whether there is a map besides the elevation.
  bool has_map() const {
    return !stiffness.empty() || !cost.empty() || !material.empty() || !cost_of.empty() ||
           !speed_of.empty();
  }
  /// Whether layers are burned onto the map, or make it.
  bool have_layers() const { return !barriers.empty() || !cost_of.empty() || !speed_of.empty(); }
};

/// The file that holds the map, or without a map the elevation; empty if there is none.
std::string ground_file(const MapArguments& arguments);

void add_map_flags(CLI::App& command, MapArguments& arguments);

/// "gradient" or "maze:7".
struct SeededMaterial {
  Material material = Material::uniform;
  std::uint64_t seed = 0;
};
SeededMaterial parse_material(const std::string& flag, const std::string& text);

/// The unit of the costs of speeds that have one: --cost-unit, or seconds. Else empty.
std::string time_unit(const MapArguments& arguments);

struct CostInput {
  Sites sites = {.name = ""};
  Raster map;            ///< without axes if there is an elevation alone
  Raster elevation;      ///< without axes if nothing is walked
  Raster blocked_faces;  ///< without axes if there are no walls
  Grid grid;             ///< of the map's file, of that of the elevation, or else of the sites
  std::string name;      ///< of the map, or else of the elevation
  std::string grid_name;
  EdgeWeight edge_weight = EdgeWeight::stiffness;
  std::optional<LabelValue> map_nodata, elevation_nodata;  ///< as the files store them
  io::Scaling map_scaling = {}, elevation_scaling = {};    ///< which the cells have, if any
  std::string unit = {};                                   ///< of costs, if it is known
  bool has_fronts = false;       ///< of a plane: ways cross cells in any direction
  bool nodata_is_label = false;  ///< whether a site is known to have nodata() as its label

  bool is_walk() const { return elevation.extents().rank() > 0; }
  bool has_walls() const { return blocked_faces.extents().rank() > 0; }
  /// What the cells hold where the files have nodata.
  std::optional<LabelValue> nodata_of_map() const { return nodata_of(map_nodata, map_scaling); }
  std::optional<LabelValue> nodata_of_elevation() const {
    return nodata_of(elevation_nodata, elevation_scaling);
  }
  /// The value that labels of nodata cells may have.
  const std::optional<LabelValue>& nodata() const {
    return map_nodata ? map_nodata : elevation_nodata;
  }

 private:
  static std::optional<LabelValue> nodata_of(const std::optional<LabelValue>& stored,
                                             const io::Scaling& scaling) {
    if (!stored || !scaling) return stored;
    return std::numeric_limits<double>::quiet_NaN();
  }
};

/// Map and sites without their cells: rasters have no rows, but their types. Pipes are read, as
/// their headers can be read only once. Sites without a grid get that of the map's file, or without
/// a map that of the elevation, which `sites` then says, too. Throws UsageError for errors of the
/// user.
CostInput describe_cost_input(const MapArguments& map, SiteArguments& sites, Context& context,
                              Progress& progress);

/// Reads or makes the cells of the map, with layers on it that --transform is for, too, and of the
/// elevation, and the faces that walls block. Throws UsageError.
void hold_map(const MapArguments& map, bool transform, Context& context, Progress& progress,
              CostInput& input);

/// Throws UsageError if a raster file cannot hold them.
void require_initial_cost(const std::string& path, const Grid& grid, ElementType type,
                          const Sites& sites);
/// What the cells of a raster hold in which points lie: f32 or f64.
std::vector<double> initial_costs_of_points(RowSource& costs, const Sites& sites);
/// What a field of the sites' own layer or table has: a value for each of the points, or for each
/// feature of lines and areas. Throws UsageError.
std::vector<double> initial_costs_of_field(const std::string& field, const SiteArguments& arguments,
                                           const Sites& sites);

/// Where paths start.
struct PathStarts {
  std::vector<std::vector<std::int64_t>> cells = {};  ///< that the points lie in, in array order
  /// The fields of their layer, with one row for all points of a multipoint, or the other columns
  /// of their table.
  std::vector<io::Column> columns = {};
  std::vector<std::int64_t> row_of_start = {};
  std::vector<CommandWarning> warnings = {};
};

/// The points of a text file or of a layer on a grid. Throws UsageError.
PathStarts load_path_starts(const std::string& path, const Grid& grid, bool transform);

}  // namespace thiessen::cli
