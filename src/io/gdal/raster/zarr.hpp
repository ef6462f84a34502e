// SPDX-License-Identifier: Apache-2.0
//
// Arrays of Zarr, by the multidimensional interface of GDAL. Only gdal_*.cpp include this.
#pragma once

#include <gdal.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

#include "io/gdal/session.hpp"
#include "thiessen/view.hpp"

namespace thiessen::io {

using ZarrGroup = Released<GDALGroupH, GDALGroupRelease>;
using MdArray = Released<GDALMDArrayH, GDALMDArrayRelease>;
using MdType = Released<GDALExtendedDataTypeH, GDALExtendedDataTypeRelease>;

/// An open array; members are closed from the last to the first.
struct ZarrArray {
  Dataset store;
  ZarrGroup group;
  MdArray array;
  Dataset plane;  ///< it, or its first plane, as GDAL shows rasters
  Extents extents;
};

/// Whether a name is a folder of Zarr, also in a file system of GDAL.
bool is_zarr_store(const std::string& name);

/// Opens an array of 2 or 3 axes, or the only one of a group. Throws Error{io}, for a group with
/// several listing their names.
ZarrArray open_zarr(const GdalSession& session, const std::filesystem::path& path);

/// Reads or writes so many rows or planes from `first` on of an array, along `axis`; the other axes
/// whole. Cells lie as in an array with `room` of them. False if GDAL fails.
struct ZarrRows {
  const Extents& extents;
  int axis;
  std::int64_t first, count, room;
};
bool read_zarr(GDALMDArrayH array, const ZarrRows& rows, ElementType type, std::byte* cells);
bool write_zarr(GDALMDArrayH array, const ZarrRows& rows, ElementType type, const std::byte* cells);

/// The cells of a chunk along an axis.
std::int64_t chunk_extent(GDALMDArrayH array, int axis);

}  // namespace thiessen::io
