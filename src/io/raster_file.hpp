// SPDX-License-Identifier: Apache-2.0
//
// One reader and one writer for raster files of every format.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "io/output_file.hpp"
#include "thiessen/labels.hpp"
#include "thiessen/raster.hpp"
#include "thiessen/view.hpp"

namespace thiessen::io {

/// A raster and what its file says of it.
struct RasterFile {
  Raster raster;  ///< its grid has the file's georeference, and from it the spacing
  std::optional<LabelValue> nodata = std::nullopt;
};

struct ReadOptions {
  /// The band to read, 1 for the first; needed only where a file has several.
  std::optional<int> band = std::nullopt;
  /// Threads that decompress; 0: as many as there are processors.
  int threads = 0;
  /// Called now and then with the fraction that is read; what it throws ends the read.
  std::function<void(double fraction)> progress = {};
};

/// Which axis of a raster are the bands of a GeoTIFF.
enum class Bands {
  none,   ///< (y, x), or (z, y, x) as pages
  first,  ///< components in front, (c, y, x) or (c, z, y, x)
  last    ///< a picture: (y, x, c)
};

struct WriteOptions {
  std::optional<Georeference> georeference = std::nullopt;
  std::optional<LabelValue> nodata = std::nullopt;
  Bands bands = Bands::none;  ///< only of a GeoTIFF; other formats tell a picture by its extents
  /// NAME=VALUE, how a GeoTIFF is stored: COMPRESS=LZW, BIGTIFF=YES …; see gdal_geotiff.cpp.
  std::vector<std::string> creation_options = {};
  /// Threads that compress; 0: as many as there are processors.
  int threads = 0;
  WriteProgress progress = {};  ///< called now and then; what it throws ends the write
};

/// Whether this build reads what GDAL reads, and writes GeoTIFF.
bool has_gdal() noexcept;

/// Reads a 2-D or 3-D raster; the format is recognised by its first bytes, not by its name.
///
/// NPY: every integer, bool and float type of 1 to 8 bytes, C or Fortran order, both byte orders,
/// format versions 1 to 3; 2 or 3 axes. The array comes back in C order and native byte order.
/// PNG: grey of 1, 2, 4, 8 bits as u8 and of 16 bits as u16 (values as stored, not scaled); 1-bit
/// grey as bool; palette images as u8 indices; RGB of 8 bits as u32 0xRRGGBB. PGM (P2, P5): u8 or
/// u16; PPM (P3, P6), 8 bits: u32 0xRRGGBB; PBM (P1, P4): bool.
///
/// Anything else goes to GDAL, and so does what is no file but a name that GDAL knows
/// (/vsizip/a.zip/b.tif, NETCDF:"a.nc":b). All its integer and float types, values as stored: no
/// scale and offset, no colour table. A TIFF of 1 bit is bool; one of several pages of equal size
/// and type is 3-D, a plane a page. Of several bands `band` chooses one, on every page. The nodata
/// value is given if the cells can hold it. The grid has the georeference if the file has a
/// geotransform: the spacing (y, x) is the length of a cell's sides in the unit of the coordinate
/// reference system, empty if that is degrees; planes are 1 apart. Control points alone are no
/// georeference.
///
/// Throws Error{io} naming the file and what is wrong with it: complex cells; a sheared
/// geotransform; a mask or alpha band, as only a nodata value takes cells out of the domain; blocks
/// that were never written, unless they stand for nodata. A header is never trusted: memory is
/// asked for only after the file is known to hold the data, or, of a file that GDAL reads, is not
/// touched before the data is there. No second copy of the cells is held.
RasterFile read_raster(const std::filesystem::path& path, const ReadOptions& options = {});

/// Throws Error{io} if the suffix of `path` names no format we write (.npy .png .pgm .ppm .tif
/// .tiff), or one that cannot hold a raster of this type and these extents (floats or 3-D into PNG
/// or PGM; labels into PPM; components other than (y, x, 3) u8 into PPM), or if of a GeoTIFF the
/// options are wrong. Call it before the work is done.
void require_writable(const std::filesystem::path& path, ElementType type, const Extents& extents,
                      const WriteOptions& options = {});

/// Writes a host view of any strides in the format of the target's suffix and closes the file.
///
/// NPY: 1.0, C order, native (little-endian) byte order, any type, any rank from 1 to 4.
/// PNG and PGM: 2-D integers; 8 bits for types of one byte, else 16 bits. PNG also takes u8 extents
/// (y, x, 3) as RGB; PPM takes only these.
/// GeoTIFF: every type (bool in 1 bit); tiles, DEFLATE, BigTIFF where needed; georeference, nodata
/// value and statistics of the cells that are finite and not nodata. Planes become pages and
/// components bands, see Bands. The other formats have no place for georeference and nodata.
/// Throws Error{io}: what require_writable says, a value outside of 0..65535 (naming value and
/// cell), or a full disk.
void write_raster(OutputFile& file, View<const void> raster, const WriteOptions& options = {});

}  // namespace thiessen::io
