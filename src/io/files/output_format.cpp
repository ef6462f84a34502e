// SPDX-License-Identifier: Apache-2.0
#include "io/files/output_format.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "io/files/io_error.hpp"
#include "io/files/lower_case.hpp"

namespace thiessen::io {
namespace {

struct NamedFormat {
  std::string_view suffix;
  Format format;
  std::string_view name;  ///< for formats of GDAL the short name of the driver
};

/// The first row of a suffix is what it means if no format is asked for.
constexpr std::array kOutputFormats = std::to_array<NamedFormat>({
    {".npy", Format::npy, "NPY"},
    {".png", Format::png, "PNG"},
    {".pgm", Format::pgm, "PNM"},
    {".ppm", Format::ppm, "PNM"},
    {".tif", Format::geotiff, "GTiff"},
    {".tif", Format::gdal, "COG"},
    {".tiff", Format::geotiff, "GTiff"},
    {".tiff", Format::gdal, "COG"},
    {".asc", Format::gdal, "AAIGrid"},
    {".gpkg", Format::gdal, "GPKG"},
    {".img", Format::gdal, "HFA"},
    {".img", Format::gdal, "ENVI"},
    {".nc", Format::gdal, "netCDF"},
    {".zarr", Format::gdal, "Zarr"},
    {"-", Format::npy, "NPY"},
    {"-", Format::png, "PNG"},
});

std::string suffix_of(const std::filesystem::path& path) {
  return path == "-" ? "-" : lower_case(path.extension().string());
}

bool is_named(const NamedFormat& format, const std::string& wanted) {
  return lower_case(std::string(format.name)) == lower_case(wanted);
}

/// Null if the suffix has no format of this name; an empty one stands for its first.
const NamedFormat* find_format(const std::string& suffix, const std::string& wanted) {
  const auto* const found =
      std::find_if(kOutputFormats.begin(), kOutputFormats.end(), [&](const NamedFormat& format) {
        return format.suffix == suffix && (wanted.empty() || is_named(format, wanted));
      });
  return found == kOutputFormats.end() ? nullptr : found;
}

/// Whether it is one of our own formats, which need their suffixes.
bool is_own(const std::string& wanted) {
  return std::any_of(kOutputFormats.begin(), kOutputFormats.end(), [&](const NamedFormat& format) {
    return format.format != Format::gdal && is_named(format, wanted);
  });
}

}  // namespace

OutputFormat output_format(const std::filesystem::path& path, const std::string& wanted) {
  const std::string suffix = suffix_of(path);
  const bool is_known = find_format(suffix, "") != nullptr;
  if (!is_known && wanted.empty())
    fail(path, "has the suffix " + excerpt(suffix) +
                   ", which names no format; .npy, .png, .pgm, .ppm, .tif, .asc, .gpkg, .img, .nc "
                   "and .zarr can be written, and by --output-format what GDAL writes");
  if (!is_format_for(path, wanted))
    fail(path,
         "is not written as " + excerpt(wanted) + ": its suffix must be the suffix of the format");
  if (!is_known) return {Format::gdal, wanted};
  const NamedFormat& format = *find_format(suffix, wanted);
  const bool is_of_gdal = format.format == Format::gdal || format.format == Format::geotiff;
  return {format.format, is_of_gdal ? std::string(format.name) : ""};
}

bool is_format_for(const std::filesystem::path& path, const std::string& wanted) {
  const std::string suffix = suffix_of(path);
  if (wanted.empty() || find_format(suffix, wanted) != nullptr) return true;
  return find_format(suffix, "") == nullptr && !is_own(wanted);
}

}  // namespace thiessen::io
