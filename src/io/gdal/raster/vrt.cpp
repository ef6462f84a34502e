// SPDX-License-Identifier: Apache-2.0
//
// Checks a VRT before GDAL opens it: a VRT can name any file, server or program.
#include <cpl_conv.h>
#include <cpl_minixml.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <gdal.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <set>
#include <string>

#include "io/files/access.hpp"
#include "io/files/io_error.hpp"
#include "io/gdal/drivers.hpp"
#include "io/gdal/session.hpp"

namespace thiessen::io {
namespace {

constexpr GIntBig kMostBytes = GIntBig{64} << 20;

/// The elements of mosaics and copies of plain rasters that gdalbuildvrt and gdal_translate write.
constexpr std::array kPlainElements = {"AveragedSource",
                                       "BlockXSize",
                                       "BlockYSize",
                                       "Category",
                                       "CategoryNames",
                                       "ColorInterp",
                                       "ColorTable",
                                       "ColorTableComponent",
                                       "ComplexSource",
                                       "DataAxisToSRSAxisMapping",
                                       "Description",
                                       "DstRect",
                                       "Entry",
                                       "Exponent",
                                       "GCP",
                                       "GCPList",
                                       "GeoTransform",
                                       "HideNoDataValue",
                                       "HistCounts",
                                       "HistItem",
                                       "HistMax",
                                       "HistMin",
                                       "Histograms",
                                       "IncludeOutOfRange",
                                       "Approximate",
                                       "BucketCount",
                                       "DstMax",
                                       "DstMin",
                                       "LUT",
                                       "MDI",
                                       "MaskBand",
                                       "Metadata",
                                       "NODATA",
                                       "NoDataValue",
                                       "NoDataFromMaskSource",
                                       "Offset",
                                       "OverviewList",
                                       "SRS",
                                       "Scale",
                                       "ScaleOffset",
                                       "ScaleRatio",
                                       "SimpleSource",
                                       "SourceBand",
                                       "SourceFilename",
                                       "SourceProperties",
                                       "SrcMax",
                                       "SrcMin",
                                       "SrcRect",
                                       "UnitType",
                                       "UseMaskBand",
                                       "VRTDataset",
                                       "VRTRasterBand"};

/// Null for text that GDAL does not take for a VRT, or that is not XML; GDAL reports the latter.
Xml parse(const std::filesystem::path& path) {
  GByte* bytes = nullptr;
  if (VSIIngestFile(nullptr, path.c_str(), &bytes, nullptr, kMostBytes) == 0) return nullptr;
  const auto* const text = reinterpret_cast<const char*>(bytes);
  Xml root(std::strstr(text, "<VRTDataset") == nullptr ? nullptr : CPLParseXMLString(text));
  VSIFree(bytes);
  return root;
}

class VrtInspector {
 public:
  explicit VrtInspector(std::filesystem::path path) : path_(std::move(path)) {}

  /// Refuses what would crash GDAL, even if the user wants it.
  void require_sound() const {
    const Xml root = parse(path_);
    for_each(root.get(), [this](const CPLXMLNode* node) {
      if (!EQUAL(node->pszValue, "Kernel")) return;
      if (std::atoi(CPLGetXMLValue(node, "Size", "0")) >= 1) return;
      fail(path_, "is a VRT with a kernel without a size");
    });
  }

  void require_plain() { require_plain(path_); }

 private:
  template <class Visit>
  static void for_each(const CPLXMLNode* first, const Visit& visit) {
    for (const CPLXMLNode* node = first; node != nullptr; node = node->psNext) {
      if (node->eType != CXT_Element) continue;
      if (node->pszValue[0] != '?') visit(node);
      for_each(node->psChild, visit);
    }
  }

  [[noreturn]] void refuse(const std::string& what) const {
    fail(path_, "is a VRT " + what + "; if you trust it, --driver VRT opens it all the same");
  }

  void require_plain(const std::filesystem::path& vrt) {
    if (!seen_.insert(vrt.string()).second) return;
    const Xml root = parse(vrt);
    for_each(root.get(), [this, &vrt](const CPLXMLNode* node) {
      const bool known =
          std::any_of(kPlainElements.begin(), kPlainElements.end(),
                      [node](const char* name) { return EQUAL(name, node->pszValue); });
      if (!known) refuse("with <" + one_line(node->pszValue).substr(0, 40) + ">");
      require_plain_class(node);
      if (EQUAL(node->pszValue, "SourceFilename")) require_own_source(vrt, node);
    });
  }

  void require_plain_class(const CPLXMLNode* node) const {
    const char* const kind = CPLGetXMLValue(node, "subClass", "VRTSourcedRasterBand");
    if (!EQUAL(kind, "VRTSourcedRasterBand")) refuse("of the class " + excerpt(kind));
  }

  /// Checks that a source is a raster in the VRT's folder or below, with the format of its suffix.
  void require_own_source(const std::filesystem::path& vrt, const CPLXMLNode* node) {
    const std::string name = CPLGetXMLValue(node, nullptr, "");
    const bool relative = std::atoi(CPLGetXMLValue(node, "relativeToVRT", "0")) != 0;
    const std::filesystem::path folder =
        std::filesystem::absolute(vrt).lexically_normal().parent_path();
    const std::filesystem::path source =
        (relative ? folder / name : std::filesystem::absolute(name)).lexically_normal();
    const std::filesystem::path inside = source.lexically_relative(folder);
    // These characters are in names of parts of files, and in VRTs that stand in place of a name.
    const bool plain = !name.empty() && name.find_first_of(":<\"") == std::string::npos;
    if (!plain || inside.empty() || *inside.begin() == "..") {
      refuse("that names " + excerpt(name) + ", which is not in its folder");
    }
    const std::vector<std::string> drivers = drivers_for(source);
    GDALDriverH found = GDALIdentifyDriver(source.c_str(), nullptr);
    const std::string driver = found == nullptr ? "" : GDALGetDriverShortName(found);
    const bool expected = std::find(drivers.begin(), drivers.end(), driver) != drivers.end();
    VSIStatBufL status;
    if (!expected && VSIStatL(source.c_str(), &status) == 0) {
      refuse("that names " + excerpt(name) + ", which is not what its suffix says");
    }
    if (driver == "VRT") require_plain(source);
  }

  std::filesystem::path path_;
  std::set<std::string> seen_;
};

}  // namespace

void require_plain_vrt(const std::filesystem::path& path) {
  VrtInspector vrt(path);
  vrt.require_sound();
  const std::vector<std::string>& asked = access().drivers;
  const bool trusted = std::any_of(asked.begin(), asked.end(), [](const std::string& driver) {
    return EQUAL(driver.c_str(), "VRT");
  });
  if (!trusted) vrt.require_plain();
}

}  // namespace thiessen::io
