// SPDX-License-Identifier: Apache-2.0
//
// The sites of a command: from the words of the command line to the arguments of the library.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "inputs/rasters/grid_input.hpp"
#include "io/raster/inspect.hpp"
#include "io/raster/raster_file.hpp"
#include "io/raster/raster_rows.hpp"
#include "io/table/feature_file.hpp"
#include "io/table/vector_file.hpp"
#include "talk/progress.hpp"
#include "talk/report.hpp"
#include "thiessen/slabs/stream.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::cli {

/// Which features of a layer, and where. The words of the command line, not parsed yet.
struct LayerArguments {
  std::string name = {}, where = {}, sql = {}, spat = {};
  bool transform = false;             ///< to the coordinates of the grid
  const char* name_flag = "--layer";  ///< that gives its name, as FILE|layer=NAME does; no word
};

/// The words of the command line; parsed when the command runs, so that all errors have the same
/// form.
struct SiteArguments {
  std::string file, band, label_field;
  std::string weight_field;  ///< only voronoi has the flag, and the next one
  std::string ellipse_fields;
  bool weights_divide = false;  ///< they must be > 0
  LayerArguments layer;
  std::string random, seed = "0";
  std::string components, values, nodata;
  bool zero_is_site = false, free_nodata = false;
  bool points_in_cells = false;
  GridArguments grid;
  bool attributes = false;  ///< whether the fields of layers and tables are wanted; no flag
};

/// Throws UsageError for the first of these flags that is given; `kind` says what `file` is instead
/// of a layer.
void refuse_layer_flags(const std::string& kind, const std::string& file,
                        const LayerArguments& layer);

/// `sites` is the option of the layer's file.
void add_layer_flags(CLI::App& command, LayerArguments& arguments, CLI::Option& sites);

void add_site_flags(CLI::App& command, SiteArguments& arguments);

/// A warning: the command goes on. `kind` is a word for programs.
struct CommandWarning {
  std::string kind;
  std::int64_t count = 0;  ///< number of sites or points concerned
  std::string message;
};

/// The cells whose connected areas --components numbers.
struct Image {
  ElementType type = ElementType::u8;
  ComponentsOptions options = {};
};

/// The fields of a layer or a table of sites.
struct SiteAttributes {
  std::vector<io::Column> columns = {};
  std::vector<std::int64_t> row_of_point = {};
  Raster labels = {};  ///< of each row, for lines and areas
};

/// Sites on a grid: cells of a raster, or points.
struct Sites {
  std::string name;  ///< their name in messages
  Grid grid = {};
  std::string grid_cause = {};  ///< the flags that give the grid, and its extents
  bool takes_crs = false;       ///< the grid is that of --bounds, in the coordinates of layers

  Raster raster = {};                                ///< no axes if they are points
  Raster cells = {};                                 ///< that were read with it; of a pipe
  std::shared_ptr<const io::VectorFile> layer = {};  ///< lines and areas that become the raster
  std::optional<Image> image = {};                   ///< whose areas are the raster
  std::optional<LabelValue> nodata = {};             ///< value of its cells outside of the domain
  std::optional<LabelValue> file_nodata = {};  ///< that of the file, whether it is heeded or not
  std::vector<LabelValue> values = {};
  bool zero_is_site = false;
  bool free_nodata = false;  ///< the nodata cells lie in the domain, and all others are sites

  io::Scaling scaling = {};  ///< of a raster's file, for cells that are no labels
  std::string unit = {};     ///< of distances, if it is known
  std::string note = {};     ///< what to tell about that

  std::vector<double> points = {};   ///< (y, x) or (z, y, x) of one point after the other, in cells
  Raster point_labels = {};          ///< no axes if they have none
  std::vector<double> weights = {};  ///< of points, or of features; empty if they have none
  std::vector<double> metrics = {};  ///< of points: two rows of each; empty if they have none
  Raster weight_cells = {};          ///< of sites that are cells; no axes if they have none
  bool are_in_cells = false;         ///< whether the points become the raster

  bool numbered = false;                ///< labels are our numbers, from 1 on
  std::vector<std::string> names = {};  ///< of the label n at n - 1, if labels have names
  SiteAttributes attributes = {};       ///< if they are wanted
  Raster domain = {};                   ///< 0 in cells that become nodata; no axes: there are none
  std::shared_ptr<const io::VectorFile> area = {};  ///< whose areas are the domain

  std::vector<CommandWarning> warnings = {};
  std::string why_none = {};  ///< why there may be no site in the grid

  bool are_points() const { return raster.extents().rank() == 0; }
  const Extents& extents() const { return grid.extents; }
  PointList point_list() const;
  /// Forgets the unit, since the user gives the spacing.
  void forget_unit() {
    unit.clear();
    note.clear();
  }
  /// Distances are metres on the Earth, whatever the grid counts.
  void measure_on_earth();
  bool on_earth = false;
  /// The unit of distances in that of the grid: `unit`, or that of the coordinates.
  std::string unit_of_grid() const;
  /// The type of the labels that they have or get.
  ElementType label_type() const;
};

/// The label that `flag` gives to cells without a site: a value of the labels' type; empty if
/// `text` is empty.
std::optional<LabelValue> parse_other_label(const std::string& flag, const std::string& text,
                                            const Sites& sites);

/// Whether they get the grid of the flags: points, a vector layer, random cells.
bool are_on_grid_of_flags(const SiteArguments& arguments);

/// Sites without what has a value for each cell: the raster has no rows, but the type of the cells,
/// and no domain is read. `threads` read them, in one stage of `progress`. Throws UsageError for
/// errors of the user.
Sites describe_sites(const SiteArguments& arguments, int threads, Progress& progress);

/// Reads, burns or draws the cells of described sites, in stages of `progress`.
/// Throws UsageError for errors of the user.
void hold_cells(const SiteArguments& arguments, Context& context, Progress& progress, Sites& sites);

/// Throws UsageError if a raster file and the sites have different extents, or lie in different
/// places.
void require_same_cells(const std::string& name, const Grid& grid, const Sites& sites);

/// What to read of a layer for a grid. Throws UsageError.
io::VectorOptions layer_options(const LayerArguments& arguments, const std::string& name,
                                const Grid& grid);

/// Throws UsageError unless a layer and a grid use the same coordinates; `name` is that of the
/// layer.
void require_same_world(const io::VectorFile& layer, const std::string& name, const Grid& grid);

/// Marks the cells of a 2-D grid in which the points of sites lie.
void mark_points(const Sites& sites, View<std::uint8_t> marks);

/// The linear index of the cell in which a point lies, in array order and cells; empty outside.
std::optional<std::int64_t> cell_of_point(const double* point, const Extents& extents);

/// Writes some rows of the raster that points in cells become: labels, 0 elsewhere.
void put_points_in_cells(const Sites& sites, const SlabRows& rows, std::byte* cells);

/// Calls visit(point, cells, at) for the points within the grid, in the order of their cells: `at`
/// is the cell of the point among `cells`, which are some rows of `source`.
void for_each_point(RowSource& source, const Sites& sites,
                    const std::function<void(std::int64_t point, const View<const void>& cells,
                                             std::int64_t at)>& visit);

/// The numbers 1, 2, … that points without labels have.
Raster numbers_of_points(const Sites& sites);

/// The grid with world coordinates; they are cells if it has no georeference.
Grid georeferenced(Grid grid);

/// Takes the size of voxels that a file gives.
void apply_voxel_size(const std::string& path, const io::VoxelSize& voxels, Sites& sites);

/// Tells what was read of that: on stderr, and in the report.
void tell_unit(const Sites& sites, const TalkArguments& talk, Report& report);

/// Sets the options that say which cells of a raster are sites.
void choose_sites(const Sites& sites, NearestSiteOptions& options);

/// The call by rows for either kind of sites; `cells` are those of a raster.
NearestSiteStream stream_of(const Sites& sites, RowSource* cells, RowSource* domain,
                            const NearestSiteOptions& options, std::vector<StreamedOutput> outputs);

/// Calls nearest_site() for either kind of sites, which set some of `options`.
void find_nearest(Context& context, const Sites& sites, NearestSiteOptions options,
                  const NearestSiteOutputs& out);

}  // namespace thiessen::cli
