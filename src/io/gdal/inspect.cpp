// SPDX-License-Identifier: Apache-2.0
#include "io/files/io_error.hpp"
#include "io/gdal/drivers.hpp"
#include "io/gdal/raster/source.hpp"
#include "io/gdal/raster/voxels.hpp"
#include "io/gdal/session.hpp"
#include "io/raster/file_part.hpp"
#include "io/raster/gdal.hpp"

namespace thiessen::io {

std::optional<RasterInfo> inspect_gdal_raster(const std::filesystem::path& path, int number) {
  const GdalSession session;
  const std::optional<GdalSource> source = open_source(session, path);
  if (!source) return std::nullopt;
  GDALDatasetH dataset = source->first();
  RasterInfo info;
  info.bands = GDALGetRasterCount(dataset);
  if (number > info.bands) refuse_missing_band(path, info.bands, number);
  GDALRasterBandH band = GDALGetRasterBand(dataset, number);
  info.format = source->zarr ? "Zarr" : GDALGetDriverShortName(GDALGetDatasetDriver(dataset));
  info.element_type = element_type_of(path, band);
  info.grid = grid_of(path, *source);
  if (!source->zarr) info.voxels = read_voxel_size(dataset, info.grid);
  info.nodata = nodata_of(*source, band, info.element_type);
  info.scaling = scaling_of(band);
  const char* const compression = GDALGetMetadataItem(dataset, "COMPRESSION", "IMAGE_STRUCTURE");
  if (compression != nullptr) info.compression = compression;
  info.block = block_of(band);
  return info;
}

bool is_gdal_raster(const std::filesystem::path& path) {
  const GdalSession session;
  if (!drivers_for(path).empty() && is_zarr_store(path.string())) return true;
  const Dataset dataset = try_to_open(path, GDAL_OF_RASTER);
  if (!dataset) return false;
  return GDALGetRasterCount(dataset.get()) > 0 ||
         GDALGetMetadata(dataset.get(), "SUBDATASETS") != nullptr;
}

bool is_gdal_vector(const std::filesystem::path& path) {
  const GdalSession session;
  return open_dataset(session, path, GDAL_OF_VECTOR) != nullptr;
}

std::string gdal_advice(const std::filesystem::path& path) {
  const std::string suffix = path.extension().string();
  const std::string driver = driver_by_contents(path);
  std::string reason =
      ", nor what GDAL reads by the suffix " + (suffix.empty() ? "that it lacks" : excerpt(suffix));
  if (driver.empty()) return reason;
  return reason + " (by its contents it is for GDAL's driver " + driver + ": give --driver " +
         excerpt(driver) + " if you trust it)";
}

}  // namespace thiessen::io
