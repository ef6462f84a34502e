// SPDX-License-Identifier: Apache-2.0
#include "inputs/mask_input.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "inputs/rasters/raster_input.hpp"
#include "inputs/sites/named_sites.hpp"
#include "inputs/sites/site_rows.hpp"
#include "io/raster/cell_values.hpp"
#include "io/raster/raster_rows.hpp"
#include "io/table/site_file.hpp"
#include "io/table/vector_file.hpp"
#include "slabs/file_rows.hpp"
#include "words/arguments.hpp"
#include "words/flag_group.hpp"

namespace thiessen::cli {
namespace {

DomainRows open_raster_mask(const MaskArguments& arguments, int threads, const Sites& sites) {
  if (!arguments.layer.empty())
    throw UsageError("--mask-layer " + arguments.layer + ": is for vector files; " +
                     arguments.file + " is a raster");
  const auto open_file = [path = arguments.file, threads] {
    return io::open_rows_or_all(path, {.colours = false, .threads = threads});
  };
  std::shared_ptr<io::RowReader> reader = as_usage_error(open_file);
  const io::RasterHead head = reader->head();
  require_same_cells("--mask " + arguments.file, head.grid, sites);
  FileRows::Open open = [open_file] { return reading_by(open_file()); };
  if (is_stream(arguments.file)) open = [reader] { return reading_by(reader); };
  return {FileRows(head.type, head.grid.extents, std::move(open)),
          io::if_held(head.type, head.nodata), true};
}

DomainRows open_area_mask(const MaskArguments& arguments, Sites& sites) {
  require_plane("--mask " + arguments.file, "areas", sites.extents());
  const bool gives_crs = sites.takes_crs && sites.grid.georeference->crs.empty();
  const io::VectorOptions options =
      layer_options({.name = arguments.layer, .transform = arguments.transform && !gives_crs},
                    arguments.file, sites.grid);
  auto layer = as_usage_error(
      [&] { return std::make_shared<const io::VectorFile>(arguments.file, options); });
  if (!layer->has_areas_only())
    throw UsageError("--mask " + arguments.file + ": must hold areas, and nothing else");
  if (gives_crs) {
    sites.grid.georeference->crs = layer->crs();
    sites.grid.georeference->degrees = layer->degrees();
  }
  require_same_world(*layer, "--mask " + arguments.file, sites.grid);
  warn_of_features(*layer, arguments.file, sites.warnings);
  const Grid grid = georeferenced(sites.grid);
  const ElementType type = layer->label_type();
  sites.area = layer;
  const auto open = [layer, grid] { return burning(layer, grid); };
  return {FileRows(type, grid.extents, open), std::nullopt, true};
}

void clip_points(RowSource& mask, Sites& sites) {
  const auto axes = static_cast<std::ptrdiff_t>(sites.extents().rank());
  std::vector<std::int64_t> kept;
  for_each_point(mask, sites,
                 [&](std::int64_t point, const View<const void>& cells, std::int64_t at) {
                   if (cells.bytes()[at] != std::byte{0}) kept.push_back(point);
                 });
  std::ranges::sort(kept);
  // Numbers stay those of the file.
  if (!sites.point_labels) sites.point_labels = numbers_of_points(sites);
  sites.point_labels = io::rows_of(sites.point_labels.view(), kept);
  const std::vector<std::int64_t> rows = std::move(sites.attributes.row_of_point);
  const std::vector<double> points = std::move(sites.points);
  sites.attributes.row_of_point.clear();
  sites.points.clear();
  for (const std::int64_t point : kept) {
    const auto first = points.begin() + point * axes;
    sites.points.insert(sites.points.end(), first, first + axes);
    if (!rows.empty())
      sites.attributes.row_of_point.push_back(rows[static_cast<std::size_t>(point)]);
  }
}

}  // namespace

void add_mask_flags(CLI::App& command, MaskArguments& arguments) {
  const FlagGroup area(command, "Study area");
  auto* mask = area.input("--mask", arguments.file,
                          "Study area: a raster (inside where it is neither 0 nor nodata) or a "
                          "vector layer of areas. Results are nodata outside");
  area.word("--mask-layer", arguments.layer, "NAME", "Layer of the vector file of --mask")
      ->needs(mask);
  area.flag("--clip-sites", arguments.clip_sites,
            "Sites outside of the study area do not count (default: they do)")
      ->needs(mask);
}

DomainRows open_mask(const MaskArguments& arguments, int threads, Sites& sites) {
  const bool is_raster = kind_of_input(arguments.file) == io::SiteFileKind::raster;
  return is_raster ? open_raster_mask(arguments, threads, sites) : open_area_mask(arguments, sites);
}

ClippedRows::ClippedRows(RowSource& cells, RowSource& mask, const Sites& sites)
    : cells_(cells), mask_(mask), none_(sites.nodata.value_or(LabelValue(std::int64_t{0}))) {
  const auto is_zero = [](const LabelValue& value) {
    return std::visit([](auto number) { return number == 0; }, value);
  };
  const bool zero_counts = sites.zero_is_site || std::ranges::any_of(sites.values, is_zero);
  if (zero_counts && !sites.nodata)
    throw UsageError(
        "--clip-sites: cells of the value 0 are sites, too; give --nodata, the value "
        "of cells that are none");
}

void ClippedRows::read(const SlabRows& rows, std::byte* cells) {
  const Extents some = slab_extents(extents(), rows.count);
  cells_.read(rows, cells);
  mask_.read(rows, room_for(inside_, ElementType::u8, some));
  io::replace_where({cells, element_type(), some}, none_, std::as_const(inside_).view(),
                    std::int64_t{0});
}

void ClippedRows::clip(const View<void>& cells, RowSource& mask) {
  std::byte* next = cells.bytes();
  for_each_rows(mask, [&](const SlabRows&, const View<const void>& inside) {
    io::replace_where({next, cells.element_type(), inside.extents()}, none_, inside,
                      std::int64_t{0});
    next += static_cast<std::size_t>(inside.extents().count()) * size_of(cells.element_type());
  });
}

void ClippedRows::close() {
  cells_.close();
  mask_.close();
}

void clip_sites(const MaskArguments& arguments, RowSource& mask, bool are_in_memory,
                std::optional<ClippedRows>& cells, Sites& sites) {
  if (!has_cell(mask, 1))
    throw UsageError("--mask " + arguments.file + ": holds no cell of the grid");
  if (!arguments.clip_sites) return;
  if (sites.are_points()) return clip_points(mask, sites);
  if (are_in_memory) cells->clip(sites.raster.view(), mask);
}

}  // namespace thiessen::cli
