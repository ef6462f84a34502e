// SPDX-License-Identifier: Apache-2.0
#include "inputs/sites/site_input.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <limits>
#include <utility>

#include "inputs/rasters/raster_input.hpp"
#include "inputs/sites/ellipses.hpp"
#include "inputs/sites/named_sites.hpp"
#include "inputs/sites/number_field.hpp"
#include "inputs/sites/site_bounds.hpp"
#include "io/files/utf8.hpp"
#include "io/raster/cell_values.hpp"
#include "io/raster/crs.hpp"
#include "io/raster/inspect.hpp"
#include "io/raster/raster_file.hpp"
#include "io/table/points_file.hpp"
#include "io/table/site_file.hpp"
#include "slabs/file_rows.hpp"
#include "words/arguments.hpp"
#include "words/flag_group.hpp"
#include "words/memory.hpp"

namespace thiessen::cli {
namespace {

constexpr std::int64_t kMostInt32 = std::numeric_limits<std::int32_t>::max();

ElementType number_type(std::int64_t most) {
  return most <= kMostInt32 ? ElementType::i32 : ElementType::i64;
}

struct FlagOf {
  const char* flag;
  const std::string& word;
};

/// Throws UsageError for the first flag that is given but belongs to another kind of sites.
void refuse_flags(const std::string& kind, const std::string& name,
                  std::initializer_list<FlagOf> flags) {
  for (const FlagOf& flag : flags)
    if (!flag.word.empty())
      throw UsageError(std::string(flag.flag) + " " + flag.word + ": is not for " + kind +
                       ", as in " + name);
}

/// --nodata belongs to the raster of --like, if there is one.
void refuse_raster_flags(const SiteArguments& arguments) {
  refuse_flags("sites that are points", arguments.file,
               {{"--components", arguments.components}, {"--values", arguments.values}});
  if (arguments.grid.like.empty())
    refuse_flags("sites that are points, without --like", arguments.file,
                 {{"--nodata", arguments.nodata}});
  if (arguments.zero_is_site)
    throw UsageError("--zero-is-site: is not for sites that are points, as in " + arguments.file);
}

void refuse_free_nodata(const SiteArguments& arguments, const char* kind) {
  if (arguments.free_nodata)
    throw UsageError(std::string("--free-nodata: is for rasters, not for ") + kind + ", as in " +
                     arguments.file);
}

/// Sites on the grid of the flags; empty at first.
Sites sites_on_grid(const SiteArguments& arguments, const std::string& name) {
  std::optional<Grid> grid = load_grid(arguments.grid);
  if (!grid)
    throw UsageError(name +
                     " has no grid of its own: give --size WxH, --like FILE, or --bounds "
                     "x0,y0,x1,y1 with --cell-size");
  std::string cause = cause_of(arguments.grid, grid->extents);
  return {.name = name,
          .grid = *std::move(grid),
          .grid_cause = std::move(cause),
          .takes_crs = !arguments.grid.bounds.empty()};
}

/// Any value does for the cells of a mask, of which none has it.
std::optional<LabelValue> nodata_of_sites(const std::string& text,
                                          const std::optional<LabelValue>& of_file,
                                          ElementType type) {
  if (type != ElementType::boolean)
    return choose_nodata("--nodata", text, of_file, type, "the sites' type");
  if (text.empty() || text == "none") return std::nullopt;
  return parse_label("--nodata", text);
}

/// Takes the points of a file in array order, in cells.
void store_points(io::PointsFile file, Sites& sites) {
  if (file.axes != sites.extents().rank())
    throw UsageError(sites.name + ": its points have " + std::to_string(file.axes) +
                     " coordinates, but the grid has " + std::to_string(sites.extents().rank()) +
                     " axes");
  constexpr double kFarthest = 2147483648.0;
  std::optional<WorldToCell> to_cell;
  if (sites.grid.georeference) to_cell.emplace(*sites.grid.georeference, sites.name);
  const auto axes = static_cast<std::ptrdiff_t>(file.axes);
  std::int64_t number = 0;
  for (auto point = file.coordinates.begin(); point != file.coordinates.end(); point += axes) {
    ++number;
    if (to_cell) {
      const std::array<double, 2> cell = (*to_cell)(point[0], point[1]);
      std::copy(cell.begin(), cell.end(), point);
    }
    const bool near = std::all_of(
        point, point + axes, [](double coordinate) { return std::abs(coordinate) <= kFarthest; });
    if (!near)
      throw UsageError(sites.name + ": point " + std::to_string(number) +
                       " must lie at finite coordinates within 2^31 cells of the grid");
    std::reverse(point, point + axes);
  }
  sites.points = std::move(file.coordinates);
  sites.point_labels = std::move(file.labels);
}

/// Compares what a table says about its coordinates with the grid.
void compare_coordinates(const io::PointsFile& file, Sites& sites) {
  const bool degrees = sites.grid.georeference && sites.grid.georeference->degrees;
  if (file.count() == 0 || file.degrees == degrees) return;
  const std::string points =
      std::to_string(file.count()) + (file.count() == 1 ? " point" : " points");
  if (file.degrees)
    sites.warnings.push_back(
        {"degrees_as_lengths", file.count(),
         sites.name + ": the columns of its " + points +
             " are longitude and latitude, and the grid counts " +
             (sites.grid.georeference ? "lengths" : "cells") +
             (sites.takes_crs ? "; if these are degrees, --metric ellipsoidal of voronoi and cost "
                                "measures on the Earth; else transform the points"
                              : "; transform them to its coordinates, or give a grid in degrees")});
  else
    sites.warnings.push_back(
        {"taken_for_degrees", file.count(),
         sites.name + ": the coordinates of its " + points +
             " are taken for longitude and latitude, as the grid is in degrees; columns named "
             "lon,lat would say so"});
}

Sites read_point_sites(const SiteArguments& arguments, const io::ReadOptions& reading) {
  refuse_flags("points of a text file", arguments.file, {{"--band", arguments.band}});
  refuse_layer_flags("points of a text file", arguments.file, arguments.layer);
  refuse_raster_flags(arguments);
  refuse_free_nodata(arguments, "points of a text file");
  Sites sites = sites_on_grid(arguments, arguments.file);
  require_memory_for_file(arguments.file, 4);  // "1,2\n" becomes two doubles
  const io::PointsOptions options{.axes = sites.extents().rank(),
                                  .label_field = arguments.label_field,
                                  .columns = arguments.attributes,
                                  .progress = reading.progress};
  io::PointsFile file = as_usage_error([&] { return io::read_points(arguments.file, options); });
  sites.numbered = file.labels.extents().rank() == 0 || !file.names.empty();
  warn_of_unnamed(file.unnamed, "points", sites.name, sites.warnings);
  compare_coordinates(file, sites);
  if (file.count() > 0) sites.why_none = why_outside(bounds_of(file), sites.grid, arguments.grid);
  sites.names = std::move(file.names);
  sites.attributes.columns = std::move(file.columns);
  for (std::int64_t point = 0; point < file.count(); ++point)
    sites.attributes.row_of_point.push_back(point);
  store_points(std::move(file), sites);
  return sites;
}

Sites read_vector_sites(const SiteArguments& arguments, const io::ReadOptions& reading) {
  refuse_flags("vector layers", arguments.file, {{"--band", arguments.band}});
  refuse_free_nodata(arguments, "vector layers");
  Sites sites = sites_on_grid(arguments, arguments.file);
  // A grid of --bounds takes the coordinates of its sites: --transform is for the other layers.
  LayerArguments own = arguments.layer;
  own.transform = own.transform && !sites.takes_crs;
  io::VectorOptions options = layer_options(own, arguments.file, sites.grid);
  options.label_field = arguments.label_field;
  options.progress = reading.progress;
  auto opened = as_usage_error(
      [&] { return std::make_shared<const io::VectorFile>(arguments.file, options); });
  const io::VectorFile& layer = *opened;
  if (sites.takes_crs) {
    sites.grid.georeference->crs = layer.crs();
    sites.grid.georeference->degrees = layer.degrees();
  }
  require_same_world(layer, sites.name, sites.grid);
  sites.numbered = arguments.label_field.empty() || !layer.names().empty();
  sites.names = layer.names();
  warn_of_features(layer, sites.name, sites.warnings);
  if (arguments.attributes) {
    io::FeatureAttributes attributes = as_usage_error([&] { return layer.attributes(); });
    sites.attributes = {std::move(attributes.columns), std::move(attributes.row_of_point),
                        std::move(attributes.labels)};
    if (!sites.names.empty()) drop_name_column(arguments.label_field, sites.attributes.columns);
  }
  sites.why_none = layer.is_empty() ? "the layer has no feature with a geometry"
                                    : why_outside(layer.bounds(), sites.grid, arguments.grid);
  if (layer.has_points_only()) {
    refuse_raster_flags(arguments);
    store_points(as_usage_error([&] { return layer.points(); }), sites);
    return sites;
  }
  require_plane(sites.name, "lines and areas", sites.extents());
  sites.raster = Raster(layer.label_type(), {0, sites.extents()[1]});
  sites.layer = std::move(opened);
  if (arguments.grid.like.empty())
    sites.nodata = nodata_of_sites(arguments.nodata, std::nullopt, sites.raster.element_type());
  return sites;
}

std::int64_t random_count(const SiteArguments& arguments, const Sites& sites) {
  return parse_integer("--random", arguments.random, 0, sites.extents().count());
}

Sites describe_random_sites(const SiteArguments& arguments) {
  Sites sites = sites_on_grid(arguments, "--random");
  sites.numbered = true;
  const ElementType type = number_type(random_count(arguments, sites));
  sites.raster = Raster(type, slab_extents(sites.extents(), 0));
  return sites;
}

Sites begin_sites_on_grid(const SiteArguments& arguments, const io::ReadOptions& reading) {
  if (!arguments.file.empty())
    return kind_of_input(arguments.file) == io::SiteFileKind::points
               ? read_point_sites(arguments, reading)
               : read_vector_sites(arguments, reading);
  if (!arguments.random.empty()) return describe_random_sites(arguments);
  throw UsageError("no sites: give --sites FILE, or --random N with --size WxH");
}

/// Reads, burns or draws the cells of described sites.
Raster make_cells(const SiteArguments& arguments, Context& context, Progress& progress,
                  Sites& sites) {
  if (sites.cells) return std::exchange(sites.cells, {});
  if (!are_on_grid_of_flags(arguments)) {
    progress.stage("read", 0.2);
    io::ReadOptions reading{.threads = context.threads(), .progress = progress.checkpoint()};
    choose_band(arguments.band, reading);
    return read_raster_file(arguments.file, reading).raster;
  }
  const std::int64_t cells = sites.extents().count();
  const ElementType type = sites.image ? sites.image->type : sites.raster.element_type();
  require_memory(cells, sites.layer ? sizeof(double) : size_of(type), sites.grid_cause);
  if (sites.layer)
    return as_usage_error([&] { return sites.layer->burn(georeferenced(sites.grid)); });
  if (sites.are_in_cells) {
    Raster burned(type, sites.grid);
    put_points_in_cells(sites, {0, sites.extents()[0]}, burned.bytes());
    return burned;
  }
  Raster drawn(type, sites.grid);
  random_sites(context, drawn.view(), random_count(arguments, sites),
               parse_seed("--seed", arguments.seed));
  return drawn;
}

/// Throws UsageError for flags of sites that are no raster.
void require_flags_of_rasters(const SiteArguments& arguments) {
  refuse_flags("rasters", arguments.file,
               {{"--label-field", arguments.label_field},
                {"--weight-field", arguments.weight_field},
                {"--ellipse-fields", arguments.ellipse_fields}});
  refuse_layer_flags("rasters", arguments.file, arguments.layer);
  if (const char* flag = given_flag(arguments.grid))
    throw UsageError(std::string(flag) + ": is for sites without a grid; " + arguments.file +
                     " is a raster");
}

/// Sites that are cells of a raster file. A pipe is read, as its header can be read only once.
Sites describe_cell_sites(const SiteArguments& arguments, const io::ReadOptions& reading) {
  require_flags_of_rasters(arguments);
  auto [head, cells] = describe_raster(arguments.file, arguments.band, reading);
  Sites sites{.name = arguments.file, .grid = head.grid, .scaling = head.scaling};
  if (head.voxels) apply_voxel_size(arguments.file, *head.voxels, sites);
  if (head.type != ElementType::boolean) sites.file_nodata = io::if_held(head.type, head.nodata);
  sites.nodata = nodata_of_sites(arguments.nodata, sites.file_nodata, head.type);
  sites.raster = Raster(head.type, slab_extents(head.grid.extents, 0));
  sites.cells = std::move(cells);
  load_value_names(arguments, sites);
  return sites;
}

/// Takes what the flags say of sites of any kind, and what the raster of the grid says of its
/// voxels.
void apply_flags(const SiteArguments& arguments, Sites& sites) {
  if (const std::string& path = like_file(arguments.grid); !path.empty()) {
    const io::RasterInfo like = as_usage_error([&] { return io::inspect_raster(path); });
    if (like.voxels) apply_voxel_size(path, *like.voxels, sites);
  }
  if (!arguments.values.empty()) sites.values = parse_labels("--values", arguments.values);
  sites.zero_is_site = arguments.zero_is_site;
  sites.free_nodata = arguments.free_nodata;
  if (sites.free_nodata && !sites.nodata)
    throw UsageError("--free-nodata: there is no nodata value of " + sites.name +
                     "; give --nodata V");
}

/// The label of each row of the attributes, which is that of its first point.
Raster labels_of_rows(const Sites& sites) {
  const std::vector<std::int64_t>& rows = sites.attributes.row_of_point;
  const std::int64_t count = rows.empty() ? 0 : *std::ranges::max_element(rows) + 1;
  std::vector<std::int64_t> first(static_cast<std::size_t>(count));
  for (std::size_t point = rows.size(); point-- > 0;)
    first[static_cast<std::size_t>(rows[point])] = static_cast<std::int64_t>(point);
  return io::rows_of(sites.point_labels.view(), first);
}

/// With --weight-field, reads the weights of points, lines or areas from a field of the sites.
void read_weights(const SiteArguments& arguments, Sites& sites) {
  const std::string& field = arguments.weight_field;
  if (field.empty()) return;
  if (!sites.are_points() && !sites.layer)
    throw UsageError("--weight-field " + field + ": " + sites.name +
                     " is a raster; --weights takes those of its cells");
  sites.weights = numbers_of_field(
      "--weight-field", field, arguments, sites, [&](double weight) -> const char* {
        if (!std::isfinite(weight)) return "must be finite";
        return arguments.weights_divide && !(weight > 0) ? "must be > 0" : nullptr;
      });
}

/// With --points-in-cells, points become a raster, which has no rows yet.
void describe_cells_of_points(const SiteArguments& arguments, Sites& sites) {
  if (!arguments.points_in_cells) return;
  if (!sites.weights.empty() || !sites.metrics.empty())
    throw UsageError(std::string(sites.metrics.empty() ? "--weight-field" : "--ellipse-fields") +
                     " and --points-in-cells are given; the cells of points have no " +
                     (sites.metrics.empty() ? "weights" : "ellipses"));
  if (!sites.are_points())
    throw UsageError("--points-in-cells: is for sites that are points, and " + sites.name +
                     " has none");
  if (!sites.point_labels) sites.point_labels = numbers_of_points(sites);
  const View<const void> labels = std::as_const(sites.point_labels).view();
  if (io::can_hold(labels.element_type(), std::int64_t{0}) &&
      io::any_holds(labels, std::int64_t{0}))
    throw UsageError("--points-in-cells: " + sites.name +
                     " has a point with the label 0, which is the label of cells without a site");
  std::int64_t outside = 0;
  const auto axes = static_cast<std::size_t>(sites.extents().rank());
  for (std::size_t i = 0; i < sites.points.size(); i += axes)
    if (!cell_of_point(sites.points.data() + i, sites.extents())) ++outside;
  if (outside > 0)
    sites.warnings.push_back({"in_no_cell", outside,
                              sites.name + ": " + std::to_string(outside) +
                                  (outside == 1 ? " point lies" : " points lie") +
                                  " outside of the grid, and in no cell"});
  if (!sites.attributes.columns.empty()) sites.attributes.labels = labels_of_rows(sites);
  sites.are_in_cells = true;
  sites.raster = Raster(labels.element_type(), slab_extents(sites.extents(), 0));
}

/// With --components, makes the raster that of the numbers of its areas, without rows.
void describe_components(const SiteArguments& arguments, Sites& sites) {
  if (arguments.components.empty()) return;
  const Connectivity connectivity =
      parse_connectivity("--components", arguments.components, sites.extents().rank(), false);
  sites.image =
      Image{sites.raster.element_type(), {.connectivity = connectivity, .nodata = sites.nodata}};
  sites.raster = Raster(number_type(sites.extents().count()), slab_extents(sites.extents(), 0));
  if (sites.nodata) sites.nodata = std::int64_t{-1};
  sites.file_nodata.reset();
  sites.numbered = true;
}

/// Whether the cells of both lie in the same places, to a hundredth of a cell.
bool same_places(const Georeference& a, const Georeference& b, const Extents& extents) {
  const double cell = std::max(std::abs(a.transform[1]) + std::abs(a.transform[2]),
                               std::abs(a.transform[4]) + std::abs(a.transform[5]));
  const auto rows = static_cast<double>(extents[0]);
  const auto columns = static_cast<double>(extents[1]);
  for (const std::size_t axis : {std::size_t{0}, std::size_t{3}})
    for (const double column : {0.0, columns})
      for (const double row : {0.0, rows}) {
        const auto place = [&](const Georeference& g) {
          return g.transform[axis] + column * g.transform[axis + 1] + row * g.transform[axis + 2];
        };
        if (!(std::abs(place(a) - place(b)) <= cell / 100)) return false;
      }
  return true;
}

}  // namespace

void refuse_layer_flags(const std::string& kind, const std::string& file,
                        const LayerArguments& layer) {
  refuse_flags(kind, file,
               {{layer.name_flag, layer.name},
                {"--where", layer.where},
                {"--sql", layer.sql},
                {"--spat", layer.spat}});
  if (layer.transform) throw UsageError("--transform: is not for " + kind + ", as in " + file);
}

io::VectorOptions layer_options(const LayerArguments& arguments, const std::string& name,
                                const Grid& grid) {
  io::VectorOptions options{
      .layer = arguments.name, .where = arguments.where, .sql = arguments.sql};
  if (!arguments.spat.empty()) {
    const std::vector<double> corners = parse_reals("--spat", arguments.spat);
    if (corners.size() != 4 || corners[0] > corners[2] || corners[1] > corners[3])
      throw UsageError("--spat " + arguments.spat +
                       ": must be x0,y0,x1,y1 with x0 <= x1, y0 <= y1");
    options.spat = {corners[0], corners[1], corners[2], corners[3]};
  }
  if (!arguments.transform) return options;
  if (!grid.georeference || grid.georeference->crs.empty())
    throw UsageError("--transform: the grid has no coordinate reference system to which " + name +
                     " could be transformed; --like and --like-grid give one");
  options.to_crs = grid.georeference->crs;
  return options;
}

void require_same_world(const io::VectorFile& layer, const std::string& name, const Grid& grid) {
  const std::string& crs = grid.georeference ? grid.georeference->crs : "";
  if (!grid.georeference && !layer.crs().empty())
    throw UsageError(name +
                     ": its coordinates are of the world, and the grid lies nowhere in it; give "
                     "--like a georeferenced FILE, or --bounds with --cell-size");
  if (crs.empty() != layer.crs().empty())
    throw UsageError(name + ": " + (crs.empty() ? "the grid" : "it") +
                     " has no coordinate reference system, and " +
                     (crs.empty() ? "it" : "the grid") + " has one; assign it with " +
                     (crs.empty() ? "gdal_edit.py -a_srs" : "ogr2ogr -a_srs"));
  if (!crs.empty() && !io::same_crs(crs, layer.crs()))
    throw UsageError(name + ": is in " + io::crs_text(layer.crs()) + ", the grid in " +
                     io::crs_text(crs) + "; --transform takes it there");
}

void mark_points(const Sites& sites, View<std::uint8_t> marks) {
  for (std::size_t i = 0; i + 1 < sites.points.size(); i += 2) {
    const double y = std::nearbyint(sites.points[i]), x = std::nearbyint(sites.points[i + 1]);
    if (y >= 0 && y < static_cast<double>(marks.extent(0)) && x >= 0 &&
        x < static_cast<double>(marks.extent(1)))
      marks(static_cast<std::int64_t>(y), static_cast<std::int64_t>(x)) = 1;
  }
}

std::optional<std::int64_t> cell_of_point(const double* point, const Extents& extents) {
  std::int64_t index = 0;
  for (int axis = 0; axis < extents.rank(); ++axis) {
    const double place = std::ceil(point[axis] - 0.5);
    if (!(place >= 0 && place < static_cast<double>(extents[axis]))) return std::nullopt;
    index = index * extents[axis] + static_cast<std::int64_t>(place);
  }
  return index;
}

void put_points_in_cells(const Sites& sites, const SlabRows& rows, std::byte* cells) {
  const Extents& extents = sites.extents();
  const auto axes = static_cast<std::size_t>(extents.rank());
  const std::size_t bytes = size_of(sites.point_labels.element_type());
  const std::int64_t columns = extents.count() / std::max<std::int64_t>(extents[0], 1);
  std::memset(cells, 0, static_cast<std::size_t>(rows.count * columns) * bytes);
  // The first point of a cell is put last.
  for (std::size_t point = sites.points.size() / axes; point-- > 0;) {
    const auto cell = cell_of_point(sites.points.data() + point * axes, extents);
    const std::int64_t at = cell.value_or(-1) - rows.first * columns;
    if (at < 0 || at >= rows.count * columns) continue;
    std::memcpy(cells + static_cast<std::size_t>(at) * bytes,
                sites.point_labels.bytes() + point * bytes, bytes);
  }
}

void for_each_point(RowSource& source, const Sites& sites,
                    const std::function<void(std::int64_t point, const View<const void>& cells,
                                             std::int64_t at)>& visit) {
  const Extents& extents = sites.extents();
  const auto axes = static_cast<std::size_t>(extents.rank());
  std::vector<std::pair<std::int64_t, std::int64_t>> places;
  for (std::size_t point = 0; point < sites.points.size() / axes; ++point)
    if (const auto cell = cell_of_point(sites.points.data() + point * axes, extents))
      places.emplace_back(*cell, static_cast<std::int64_t>(point));
  std::ranges::sort(places);
  auto next = places.begin();
  const std::int64_t columns = extents.count() / std::max<std::int64_t>(extents[0], 1);
  for_each_rows(source, [&](const SlabRows& rows, const View<const void>& cells) {
    const std::int64_t first = rows.first * columns;
    for (; next != places.end() && next->first < first + rows.count * columns; ++next)
      visit(next->second, cells, next->first - first);
  });
}

Raster numbers_of_points(const Sites& sites) {
  const auto count = static_cast<std::int64_t>(sites.points.size()) / sites.extents().rank();
  Raster numbers(number_type(count), Extents{count});
  for (std::int64_t i = 0; i < count; ++i) {
    if (numbers.element_type() == ElementType::i32)
      numbers.view<std::int32_t>()(i) = static_cast<std::int32_t>(i + 1);
    else
      numbers.view<std::int64_t>()(i) = i + 1;
  }
  return numbers;
}

void require_same_cells(const std::string& name, const Grid& grid, const Sites& sites) {
  if (grid.extents != sites.extents())
    throw UsageError(name + ": has " + size_text(grid.extents) + " cells, and " + sites.name + " " +
                     size_text(sites.extents()) + "; must be the same");
  if (!grid.georeference || !sites.grid.georeference) return;
  const Georeference& own = *grid.georeference;
  const Georeference& other = *sites.grid.georeference;
  if (grid.extents.rank() == 2 && !same_places(own, other, grid.extents))
    throw UsageError(name + ": its cells do not lie where the cells of " + sites.name +
                     " do; warp one of them with gdalwarp -te … -tr …");
  if (!io::same_crs(own.crs, other.crs))
    throw UsageError(name + ": is in " + io::crs_text(own.crs) + ", and " + sites.name + " in " +
                     io::crs_text(other.crs) + "; warp one of them with gdalwarp -t_srs");
}

bool are_on_grid_of_flags(const SiteArguments& arguments) {
  return arguments.file.empty() || kind_of_input(arguments.file) != io::SiteFileKind::raster;
}

Sites describe_sites(const SiteArguments& arguments, int threads, Progress& progress) {
  progress.stage(arguments.file.empty() ? "random sites" : "read", 0.2);
  const io::ReadOptions reading{.threads = threads, .progress = progress.checkpoint()};
  Sites sites = are_on_grid_of_flags(arguments) ? begin_sites_on_grid(arguments, reading)
                                                : describe_cell_sites(arguments, reading);
  read_weights(arguments, sites);
  read_ellipses(arguments, sites);
  describe_cells_of_points(arguments, sites);
  apply_flags(arguments, sites);
  describe_components(arguments, sites);
  return sites;
}

void hold_cells(const SiteArguments& arguments, Context& context, Progress& progress,
                Sites& sites) {
  if (sites.are_points()) return;
  Raster cells = make_cells(arguments, context, progress, sites);
  if (!sites.image) {
    sites.raster = std::move(cells);
    return;
  }
  const std::int64_t count = sites.extents().count();
  const ElementType numbers = sites.raster.element_type();
  progress.stage("components", 0.3, count);
  require_memory(count, size_of(numbers));
  sites.raster = Raster(numbers, sites.grid);
  connected_components(context, std::as_const(cells).view(), sites.image->options,
                       sites.raster.view());
}

Grid georeferenced(Grid grid) {
  if (!grid.georeference)
    grid.georeference = Georeference{.transform = {-0.5, 1, 0, -0.5, 0, 1}, .crs = {}};
  return grid;
}

PointList Sites::point_list() const {
  const std::int64_t axes = extents().rank();
  const Extents shape{static_cast<std::int64_t>(points.size()) / axes, axes};
  PointList list{.coordinates = View<const double>(points.data(), shape)};
  if (point_labels.extents().rank() > 0) list.labels = point_labels.view();
  if (!weights.empty())
    list.weights =
        View<const double>(weights.data(), Extents{static_cast<std::int64_t>(weights.size())});
  if (!metrics.empty())
    list.metrics = View<const double>(metrics.data(), Extents{shape[0], axes, axes});
  return list;
}

ElementType Sites::label_type() const {
  if (!are_points()) {
    const ElementType type = raster.element_type();
    return type != ElementType::boolean ? type : number_type(extents().count());
  }
  if (point_labels.extents().rank() > 0) return point_labels.element_type();
  return number_type(static_cast<std::int64_t>(points.size()) / extents().rank());
}

std::optional<LabelValue> parse_other_label(const std::string& flag, const std::string& text,
                                            const Sites& sites) {
  if (text.empty()) return std::nullopt;
  return parse_value(flag, text, sites.label_type(), "the labels' type");
}

void add_layer_flags(CLI::App& command, LayerArguments& arguments, CLI::Option& sites) {
  const FlagGroup group(command, "Sites");
  auto* layer = group.word(arguments.name_flag, arguments.name, "NAME", "Layer of the vector file")
                    ->needs(&sites);
  auto* where =
      group.word("--where", arguments.where, "SQL", "Only features that meet a condition: pop > 5")
          ->needs(&sites);
  group.word("--sql", arguments.sql, "SQL", "Features that a statement of OGR's SQL selects")
      ->needs(&sites)
      ->excludes(layer)
      ->excludes(where);
  group
      .word("--spat", arguments.spat, "LIST",
            "Only features that meet x0,y0,x1,y1, in the layer's own coordinates")
      ->needs(&sites);
  group.flag(
      "--transform", arguments.transform,
      "Layers in another coordinate reference system are transformed to the system of the grid");
}

void add_site_flags(CLI::App& command, SiteArguments& arguments) {
  const FlagGroup group(command, "Sites");
  auto* sites =
      group
          .word("--sites", arguments.file, "FILE",
                "Raster whose non-zero cells are the sites (.tif .npy .png .pgm .ppm), "
                "points as x,y[,z][,label] (.csv .txt), or a vector layer (.gpkg .shp …); - is "
                "standard input")
          ->transform(input_name)
          ->check(check_file_name);
  group
      .word("--band", arguments.band, "N",
            "Band of the raster, from 1; rgb: colours of three bands as one number, 0xRRGGBB")
      ->needs(sites);
  add_layer_flags(command, arguments.layer, *sites);
  group
      .word("--label-field", arguments.label_field, "NAME",
            "Field of the layer, or column of the points, with the labels. Names are numbered 1, "
            "2, … by first appearance")
      ->needs(sites);
  group
      .word("--random", arguments.random, "N", "Number of random cells as sites, labelled 1, 2, …")
      ->excludes(sites);
  group
      .word("--seed", arguments.seed, "N",
            "Seed of the random sites, and of the noise and random circles of jump flooding")
      ->capture_default_str();
  auto* components =
      group
          .word("--components", arguments.components, "N",
                "Number the connected areas of equal value as separate sites: neighbours are the "
                "4 or 8 around a cell (6, 18 or 26 in 3-D)")
          ->needs(sites);
  auto* values = group
                     .word("--values", arguments.values, "LIST",
                           "Exactly the cells of these values are the sites: 3,7")
                     ->needs(sites)
                     ->excludes(components);
  group
      .flag("--zero-is-site", arguments.zero_is_site,
            "Every cell that is not nodata is a site, zero too")
      ->needs(sites)
      ->excludes(values)
      ->excludes(components);
  group
      .flag("--free-nodata", arguments.free_nodata,
            "The nodata cells are the free cells and all others are sites, zero too: for rasters "
            "of sites and nodata alone")
      ->needs(sites)
      ->excludes(values)
      ->excludes(components);
  group
      .word("--nodata", arguments.nodata, "V",
            "Cells of this value lie outside of the domain, in the raster of --like if there is "
            "one; none: no cells do (default: the nodata value of the file)")
      ->needs(sites);
  add_grid_flags(command, arguments.grid);
}

void apply_voxel_size(const std::string& path, const io::VoxelSize& voxels, Sites& sites) {
  sites.unit = voxels.unit;
  sites.note = path + ": " + voxels.note +
               (voxels.spacing.empty() ? "; --spacing gives it" : "; --spacing says otherwise");
}

void Sites::measure_on_earth() {
  unit = "metre";
  on_earth = true;
  std::erase_if(warnings,
                [](const CommandWarning& warning) { return warning.kind == "degrees_as_lengths"; });
}

std::string Sites::unit_of_grid() const {
  if (!unit.empty() || !grid.georeference) return unit;
  const auto of_crs = as_usage_error([&] { return io::length_unit_of(grid.georeference->crs); });
  return of_crs ? of_crs->symbol : "";
}

void tell_unit(const Sites& sites, const TalkArguments& talk, Report& report) {
  if (sites.note.empty()) return;
  if (!talk.quiet) std::fprintf(stderr, "thiessen: %s\n", io::in_one_line(sites.note).c_str());
  for (const double length : sites.grid.spacing) report.append("spacing", length);
  if (!sites.unit.empty()) report.set("unit", sites.unit);
}

void choose_sites(const Sites& sites, NearestSiteOptions& options) {
  options.nodata = sites.nodata;
  options.values = sites.values;
  options.zero_is_site = sites.zero_is_site;
  options.free_nodata = sites.free_nodata;
}

NearestSiteStream stream_of(const Sites& sites, RowSource* cells, RowSource* domain,
                            const NearestSiteOptions& options,
                            std::vector<StreamedOutput> outputs) {
  NearestSiteStream streamed{
      .sites = cells, .domain = domain, .options = options, .outputs = std::move(outputs)};
  if (sites.are_points()) {
    streamed.points = sites.point_list();
    streamed.grid = sites.grid;
  }
  return streamed;
}

void find_nearest(Context& context, const Sites& sites, NearestSiteOptions options,
                  const NearestSiteOutputs& out) {
  const View<const void> domain = sites.domain.view();
  if (sites.are_points())
    return voronoi(context, sites.point_list(), sites.grid, options, out, domain);
  choose_sites(sites, options);
  nearest_site(context, sites.raster.view(), options, out, domain, sites.weight_cells.view());
}

}  // namespace thiessen::cli
