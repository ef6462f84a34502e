// SPDX-License-Identifier: Apache-2.0
//
// Coordinate reference systems by GDAL: equal in x and y, and their names.
#include "io/raster/crs.hpp"

#include <cpl_conv.h>

#include <string_view>

#include "io/files/io_error.hpp"
#include "io/files/lower_case.hpp"
#include "io/gdal/session.hpp"
#include "thiessen/error.hpp"

namespace thiessen::io {
namespace {

/// The part of a reference system that defines x and y.
Crs horizontal(const std::string& wkt) {
  Crs crs = crs_of(wkt);
  if (!crs) {
    throw Error(ErrorCode::invalid_argument,
                "the coordinate reference system " + excerpt(wkt) + " is not understood");
  }
  OSRStripVertical(crs.get());
  OSRDemoteTo2D(crs.get(), nullptr);
  return crs;
}

/// Whether a system is undefined, as in a GeoPackage for which nobody has chosen one.
bool is_undefined(OGRSpatialReferenceH crs) {
  const char* const name = crs == nullptr ? nullptr : OSRGetName(crs);
  return name == nullptr || std::string_view(name).starts_with("Undefined ");
}

/// "EPSG:32631", from the system itself or from the register entry that it matches; or empty.
std::string code_of(OGRSpatialReferenceH crs) {
  constexpr int kSure = 90;
  const auto text = [](OGRSpatialReferenceH of) -> std::string {
    const char* const authority = OSRGetAuthorityName(of, nullptr);
    const char* const code = OSRGetAuthorityCode(of, nullptr);
    return authority == nullptr || code == nullptr ? "" : std::string(authority) + ":" + code;
  };
  std::string code = text(crs);
  if (!code.empty()) return code;
  int count = 0;
  int* confidence = nullptr;
  OGRSpatialReferenceH* const matches = OSRFindMatches(crs, nullptr, &count, &confidence);
  if (count > 0 && confidence[0] >= kSure) code = text(matches[0]);
  OSRFreeSRSArray(matches);
  CPLFree(confidence);
  return code;
}

}  // namespace

std::string wkt_of(OGRSpatialReferenceH crs) {
  if (is_undefined(crs)) return "";
  static constexpr const char* kOptions[] = {"FORMAT=WKT2_2019", "MULTILINE=NO", nullptr};
  char* text = nullptr;
  const OGRErr result = OSRExportToWktEx(crs, &text, kOptions);
  std::string wkt = result == OGRERR_NONE && text != nullptr ? text : "";
  CPLFree(text);
  return wkt;
}

bool is_in_degrees(OGRSpatialReferenceH crs) {
  return !is_undefined(crs) && (OSRIsGeographic(crs) != 0 || OSRIsDerivedGeographic(crs) != 0);
}

Crs crs_of(const std::string& wkt) {
  Crs crs(OSRNewSpatialReference(nullptr));
  std::string copy = wkt;  // the parser moves its argument
  char* text = copy.data();
  if (OSRImportFromWkt(crs.get(), &text) != OGRERR_NONE) return nullptr;
  OSRSetAxisMappingStrategy(crs.get(), OAMS_TRADITIONAL_GIS_ORDER);
  return crs;
}

std::string crs_text(const std::string& wkt) {
  if (wkt.empty()) return "";
  const GdalSession session;
  const Crs crs = crs_of(wkt);
  const char* const name = crs ? OSRGetName(crs.get()) : nullptr;
  if (name == nullptr) return excerpt(wkt);
  const std::string code = code_of(crs.get());
  return code.empty() ? one_line(name) : code + " (" + one_line(name) + ")";
}

std::optional<CrsEllipsoid> ellipsoid_of(const std::string& wkt) {
  if (wkt.empty()) return std::nullopt;
  const GdalSession session;
  const Crs crs = crs_of(wkt);
  OGRErr found = OGRERR_FAILURE;
  const double radius = crs ? OSRGetSemiMajor(crs.get(), &found) : 0;
  if (found != OGRERR_NONE) return std::nullopt;
  const double inverse = OSRGetInvFlattening(crs.get(), &found);
  if (found != OGRERR_NONE) return std::nullopt;
  return CrsEllipsoid{radius, inverse == 0 ? 0 : 1 / inverse};
}

std::optional<LengthUnit> length_unit_of(const std::string& wkt) {
  if (wkt.empty()) return std::nullopt;
  const GdalSession session;
  const Crs crs = crs_of(wkt);
  if (!crs || is_in_degrees(crs.get())) return std::nullopt;
  char* name = nullptr;  // belongs to the system
  const double metres = OSRGetLinearUnits(crs.get(), &name);
  LengthUnit unit{.name = name == nullptr ? "" : one_line(name), .metres = metres};
  const std::string text = lower_case(unit.name);
  const bool foot =
      text.find("foot") != std::string::npos || text.find("feet") != std::string::npos;
  unit.symbol = metres == 1 ? "m" : metres == 1000 ? "km" : foot ? "ft" : text;
  return unit;
}

bool same_crs(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty() || a == b) return true;
  const GdalSession session;
  const Crs first = horizontal(a);
  const Crs second = horizontal(b);
  static constexpr const char* kOptions[] = {"CRITERION=EQUIVALENT_EXCEPT_AXIS_ORDER_GEOGCRS",
                                             "IGNORE_DATA_AXIS_TO_SRS_AXIS_MAPPING=YES", nullptr};
  return OSRIsSameEx(first.get(), second.get(), kOptions) != 0;
}

}  // namespace thiessen::io
