// SPDX-License-Identifier: Apache-2.0
#include "inputs/cost_input.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "inputs/rasters/domain_input.hpp"
#include "inputs/rasters/raster_input.hpp"
#include "inputs/sites/named_sites.hpp"
#include "inputs/sites/number_field.hpp"
#include "inputs/sites/site_keys.hpp"
#include "io/raster/cell_values.hpp"
#include "io/raster/crs.hpp"
#include "io/raster/raster_rows.hpp"
#include "io/table/crossed_faces.hpp"
#include "io/table/points_file.hpp"
#include "io/table/site_file.hpp"
#include "maps/scale/numbers.hpp"
#include "slabs/file_rows.hpp"
#include "slabs/slab_plan.hpp"
#include "thiessen/element_visit.hpp"
#include "words/arguments.hpp"
#include "words/flag_group.hpp"
#include "words/memory.hpp"

namespace thiessen::cli {
namespace {

bool is_raster_file(const std::string& path) {
  return !path.empty() && kind_of_input(path) == io::SiteFileKind::raster;
}

/// Whether the sites take the grid of the map's file.
bool need_grid(const SiteArguments& sites) {
  if (given_flag(sites.grid) != nullptr) return false;
  return !is_raster_file(sites.file);
}

/// Takes the grid of the map, or of the elevation.
void apply_grid(const MapArguments& arguments, const io::RasterHead& head, CostInput& input) {
  input.name = ground_file(arguments);
  input.grid = head.grid;
  require_same_cells(input.name, input.grid, input.sites);
  input.grid_name = input.name;
  const Grid& other = input.sites.grid;
  const bool has_voxels = head.voxels && !head.voxels->spacing.empty();
  if (has_voxels && !other.georeference && other.spacing.empty()) {
    apply_voxel_size(input.name, *head.voxels, input.sites);
    return;
  }
  if (input.grid.georeference) return;
  input.grid = input.sites.grid;
  input.grid_name = input.sites.name;
}

/// Takes what the file of the map says besides its cells.
void apply_map_head(const MapArguments& arguments, const io::RasterHead& head, CostInput& input) {
  input.map_nodata =
      choose_nodata("--map-nodata", arguments.nodata, head.nodata, head.type, "the file's type");
  input.map_scaling = head.scaling;
  require_scaling(ground_file(arguments), head.scaling);
  apply_grid(arguments, head, input);
}

/// The same of the elevation, whose cells lie where those of the map do.
void apply_elevation_head(const MapArguments& arguments, const io::RasterHead& head,
                          CostInput& input) {
  input.elevation_nodata = choose_nodata("--elevation-nodata", arguments.elevation_nodata,
                                         head.nodata, head.type, "the file's type");
  input.elevation_scaling = head.scaling;
  require_scaling(arguments.elevation, head.scaling);
  if (!arguments.has_map()) return apply_grid(arguments, head, input);
  require_same_cells(arguments.elevation, head.grid, input.sites);
  if (input.grid.georeference || !head.grid.georeference) return;
  input.grid = head.grid;
  input.grid_name = arguments.elevation;
}

/// Warns of a domain of --like: that of the map is the one that counts.
void warn_of_domain(const SiteArguments& arguments, int threads, Sites& sites) {
  if (arguments.grid.like.empty()) return;
  DomainRows domain = domain_of_like(arguments.grid.like, arguments.nodata, threads);
  if (!domain.is_all() && has_cell(domain, 0))
    sites.warnings.push_back({"domain", 1,
                              arguments.grid.like +
                                  ": its nodata cells are ignored, because the domain of cost "
                                  "distance is the domain of the map; --like-grid says so"});
}

/// FILE:FIELD.
struct FieldOfFile {
  std::string file, field;
};

FieldOfFile parse_field(const std::string& flag, const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0 || colon + 1 == text.size())
    throw UsageError(flag + " " + text + ": must be FILE:FIELD");
  return {text.substr(0, colon), text.substr(colon + 1)};
}

/// A layer that lies where the grid of the sites does; `name` is that of messages.
io::VectorFile open_layer(const std::string& name, const FieldOfFile& layer, bool transform,
                          Sites& sites) {
  require_plane(name, "layers", sites.extents());
  io::VectorOptions options = layer_options({.transform = transform}, layer.file, sites.grid);
  options.label_field = layer.field;
  options.all_touched = true;
  io::VectorFile file = as_usage_error([&] { return io::VectorFile(layer.file, options); });
  require_same_world(file, name, sites.grid);
  warn_of_features(file, layer.file, sites.warnings);
  return file;
}

/// A layer burned onto the grid of the sites: 0 where it has no feature.
Raster burn_layer(const std::string& flag, const FieldOfFile& layer, bool transform, Sites& sites) {
  const std::string name = flag + " " + layer.file;
  const io::VectorFile file = open_layer(name, layer, transform, sites);
  if (!file.names().empty())
    throw UsageError(name + ": the field " + layer.field + " holds text; must hold numbers");
  return as_usage_error([&] { return file.burn(georeferenced(sites.grid)); });
}

/// Blocks the faces that the layers of --walls cross.
void cross_walls(const MapArguments& arguments, bool transform, CostInput& input) {
  if (arguments.walls.empty()) return;
  const Extents& extents = input.sites.extents();
  require_memory(extents.count(), sizeof(std::uint8_t), input.sites.grid_cause);
  input.blocked_faces = Raster(ElementType::u8, extents);
  const auto faces = input.blocked_faces.view<std::uint8_t>();
  std::fill_n(faces.data(), extents.count(), std::uint8_t{0});
  for (const std::string& path : arguments.walls) {
    const std::string name = "--walls " + path;
    const io::VectorFile file = open_layer(name, {path, ""}, transform, input.sites);
    if (file.has_points_only() && !file.is_empty())
      throw UsageError(name + ": holds points; must hold lines or areas");
    const auto lines = as_usage_error([&] { return file.lines(georeferenced(input.sites.grid)); });
    if (!io::block_crossed_faces(lines, faces))
      throw UsageError(name + ": a line leads more than 2^30 cells away from the grid");
  }
}

/// Calls visit(index, value) for each cell of a burned layer that has a feature.
template <class Visit>
void for_each_burned(const Raster& burned, const Visit& visit) {
  visit_element_type(burned.element_type(), [&]<class T>(std::type_identity<T>) {
    const auto* const cells = reinterpret_cast<const T*>(burned.bytes());
    for (std::int64_t i = 0; i < burned.extents().count(); ++i)
      if (cells[i] != 0) visit(i, static_cast<double>(cells[i]));
  });
}

/// The map as f32, or as f64 if it holds more than that; nodata cells become NaN, a barrier.
Raster as_floats(const Raster& map, const std::optional<LabelValue>& nodata) {
  const ElementType type = map.element_type();
  const bool wide =
      size_of(type) > sizeof(float) || type == ElementType::i32 || type == ElementType::u32;
  Raster floats(wide ? ElementType::f64 : ElementType::f32, map.grid());
  visit_element_type(type, [&]<class From>(std::type_identity<From>) {
    const auto* const from = reinterpret_cast<const From*>(map.bytes());
    const std::int64_t count = map.extents().count();
    if (wide)
      std::copy_n(from, count, floats.view<double>().data());
    else
      std::transform(from, from + count, floats.view<float>().data(),
                     [](From value) { return static_cast<float>(value); });
  });
  if (nodata)
    io::replace_where(floats.view(), std::numeric_limits<double>::quiet_NaN(), map.view(), *nodata);
  return floats;
}

void put_cell(Raster& floats, std::int64_t index, double value) {
  if (floats.element_type() == ElementType::f64)
    floats.view<double>().data()[index] = value;
  else
    floats.view<float>().data()[index] = static_cast<float>(value);
}

struct Unit {
  const char* name;
  double size;
};
/// In metres per second.
constexpr Unit kSpeedUnits[] = {
    {"km/h", 1 / 3.6}, {"m/s", 1}, {"mph", 0.44704}, {"kn", 1852.0 / 3600}};
/// In seconds.
constexpr Unit kTimeUnits[] = {{"s", 1}, {"min", 60}, {"h", 3600}};

std::vector<std::string> names_of(std::span<const Unit> units) {
  std::vector<std::string> names;
  for (const Unit& unit : units) names.emplace_back(unit.name);
  return names;
}

double size_of_unit(std::span<const Unit> units, const std::string& name) {
  return std::ranges::find(units, name, [](const Unit& unit) { return unit.name; })->size;
}

/// The cost of a unit of length at a speed of 1.
double cost_at_unit_speed(const MapArguments& arguments, const CostInput& input) {
  if (arguments.speed_unit.empty()) return 1;
  const auto unit = input.grid.georeference ? io::length_unit_of(input.grid.georeference->crs)
                                            : std::optional<io::LengthUnit>();
  const double metres = unit ? unit->metres : 1;
  return metres / size_of_unit(kSpeedUnits, arguments.speed_unit) /
         size_of_unit(kTimeUnits, time_unit(arguments));
}

/// Burns the values of --cost-of, or `scale` over those of --speed-of.
void burn_costs(const std::string& flag, const std::string& text, bool transform,
                std::optional<double> scale, CostInput& input) {
  if (text.empty()) return;
  const Raster values = burn_layer(flag, parse_field(flag, text), transform, input.sites);
  for_each_burned(values, [&](std::int64_t index, double value) {
    if (!(value > 0))
      throw UsageError(flag + " " + text + ": holds " + std::to_string(value) +
                       "; must be greater than 0");
    put_cell(input.map, index, scale ? *scale / value : value);
  });
}

/// Burns the layers of the flags onto the map.
void burn_layers(const MapArguments& arguments, bool transform, CostInput& input) {
  if (!arguments.have_layers()) return;
  input.map = as_floats(input.map, input.nodata_of_map());
  input.map_nodata.reset();
  burn_costs("--cost-of", arguments.cost_of, transform, std::nullopt, input);
  burn_costs("--speed-of", arguments.speed_of, transform, cost_at_unit_speed(arguments, input),
             input);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double barrier = input.edge_weight == EdgeWeight::cost ? kInfinity : 0;
  for (const std::string& file : arguments.barriers)
    for_each_burned(burn_layer("--barriers", {file, ""}, transform, input.sites),
                    [&](std::int64_t index, double) { put_cell(input.map, index, barrier); });
}

/// A map of one value, for layers to be burned onto.
void fill_map(float value, CostInput& input) {
  require_memory(input.sites.extents().count(), sizeof(float), input.sites.grid_cause);
  input.map = Raster(ElementType::f32, input.grid);
  std::fill_n(input.map.view<float>().data(), input.map.extents().count(), value);
}

io::ReadOptions reading_of(int threads, Progress& progress) {
  return {.colours = false, .threads = threads, .progress = progress.checkpoint()};
}

/// The raster of a file without its rows, but with them if it is a pipe; `take(head)` takes what
/// the file says besides. `nodata` is set by that.
template <class Take>
Raster describe_ground(const std::string& path, const std::optional<LabelValue>& nodata,
                       int threads, Progress& progress, const Take& take) {
  auto [head, cells] = describe_raster(path, "", reading_of(threads, progress));
  take(head);
  if (cells) return as_quantities(path, std::move(cells), head.scaling, nodata);
  return Raster(head.scaling ? ElementType::f64 : head.type, slab_extents(head.grid.extents, 0));
}

/// Reads what describe_ground() has left.
void hold_ground(const std::string& path, const io::Scaling& scaling,
                 const std::optional<LabelValue>& nodata, int threads, Progress& progress,
                 Raster& ground) {
  if (is_stream(path)) return;
  io::RasterFile file = read_raster_file(path, reading_of(threads, progress));
  ground = as_quantities(path, std::move(file.raster), scaling, nodata);
}

void make_map(const MapArguments& arguments, Context& context, Progress& progress,
              CostInput& input) {
  const SeededMaterial made = parse_material("--map", arguments.material);
  progress.stage("make map", 0.3);
  require_memory(input.sites.extents().count(), sizeof(float), input.sites.grid_cause);
  input.map = Raster(ElementType::f32, input.grid);
  material_map(context, input.map.view(), made.material, made.seed);
}

bool is_map_file(const MapArguments& map) { return !map.stiffness.empty() || !map.cost.empty(); }

}  // namespace

std::string ground_file(const MapArguments& arguments) {
  if (!arguments.has_map()) return arguments.elevation;
  return arguments.stiffness.empty() ? arguments.cost : arguments.stiffness;
}

void add_map_flags(CLI::App& command, MapArguments& arguments) {
  const FlagGroup map(command, "Map");
  auto* stiffness = map.input("--stiffness", arguments.stiffness,
                              "Raster of stiffness W: a step costs 2·length / (W + W); 0 is a "
                              "barrier");
  auto* cost = map.input("--cost", arguments.cost,
                         "Raster of cost C: a step costs length·(C + C) / 2; inf is a barrier")
                   ->excludes(stiffness);
  auto* made = map.word("--map", arguments.material, "NAME[:SEED]",
                        "Artificial map of stiffness: uniform, gradient, noise or maze")
                   ->excludes(stiffness)
                   ->excludes(cost);
  map.word("--map-nodata", arguments.nodata, "V",
           "Cells of the map with this value lie outside of the domain; none: no cells do "
           "(default: the nodata value of the file)");
  map.option("--barriers", arguments.barriers, "FILE",
             "Layer whose features no path crosses, in every cell that they touch; repeatable")
      ->check(check_file_name);
  map.option(
         "--walls", arguments.walls, "FILE",
         "Layer of lines, or of areas with outlines, that no path crosses: walls between cells, "
         "which take none of them; repeatable")
      ->check(check_file_name);
  map.word("--cost-of", arguments.cost_of, "FILE:FIELD",
           "Field of a layer with the cost of the cells that its features touch. Other cells have "
           "the cost of --cost, or are barriers")
      ->excludes(stiffness)
      ->excludes(made);
  auto* speed = map.word("--speed-of", arguments.speed_of, "FILE:FIELD",
                         "The same with a speed, whose inverse is the cost")
                    ->excludes(stiffness)
                    ->excludes(made);
  auto* speed_unit = map.word("--speed-unit", arguments.speed_unit, "UNIT",
                              "Unit of --speed-of: costs are times then")
                         ->needs(speed)
                         ->check(CLI::IsMember(names_of(kSpeedUnits)));
  map.word("--cost-unit", arguments.cost_unit, "UNIT",
           "Unit of times, and so of --max-distance and of initial costs (default: s)")
      ->needs(speed_unit)
      ->check(CLI::IsMember(names_of(kTimeUnits)));
  auto* elevation = map.input("--elevation", arguments.elevation,
                              "Raster of elevations in metres: costs are seconds of walking. A "
                              "cost map multiplies them, a stiffness divides them (--walk-map)");
  map.word("--elevation-nodata", arguments.elevation_nodata, "V",
           "Cells of this elevation lie outside the domain; none: no cells do (default: what the "
           "file says)")
      ->needs(elevation);
}

std::string time_unit(const MapArguments& arguments) {
  if (arguments.speed_unit.empty()) return "";
  return arguments.cost_unit.empty() ? "s" : arguments.cost_unit;
}

SeededMaterial parse_material(const std::string& flag, const std::string& text) {
  const std::size_t colon = text.find(':');
  const auto material = find_material(text.substr(0, colon));
  if (!material) throw UsageError(flag + " " + text + ": must be uniform, gradient, noise or maze");
  SeededMaterial made{.material = *material};
  if (colon != std::string::npos)
    made.seed = parse_seed(flag + " " + text + ": seed", text.substr(colon + 1));
  return made;
}

CostInput describe_cost_input(const MapArguments& map, SiteArguments& sites, Context& context,
                              Progress& progress) {
  if (!map.has_map() && map.elevation.empty())
    throw UsageError(
        "no map: give --stiffness FILE, --cost FILE, --map NAME, --elevation FILE, or --cost-of or "
        "--speed-of FILE:FIELD");
  if (!map.nodata.empty() && !is_map_file(map))
    throw UsageError("--map-nodata " + map.nodata + ": is for a map from a file");
  const int threads = context.threads();
  const std::string file = is_map_file(map) ? ground_file(map) : map.elevation;
  if (!file.empty() && need_grid(sites)) sites.grid.like_grid = file;
  CostInput input;
  input.sites = describe_sites(sites, threads, progress);
  warn_of_domain(sites, threads, input.sites);
  const bool is_cost = !map.cost.empty() || !map.cost_of.empty() || !map.speed_of.empty();
  input.edge_weight = is_cost ? EdgeWeight::cost : EdgeWeight::stiffness;
  if (is_map_file(map)) {
    input.map =
        describe_ground(ground_file(map), input.map_nodata, threads, progress,
                        [&](const io::RasterHead& head) { apply_map_head(map, head, input); });
  } else if (map.has_map()) {
    const bool is_made = !map.material.empty();
    input.name = is_made ? "--map" : "--cost-of, --speed-of";
    input.grid = input.sites.grid;
    input.grid_name = is_made ? input.name : input.sites.name;
    input.map = Raster(ElementType::f32, slab_extents(input.sites.extents(), 0));
  }
  if (!map.elevation.empty())
    input.elevation = describe_ground(
        map.elevation, input.elevation_nodata, threads, progress,
        [&](const io::RasterHead& head) { apply_elevation_head(map, head, input); });
  if (!map.walls.empty())
    input.blocked_faces = Raster(ElementType::u8, slab_extents(input.sites.extents(), 0));
  return input;
}

void hold_map(const MapArguments& map, bool transform, Context& context, Progress& progress,
              CostInput& input) {
  progress.stage("read map", 0.3);
  const int threads = context.threads();
  if (is_map_file(map))
    hold_ground(ground_file(map), input.map_scaling, input.map_nodata, threads, progress,
                input.map);
  else if (!map.material.empty())
    make_map(map, context, progress, input);
  else if (map.has_map())
    fill_map(std::numeric_limits<float>::infinity(), input);  // barriers but for the layers
  if (!map.elevation.empty())
    hold_ground(map.elevation, input.elevation_scaling, input.elevation_nodata, threads, progress,
                input.elevation);
  if (!map.has_map() && map.have_layers()) fill_map(1, input);
  burn_layers(map, transform, input);
  cross_walls(map, transform, input);
}

void require_initial_cost(const std::string& path, const Grid& grid, ElementType type,
                          const Sites& sites) {
  require_same_cells("--initial-cost " + path, grid, sites);
  if (type != ElementType::f32 && type != ElementType::f64)
    throw UsageError("--initial-cost " + path + ": holds " + std::string(name_of(type)) +
                     "; must hold f32 or f64");
}

std::vector<double> initial_costs_of_points(RowSource& costs, const Sites& sites) {
  // A point outside is ignored.
  std::vector<double> of_points(sites.points.size() /
                                static_cast<std::size_t>(sites.extents().rank()));
  for_each_point(costs, sites,
                 [&](std::int64_t point, const View<const void>& cells, std::int64_t at) {
                   of_points[static_cast<std::size_t>(point)] =
                       cells.element_type() == ElementType::f64
                           ? reinterpret_cast<const double*>(cells.bytes())[at]
                           : static_cast<double>(reinterpret_cast<const float*>(cells.bytes())[at]);
                 });
  return of_points;
}

std::vector<double> initial_costs_of_field(const std::string& field, const SiteArguments& arguments,
                                           const Sites& sites) {
  if (!sites.are_points() && !sites.layer)
    throw UsageError("--initial-cost-field " + field +
                     ": is for sites of a layer or table; --initial-cost takes a raster");
  return numbers_of_field("--initial-cost-field", field, arguments, sites, [](double cost) {
    return std::isfinite(cost) && cost >= 0 ? nullptr : "must be finite and >= 0";
  });
}

namespace {

/// The points of a table, whose labels are a column like the others.
io::PointsFile read_table(const std::string& path, const Grid& grid, PathStarts& starts) {
  io::PointsFile file = as_usage_error(
      [&] { return io::read_points(path, {.axes = grid.extents.rank(), .columns = true}); });
  if (file.labels) starts.columns.push_back(label_column("from_label", file.labels));
  std::move(file.columns.begin(), file.columns.end(), std::back_inserter(starts.columns));
  starts.row_of_start.resize(static_cast<std::size_t>(file.count()));
  std::iota(starts.row_of_start.begin(), starts.row_of_start.end(), 0);
  return file;
}

/// The points of a layer.
io::PointsFile read_layer(const std::string& path, const Grid& grid, bool transform,
                          PathStarts& starts) {
  const std::string name = "--paths-from " + path;
  require_plane(name, "layers", grid.extents);
  const io::VectorOptions options = layer_options({.transform = transform}, path, grid);
  const io::VectorFile layer = as_usage_error([&] { return io::VectorFile(path, options); });
  require_same_world(layer, name, grid);
  warn_of_features(layer, path, starts.warnings);
  return as_usage_error([&] {
    io::PointsFile points = layer.points();
    io::FeatureAttributes attributes = layer.attributes();
    starts.columns = std::move(attributes.columns);
    starts.row_of_start = std::move(attributes.row_of_point);
    return points;
  });
}

}  // namespace

PathStarts load_path_starts(const std::string& path, const Grid& grid, bool transform) {
  const int axes = grid.extents.rank();
  PathStarts starts;
  const bool is_layer = kind_of_input(path) == io::SiteFileKind::vector;
  const io::PointsFile file =
      is_layer ? read_layer(path, grid, transform, starts) : read_table(path, grid, starts);
  std::optional<WorldToCell> to_cell;
  if (grid.georeference && axes == 2) to_cell.emplace(*grid.georeference, path);
  for (std::int64_t point = 0; point < file.count(); ++point) {
    const auto first = file.coordinates.begin() + point * axes;
    std::vector<double> place(first, first + axes);
    if (to_cell) {
      const std::array<double, 2> cell = (*to_cell)(place[0], place[1]);
      place.assign(cell.begin(), cell.end());
    }
    std::vector<std::int64_t> start;
    for (int axis = 0; axis < axes; ++axis) {
      const double own = std::floor(place[static_cast<std::size_t>(axes - 1 - axis)] + 0.5);
      if (!(own >= 0 && own < static_cast<double>(grid.extents[axis])))
        throw UsageError("--paths-from " + path + ": point " + std::to_string(point + 1) +
                         " lies outside of the map");
      start.push_back(static_cast<std::int64_t>(own));
    }
    starts.cells.push_back(std::move(start));
  }
  return starts;
}

}  // namespace thiessen::cli
