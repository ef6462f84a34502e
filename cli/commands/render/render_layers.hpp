// SPDX-License-Identifier: Apache-2.0
//
// What `render` paints: labels, distances and the sites that it marks.
#pragma once

#include <optional>
#include <string>

#include "inputs/sites/site_input.hpp"
#include "io/raster/raster_file.hpp"
#include "maps/scale/orientation.hpp"
#include "results/warnings.hpp"
#include "talk/progress.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::cli {

/// The sites to mark. The words of the command line, not parsed yet.
struct MarkArguments {
  std::string file;
  LayerArguments layer = {.name_flag = "--sites-layer"};
};

/// The files of what is painted.
struct RenderFiles {
  std::string labels, distance, plane;
  MarkArguments sites;
};

/// A raster, and the plane of it that is painted.
class Layer {
 public:
  Layer() = default;
  /// That of a file. Throws UsageError.
  Layer(const std::string& flag, const std::string& path, const std::string& plane,
        const io::ReadOptions& reading);
  explicit Layer(Raster raster);

  /// Turns what is painted of it.
  void turn(const maps::Turn& turn);

  const View<const void>& view() const { return view_; }
  const std::optional<LabelValue>& nodata() const { return file_.nodata; }
  const std::optional<io::VoxelSize>& voxels() const { return file_.voxels; }
  const std::string& unit() const { return file_.unit; }  ///< of its values
  const std::optional<Georeference>& georeference() const {
    return file_.raster.grid().georeference;
  }

 private:
  io::RasterFile file_;
  View<const void> view_;
};

/// All layers. Sites that are points of a table or features of a vector layer become a raster that
/// is not 0 in their cells, on the grid of the labels or the distances. A grid that is mirrored on
/// the map is turned (orientation.hpp).
class RenderLayers {
 public:
  /// Reads them. Throws UsageError.
  RenderLayers(const RenderFiles& files, Context& context, Progress& progress, Warnings& warnings);

  RenderInputs inputs() const { return {labels.view(), distance.view(), sites.view()}; }
  const View<const void>& any() const { return first().view(); }
  std::optional<Georeference> georeference() const;
  const std::optional<io::VoxelSize>& voxels() const { return first().voxels(); }

  Layer labels, distance, sites;

 private:
  std::optional<Georeference> own_georeference() const;
  const Layer& first() const;
  Grid grid_of_marks(const MarkArguments& arguments) const;

  std::optional<Georeference> turned_;  // that of the grid, if it was turned
};

}  // namespace thiessen::cli
