// SPDX-License-Identifier: Apache-2.0
#include "commands/render/layout_arguments.hpp"

#include <utility>

#include "io/files/utf8.hpp"
#include "maps/scale/numbers.hpp"
#include "vectors/contour_file.hpp"
#include "words/arguments.hpp"
#include "words/flag_group.hpp"

namespace thiessen::cli {
namespace {

void require(bool condition, const std::string& message) {
  if (!condition) throw UsageError(message);
}

}  // namespace

void add_layout_flags(CLI::App& command, LayoutArguments& arguments) {
  const FlagGroup map(command, "Map");
  map.word("--title", arguments.title, "TEXT", "Title above the map");
  map.option("--legend", arguments.legend, "COUNT",
             "Legend with at most this many sites; auto: as many as fit; or none")
      ->capture_default_str();
  map.flag("--scale-bar", arguments.scale_bar, "Bar of a round length below the map");
  map.flag("--north-arrow", arguments.north_arrow, "Arrow to the north of the grid, below the map");
  auto* names =
      map.input("--names", arguments.names.file,
                "Names of labels: CSV with the columns label and name, a vector layer with the "
                "field name, or a raster whose values have names (default: the names in --labels)");
  map.option("--layer", arguments.names.layer, "NAME", "Layer of the file of --names")
      ->needs(names);
  map.option(
         "--label-field", arguments.names.label_field, "NAME",
         "Column or field of --names with the labels (default: for a layer 1, 2, ... by feature)")
      ->needs(names);
  map.option("--name-field", arguments.names.name_field, "NAME",
             "Column or field of --names with the names")
      ->needs(names);
  map.flag("--site-names", arguments.site_names, "Names, or else labels, at the sites");
  map.flag("--contour-labels", arguments.contour_labels, "Numbers on the lines of equal distance");
  map.word("--unit", arguments.units.unit, "TEXT",
           "Unit of distances and costs on the map, or its name if the raster has none (default: "
           "the unit of the raster)");
  map.option("--cell-size", arguments.units.cell_size, "S",
             "Length of a cell in that unit (default: from the raster, or 1)");
  map.input("--underlay", arguments.underlay,
            "Image of the same area beneath the cells: PNG, or a format that GDAL reads");
}

std::optional<maps::CellSize> to_cell_size(const UnitArguments& arguments) {
  require(io::is_plain_text(arguments.unit),
          "--unit " + io::in_one_line(arguments.unit) + ": must be text in UTF-8");
  if (arguments.cell_size.empty()) return std::nullopt;
  return maps::CellSize{parse_positive("--cell-size", arguments.cell_size), arguments.unit};
}

std::string flag_of_map(const LayoutArguments& arguments) {
  if (!arguments.title.empty()) return "--title";
  if (arguments.legend != "none") return "--legend";
  if (arguments.scale_bar) return "--scale-bar";
  if (arguments.north_arrow) return "--north-arrow";
  if (arguments.site_names) return "--site-names";
  if (arguments.contour_labels) return "--contour-labels";
  if (!arguments.underlay.empty()) return "--underlay";
  return {};
}

maps::MapLook to_look(const LayoutArguments& arguments, const RenderInputs& layers,
                      const RenderOptions& options, const maps::Ground& ground) {
  constexpr double kMostNumbers = 1000;  // more lines than anyone can read
  constexpr std::int64_t kMostRows = 10'000;
  maps::MapLook look{.title = arguments.title,
                     .legend = arguments.legend != "none",
                     .scale_bar = arguments.scale_bar,
                     .north_arrow = arguments.north_arrow,
                     .site_names = arguments.site_names,
                     .contour_labels = arguments.contour_labels};
  require(io::is_plain_text(look.title),
          "--title " + io::in_one_line(look.title) + ": must be UTF-8");
  if (look.legend && arguments.legend != "auto")
    look.legend_rows =
        static_cast<std::size_t>(parse_integer("--legend", arguments.legend, 0, kMostRows));
  require(!look.north_arrow || ground.north,
          "--north-arrow: no raster has a georeference, so that nobody knows where north is");
  require(!look.site_names || layers.labels, "--site-names: needs --labels");
  require(arguments.names.file.empty() || layers.labels, "--names: needs --labels");
  require(!look.contour_labels || options.contours, "--contour-labels: needs --contours");
  if (look.contour_labels && options.range)
    require(((*options.range)[1] - (*options.range)[0]) / *options.contour_interval < kMostNumbers,
            "--contour-labels: --contours " + maps::number_text(*options.contour_interval) +
                " makes more than 1000 lines, which have no room for numbers");
  return look;
}

void complete_options(const RenderInputs& layers, RenderOptions& options) {
  if (!layers.distance) return;
  if (!options.range) options.range = range_of(layers.distance);
  if (!options.contours || options.contour_interval) return;
  options.contour_interval = auto_interval(options.range);
}

}  // namespace thiessen::cli
