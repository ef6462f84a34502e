// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "io/files/input_file.hpp"
#include "io/files/output_file.hpp"
#include "io/raster/raster_shape.hpp"
#include "thiessen/raster.hpp"
#include "thiessen/view.hpp"

namespace thiessen::io {

/// Reads a file that begins with the signature of PNG; values as stored, interlaced or not.
Raster read_png(InputFile& file);

/// Type and extents, from the header alone.
RasterLayout read_png_layout(InputFile& file);

/// Writes 2-D integers as grey of 8 or 16 bits, u8 extents (y, x, 3) as RGB,
/// (y, x, 4) as RGBA.
void write_png(OutputFile& file, const View<const void>& raster,
               const WriteProgress& progress = {});

/// The bytes of such a file.
std::vector<std::byte> encode_png(const View<const void>& raster);

}  // namespace thiessen::io
