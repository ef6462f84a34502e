// SPDX-License-Identifier: Apache-2.0
//
// How the files that use GDAL talk to it; only gdal_*.cpp include this.
#pragma once

#include <cpl_error.h>
#include <gdal.h>
#include <ogr_srs_api.h>

#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <type_traits>

namespace thiessen::io {

struct CloseDataset {
  void operator()(GDALDatasetH dataset) const noexcept { GDALClose(dataset); }
};
using Dataset = std::unique_ptr<std::remove_pointer_t<GDALDatasetH>, CloseDataset>;

struct DestroyCrs {
  void operator()(OGRSpatialReferenceH crs) const noexcept { OSRDestroySpatialReference(crs); }
};
using Crs = std::unique_ptr<std::remove_pointer_t<OGRSpatialReferenceH>, DestroyCrs>;

/// As long as one lives, what GDAL reports on this thread is kept and not printed. The first one
/// registers the drivers, bounds the block cache and silences GDAL's own threads.
class GdalSession {
 public:
  /// `threads` for (de)compression, 0 for all; a GDAL_NUM_THREADS of the user's stays.
  explicit GdalSession(int threads = 0);
  ~GdalSession();
  GdalSession(const GdalSession&) = delete;
  GdalSession& operator=(const GdalSession&) = delete;

  bool failed() const noexcept { return failed_; }

  /// Throws Error{io}: the file, what could not be done, and GDAL's first complaint.
  [[noreturn]] void fail(const std::filesystem::path& path, const std::string& what) const;

  /// Throws so if a call returned a failure, or reported one.
  void check(CPLErr result, const std::filesystem::path& path, const std::string& what) const {
    if (result >= CE_Failure || failed_) fail(path, what);
  }

  /// What GDAL complained about first, a failure or, without one, a warning.
  std::string complaint() const { return message_.data(); }

 private:
  static void CPL_STDCALL on_report(CPLErr severity, CPLErrorNum code, const char* message);

  std::array<char, 400> message_{};
  bool failed_ = false;
  bool out_of_memory_ = false;
  bool set_threads_ = false;
};

/// Opens a file of these GDAL_OF_ flags; nothing if no driver knows it. Throws Error{io} if it is
/// not there, or damaged.
Dataset open_dataset(const GdalSession& session, const std::filesystem::path& path,
                     unsigned int flags);

/// The same, but nothing whatever the reason is.
Dataset try_to_open(const std::filesystem::path& path, unsigned int flags);

/// WKT as we hand it out, and whether it counts in degrees; null is unknown.
std::string wkt_of(OGRSpatialReferenceH crs);
bool is_in_degrees(OGRSpatialReferenceH crs);

/// The reference system of WKT, x before y; nothing if it is not understood.
Crs crs_of(const std::string& wkt);

}  // namespace thiessen::io
