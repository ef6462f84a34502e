// SPDX-License-Identifier: Apache-2.0
//
// The portable bitmaps, greymaps and pixmaps of Netpbm: PBM, PGM and PPM.
#pragma once

#include "io/files/input_file.hpp"
#include "io/files/output_file.hpp"
#include "io/raster/raster_shape.hpp"
#include "thiessen/raster.hpp"
#include "thiessen/view.hpp"

namespace thiessen::io {

/// Reads a file that begins with P1 to P6; values as stored, not scaled to the greatest one.
Raster read_pnm(InputFile& file);

/// Type and extents, from the header alone.
RasterLayout read_pnm_layout(InputFile& file);

/// Writes 2-D integers as binary PGM of 8 or 16 bits, u8 extents (y, x, 3) as binary PPM.
void write_pnm(OutputFile& file, const View<const void>& raster,
               const WriteProgress& progress = {});

}  // namespace thiessen::io
