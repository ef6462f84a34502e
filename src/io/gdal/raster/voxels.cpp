// SPDX-License-Identifier: Apache-2.0
#include "io/gdal/raster/voxels.hpp"

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_minixml.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include "io/files/io_error.hpp"
#include "io/gdal/raster/source.hpp"
#include "io/gdal/session.hpp"

namespace thiessen::io {
namespace {

constexpr std::string_view kMicrometre = "\u00B5m";
constexpr const char* kMixedPlanes =
    "its planes are channels or times, too, so that its size of voxels is not read";

/// The contents of a description; lengths that are not there are 0.
struct Calibration {
  double x = 0, y = 0, z = 0;
  std::string unit;
  std::int64_t planes = 0;  ///< one above the other; 0: unknown
  bool mixed = false;       ///< there are channels or times
};

double positive(const std::string& text) {
  const double value = CPLAtof(text.c_str());
  return std::isfinite(value) && value > 0 ? value : 0;
}

std::int64_t count_of(const std::string& text) {
  std::int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// Gives all names of the micrometre in use one name; other units keep theirs.
std::string unit_of(const std::string& text) {
  constexpr std::size_t kLongest = 20;
  for (const std::string_view name :
       {"micron", "microns", "um", "\\u00B5m", "\xb5m", "\u03BCm", "micrometer", "micrometre"}) {
    if (text == name) return std::string(kMicrometre);
  }
  if (text == "pixel" || text == "pixels") return "";
  return one_line(text.substr(0, kLongest));
}

/// The length of a pixel if so many make up 1. A tag holds at most 7 digits, so the result is the
/// shortest decimal number that it may stand for.
double length_of(double pixels_per_unit) {
  if (!(pixels_per_unit > 0)) return 0;
  constexpr double kPrecision = 5e-7;
  for (int digits = 1; digits < 9; ++digits) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.*e", digits - 1, 1 / pixels_per_unit);
    const double length = CPLAtof(text.data());
    if (std::abs(1 / length - pixels_per_unit) <= kPrecision * pixels_per_unit) return length;
  }
  return 1 / pixels_per_unit;
}

double resolution(GDALDatasetH page, const char* tag) {
  const char* const text = GDALGetMetadataItem(page, tag, nullptr);
  return text == nullptr ? 0 : positive(text);
}

/// Reads lines of key=value.
std::map<std::string, std::string> entries_of(std::string_view description) {
  std::map<std::string, std::string> entries;
  while (!description.empty()) {
    const std::size_t end = std::min(description.find('\n'), description.size());
    std::string_view line = description.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    const std::size_t equals = line.find('=');
    if (equals != std::string_view::npos) {
      entries.emplace(line.substr(0, equals), line.substr(equals + 1));
    }
    description.remove_prefix(std::min(end + 1, description.size()));
  }
  return entries;
}

/// Reads ImageJ's lengths, which are in its own unit. Without a unit the resolution may be that of
/// a printer; it counts only if the file gives no unit for it either.
Calibration of_imagej(GDALDatasetH page, std::string_view description) {
  std::map<std::string, std::string> entries = entries_of(description);
  Calibration found;
  found.unit = unit_of(entries["unit"]);
  const char* const unit = GDALGetMetadataItem(page, "TIFFTAG_RESOLUTIONUNIT", nullptr);
  const bool printed = unit != nullptr && unit[0] != '1';
  if (!found.unit.empty() || !printed) {
    found.x = length_of(resolution(page, "TIFFTAG_XRESOLUTION"));
    found.y = length_of(resolution(page, "TIFFTAG_YRESOLUTION"));
  }
  found.z = std::abs(CPLAtof(entries["spacing"].c_str()));
  const bool any = !found.unit.empty() || found.x > 0 || found.y > 0 || found.z > 0;
  for (double* const length : {&found.x, &found.y, &found.z}) {
    if (any && !(std::isfinite(*length) && *length > 0)) *length = 1;  // like ImageJ
  }
  found.planes = count_of(entries["slices"]);
  found.mixed = count_of(entries["channels"]) > 1 || count_of(entries["frames"]) > 1;
  return found;
}

/// A unit in metres; 0 if it is not a length.
double metres_of(const std::string& unit) {
  static const std::map<std::string, double> kUnits = {
      {"m", 1},          {"dm", 1e-1},
      {"cm", 1e-2},      {"mm", 1e-3},
      {"nm", 1e-9},      {"pm", 1e-12},
      {"\u00C5", 1e-10}, {"in", 0.0254},
      {"km", 1e3},       {std::string(kMicrometre), 1e-6}};
  const auto found = kUnits.find(unit);
  return found == kUnits.end() ? 0 : found->second;
}

/// Null for text that is not XML: the cells can be read all the same.
Xml parse(const char* description) {
  CPLPushErrorHandler(CPLQuietErrorHandler);
  Xml root(CPLParseXMLString(description));
  CPLPopErrorHandler();
  return root;
}

Calibration of_ome(const char* description) {
  const Xml root = parse(description);
  Calibration found;
  if (!root) return found;
  CPLStripXMLNamespace(root.get(), nullptr, TRUE);
  // "=" also searches the siblings of the first node, which is <?xml>.
  const CPLXMLNode* const pixels = CPLSearchXMLNode(root.get(), "=Pixels");
  if (pixels == nullptr) return found;
  const auto item = [pixels](const std::string& name, const char* otherwise) {
    return std::string(CPLGetXMLValue(pixels, name.c_str(), otherwise));
  };
  const auto unit = [&item](const char* axis) {
    return unit_of(item("PhysicalSize" + std::string(axis) + "Unit", kMicrometre.data()));
  };
  found.unit = unit("X");
  const double metres = metres_of(found.unit);
  const auto length = [&](const char* axis) {
    const double size = positive(item("PhysicalSize" + std::string(axis), "0"));
    const std::string own = unit(axis);
    if (own == found.unit) return size;
    return metres > 0 ? size * metres_of(own) / metres : 0;
  };
  found.x = length("X");
  found.y = length("Y");
  found.z = length("Z");
  found.planes = count_of(item("SizeZ", "0"));
  found.mixed = count_of(item("SizeC", "1")) > 1 || count_of(item("SizeT", "1")) > 1;
  return found;
}

std::string text_of(double length) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.9g", length);
  return text.data();
}

/// Makes the result, with its note, from what was found.
std::optional<VoxelSize> conclude(const Calibration& found, const std::string& source,
                                  const Extents& extents) {
  const bool deep = extents.rank() == 3;
  if (!(found.x > 0) || !(found.y > 0)) return std::nullopt;
  const std::string by = " by its " + source;
  if (deep && found.mixed && found.planes != extents[0]) {
    return VoxelSize{.note = kMixedPlanes + by};
  }
  if (deep && !(found.z > 0)) {
    return VoxelSize{.note =
                         "the distance of its planes is missing, so that its size of voxels is "
                         "not read" +
                         by};
  }
  VoxelSize size{.spacing = {found.y, found.x}, .unit = found.unit};
  std::string lengths = text_of(found.x) + " x " + text_of(found.y);
  if (deep) {
    size.spacing.insert(size.spacing.begin(), found.z);
    lengths += " x " + text_of(found.z);
  }
  size.note = "its cells are " + lengths + (found.unit.empty() ? "" : " " + found.unit) + by;
  return size;
}

std::optional<VoxelSize> voxel_size_of(GDALDatasetH first_page, const Extents& extents) {
  if (!is_tiff(first_page)) return std::nullopt;
  const char* const text = GDALGetMetadataItem(first_page, "TIFFTAG_IMAGEDESCRIPTION", nullptr);
  if (text == nullptr) return std::nullopt;
  const std::string_view description = text;
  if (description.starts_with("ImageJ=")) {
    return conclude(of_imagej(first_page, description), "ImageJ description", extents);
  }
  if (description.find("<OME") == std::string_view::npos) return std::nullopt;
  return conclude(of_ome(text), "OME-XML", extents);
}

}  // namespace

std::optional<VoxelSize> read_voxel_size(GDALDatasetH first_page, Grid& grid) {
  if (grid.georeference) return std::nullopt;
  std::optional<VoxelSize> size = voxel_size_of(first_page, grid.extents);
  if (size) grid.spacing = size->spacing;
  return size;
}

}  // namespace thiessen::io
