// SPDX-License-Identifier: Apache-2.0
//
// The size of voxels that microscopes write into the description of a TIFF. Only gdal_*.cpp include
// this.
#pragma once

#include <gdal.h>

#include <optional>
#include <string>

#include "io/raster/raster_file.hpp"
#include "thiessen/grid.hpp"

namespace thiessen::io {

/// Sets the spacing of the grid to what ImageJ or OME-XML says. Empty if neither wrote the file, if
/// they give no sizes, or if there is a georeference.
std::optional<VoxelSize> read_voxel_size(GDALDatasetH first_page, Grid& grid);

}  // namespace thiessen::io
