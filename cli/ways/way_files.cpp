// SPDX-License-Identifier: Apache-2.0
#include "ways/way_files.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "inputs/sites/site_keys.hpp"
#include "io/raster/cell_values.hpp"
#include "operations/tables/networks/networks.hpp"
#include "results/measured_lines.hpp"
#include "thiessen/choices/float_type.hpp"
#include "vectors/outline_measures.hpp"
#include "ways/pair_list.hpp"
#include "words/arguments.hpp"

namespace thiessen::cli {
namespace {

Places places_of(const Sites& sites) {
  if (sites.are_points()) return sites.point_list();
  return std::as_const(sites.raster).view();
}

void add_way(const LeastCostPaths& paths, std::size_t way, std::int64_t columns,
             MeasuredLines& lines) {
  const auto first = static_cast<std::size_t>(paths.points[way]);
  const auto end = static_cast<std::size_t>(paths.points[way + 1]);
  for (std::size_t i = first; i < end; ++i) {
    const std::int64_t y = paths.cells[i] / columns, x = paths.cells[i] % columns;
    lines.add_point(static_cast<double>(y), static_cast<double>(x), paths.cell_costs[i]);
  }
  lines.end_line();
}

void append(std::vector<io::Column> columns, std::vector<io::Column>& all) {
  for (io::Column& column : columns) all.push_back(std::move(column));
}

/// The costs, with none where there is no way.
io::Column cost_column(std::vector<double> costs) {
  for (double& cost : costs)
    if (std::isinf(cost)) cost = std::numeric_limits<double>::quiet_NaN();
  return io::real_column("cost", std::move(costs));
}

}  // namespace

// NOLINTNEXTLINE(readability-function-size): what is wanted of what
WayFiles::WayFiles(const WayArguments& arguments, const CostResultArguments& files,
                   const CostInput& input, const SiteArguments& sites, CostResults& results,
                   Context& context, Progress& progress)
    : arguments_(arguments), input_(input) {
  const auto layer = [&](const char* flag, const std::string& path) {
    require_plane(flag + (" " + path), "vector outputs", input.sites.extents());
    return &results.files().add_features(path, true);
  };
  if (!arguments.table.empty()) table_ = &results.files().add_features(arguments.table, false);
  if (!arguments.to.empty() && files.paths.are_given()) paths_ = layer("--paths", files.paths.file);
  if (!arguments.network.empty()) network_ = layer("--network", arguments.network);
  if (!arguments.polygon.empty()) polygon_ = layer("--corridor-polygon", arguments.polygon);
  if (!arguments.corridor.empty())
    corridor_ = &results.add_costs(arguments.corridor, *find_float_type(files.distance_type));
  if (!arguments.to.empty()) find_places(sites, context, progress);
}

void WayFiles::find_places(const SiteArguments& sites, Context& context, Progress& progress) {
  SiteArguments to;
  to.file = arguments_.to;
  to.label_field = arguments_.to_label_field;
  to.layer.transform = sites.layer.transform;
  to.grid.known = input_.grid;
  places_ = describe_sites(to, context.threads(), progress);
  hold_cells(to, context, progress, places_);
  if (!places_.are_points()) {
    require_same_cells("--to " + arguments_.to, places_.grid, input_.sites);
    // The searches know one nodata value, that of the sites.
    if (places_.nodata)
      io::replace_where(places_.raster.view(), std::int64_t{0},
                        std::as_const(places_.raster).view(), *places_.nodata);
  }
  warnings_ = places_.warnings;
}

void WayFiles::keep_warnings(const Context& context) {
  for (const Warning& warning : context.warnings())
    warnings_.push_back({std::string(name_of(warning.kind)), warning.count, warning.message});
}

void WayFiles::write(Context& context, const CostDistanceOptions& options, Report& report) {
  if (network_ != nullptr) write_network(context, options, report);
  if (table_ != nullptr || paths_ != nullptr) write_ways(context, options, report);
  if (corridor_ != nullptr || polygon_ != nullptr) write_corridor(context, options, report);
}

void WayFiles::write_network(Context& context, const CostDistanceOptions& options, Report& report) {
  const LeastCostNetwork found =
      least_cost_network(context, map(), places_of(input_.sites), options);
  keep_warnings(context);
  MeasuredLines lines;
  std::vector<std::int64_t> in_tree;
  for (std::size_t i = 0; i < found.costs.size(); ++i) {
    add_way(found.paths, i, input_.sites.extents()[1], lines);
    in_tree.push_back(found.in_tree[i]);
  }
  io::Features features{.rows = std::ssize(found.costs),
                        .columns = label_keys(input_.sites, found.a, "_a"),
                        .lines = lines.lines(),
                        .georeference = *georeferenced(input_.grid).georeference};
  append(label_keys(input_.sites, found.b, "_b"), features.columns);
  features.columns.push_back(io::real_column("cost", found.costs));
  features.columns.push_back(io::real_column("length", found.paths.lengths));
  features.columns.push_back(
      {.name = "in_tree", .kind = io::ColumnKind::boolean, .integers = std::move(in_tree)});
  io::write_features(*network_, features);
  report.set("network_edges", features.rows);
}

void WayFiles::write_ways(Context& context, const CostDistanceOptions& options, Report& report) {
  std::vector<std::int64_t> pairs;
  CostTableOptions wanted{.paths = paths_ != nullptr};
  const Places from = places_of(input_.sites), to = places_of(places_);
  if (!arguments_.pairs.empty()) {
    // A table of no pairs has the labels.
    wanted.pairs = View<const std::int64_t>(pairs.data(), {0, 2});
    const CostTable labels = cost_table(context, map(), from, to, options, wanted);
    pairs =
        read_pairs(arguments_.pairs, input_.sites, labels.origins, places_, labels.destinations);
    wanted.pairs = View<const std::int64_t>(pairs.data(), {std::ssize(pairs) / 2, 2});
  }
  const CostTable found = cost_table(context, map(), from, to, options, wanted);
  keep_warnings(context);
  if (arguments_.pairs.empty()) {
    for (std::int64_t i = 0; i < found.origins.extents()[0]; ++i)
      for (std::int64_t j = 0; j < found.destinations.extents()[0]; ++j)
        pairs.insert(pairs.end(), {i, j});
  }
  std::vector<std::int64_t> origins, destinations, with_way;
  for (std::size_t i = 0; i < found.costs.size(); ++i) {
    origins.push_back(pairs[2 * i]);
    destinations.push_back(pairs[2 * i + 1]);
    if (!std::isinf(found.costs[i])) with_way.push_back(static_cast<std::int64_t>(i));
  }
  io::Features features{
      .rows = std::ssize(origins),
      .columns = label_keys(input_.sites, io::rows_of(found.origins.view(), origins), "_from")};
  append(label_keys(places_, io::rows_of(found.destinations.view(), destinations), "_to"),
         features.columns);
  features.columns.push_back(cost_column(found.costs));
  report.set("ways", with_way.size());
  if (table_ != nullptr) io::write_features(*table_, features);
  if (paths_ == nullptr) return;
  MeasuredLines lines;
  for (const std::int64_t way : with_way)
    add_way(found.paths, static_cast<std::size_t>(way), input_.sites.extents()[1], lines);
  features.columns.push_back(io::real_column("length", found.paths.lengths));
  for (io::Column& column : features.columns) column = io::rows_of(column, with_way);
  features.rows = std::ssize(with_way);
  features.lines = lines.lines();
  features.georeference = *georeferenced(input_.grid).georeference;
  io::write_features(*paths_, features);
}

void WayFiles::write_corridor(Context& context, const CostDistanceOptions& options,
                              Report& report) {
  CorridorOptions limits;
  if (polygon_ != nullptr) {
    CorridorCallOptions words;
    arguments_.limits.apply(&words, input_.sites.extents().rank());
    limits = words.corridor;
  }
  Raster inside;
  if (polygon_ != nullptr) inside = Raster(ElementType::u8, input_.sites.extents());
  CorridorOutputs out;
  if (corridor_ != nullptr) out.excess_cost = corridor_->raster.view();
  if (polygon_ != nullptr) out.inside = inside.view<std::uint8_t>();
  const CorridorReport found =
      corridor(context, map(), places_of(input_.sites), places_of(places_), options, limits, out);
  keep_warnings(context);
  report.set("corridor_least_cost", found.least_cost);
  const Raster& domain = input_.sites.domain;
  for (const View<void>& cells : {out.excess_cost, View<void>(out.inside)})
    if (cells && domain)
      io::replace_where(cells,
                        cells.element_type() == ElementType::u8
                            ? LabelValue(std::int64_t{0})
                            : LabelValue(std::numeric_limits<double>::quiet_NaN()),
                        domain.view(), std::int64_t{0});
  if (polygon_ != nullptr)
    write_polygon(context, std::as_const(inside).view(), found.least_cost, options);
}

void WayFiles::write_polygon(Context& context, const View<const void>& inside, double least,
                             const CostDistanceOptions& options) {
  const Polygons polygons = region_polygons(context, inside, {});
  const auto rows = static_cast<std::size_t>(polygons.labels.extents()[0]);
  io::Features features{.rows = static_cast<std::int64_t>(rows),
                        .columns = {cost_column(std::vector<double>(rows, least))},
                        .polygons = &polygons,
                        .georeference = *georeferenced(input_.grid).georeference};
  features.columns.front().name = "least_cost";
  if (!options.earth)
    features.columns.push_back(io::real_column(
        "area",
        areas_of(polygons, options.spacing.empty() ? std::vector<double>{1, 1} : options.spacing)));
  io::write_features(*polygon_, features);
}

}  // namespace thiessen::cli
