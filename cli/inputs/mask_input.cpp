// SPDX-License-Identifier: Apache-2.0
#include "inputs/mask_input.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "inputs/cell_values.hpp"
#include "inputs/named_sites.hpp"
#include "inputs/raster_input.hpp"
#include "io/table/site_file.hpp"
#include "io/table/vector_file.hpp"
#include "thiessen/element_visit.hpp"
#include "words/arguments.hpp"
#include "words/memory.hpp"

namespace thiessen::cli {
namespace {

/// 1 where a cell is neither 0 nor NaN.
Raster nonzero_cells(const Raster& cells) {
  Raster inside(ElementType::u8, cells.grid());
  auto* const to = inside.view<std::uint8_t>().data();
  visit_element_type(cells.element_type(), [&]<class T>(std::type_identity<T>) {
    const auto* const from = reinterpret_cast<const T*>(cells.bytes());
    for (std::int64_t i = 0; i < cells.extents().count(); ++i)
      to[i] = from[i] < 0 || from[i] > 0 ? 1 : 0;
  });
  return inside;
}

Raster mask_of_raster(const MaskArguments& arguments, const Sites& sites,
                      const io::ReadOptions& reading) {
  if (!arguments.layer.empty())
    throw UsageError("--mask-layer " + arguments.layer + ": is for vector files; " +
                     arguments.file + " is a raster");
  const io::RasterFile file =
      read_raster_file(arguments.file, {.colours = false, .threads = reading.threads});
  require_same_cells("--mask " + arguments.file, file.raster.grid(), sites);
  Raster inside = nonzero_cells(file.raster);
  if (file.nodata && can_hold(file.raster.element_type(), *file.nodata))
    put_where(inside.view(), std::int64_t{0}, file.raster.view(), *file.nodata);
  return inside;
}

Raster mask_of_areas(const MaskArguments& arguments, Sites& sites) {
  if (sites.extents().rank() != 2)
    throw UsageError("--mask " + arguments.file + ": areas need a grid of 2 axes; this one has 3");
  const bool gives_crs = sites.takes_crs && sites.grid.georeference->crs.empty();
  const io::VectorOptions options =
      layer_options({.name = arguments.layer, .transform = arguments.transform && !gives_crs},
                    arguments.file, sites.grid);
  auto layer =
      as_usage([&] { return std::make_shared<const io::VectorFile>(arguments.file, options); });
  if (!layer->has_areas_only())
    throw UsageError("--mask " + arguments.file + ": must hold areas, and nothing else");
  if (gives_crs) {
    sites.grid.georeference->crs = layer->crs();
    sites.grid.georeference->degrees = layer->degrees();
  }
  require_same_world(*layer, "--mask " + arguments.file, sites.grid);
  warn_of_features(*layer, arguments.file, sites.warnings);
  const Raster burned = as_usage([&] { return layer->burn(georeferenced(sites.grid)); });
  sites.area = std::move(layer);
  return nonzero_cells(burned);
}

void keep_points(const Raster& mask, Sites& sites) {
  const auto axes = static_cast<std::size_t>(sites.extents().rank());
  std::vector<std::int64_t> kept;
  std::vector<double> coordinates;
  for (std::size_t i = 0; i < sites.points.size(); i += axes) {
    const auto cell = cell_of_point(sites.points.data() + i, mask.extents());
    if (!cell || mask.view<std::uint8_t>().data()[*cell] == 0) continue;
    kept.push_back(static_cast<std::int64_t>(i / axes));
    coordinates.insert(coordinates.end(), sites.points.begin() + static_cast<std::ptrdiff_t>(i),
                       sites.points.begin() + static_cast<std::ptrdiff_t>(i + axes));
  }
  // Numbers stay those of the file.
  if (!sites.point_labels) sites.point_labels = numbers_of_points(sites);
  sites.point_labels = io::rows_of(sites.point_labels.view(), kept);
  std::vector<std::int64_t>& rows = sites.attributes.row_of_point;
  if (!rows.empty()) {
    std::vector<std::int64_t> kept_rows;
    kept_rows.reserve(kept.size());
    for (const std::int64_t point : kept)
      kept_rows.push_back(rows[static_cast<std::size_t>(point)]);
    rows = std::move(kept_rows);
  }
  sites.points = std::move(coordinates);
}

void keep_cells(const Raster& mask, Sites& sites) {
  const auto is_zero = [](const LabelValue& value) {
    return std::visit([](auto number) { return number == 0; }, value);
  };
  const bool zero_counts =
      sites.zero_is_site || std::any_of(sites.values.begin(), sites.values.end(), is_zero);
  if (zero_counts && !sites.nodata)
    throw UsageError(
        "--clip-sites: cells of the value 0 are sites, too; give --nodata, the value "
        "of cells that are none");
  put_where(sites.raster.view(), sites.nodata.value_or(LabelValue(std::int64_t{0})), mask.view(),
            std::int64_t{0});
}

/// The cells of the study area: 1 inside, 0 outside.
Raster load_mask(const MaskArguments& arguments, Sites& sites, const io::ReadOptions& reading) {
  require_memory(sites.extents().count(), 1, sites.grid_cause);
  const bool is_raster =
      as_usage([&] { return io::kind_of(arguments.file); }) == io::SiteFileKind::raster;
  Raster inside =
      is_raster ? mask_of_raster(arguments, sites, reading) : mask_of_areas(arguments, sites);
  if (!any_holds(std::as_const(inside).view(), std::int64_t{1}))
    throw UsageError("--mask " + arguments.file + ": holds no cell of the grid");
  return inside;
}

}  // namespace

void add_mask_flags(CLI::App& command, MaskArguments& arguments) {
  auto* mask = command
                   .add_option("--mask", arguments.file,
                               "Study area: a raster, inside where it is neither 0 nor nodata, or "
                               "a vector layer of areas; results are nodata outside")
                   ->type_name("FILE")
                   ->group("Study area")
                   ->transform(input_name)
                   ->check(check_file_name);
  command.add_option("--mask-layer", arguments.layer, "Layer of the vector file of --mask")
      ->type_name("NAME")
      ->group("Study area")
      ->needs(mask)
      ->check(check_word);
  command
      .add_flag("--clip-sites", arguments.clip_sites,
                "Sites outside of the study area do not count (default: they do)")
      ->group("Study area")
      ->needs(mask);
}

void apply_mask(const MaskArguments& arguments, const io::ReadOptions& reading, Sites& sites) {
  if (arguments.file.empty()) return;
  Raster inside = load_mask(arguments, sites, reading);
  if (arguments.clip_sites)
    sites.are_points() ? keep_points(inside, sites) : keep_cells(inside, sites);
  if (sites.domain) {
    put_where(inside.view(), std::int64_t{0}, sites.domain.view(), std::int64_t{0});
    sites.area.reset();  // the edges of both are those of cells
  }
  sites.domain = std::move(inside);
}

}  // namespace thiessen::cli
