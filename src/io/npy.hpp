// SPDX-License-Identifier: Apache-2.0
//
// NumPy's file format, versions 1 to 3.
#pragma once

#include "io/input_file.hpp"
#include "io/output_file.hpp"
#include "io/raster_shape.hpp"
#include "thiessen/raster.hpp"
#include "thiessen/view.hpp"

namespace thiessen::io {

/// Reads a file that begins with the signature of NPY. C order is read straight into the raster;
/// Fortran order goes through a buffer of 16 slices across the last axis, or 8 MiB if that is more.
Raster read_npy(InputFile& file);

/// Type and extents, from the header alone.
RasterLayout read_npy_layout(InputFile& file);

/// Writes version 1.0 in C order and native byte order; rank 1 to 4.
void write_npy(OutputFile& file, const View<const void>& raster,
               const WriteProgress& progress = {});

}  // namespace thiessen::io
