// SPDX-License-Identifier: Apache-2.0
#include "io/gdal/session.hpp"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <dlfcn.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <string>
#include <vector>

#include "io/files/io_error.hpp"
#include "io/gdal/drivers.hpp"
#include "io/raster/raster_file.hpp"

namespace thiessen::io {
namespace {

constexpr GIntBig kCacheBytes = GIntBig{64} << 20;
constexpr const char* kThreadsOption = "GDAL_NUM_THREADS";

/// Sets an option of the process, unless its user has set it.
void set_default(const char* name, const char* value) {
  if (CPLGetConfigOption(name, nullptr) == nullptr) CPLSetConfigOption(name, value);
}

/// Takes what libxml2 would print. GDAL links libxml2, so it is there although we do not link it.
// NOLINTNEXTLINE(cert-dcl50-cpp): as libxml2 wants it
void on_xml_report(void*, const char* format, ...) {
  std::array<char, 400> message{};
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(message.data(), message.size(), format, arguments);
  va_end(arguments);
  CPLError(CE_Warning, CPLE_AppDefined, "%s", message.data());
}

/// For this thread (xmlSetGenericErrorFunc), or for later ones (xmlThrDefSetGenericErrorFunc).
void route_xml_reports(const char* function) {
  using Report = void (*)(void*, const char*, ...);
  using SetReport = void (*)(void*, Report);
  const auto set_report = reinterpret_cast<SetReport>(::dlsym(RTLD_DEFAULT, function));
  if (set_report != nullptr) set_report(nullptr, on_xml_report);
}

/// Keeps HDF5 from printing on this thread, and from tidying up when the process ends: it crashes
/// then if a file could not be closed, as on a full disk. GDAL links it where a driver needs it.
void silence_hdf5() {
  using Call = int (*)();
  static const auto dont_tidy_up = reinterpret_cast<Call>(::dlsym(RTLD_DEFAULT, "H5dont_atexit"));
  static std::once_flag once;
  if (dont_tidy_up != nullptr) std::call_once(once, dont_tidy_up);  // before all other calls
  using SetAuto = int (*)(std::int64_t, void*, void*);
  const auto set_auto = reinterpret_cast<SetAuto>(::dlsym(RTLD_DEFAULT, "H5Eset_auto2"));
  if (set_auto != nullptr) set_auto(0, nullptr, nullptr);
}

void start_gdal() {
  // GDAL's own threads do not have our handler.
  CPLSetErrorHandler(CPLQuietErrorHandler);
  // Damaged data is an error, not a warning.
  set_default("GDAL_ERROR_ON_LIBJPEG_WARNING", "YES");
  set_default("RAW_CHECK_FILE_SIZE", "YES");
  // No file may run a program or use a server.
  set_default("GDAL_VRT_ENABLE_PYTHON", "NO");
  set_default("GML_DOWNLOAD_SCHEMA", "NO");
  set_default("GML_DOWNLOAD_WFS_SCHEMA", "NO");
  // Every block is read or written once.
  if (CPLGetConfigOption("GDAL_CACHEMAX", nullptr) == nullptr) GDALSetCacheMax64(kCacheBytes);
  GDALAllRegister();
  confine_gdal();
  route_xml_reports("xmlThrDefSetGenericErrorFunc");
}

/// The sessions of this thread. They may end in any order; the last one that began gets the
/// reports.
std::vector<GdalSession*>& sessions() {
  thread_local std::vector<GdalSession*> all;
  return all;
}

bool is_name_of_gdal(const std::string& path) {
  return path.starts_with("/vsi") || path.find(':') != std::string::npos ||
         path.find('<') != std::string::npos;
}

}  // namespace

bool has_gdal() noexcept { return true; }

GdalSession::GdalSession(int threads) {
  static std::once_flag started;
  std::call_once(started, start_gdal);
  route_xml_reports("xmlSetGenericErrorFunc");
  CPLErrorReset();
  if (sessions().empty()) CPLPushErrorHandlerEx(on_report, nullptr);
  sessions().push_back(this);
  set_threads_ = CPLGetConfigOption(kThreadsOption, nullptr) == nullptr;
  if (!set_threads_) return;
  const std::string value = threads > 0 ? std::to_string(threads) : "ALL_CPUS";
  CPLSetThreadLocalConfigOption(kThreadsOption, value.c_str());
}

GdalSession::~GdalSession() {
  if (set_threads_) CPLSetThreadLocalConfigOption(kThreadsOption, nullptr);
  std::erase(sessions(), this);
  if (sessions().empty()) CPLPopErrorHandler();
}

void CPL_STDCALL GdalSession::on_report(CPLErr severity, CPLErrorNum code, const char* message) {
  if (severity < CE_Warning) return;
  GdalSession* const self = sessions().back();
  // libtiff only warns if a file ends inside the value of a tag, even if that is the nodata value.
  const bool failure =
      severity >= CE_Failure || std::strstr(message, "IO error during reading of") != nullptr;
  if (failure && code == CPLE_OutOfMemory) self->out_of_memory_ = true;
  if (self->message_[0] == '\0' || (failure && !self->failed_)) {
    std::snprintf(self->message_.data(), self->message_.size(), "%s", message);
  }
  self->failed_ = self->failed_ || failure;
}

void GdalSession::fail(const std::filesystem::path& path, const std::string& what) const {
  const std::string reason = message_[0] == '\0' ? "" : ": " + one_line(message_.data());
  if (out_of_memory_) {
    throw Error(ErrorCode::out_of_memory, one_line(path.string()) + ": " + what + reason);
  }
  io::fail(path, what + reason);
}

void silence_driver(const std::string& name) {
  constexpr std::array kOfHdf5 = {"netCDF", "HDF5", "HDF5Image", "BAG", "KEA"};
  const bool is_of_hdf5 = std::any_of(kOfHdf5.begin(), kOfHdf5.end(), [&](const char* driver) {
    return EQUAL(name.c_str(), driver);
  });
  if (is_of_hdf5) silence_hdf5();
}

Dataset try_to_open(const std::filesystem::path& path, unsigned int flags) {
  const std::vector<std::string> drivers = drivers_for(path);
  if (drivers.empty()) return nullptr;
  if (std::find(drivers.begin(), drivers.end(), "VRT") != drivers.end()) require_plain_vrt(path);
  std::vector<const char*> names;
  names.reserve(drivers.size() + 1);
  for (const std::string& driver : drivers) {
    names.push_back(driver.c_str());
    silence_driver(driver);
  }
  names.push_back(nullptr);
  return Dataset(
      GDALOpenEx(path.c_str(), flags | GDAL_OF_READONLY, names.data(), nullptr, nullptr));
}

Dataset open_dataset(const GdalSession& session, const std::filesystem::path& path,
                     unsigned int flags) {
  Dataset dataset = try_to_open(path, flags);
  if (dataset) return dataset;
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 && !is_name_of_gdal(path.string())) {
    fail(path, "cannot be opened", errno);
  }
  if (session.failed()) session.fail(path, "cannot be opened by GDAL");
  if (S_ISDIR(status.st_mode)) fail(path, "cannot be read", EISDIR);
  return nullptr;
}

}  // namespace thiessen::io
