// SPDX-License-Identifier: Apache-2.0
#include "io/gdal/formats.hpp"

#include <cpl_string.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "io/files/access.hpp"
#include "io/files/io_error.hpp"
#include "io/files/lower_case.hpp"
#include "io/gdal/raster/zarr.hpp"

namespace thiessen::io {
namespace {

struct FormatDrivers {
  std::string_view suffix;
  std::string_view drivers;  // parted by commas
};

/// Formats whose files hold the cells or features themselves. Formats whose files can name any
/// other file (HDF, PCIDSK, SQLite …) or server are missing; only VRT is there, as
/// require_plain_vrt() reads it.
constexpr std::array kFormats = std::to_array<FormatDrivers>({
    {"adf", "AIG,AVCBin"},
    {"asc", "AAIGrid,GRASSASCIIGrid,ISG"},
    {"bil", "EHdr,ENVI"},
    {"bip", "EHdr,ENVI"},
    {"bmp", "BMP"},
    {"bsq", "EHdr,ENVI"},
    {"bt", "BT"},
    {"dat", "ENVI,ZMap"},
    {"dbf", "ESRI Shapefile"},
    {"dem", "USGSDEM"},
    {"dgn", "DGN"},
    {"dt0", "DTED"},
    {"dt1", "DTED"},
    {"dt2", "DTED"},
    {"dxf", "DXF"},
    {"e00", "AVCE00"},
    {"fgb", "FlatGeobuf"},
    {"fits", "FITS"},
    {"flt", "EHdr"},
    {"gdb", "OpenFileGDB"},
    {"geojson", "GeoJSON,TopoJSON,ESRIJSON"},
    {"geojsonl", "GeoJSONSeq"},
    {"gif", "GIF,BIGGIF"},
    {"gml", "GML"},
    {"gmt", "OGR_GMT"},
    {"gpkg", "GPKG"},
    {"gpx", "GPX"},
    {"grb", "GRIB"},
    {"grb2", "GRIB"},
    {"grd", "netCDF,GSAG,GSBG,GS7BG,NWT_GRD"},
    {"grib", "GRIB"},
    {"grib2", "GRIB"},
    {"gtx", "GTX"},
    {"gxf", "GXF"},
    {"hgt", "SRTMHGT"},
    {"img", "HFA,ENVI"},
    {"j2k", "JP2OpenJPEG,JP2KAK,JP2ECW"},
    {"jp2", "JP2OpenJPEG,JP2KAK,JP2ECW"},
    {"jpeg", "JPEG"},
    {"jpg", "JPEG"},
    {"json", "GeoJSON,TopoJSON,ESRIJSON"},
    {"kml", "LIBKML,KML"},
    {"kmz", "LIBKML"},
    {"map", "PCRaster"},
    {"mbtiles", "MBTiles"},
    {"mid", "MapInfo File"},
    {"mif", "MapInfo File"},
    {"nc", "netCDF"},
    {"nc4", "netCDF"},
    {"ntf", "NITF"},
    {"osm", "OSM"},
    {"parquet", "Parquet"},
    {"pbf", "OSM"},
    {"png", "PNG"},
    {"rst", "RST"},
    {"sdat", "SAGA"},
    {"shp", "ESRI Shapefile"},
    {"shx", "ESRI Shapefile"},
    {"shz", "ESRI Shapefile"},
    {"tab", "MapInfo File"},
    {"ter", "Terragen,Leveller"},
    {"tga", "TGA"},
    {"tif", "GTiff"},
    {"tiff", "GTiff"},
    {"topojson", "TopoJSON"},
    {"txt", "AAIGrid"},
    {"vrt", "VRT"},
    {"webp", "WEBP"},
    {"zip", "ESRI Shapefile"},
});

/// Names that are not files begin with a word and a colon; the word is mostly the driver's name.
constexpr std::array kPrefixes = std::to_array<FormatDrivers>({
    {"bag", "BAG"},
    {"geojson", "GeoJSON"},
    {"gpkg", "GPKG"},
    {"gtiff_dir", "GTiff"},
    {"gtiff_raw", "GTiff"},
    {"hdf4_eos", "HDF4,HDF4Image"},
    {"hdf4_gr", "HDF4,HDF4Image"},
    {"hdf4_sds", "HDF4,HDF4Image"},
    {"hdf5", "HDF5,HDF5Image"},
    {"netcdf", "netCDF"},
    {"nitf_im", "NITF"},
});

std::vector<std::string> parted(std::string_view list) {
  std::vector<std::string> names;
  for (std::size_t end = 0; !list.empty(); list.remove_prefix(std::min(end + 1, list.size()))) {
    end = list.find(',');
    names.emplace_back(list.substr(0, end));
    if (end == std::string_view::npos) break;
  }
  return names;
}

template <std::size_t Count>
std::vector<std::string> find(const std::array<FormatDrivers, Count>& formats,
                              const std::string& word) {
  for (const FormatDrivers& format : formats) {
    if (format.suffix == word) return parted(format.drivers);
  }
  return {};
}

}  // namespace

std::vector<std::string> drivers_of_name(const std::string& name) {
  struct stat status {};
  const std::size_t colon = name.find(':');
  if (colon != std::string::npos && ::stat(name.c_str(), &status) != 0) {
    std::vector<std::string> drivers = find(kPrefixes, lower_case(name.substr(0, colon)));
    if (!drivers.empty()) return drivers;
  }
  // A file of this name could lead anywhere, but a folder holds the cells.
  if (is_zarr_store(name)) return {"Zarr"};
  std::string suffix = lower_case(std::filesystem::path(name).extension().string());
  if (!suffix.empty()) suffix.erase(0, 1);
  std::vector<std::string> drivers = find(kFormats, suffix);
  if (!drivers.empty() || access().format.empty()) return drivers;
  drivers = find(kFormats, lower_case(access().format));
  if (drivers.empty()) {
    fail(name, "cannot be read as the format " + excerpt(access().format) +
                   ", which is no suffix that is known; --driver takes any driver of GDAL");
  }
  return drivers;
}

std::vector<std::string> drivers_of_all_suffixes() {
  std::vector<std::string> drivers;
  for (const FormatDrivers& format : kFormats) {
    for (std::string& driver : parted(format.drivers)) drivers.push_back(std::move(driver));
  }
  return drivers;
}

}  // namespace thiessen::io
