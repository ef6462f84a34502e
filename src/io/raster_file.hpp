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
  /// Called now and then with the fraction that is read; what it throws ends the read.
  std::function<void(double fraction)> progress = {};
};

struct WriteOptions {
  std::optional<Georeference> georeference = std::nullopt;
  std::optional<LabelValue> nodata = std::nullopt;
  WriteProgress progress = {};  ///< called now and then; what it throws ends the write
};

/// Reads a 2-D or 3-D raster; the format is recognised by its first bytes, not by its name.
///
/// NPY: every integer, bool and float type of 1 to 8 bytes, C or Fortran order, both byte orders,
/// format versions 1 to 3; 2 or 3 axes. The array comes back in C order and native byte order.
/// PNG: grey of 1, 2, 4, 8 bits as u8 and of 16 bits as u16 (values as stored, not scaled); 1-bit
/// grey as bool; palette images as u8 indices; RGB of 8 bits as u32 0xRRGGBB. PGM (P2, P5): u8 or
/// u16; PPM (P3, P6), 8 bits: u32 0xRRGGBB; PBM (P1, P4): bool.
///
/// Throws Error{io} naming the file and what is wrong with it. A header is never trusted: memory is
/// asked for only after the file is known to hold the data.
RasterFile read_raster(const std::filesystem::path& path, const ReadOptions& options = {});

/// Throws Error{io} if the suffix of `path` names no format we write (.npy .png .pgm .ppm), or one
/// that cannot hold a raster of this type and these extents (floats or 3-D into PNG or PGM; labels
/// into PPM; components other than (y, x, 3) u8 into PPM). Call it before the work is done.
void require_writable(const std::filesystem::path& path, ElementType type, const Extents& extents);

/// Writes a host view of any strides in the format of the target's suffix and closes the file.
///
/// NPY: 1.0, C order, native (little-endian) byte order, any type, any rank from 1 to 4.
/// PNG and PGM: 2-D integers; 8 bits for types of one byte, else 16 bits. PNG also takes u8 extents
/// (y, x, 3) as RGB; PPM takes only these.
/// Throws Error{io}: what require_writable says, a value outside of 0..65535 (naming value and
/// cell), or a full disk.
void write_raster(OutputFile& file, View<const void> raster, const WriteOptions& options = {});

}  // namespace thiessen::io
