// SPDX-License-Identifier: Apache-2.0
#include "gdal_memory.hpp"

#include <cpl_conv.h>
#include <cpl_vsi.h>
#include <gdal.h>

#include "io/files/access.hpp"

/// AddressSanitizer calls it. A small file may promise a raster that no memory holds; that must
/// become an error and not end the program.
extern "C" const char* __asan_default_options();   // NOLINT(bugprone-reserved-identifier)
extern "C" const char* __asan_default_options() {  // NOLINT(bugprone-reserved-identifier)
  return "allocator_may_return_null=1:max_allocation_size_mb=64:quarantine_size_mb=16:malloc_"
         "context_size=3";
}

namespace thiessen::fuzz {
namespace {

/// No threads, no driver that uses the network, and not OSM, which makes a database for every file.
/// All other drivers may open the file, which has no suffix.
bool confine_gdal() {
  CPLSetConfigOption("GDAL_NUM_THREADS", "1");
  CPLSetConfigOption("GDAL_SKIP",
                     "AmigoCloud,Carto,CSW,DAAS,EEDA,EEDAI,Elasticsearch,GMLAS,HTTP,MSSQLSpatial,"
                     "MySQL,NGW,OAPIF,OGCAPI,OSM,PLMOSAIC,PLSCENES,PostGISRaster,PostgreSQL,"
                     "STACIT,STACTA,WCS,WFS,WMS,WMTS");
  GDALAllRegister();
  io::Access all;
  for (int i = 0; i < GDALGetDriverCount(); ++i) {
    all.drivers.emplace_back(GDALGetDriverShortName(GDALGetDriver(i)));
  }
  io::set_access(all);
  return true;
}

}  // namespace

GdalMemoryFile::GdalMemoryFile(const std::uint8_t* data, std::size_t size) {
  static const bool kConfined = confine_gdal();
  static_cast<void>(kConfined);
  // GDAL only reads it, but wants a pointer that it might write through.
  auto* const bytes = const_cast<GByte*>(data);
  VSIFCloseL(VSIFileFromMemBuffer(kPath, bytes, size, FALSE));
}

GdalMemoryFile::~GdalMemoryFile() { VSIUnlink(kPath); }

}  // namespace thiessen::fuzz
