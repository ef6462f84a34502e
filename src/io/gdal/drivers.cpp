// SPDX-License-Identifier: Apache-2.0
#include "io/gdal/drivers.hpp"

#include <cpl_conv.h>
#include <cpl_http.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <cpl_vsi_virtual.h>
#include <gdal.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>

#include "io/files/access.hpp"
#include "io/files/io_error.hpp"
#include "io/gdal/formats.hpp"
#include "io/gdal/session.hpp"

namespace thiessen::io {
namespace {

/// Drivers that use the network, whatever file makes them do so.
constexpr std::array kNetworkDrivers = {
    "AmigoCloud", "CSW",    "Carto",        "DAAS",  "EEDA",     "EEDAI",         "Elasticsearch",
    "GMLAS",      "HTTP",   "MSSQLSpatial", "MySQL", "NGW",      "OAPIF",         "OGCAPI",
    "OCI",        "ODBC",   "PLMOSAIC",     "PGeo",  "PLSCENES", "PostGISRaster", "PostgreSQL",
    "STACIT",     "STACTA", "WCS",          "WFS",   "WMS",      "WMTS"};
/// Drivers whose files name other files, of any format.
constexpr std::array kIndirectDrivers = {"DERIVED", "GTI", "OGR_VRT", "VRT"};

constexpr std::array<std::string_view, 11> kLocalFileSystems = {
    "/vsimem/",   "/vsizip/",   "/vsigzip/",    "/vsitar/",    "/vsi7z/",      "/vsirar/",
    "/vsicrypt/", "/vsistdin/", "/vsisubfile/", "/vsicached?", "/vsithiessen/"};

/// Drivers that are not registered, so that no file can use them.
class ParkedDrivers {
 public:
  /// It is never destroyed, like GDAL's own drivers.
  static ParkedDrivers& instance() {
    static auto* const drivers = new ParkedDrivers;
    return *drivers;
  }

  void park(const char* name) {
    const std::lock_guard lock(mutex_);
    GDALDriverH driver = GDALGetDriverByName(name);
    if (driver == nullptr) return;
    GDALDeregisterDriver(driver);
    parked_.emplace(name, driver);
  }

  /// Registers a driver again.
  void call_up(const std::string& name) {
    const std::lock_guard lock(mutex_);
    const auto found = std::find_if(parked_.begin(), parked_.end(), [&name](const auto& parked) {
      return EQUAL(parked.first.c_str(), name.c_str());
    });
    if (found == parked_.end()) return;
    GDALRegisterDriver(found->second);
    parked_.erase(found);
  }

 private:
  std::mutex mutex_;
  std::map<std::string, GDALDriverH> parked_;
};

template <std::size_t Count>
bool is_among(const std::string& name, const std::array<const char*, Count>& names) {
  return std::any_of(names.begin(), names.end(),
                     [&name](const char* other) { return EQUAL(name.c_str(), other); });
}

/// File systems of GDAL that reach beyond this machine.
std::vector<std::string> remote_file_systems() {
  std::vector<std::string> names;
  char** const prefixes = VSIGetFileSystemsPrefixes();
  for (char** prefix = prefixes; prefix != nullptr && *prefix != nullptr; ++prefix) {
    const std::string_view name = *prefix;
    const bool local = std::find(kLocalFileSystems.begin(), kLocalFileSystems.end(), name) !=
                       kLocalFileSystems.end();
    if (!local && name.starts_with("/vsi") && !name.starts_with("/vsistd"))
      names.emplace_back(name);
  }
  CSLDestroy(prefixes);
  return names;
}

void* open_nothing(void*, const char* name, const char*) {
  CPLError(CE_Failure, CPLE_OpenFailed, "%s is on the network, which is not allowed", name);
  return nullptr;
}

/// Replaces each file system that reaches beyond this machine by one without files.
void close_remote_file_systems() {
  const Released<VSIFilesystemPluginCallbacksStruct*, VSIFreeFilesystemPluginCallbacksStruct> calls(
      VSIAllocFilesystemPluginCallbacksStruct());
  calls->open = open_nothing;
  // GDAL forgets file systems that are replaced, and does not destroy them.
  static auto* const replaced = new std::vector<VSIFilesystemHandler*>;
  for (const std::string& prefix : remote_file_systems()) {
    replaced->push_back(VSIFileManager::GetHandler(prefix.c_str()));
    VSIInstallPluginHandler(prefix.c_str(), calls.get());
  }
}

// NOLINTNEXTLINE(readability-function-size): as GDAL wants it
CPLHTTPResult* fetch_nothing(const char* url, CSLConstList, GDALProgressFunc, void*,
                             CPLHTTPFetchWriteFunc, void*, void*) {
  CPLError(CE_Failure, CPLE_HttpResponse, "%s is on the network, which is not allowed", url);
  auto* const result = static_cast<CPLHTTPResult*>(CPLCalloc(1, sizeof(CPLHTTPResult)));
  result->nStatus = 1;
  result->pszErrBuf = CPLStrdup("the network is not allowed");
  return result;
}

bool is_remote(const std::string& name) {
  struct stat status {};
  if (!name.starts_with("/vsi") && ::stat(name.c_str(), &status) == 0) return false;
  if (name.find("://") != std::string::npos) return true;
  // They are found by name before they are closed, since GDAL does not know them afterwards.
  static const std::vector<std::string> kPrefixes = remote_file_systems();
  return std::any_of(kPrefixes.begin(), kPrefixes.end(), [&name](const std::string& prefix) {
    return name.find(prefix) != std::string::npos;
  });
}

/// Registers a driver that the user wants.
void call_up(const std::filesystem::path& path, const std::string& name) {
  if (!access().remote && is_among(name, kNetworkDrivers)) {
    fail(path, "cannot be opened by GDAL's driver " + excerpt(name) +
                   ", which asks the network, without --allow-remote");
  }
  ParkedDrivers::instance().call_up(name);
  if (GDALGetDriverByName(name.c_str()) == nullptr) {
    fail(path, "cannot be opened by the driver " + excerpt(name) +
                   ", which this GDAL does not have; gdalinfo --formats and ogrinfo --formats list "
                   "its drivers");
  }
}

}  // namespace

void confine_gdal() {
  for (const char* const driver : kIndirectDrivers) ParkedDrivers::instance().park(driver);
  if (access().remote) return;
  for (const char* const driver : kNetworkDrivers) ParkedDrivers::instance().park(driver);
  close_remote_file_systems();
  CPLHTTPSetFetchCallback(fetch_nothing, nullptr);
}

std::vector<std::string> drivers_for(const std::filesystem::path& path) {
  const std::string name = path.string();
  if (!access().remote && is_remote(name)) {
    fail(path, "is on the network, which is asked only with --allow-remote");
  }
  std::vector<std::string> drivers = access().drivers;
  for (const std::string& driver : drivers) call_up(path, driver);
  for (const std::string& driver : drivers_of_name(name)) {
    if (is_among(driver, kIndirectDrivers)) ParkedDrivers::instance().call_up(driver);
    if (GDALGetDriverByName(driver.c_str()) != nullptr) drivers.push_back(driver);
  }
  return drivers;
}

std::string driver_by_contents(const std::filesystem::path& path) {
  std::array<char, 64> start{};
  VSILFILE* const file = VSIFOpenL(path.c_str(), "rb");
  if (file != nullptr) {
    VSIFReadL(start.data(), 1, start.size() - 1, file);
    VSIFCloseL(file);
  }
  const std::string_view text = start.data();
  if (text.find("<VRTDataset") != std::string_view::npos) return "VRT";
  if (text.find("<OGRVRTDataSource") != std::string_view::npos) return "OGR_VRT";
  char** list = nullptr;
  for (const std::string& driver : drivers_of_all_suffixes()) {
    list = CSLAddString(list, driver.c_str());
  }
  GDALDriverH driver =
      GDALIdentifyDriverEx(path.c_str(), GDAL_OF_RASTER | GDAL_OF_VECTOR, list, nullptr);
  CSLDestroy(list);
  return driver == nullptr ? "" : GDALGetDriverShortName(driver);
}

}  // namespace thiessen::io
