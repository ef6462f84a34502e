// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace thiessen::io {

enum class SiteFileKind { raster, points, vector };

/// The kind of a file of sites, so that read_raster, read_points or VectorFile can read it. It is
/// the first that matches: a raster by the signature of NPY, PNG, PBM, PGM or PPM; points by the
/// suffix .csv, .txt or .xyz, but not an ASCII grid; a raster that GDAL opens; a vector file that
/// GDAL opens. A pipe is points by its suffix, else a raster, and is not read. Throws Error{io} if
/// none matches. FILE|layer=NAME is a vector file if GDAL opens it as one.
SiteFileKind kind_of(const std::filesystem::path& name);

}  // namespace thiessen::io
