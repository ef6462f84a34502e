// SPDX-License-Identifier: Apache-2.0
//
// How the file layer calls GDAL. Only gdal_*.cpp include this.
#pragma once

#include <cpl_error.h>
#include <cpl_minixml.h>
#include <cpl_string.h>
#include <gdal.h>
#include <ogr_srs_api.h>

#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <type_traits>

namespace thiessen::io {

template <auto Release>
struct ReleaseBy {
  template <class T>
  void operator()(T* object) const noexcept {
    Release(object);
  }
};
/// What GDAL has made, by its handle, until the function of GDAL releases it.
template <class Handle, auto Release>
using Released = std::unique_ptr<std::remove_pointer_t<Handle>, ReleaseBy<Release>>;

using Dataset = Released<GDALDatasetH, GDALClose>;
using Crs = Released<OGRSpatialReferenceH, OSRDestroySpatialReference>;
using StringList = Released<char**, CSLDestroy>;
using Xml = Released<CPLXMLNode*, CPLDestroyXMLNode>;

/// While a session lives, it keeps GDAL's reports on this thread, and nothing is printed. The first
/// session registers the drivers, bounds the block cache and silences GDAL's own threads.
class GdalSession {
 public:
  /// `threads` for (de)compression, 0: all. GDAL_NUM_THREADS wins if the user has set it.
  explicit GdalSession(int threads = 0);
  ~GdalSession();
  GdalSession(const GdalSession&) = delete;
  GdalSession& operator=(const GdalSession&) = delete;

  bool failed() const noexcept { return failed_; }

  /// Throws Error{io}: the file, what could not be done, and GDAL's first complaint.
  [[noreturn]] void fail(const std::filesystem::path& path, const std::string& what) const;

  /// Throws such an Error if a call returned or reported a failure.
  void check(CPLErr result, const std::filesystem::path& path, const std::string& what) const {
    check(result < CE_Failure, path, what);
  }
  void check(bool is_done, const std::filesystem::path& path, const std::string& what) const {
    if (!is_done || failed_) fail(path, what);
  }

  /// GDAL's first complaint: a failure or, if there is none, a warning.
  std::string complaint() const { return message_.data(); }

 private:
  static void CPL_STDCALL on_report(CPLErr severity, CPLErrorNum code, const char* message);

  std::array<char, 400> message_{};
  bool failed_ = false;
  bool out_of_memory_ = false;
  bool set_threads_ = false;
};

/// Keeps a library below this driver from printing on this thread.
void silence_driver(const std::string& name);

/// Opens a file with these GDAL_OF_ flags; empty if no driver that may open it knows it. Throws
/// Error{io} if it does not exist, is damaged, or does what access.hpp forbids.
Dataset open_dataset(const GdalSession& session, const std::filesystem::path& path,
                     unsigned int flags);

/// The same, but empty if the file does not exist or is damaged.
Dataset try_to_open(const std::filesystem::path& path, unsigned int flags);

/// The WKT that we return, and whether it counts in degrees; null means unknown.
std::string wkt_of(OGRSpatialReferenceH crs);
bool is_in_degrees(OGRSpatialReferenceH crs);

/// The reference system of WKT, x before y; empty if GDAL does not understand it.
Crs crs_of(const std::string& wkt);

}  // namespace thiessen::io
