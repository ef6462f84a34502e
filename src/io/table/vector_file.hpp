// SPDX-License-Identifier: Apache-2.0
//
// Reads vector layers as sites.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/table/feature_file.hpp"
#include "io/table/points_file.hpp"
#include "thiessen/grid.hpp"
#include "thiessen/labels.hpp"
#include "thiessen/polygons.hpp"
#include "thiessen/raster.hpp"

namespace thiessen::io {

struct VectorOptions {
  std::string layer = {};  ///< empty: the one that the name speaks of, or the only one
  /// Only the features that meet a condition of OGR's SQL: "population > 1000".
  std::string where = {};
  /// The features that a statement of OGR's SQL selects, in place of those of a layer.
  std::string sql = {};
  /// Only the features that meet the rectangle x0, y0, x1, y1, in the layer's own coordinates.
  std::optional<std::array<double, 4>> spat = std::nullopt;
  /// WKT of the coordinate reference system to which features are transformed; empty: their own.
  std::string to_crs = {};
  /// Whether an area is burned into every cell that it touches.
  bool all_touched = false;
  /// Field of integers, reals or text; empty: features are numbered 1, 2, ….
  std::string label_field = {};
  /// The constructor, points() and burn() each call it now and then with the fraction of the
  /// features that is read; what it throws ends them.
  std::function<void(double fraction)> progress = {};
};

/// The fields of features, a row for each.
struct FeatureAttributes {
  std::vector<Column> columns = {};  ///< source_fid, then the fields; their names may be equal
  Raster labels = {};                ///< of each row
  std::vector<std::int64_t> row_of_point = {};  ///< of a layer that has only points
};

/// A layer of a file that GDAL's vector drivers read, opened; FILE|layer=NAME names one.
///
/// Features without a geometry, or with an empty one, are not sites, but without a label field they
/// count in the numbering. Heights are ignored. Curves become lines. Labels from an integer field
/// are i32 if all fit, else i64; those from a real field are f64. Texts of a field are names: they
/// are numbered 1, 2, … in the order of the features, and equal ones share a number; a feature
/// without a name gets a number of its own, which is its name, too. All text that is read is UTF-8.
class VectorFile {
 public:
  /// Reads all features once. Throws Error{io} naming file, layer, field or feature: no layer;
  /// several layers and none chosen; a field of another kind; a feature without a number for a
  /// label, with a coordinate that is not finite, or that cannot be transformed; text that is not
  /// UTF-8, as the functions below do; a condition or a statement that is wrong.
  explicit VectorFile(const std::filesystem::path& name, const VectorOptions& options = {});
  ~VectorFile();
  VectorFile(VectorFile&&) noexcept;

  bool has_points_only() const;
  bool has_areas_only() const;
  /// Whether no feature has a geometry.
  bool is_empty() const;
  /// Numbers of features: without a geometry, or with an empty one; and without a name, where
  /// labels are names.
  std::int64_t without_geometry() const;
  std::int64_t unnamed() const;
  /// Least x, least y, greatest x, greatest y in world coordinates. Throws Error{io} if there is no
  /// geometry at all.
  std::array<double, 4> bounds() const;
  /// WKT of the coordinate reference system, after a transformation, empty if unknown; and whether
  /// it counts in degrees.
  const std::string& crs() const;
  bool degrees() const;

  /// The world coordinates x and y of a layer that has only points, one for each point of a
  /// multipoint; always with labels. Throws Error{io} if the layer has lines or areas.
  PointsFile points() const;

  /// The type of the labels.
  ElementType label_type() const;
  /// The name of label n at n - 1; empty unless labels are names.
  const std::vector<std::string>& names() const;

  /// The label of each feature and what it has in a field, as text in UTF-8; features without that
  /// are left out. Throws Error{io} if there is no such field.
  std::vector<std::pair<LabelValue, std::string>> labelled_texts(const std::string& field) const;

  /// Reads the fields of the features that have a geometry.
  FeatureAttributes attributes() const;

  /// The lines of all features in cells of a georeferenced grid, as in the file: the rings of
  /// areas, and lines as areas of one ring.
  Polygons lines(const Grid& grid) const;

  /// Burns the features onto a georeferenced 2-D grid: labels, 0 elsewhere.
  ///
  /// A point gets the cell in which it lies, a line every cell that it touches, an area every cell
  /// whose centre it holds (inside an odd number of its rings). An area without any such cell gets
  /// the cells that it touches, so that none is lost for being small or thin. Where features meet,
  /// the first one of the layer gets the cell. Parts outside of the grid are cut off.
  ///
  /// Throws Error{io} naming the feature for a label 0 or NaN, which would not be a site, or for a
  /// place more than 2^30 cells away; and if the layer's coordinate reference system is not the
  /// grid's. Throws Error{invalid_argument} for a grid that is not 2-D or has no georeference.
  /// Cost: time by the cells in the features' bounding boxes, summed; memory 32 MiB and the raster.
  Raster burn(const Grid& grid) const;

  /// The same in `count` rows from `first` on, with the same labels, into cells in C order. All
  /// features are read; those that reach the rows are burned.
  void burn_rows(const Grid& grid, std::int64_t first, std::int64_t count, std::byte* cells) const;

  /// The same with a value of each feature in place of its label, into cells of f64; `values` has
  /// one for each row of attributes().
  void burn_values(const Grid& grid, const std::vector<double>& values, std::int64_t first,
                   std::int64_t count, std::byte* cells) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace thiessen::io
