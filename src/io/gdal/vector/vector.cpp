// SPDX-License-Identifier: Apache-2.0
//
// Reads a layer twice: first to find bounds, kinds and labels of its features, then to take them.
#include <ogr_api.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "io/files/io_error.hpp"
#include "io/files/utf8.hpp"
#include "io/gdal/session.hpp"
#include "io/gdal/vector/burn.hpp"
#include "io/gdal/vector/geometry.hpp"
#include "io/gdal/vector/layer.hpp"
#include "io/raster/crs.hpp"
#include "io/raster/file_part.hpp"
#include "io/table/vector_file.hpp"

namespace thiessen::io {
namespace {

/// A label in the type of its field.
struct Label {
  std::int64_t integer = 0;
  double real = 0;
  std::int64_t place = 0;  ///< of its feature among those of the layer, from 1

  bool is_site() const { return !std::isnan(real) && (integer != 0 || real != 0); }
};

/// Stores the label as a cell of this type.
void store(const Label& label, ElementType type, std::byte* cell) {
  const auto narrow = static_cast<std::int32_t>(label.integer);
  if (type == ElementType::i32) std::memcpy(cell, &narrow, sizeof narrow);
  if (type == ElementType::i64) std::memcpy(cell, &label.integer, sizeof label.integer);
  if (type == ElementType::f64) std::memcpy(cell, &label.real, sizeof label.real);
}

using Transformation = Released<OGRCoordinateTransformationH, OCTDestroyCoordinateTransformation>;

}  // namespace

struct VectorFile::State {
  State(const std::filesystem::path& name, VectorOptions vector_options)
      : options(std::move(vector_options)) {
    take_part(part_of(name));
    const GdalSession session;
    dataset = open_vector(session, path);
    layer = options.sql.empty() ? find_layer() : select(session);
    filter(session);
    field = find_field();
    OGRSpatialReferenceH reference = OGR_L_GetSpatialRef(layer);
    crs = wkt_of(reference);
    degrees = is_in_degrees(reference);
    if (!options.to_crs.empty()) begin_transformation(session);
    survey(session);
  }
  ~State() {
    if (!options.sql.empty()) GDALDatasetReleaseResultSet(dataset.get(), layer);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  /// Takes the file and the layer of a name.
  void take_part(const FilePart& part) {
    refuse_band(part, "a vector file");
    path = part.file;
    if (part.layer.empty()) return;
    if (!options.sql.empty() || (!options.layer.empty() && options.layer != part.layer))
      fail(path, "is named with the layer " + excerpt(part.layer) + ", and " +
                     excerpt(options.sql.empty() ? options.layer : options.sql) + " is asked for");
    options.layer = part.layer;
  }

  /// The layer that a statement gives.
  OGRLayerH select(const GdalSession& session) const {
    OGRLayerH found = GDALDatasetExecuteSQL(dataset.get(), options.sql.c_str(), nullptr, nullptr);
    session.check(found != nullptr, path, "cannot run " + excerpt(options.sql));
    return found;
  }

  void filter(const GdalSession& session) const {
    if (options.spat)
      OGR_L_SetSpatialFilterRect(layer, (*options.spat)[0], (*options.spat)[1], (*options.spat)[2],
                                 (*options.spat)[3]);
    if (options.where.empty()) return;
    const OGRErr problem = OGR_L_SetAttributeFilter(layer, options.where.c_str());
    session.check(problem == OGRERR_NONE, path,
                  "cannot select features by " + excerpt(options.where));
  }

  void begin_transformation(const GdalSession& session) {
    if (crs.empty())
      fail(path,
           "has no coordinate reference system from which to transform; assign it with "
           "ogr2ogr -a_srs");
    const Crs from = crs_of(crs), to = crs_of(options.to_crs);
    transformation.reset(OCTNewCoordinateTransformation(from.get(), to.get()));
    session.check(transformation != nullptr, path, "cannot be transformed");
    crs = options.to_crs;
    degrees = is_in_degrees(to.get());
  }

  [[noreturn]] void fail_at(OGRFeatureH feature, const std::string& what) const {
    fail(path, "feature " + std::to_string(OGR_F_GetFID(feature)) + " " + what);
  }

  OGRLayerH find_layer() const {
    const int count = GDALDatasetGetLayerCount(dataset.get());
    if (count == 0) fail(path, "has no vector layer");
    if (options.layer.empty() && count > 1) {
      fail(path, "has " + std::to_string(count) +
                     " layers; choose one with FILE|layer=NAME: " + layer_list(dataset.get()));
    }
    OGRLayerH found = options.layer.empty()
                          ? GDALDatasetGetLayer(dataset.get(), 0)
                          : GDALDatasetGetLayerByName(dataset.get(), options.layer.c_str());
    if (found == nullptr) refuse_missing_layer(path, options.layer, dataset.get());
    if (OGR_L_GetGeomType(found) == wkbNone) {
      fail(path, "has no geometry in the layer " + excerpt(OGR_L_GetName(found)));
    }
    return found;
  }

  int find_field() {
    if (options.label_field.empty()) return -1;
    OGRFeatureDefnH features = OGR_L_GetLayerDefn(layer);
    const int index = OGR_FD_GetFieldIndex(features, options.label_field.c_str());
    if (index < 0) {
      fail(path,
           "has no field " + excerpt(options.label_field) + "; there are: " + field_list(features));
    }
    const OGRFieldType type = OGR_Fld_GetType(OGR_FD_GetFieldDefn(features, index));
    if (type != OFTInteger && type != OFTInteger64 && type != OFTReal && type != OFTString) {
      fail(path,
           "has labels of type " + std::string(OGR_GetFieldTypeName(type)) + " in the field " +
               excerpt(options.label_field) +
               "; labels are integers, reals or text; the fields are: " + field_list(features));
    }
    is_real = type == OFTReal;
    is_text = type == OFTString;
    return index;
  }

  /// Calls visit(feature, geometry, label) with every feature that has a geometry. Returns the
  /// number of all features.
  template <class Visit>
  std::int64_t for_each_feature(const GdalSession& session, const Visit& visit) const {
    const auto total = static_cast<double>(OGR_L_GetFeatureCount(layer, 0));
    OGR_L_ResetReading(layer);
    for (std::int64_t number = 1;; ++number) {
      const Feature feature(OGR_L_GetNextFeature(layer));
      session.check(true, path, "cannot be read");
      if (!feature) return number - 1;
      visit_feature(feature.get(), number, visit);
      if (options.progress && total > 0) {
        options.progress(std::min(static_cast<double>(number) / total, 1.0));
      }
    }
  }

  template <class Visit>
  void visit_feature(OGRFeatureH feature, std::int64_t number, const Visit& visit) const {
    OGRGeometryH geometry = OGR_F_GetGeometryRef(feature);
    if (geometry == nullptr || OGR_G_IsEmpty(geometry) != 0) return;
    const Label label = label_of(feature, number);
    Geometry own;
    if (OGR_G_HasCurveGeometry(geometry, 1) != 0) {
      own.reset(OGR_G_GetLinearGeometry(geometry, 0, nullptr));
      if (!own) fail_at(feature, "has curves that cannot be made lines");
    }
    if (transformation) {
      if (!own) own.reset(OGR_G_Clone(geometry));
      if (OGR_G_Transform(own.get(), transformation.get()) != OGRERR_NONE)
        fail_at(feature, "cannot be transformed to " + crs_text(options.to_crs));
    }
    visit(feature, own ? own.get() : geometry, label);
  }

  Label label_of(OGRFeatureH feature, std::int64_t place) const {
    if (field < 0) return {.integer = place};
    if (is_text) return {.integer = number_of(text_of(feature, field), place), .place = place};
    if (OGR_F_IsFieldSetAndNotNull(feature, field) == 0) {
      fail_at(feature, "has no value in the field " + excerpt(options.label_field));
    }
    if (is_real) return {.real = OGR_F_GetFieldAsDouble(feature, field)};
    return {.integer = OGR_F_GetFieldAsInteger64(feature, field)};
  }

  /// What a feature has in a field, as text; empty if it has nothing.
  std::string text_of(OGRFeatureH feature, int index) const {
    std::string text = OGR_F_GetFieldAsString(feature, index);
    if (is_utf8(text)) return text;
    const char* const name = OGR_Fld_GetNameRef(OGR_F_GetFieldDefnRef(feature, index));
    fail_at(feature, "has text that is not UTF-8 in the field " + excerpt(name) + ": " +
                         excerpt(text) + encoding_advice());
  }

  /// The number of a name, or of the feature at this place if it has none; 0 if survey() has not
  /// seen it yet.
  std::int64_t number_of(const std::string& name, std::int64_t place) const {
    if (name.empty()) {
      const auto own = unnamed.find(place);
      return own == unnamed.end() ? 0 : own->second;
    }
    const auto found = numbers.find(name);
    return found == numbers.end() ? 0 : found->second;
  }

  /// Gives the name of a feature a number, and one without a name a number for its name.
  void take_name(OGRFeatureH feature, std::int64_t place) {
    const std::string name = text_of(feature, field);
    const auto next = static_cast<std::int64_t>(names.size()) + 1;
    if (name.empty()) {
      unnamed.emplace(place, next);
      names.push_back(std::to_string(next));
    } else if (numbers.try_emplace(name, next).second) {
      names.push_back(name);
    }
  }

  void append_field(OGRFeatureH feature, int index, Column& column) const {
    column.missing.push_back(OGR_F_IsFieldSetAndNotNull(feature, index) == 0);
    if (column.kind == ColumnKind::integer || column.kind == ColumnKind::boolean)
      column.integers.push_back(OGR_F_GetFieldAsInteger64(feature, index));
    else if (column.kind == ColumnKind::real)
      column.reals.push_back(OGR_F_GetFieldAsDouble(feature, index));
    else
      column.texts.push_back(text_of(feature, index));
  }

  ElementType label_type() const {
    if (is_real) return ElementType::f64;
    return is_wide ? ElementType::i64 : ElementType::i32;
  }

  /// Burns what label_for(feature, label) gives for each feature.
  template <class LabelFor>
  void burn(const Grid& grid, const GridRows& rows, ElementType type, std::byte* cells,
            const LabelFor& label_for) const {
    const GdalSession session;
    GeometryBurner burner(grid, rows, type, cells, options.all_touched);
    const std::string& crs_of_grid = grid.georeference->crs;
    if (!same_crs(crs_of_grid, crs)) {
      fail(path, "is in the coordinate reference system " + crs_text(crs) + ", the grid in " +
                     crs_text(crs_of_grid) + "; bring one to the other, as ogr2ogr -t_srs does");
    }
    for_each_feature(session, [&](OGRFeatureH feature, OGRGeometryH geometry, const Label& label) {
      std::array<std::byte, 8> cell{};
      store(label_for(feature, label), type, cell.data());
      if (!burner.burn(geometry, cell.data())) {
        fail_at(feature, "lies more than 2^30 cells away from the grid");
      }
      session.check(true, path, "cannot be burned");
    });
  }

  /// Reads all features for the first time: bounds, kinds, labels.
  void survey(const GdalSession& session) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    bounds = {kInfinity, kInfinity, -kInfinity, -kInfinity};
    const OGRwkbGeometryType type = OGR_GT_Flatten(OGR_L_GetGeomType(layer));
    only_points = type == wkbPoint || type == wkbMultiPoint || type == wkbUnknown ||
                  type == wkbGeometryCollection;
    std::int64_t placed = 0;
    const std::int64_t all = for_each_feature(
        session, [&](OGRFeatureH feature, OGRGeometryH geometry, const Label& label) {
          ++placed;
          if (is_text) take_name(feature, label.place);
          for_each_vertex(geometry, [this, feature](double x, double y) {
            if (!std::isfinite(x) || !std::isfinite(y)) {
              fail_at(feature, "has a coordinate that is not finite");
            }
            bounds = {std::min(bounds[0], x), std::min(bounds[1], y), std::max(bounds[2], x),
                      std::max(bounds[3], y)};
          });
          for_each_part(geometry, [this](OGRGeometryH, OGRwkbGeometryType part) {
            only_points = only_points && part == wkbPoint;
            only_areas = only_areas && (part == wkbPolygon || part == wkbTriangle);
            points += part == wkbPoint ? 1 : 0;
          });
          is_wide = is_wide || !std::in_range<std::int32_t>(label.integer);
        });
    without_geometry = all - placed;
  }

  std::filesystem::path path;
  VectorOptions options;
  Dataset dataset;
  OGRLayerH layer = nullptr;
  Transformation transformation;  // none: features stay where they are
  int field = -1;                 // -1: features are numbered
  bool is_real = false;
  bool is_text = false;
  std::vector<std::string> names;
  std::unordered_map<std::string, std::int64_t> numbers;   // of the names
  std::unordered_map<std::int64_t, std::int64_t> unnamed;  // numbers of features by their place
  std::int64_t without_geometry = 0;
  bool is_wide = false;  // labels beyond 32 bits
  std::string crs;
  bool degrees = false;
  bool only_points = true;
  bool only_areas = true;
  std::int64_t points = 0;
  std::array<double, 4> bounds{};
};

VectorFile::VectorFile(const std::filesystem::path& name, const VectorOptions& options)
    : state_(std::make_unique<State>(name, options)) {}
VectorFile::~VectorFile() = default;
VectorFile::VectorFile(VectorFile&&) noexcept = default;

bool VectorFile::has_points_only() const { return state_->only_points; }
bool VectorFile::has_areas_only() const { return state_->only_areas && !is_empty(); }
bool VectorFile::is_empty() const { return state_->bounds[0] > state_->bounds[2]; }
std::int64_t VectorFile::without_geometry() const { return state_->without_geometry; }
std::int64_t VectorFile::unnamed() const {
  return static_cast<std::int64_t>(state_->unnamed.size());
}
const std::string& VectorFile::crs() const { return state_->crs; }
bool VectorFile::degrees() const { return state_->degrees; }

std::array<double, 4> VectorFile::bounds() const {
  if (is_empty()) {
    fail(state_->path, "has no feature with a geometry, so no bounds");
  }
  return state_->bounds;
}

PointsFile VectorFile::points() const {
  if (!state_->only_points) fail(state_->path, "has lines or areas, which are no points");
  const GdalSession session;
  const ElementType type = state_->label_type();
  PointsFile file;
  file.labels = Raster(type, Extents{state_->points});
  file.coordinates.reserve(2 * static_cast<std::size_t>(state_->points));
  std::byte* next = file.labels.bytes();
  state_->for_each_feature(session, [&](OGRFeatureH, OGRGeometryH geometry, const Label& label) {
    for_each_vertex(geometry, [&](double x, double y) {
      if (file.count() == state_->points) fail(state_->path, "changes while it is read");
      file.coordinates.insert(file.coordinates.end(), {x, y});
      store(label, type, next);
      next += size_of(type);
    });
  });
  if (file.count() < state_->points) fail(state_->path, "changes while it is read");
  return file;
}

std::vector<std::pair<LabelValue, std::string>> VectorFile::labelled_texts(
    const std::string& field) const {
  const GdalSession session;
  OGRFeatureDefnH features = OGR_L_GetLayerDefn(state_->layer);
  const int index = OGR_FD_GetFieldIndex(features, field.c_str());
  if (index < 0)
    fail(state_->path, "has no field " + excerpt(field) + "; there are: " + field_list(features));
  std::vector<std::pair<LabelValue, std::string>> names;
  state_->for_each_feature(session, [&](OGRFeatureH feature, OGRGeometryH, const Label& label) {
    if (OGR_F_IsFieldSetAndNotNull(feature, index) == 0) return;
    names.emplace_back(state_->is_real ? LabelValue(label.real) : LabelValue(label.integer),
                       state_->text_of(feature, index));
  });
  return names;
}

ElementType VectorFile::label_type() const { return state_->label_type(); }
const std::vector<std::string>& VectorFile::names() const { return state_->names; }

FeatureAttributes VectorFile::attributes() const {
  const GdalSession session;
  FeatureAttributes attributes;
  OGRFeatureDefnH features = OGR_L_GetLayerDefn(state_->layer);
  attributes.columns.push_back(integer_column("source_fid", {}));
  for (int i = 0; i < OGR_FD_GetFieldCount(features); ++i)
    attributes.columns.push_back(column_of(state_->path, OGR_FD_GetFieldDefn(features, i)));
  std::vector<Label> labels;
  state_->for_each_feature(
      session, [&](OGRFeatureH feature, OGRGeometryH geometry, const Label& label) {
        if (state_->only_points)
          for_each_vertex(geometry, [&](double, double) {
            attributes.row_of_point.push_back(static_cast<std::int64_t>(labels.size()));
          });
        labels.push_back(label);
        attributes.columns[0].integers.push_back(OGR_F_GetFID(feature));
        for (std::size_t i = 1; i < attributes.columns.size(); ++i)
          state_->append_field(feature, static_cast<int>(i) - 1, attributes.columns[i]);
      });
  const ElementType type = state_->label_type();
  attributes.labels = Raster(type, Extents{static_cast<std::int64_t>(labels.size())});
  std::byte* next = attributes.labels.bytes();
  for (const Label& label : labels) {
    store(label, type, next);
    next += size_of(type);
  }
  return attributes;
}

Polygons VectorFile::lines(const Grid& grid) const {
  const GdalSession session;
  const std::array<double, 6>& t = grid.georeference->transform;
  const double determinant = t[1] * t[5] - t[2] * t[4];
  Polygons polygons;
  state_->for_each_feature(session, [&](OGRFeatureH, OGRGeometryH geometry, const Label&) {
    for_each_part(geometry, [&](OGRGeometryH part, OGRwkbGeometryType) {
      polygons.rings.push_back(static_cast<std::int64_t>(polygons.points.size()));
      for_each_line(part, [&](OGRGeometryH ring) {
        polygons.points.push_back(static_cast<std::int64_t>(polygons.coordinates.size()) / 2);
        for (int i = 0; i < OGR_G_GetPointCount(ring); ++i) {
          constexpr double kCorner = 0.5;  // the centre of the first cell is 0
          const double x = OGR_G_GetX(ring, i) - t[0], y = OGR_G_GetY(ring, i) - t[3];
          const double column = (x * t[5] - y * t[2]) / determinant;
          const double row = (y * t[1] - x * t[4]) / determinant;
          polygons.coordinates.insert(polygons.coordinates.end(),
                                      {row - kCorner, column - kCorner});
        }
      });
    });
  });
  polygons.rings.push_back(static_cast<std::int64_t>(polygons.points.size()));
  polygons.points.push_back(static_cast<std::int64_t>(polygons.coordinates.size()) / 2);
  return polygons;
}

Raster VectorFile::burn(const Grid& grid) const {
  Raster labels(state_->label_type(), grid);
  burn_rows(grid, 0, grid.extents.rank() > 0 ? grid.extents[0] : 0, labels.bytes());
  return labels;
}

void VectorFile::burn_rows(const Grid& grid, std::int64_t first, std::int64_t count,
                           std::byte* cells) const {
  const ElementType type = state_->label_type();
  state_->burn(grid, {first, count}, type, cells, [&](OGRFeatureH feature, const Label& label) {
    if (!label.is_site())
      state_->fail_at(feature, "has the label 0 or NaN, which is no site on a raster");
    return label;
  });
}

void VectorFile::burn_values(const Grid& grid, const std::vector<double>& values,
                             std::int64_t first, std::int64_t count, std::byte* cells) const {
  // Cells hold the numbers of features first: a value may be 0, as cells that no feature has are.
  std::int64_t rows = 0;
  state_->burn(grid, {first, count}, ElementType::i64, cells,
               [&](OGRFeatureH, const Label&) { return Label{.integer = ++rows}; });
  if (rows != static_cast<std::int64_t>(values.size()))
    fail(state_->path, "changes while it is read");
  std::byte* const end = cells + count * grid.extents[1] * std::int64_t{sizeof(double)};
  for (std::byte* cell = cells; cell != end; cell += sizeof(double)) {
    std::int64_t row = 0;
    std::memcpy(&row, cell, sizeof row);
    const double value = row == 0 ? 0 : values[static_cast<std::size_t>(row) - 1];
    std::memcpy(cell, &value, sizeof value);
  }
}

}  // namespace thiessen::io
