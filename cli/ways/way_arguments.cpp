// SPDX-License-Identifier: Apache-2.0
#include "ways/way_arguments.hpp"

#include "words/arguments.hpp"
#include "words/flag_group.hpp"

namespace thiessen::cli {

void add_way_flags(CLI::App& command, WayArguments& arguments) {
  const FlagGroup ways(command, "Ways between places");
  auto* to = ways.input("--to", arguments.to,
                        "Places where ways from the sites end, a file as of --sites: for "
                        "--cost-table, --paths and --corridor");
  ways.word("--to-label-field", arguments.to_label_field, "NAME",
            "Field or column with their labels or names")
      ->needs(to);
  ways.output("--cost-table", arguments.table,
              "A row for each site and place of --to with the cost of the way: .csv .gpkg .parquet")
      ->needs(to);
  ways.input("--pairs", arguments.pairs,
             "Table of which ways are wanted: the label or name of a site, and that of a place of "
             "--to (default: all)")
      ->needs(to);
  ways.output("--network", arguments.network,
              "Ways of least cost between neighbouring sites, with their minimum spanning tree "
              "(2-D): .gpkg .geojson .fgb .shp");
  ways.output("--corridor", arguments.corridor,
              "Raster of what the best way over each cell, from any site to any place of --to, "
              "costs more than the best way of all")
      ->needs(to);
  ways.output("--corridor-polygon", arguments.polygon,
              "The area that --within or --within-percent allow (2-D): .gpkg .geojson .fgb .shp")
      ->needs(to);
  arguments.limits.add_to(command);
}

void check_ways(const WayArguments& arguments, const PathArguments& paths) {
  if (paths.are_given() && paths.from.empty() && arguments.to.empty())
    throw UsageError("--paths " + paths.file + ": needs --paths-from or --to");
  if (!paths.from.empty() && !arguments.to.empty())
    throw UsageError("--to " + arguments.to + ": does not go with --paths-from");
  if (!arguments.to.empty() && arguments.table.empty() && !paths.are_given() &&
      !arguments.has_corridor())
    throw UsageError("--to " + arguments.to +
                     ": needs --cost-table, --paths, --corridor or --corridor-polygon");
  if (!arguments.pairs.empty() && arguments.table.empty() && !paths.are_given())
    throw UsageError("--pairs " + arguments.pairs + ": needs --cost-table or --paths");
  const bool has_limit = !arguments.limits.given().empty();
  if (!arguments.polygon.empty() && !has_limit)
    throw UsageError("--corridor-polygon " + arguments.polygon +
                     ": needs --within or --within-percent");
  if (has_limit && arguments.polygon.empty())
    throw UsageError("--within, --within-percent: need --corridor-polygon");
}

}  // namespace thiessen::cli
