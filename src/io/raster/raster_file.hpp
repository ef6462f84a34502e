// SPDX-License-Identifier: Apache-2.0
//
// One reader and one writer for raster files of every format.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "io/files/output_file.hpp"
#include "thiessen/labels.hpp"
#include "thiessen/raster.hpp"
#include "thiessen/view.hpp"

namespace thiessen::io {

/// The size of cells in a file without a georeference.
struct VoxelSize {
  std::vector<double> spacing = {};  ///< as in Grid; empty if the file does not say it clearly
  std::string unit = {};             ///< unit of the spacing, such as "µm"; empty if unknown
  std::string note = {};             ///< all of it, as half a sentence of English
};

/// What makes quantities of the values that a band stores: value · scale + offset. Readers leave
/// the values as they are stored, see quantity.hpp.
struct Scaling {
  double scale = 1, offset = 0;

  /// Whether it changes anything.
  explicit operator bool() const noexcept { return scale != 1 || offset != 0; }
  bool operator==(const Scaling&) const = default;
};

/// A raster and what its file says about it.
struct RasterFile {
  Raster raster;  ///< its grid has the file's georeference, and the spacing from it
  std::optional<LabelValue> nodata = std::nullopt;  ///< as it is stored
  std::optional<VoxelSize> voxels = std::nullopt;
  Scaling scaling = {};
  std::string unit = {};  ///< of the quantities, as the file has it
};

struct ReadOptions {
  /// The band to read, 1 for the first; needed only if a file has several.
  std::optional<int> band = std::nullopt;
  /// Whether pictures with three bands of u8 (red, green and blue) are read as one number a cell,
  /// 0xRRGGBB, if no band is chosen. If false, they are refused like other files with several
  /// bands.
  bool colours = true;
  /// Threads that decompress; 0: as many as there are processors.
  int threads = 0;
  /// Called now and then with the fraction that is read; what it throws ends the read.
  std::function<void(double fraction)> progress = {};
};

/// The axis of a raster that becomes the bands of a GeoTIFF.
enum class Bands {
  none,   ///< (y, x), or (z, y, x) as pages
  first,  ///< components in front, (c, y, x) or (c, z, y, x)
  last    ///< a picture: (y, x, c); four of u8 are colours with opacity
};

struct WriteOptions {
  std::optional<Georeference> georeference = std::nullopt;
  std::optional<LabelValue> nodata = std::nullopt;
  Bands bands = Bands::none;  ///< only for a GeoTIFF; in other formats the extents show a picture
  /// A GeoTIFF gets NaN for every infinite cell; other formats keep them.
  bool infinite_is_nan = false;
  std::string unit = {};  ///< unit of the values, such as "µm"; only a GeoTIFF keeps it
  /// Names of the values 1, 2, …: see attribute_table_of().
  std::vector<std::string> names = {};
  /// The format, if it is not that of the suffix: COG, netCDF …; see output_format.hpp.
  std::string format = {};
  /// How GDAL stores its formats, as NAME=VALUE: COMPRESS=LZW …; for GeoTIFF see
  /// gdal/raster/geotiff_options.cpp.
  std::vector<std::string> creation_options = {};
  /// Threads that compress; 0: as many as there are processors.
  int threads = 0;
  WriteProgress progress = {};  ///< called now and then; what it throws ends the write
};

/// Whether this build reads and writes the formats of GDAL.
bool has_gdal() noexcept;

/// Reads a 2-D or 3-D raster; the format is recognised by its first bytes, not by its name. The
/// name may speak of a band: FILE|band=N, see part_of().
///
/// NPY: every integer, bool and float type of 1 to 8 bytes, C or Fortran order, both byte orders,
/// format versions 1 to 3; 2 or 3 axes. The array comes back in C order and native byte order.
/// PNG: grey of 1, 2, 4, 8 bits as u8 and of 16 bits as u16 (values as stored, not scaled); 1-bit
/// grey as bool; palette images as u8 indices; RGB of 8 bits as u32 0xRRGGBB, or a band of it. PGM
/// (P2, P5): u8 or u16; PPM (P3, P6), 8 bits: u32 0xRRGGBB; PBM (P1, P4): bool.
///
/// GDAL reads everything else, by the rules of access.hpp, and also names that only GDAL knows
/// (/vsizip/a.zip/b.tif, NETCDF:"a.nc":b). It reads all its integer and float types, values as
/// stored: scale and offset are told, and no colour table counts. A TIFF of 1 bit is bool. A TIFF
/// with several pages of equal size and type is 3-D, a plane a page. If there are several bands,
/// `band` chooses one, on every page. The nodata value is returned if the cells can hold it. The
/// grid has the georeference if the file has a geotransform: the spacing (y, x) is the length of a
/// cell's sides in the unit of the coordinate reference system, empty if that is degrees; planes
/// are 1 apart. Control points alone are not a georeference. If a TIFF has none, the size of voxels
/// from ImageJ or OME-XML is the spacing.
///
/// Throws Error{io} naming the file and what is wrong with it: complex cells; a sheared
/// geotransform; a mask or alpha band, as only a nodata value takes cells out of the domain. Blocks
/// of a TIFF that were never written are nodata or, without a nodata value, 0. A header is never
/// trusted: memory is taken only after the file is known to hold the data; for a file that GDAL
/// reads, it is not touched before the data is there. There is no second copy of the cells.
RasterFile read_raster(const std::filesystem::path& name, const ReadOptions& asked = {});

/// Throws Error{io} if the suffix of `path` names no format that can be written, if the format
/// cannot hold a raster of this type and these extents (floats or 3-D into PNG or PGM; labels into
/// PPM; components other than (y, x, 3) u8 into PPM), or if the options for GDAL are wrong. Formats
/// that GDAL writes, other than GeoTIFF, are tried: a small file is written and read back. Call it
/// before the work is done.
void require_writable(const std::filesystem::path& path, ElementType type, const Extents& extents,
                      const WriteOptions& options = {});

/// What lies beside a GeoTIFF whose values have names, under its name and ".aux.xml": GDAL's raster
/// attribute table, which QGIS and others read. Empty for other formats, without names, and with
/// more than kMostNames, whose table would be larger than its raster and slow down all readers.
std::string attribute_table_of(const std::filesystem::path& path, const WriteOptions& options);
inline constexpr std::size_t kMostNames = 100'000;

/// The names that GDAL knows for the values 1, 2, … of a raster, or of FILE|band=N: those of an
/// attribute table, or of categories. A value among them without a name has its number. Empty if
/// there are none, or GDAL does not read the file. Throws Error{io} for a name that is not UTF-8.
std::vector<std::string> read_value_names(const std::filesystem::path& name);

/// Who writes a file of this name, as OutputFile wants to know.
Writers writers_of(const std::filesystem::path& path, const WriteOptions& options);

/// Writes a host view of any strides in the format of the target's suffix and closes the file.
///
/// NPY: 1.0, C order, native (little-endian) byte order, any type, any rank from 1 to 4.
/// PNG and PGM: 2-D integers; 8 bits for types of one byte, else 16 bits. PNG also takes u8 extents
/// (y, x, 3) as RGB and (y, x, 4) as RGB with opacity; PPM takes only (y, x, 3).
/// GeoTIFF: every type (bool in 1 bit); tiles of 256 x 256 cells, or flat tiles or strips of as
/// many cells for a thin raster; DEFLATE; BigTIFF where needed; georeference, nodata value, and
/// statistics of the cells that are finite and not nodata. Planes become pages and components
/// bands, see Bands. NPY and pictures have no place for georeference and nodata.
/// Other formats of GDAL: the file must be open for writers_of() it. Zarr, format 2: a group with
/// the array, named as the file, and its coordinates; chunks of 256 x 1024 cells of a plane, BLOSC.
/// All others by GDALCreateCopy() from a temporary GeoTIFF beside the target. What GDAL has written
/// is read back, and must be the same values.
/// Throws Error{io} for everything that require_writable refuses, for a value outside of 0..65535
/// (naming value and cell), and for a full disk.
void write_raster(OutputFile& file, View<const void> raster, const WriteOptions& options = {});

}  // namespace thiessen::io
