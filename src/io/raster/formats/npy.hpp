// SPDX-License-Identifier: Apache-2.0
//
// NumPy's file format, versions 1 to 3.
#pragma once

#include <memory>

#include "io/files/input_file.hpp"
#include "io/files/output_file.hpp"
#include "io/raster/raster_rows.hpp"
#include "io/raster/raster_shape.hpp"
#include "thiessen/raster.hpp"
#include "thiessen/view.hpp"

namespace thiessen::io {

/// Reads a file that begins with the signature of NPY. C order is read straight into the raster;
/// Fortran order goes through a buffer of 16 slices across the last axis, or 8 MiB if that is more.
Raster read_npy(InputFile& file);

/// Type and extents, from the header alone.
RasterLayout read_npy_layout(InputFile& file);

/// Whether the first axis is contiguous. Reads the header.
bool is_npy_in_fortran_order(InputFile& file);

/// Opens a file in C order for its rows.
std::unique_ptr<RowReader> open_npy_rows(const std::filesystem::path& path);

/// Begins a file of version 1.0 in C order and native byte order; rank 1 to 4. The rows are on the
/// axis `row_axis`.
std::unique_ptr<RowWriter> write_npy_rows(OutputFile& file, ElementType type,
                                          const Extents& extents, int row_axis,
                                          const WriteProgress& progress);

/// Where such a file has its cells; `type` is not boolean.
RowLayout npy_row_layout(ElementType type, const Extents& extents, int row_axis);

}  // namespace thiessen::io
