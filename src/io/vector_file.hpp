// SPDX-License-Identifier: Apache-2.0
//
// Vector layers as sites.
#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <string>

#include "io/points_file.hpp"
#include "thiessen/grid.hpp"
#include "thiessen/raster.hpp"

namespace thiessen::io {

struct VectorOptions {
  std::string layer = {};        ///< empty: the only one
  std::string label_field = {};  ///< integer or real field; empty: numbered 1, 2, … by feature
};

/// A layer of a file that GDAL's vector drivers read, opened.
class VectorFile {
 public:
  /// Throws Error{io} naming file, layer or field.
  explicit VectorFile(const std::filesystem::path& path, const VectorOptions& options = {});
  ~VectorFile();
  VectorFile(VectorFile&&) noexcept;

  bool has_points_only() const;
  /// Least x, least y, greatest x, greatest y in world coordinates.
  std::array<double, 4> bounds() const;
  /// WKT of the coordinate reference system, empty if unknown; and whether it counts in degrees.
  const std::string& crs() const;
  bool degrees() const;

  /// Of a layer with points only: their world coordinates.
  PointsFile points() const;
  /// Burns the features onto a georeferenced 2-D grid: labels, 0 elsewhere.
  Raster burn(const Grid& grid) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace thiessen::io
