// SPDX-License-Identifier: Apache-2.0
#include "io/gdal_session.hpp"

#include <cpl_conv.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <mutex>

#include "io/io_error.hpp"
#include "io/raster_file.hpp"

namespace thiessen::io {
namespace {

constexpr GIntBig kCacheBytes = GIntBig{64} << 20;
constexpr const char* kThreadsOption = "GDAL_NUM_THREADS";

/// An option of the process, unless its user has set it.
void set_default(const char* name, const char* value) {
  if (CPLGetConfigOption(name, nullptr) == nullptr) CPLSetConfigOption(name, value);
}

void start_gdal() {
  // Threads of GDAL's own have no handler of ours.
  CPLSetErrorHandler(CPLQuietErrorHandler);
  // Damaged data is an error, not a warning.
  set_default("GDAL_ERROR_ON_LIBJPEG_WARNING", "YES");
  set_default("RAW_CHECK_FILE_SIZE", "YES");
  // Every block is read or written once.
  if (CPLGetConfigOption("GDAL_CACHEMAX", nullptr) == nullptr) GDALSetCacheMax64(kCacheBytes);
  GDALAllRegister();
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
  CPLErrorReset();
  CPLPushErrorHandlerEx(on_report, this);
  set_threads_ = CPLGetConfigOption(kThreadsOption, nullptr) == nullptr;
  if (!set_threads_) return;
  const std::string value = threads > 0 ? std::to_string(threads) : "ALL_CPUS";
  CPLSetThreadLocalConfigOption(kThreadsOption, value.c_str());
}

GdalSession::~GdalSession() {
  if (set_threads_) CPLSetThreadLocalConfigOption(kThreadsOption, nullptr);
  CPLPopErrorHandler();
}

void CPL_STDCALL GdalSession::on_report(CPLErr severity, CPLErrorNum code, const char* message) {
  if (severity < CE_Warning) return;
  auto* const self = static_cast<GdalSession*>(CPLGetErrorHandlerUserData());
  // libtiff only warns where a file ends inside the value of a tag, be it the nodata value.
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

Dataset try_to_open(const std::filesystem::path& path, unsigned int flags) {
  return Dataset(GDALOpenEx(path.c_str(), flags | GDAL_OF_READONLY, nullptr, nullptr, nullptr));
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
