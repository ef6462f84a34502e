// SPDX-License-Identifier: Apache-2.0
//
// The contents of a file, without reading its cells or features.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "io/raster/raster_file.hpp"
#include "thiessen/grid.hpp"
#include "thiessen/labels.hpp"
#include "thiessen/view.hpp"

namespace thiessen::io {

struct RasterInfo {
  std::string format;  ///< NPY, PNG, PGM …, or GDAL's short name of its driver
  ElementType element_type = ElementType::u8;
  Grid grid;      ///< as read_raster gives it; the extents of one band
  int bands = 1;  ///< of each page, of which the rest describes one
  std::optional<LabelValue> nodata = std::nullopt;
  std::optional<VoxelSize> voxels = std::nullopt;
  Scaling scaling = {};
  std::string compression = {};  ///< as GDAL names it; empty if there is none or it is not known
  std::optional<Extents> block = std::nullopt;  ///< (y, x) cells that are stored as one piece
};

struct FieldInfo {
  std::string name;
  std::string type;  ///< Integer, Integer64, Real, String …
};

struct LayerInfo {
  std::string name;
  std::string geometry;  ///< Point, 3D Multi Polygon …, "Unknown (any)"
  std::int64_t features = 0;
  std::vector<FieldInfo> fields = {};
  std::string crs = {};  ///< as WKT; empty if unknown
  /// Least x, least y, greatest x, greatest y; empty if no feature has a geometry.
  std::optional<std::array<double, 4>> bounds = std::nullopt;
};

/// What the headers of a raster file say about its first band, or that of FILE|band=N. Cost: that
/// of opening the file. Throws Error{io} like read_raster, but not for errors that only the cells
/// show, nor for several bands. A pipe is used up by it.
RasterInfo inspect_raster(const std::filesystem::path& name);

/// The layers of a vector file, or that of FILE|layer=NAME. Cost: one pass over the features if the
/// format does not count them. Throws Error{io}.
std::vector<LayerInfo> inspect_layers(const std::filesystem::path& name);

}  // namespace thiessen::io
