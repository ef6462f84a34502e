// SPDX-License-Identifier: Apache-2.0
#include "io/gdal_output.hpp"

#include <cpl_vsi.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <utility>

namespace thiessen::io {
namespace {

constexpr const char* kMemoryFolder = "/vsithiessen/";

/// The outputs that are open in this process, by their names without the prefix, for calls from
/// GDAL.
class Outputs {
 public:
  static Outputs& instance() {
    static Outputs outputs;
    return outputs;
  }

  std::string add(GdalOutput& output) {
    const std::lock_guard lock(mutex_);
    const std::string name = std::to_string(counter_++) + ".tif";
    outputs_.emplace(name, &output);
    return kMemoryFolder + name;
  }

  void remove(const std::string& name) {
    const std::lock_guard lock(mutex_);
    outputs_.erase(name.substr(std::strlen(kMemoryFolder)));
  }

  GdalOutput* find(const char* name) {
    const std::lock_guard lock(mutex_);
    const auto found = outputs_.find(name);
    return found == outputs_.end() ? nullptr : found->second;
  }

 private:
  Outputs();

  std::mutex mutex_;
  std::map<std::string, GdalOutput*> outputs_;
  std::uint64_t counter_ = 0;
};

/// The object behind GDAL's file handle.
struct Handle {
  GdalOutput* output;
  std::uint64_t position = 0;
  bool at_end = false;
};

/// Does calls that may throw; returns `failed` if they did.
template <class Result, class Call>
Result guarded(GdalOutput& output, Result failed, const Call& call) noexcept {
  try {
    return call();
  } catch (...) {
    output.keep_exception();
    return failed;
  }
}

int stat_output(void*, const char* name, VSIStatBufL* status, int) {
  GdalOutput* const output = Outputs::instance().find(name);
  if (output == nullptr) return -1;
  return guarded(*output, -1, [&] {
    std::memset(status, 0, sizeof *status);
    status->st_mode = S_IFREG;
    status->st_size = static_cast<decltype(status->st_size)>(output->file().size());
    return status->st_size > 0 ? 0 : -1;  // not a TIFF yet, and GDAL should delete nothing
  });
}

void* open_output(void*, const char* name, const char* access) {
  GdalOutput* const output = Outputs::instance().find(name);
  if (output == nullptr) return nullptr;
  return guarded(*output, static_cast<Handle*>(nullptr), [&] {
    if (access[0] == 'w') output->file().resize(0);
    return new Handle{output};
  });
}

vsi_l_offset tell_output(void* file) { return static_cast<Handle*>(file)->position; }

int seek_output(void* file, vsi_l_offset offset, int whence) {
  auto* const handle = static_cast<Handle*>(file);
  return guarded(*handle->output, -1, [&] {
    const std::uint64_t base = whence == SEEK_CUR   ? handle->position
                               : whence == SEEK_END ? handle->output->file().size()
                                                    : 0;
    handle->position = base + offset;
    handle->at_end = false;
    return 0;
  });
}

std::size_t read_output(void* file, void* bytes, std::size_t size, std::size_t count) {
  auto* const handle = static_cast<Handle*>(file);
  if (size == 0 || count == 0) return 0;
  return guarded(*handle->output, std::size_t{0}, [&] {
    const std::size_t got = handle->output->file().read_at(handle->position, bytes, size * count);
    handle->position += got;
    handle->at_end = got < size * count;
    return got / size;
  });
}

std::size_t write_output(void* file, const void* bytes, std::size_t size, std::size_t count) {
  auto* const handle = static_cast<Handle*>(file);
  return guarded(*handle->output, std::size_t{0}, [&] {
    handle->output->file().write_at(handle->position, bytes, size * count);
    handle->position += size * count;
    return count;
  });
}

int truncate_output(void* file, vsi_l_offset bytes) {
  auto* const handle = static_cast<Handle*>(file);
  return guarded(*handle->output, -1, [&] {
    handle->output->file().resize(bytes);
    return 0;
  });
}

int is_at_end(void* file) { return static_cast<Handle*>(file)->at_end ? 1 : 0; }

int flush_output(void*) { return 0; }

int close_output(void* file) {
  delete static_cast<Handle*>(file);
  return 0;
}

/// GDAL knows the prefix until the process ends.
Outputs::Outputs() {
  struct Free {
    void operator()(VSIFilesystemPluginCallbacksStruct* calls) const noexcept {
      VSIFreeFilesystemPluginCallbacksStruct(calls);
    }
  };
  const std::unique_ptr<VSIFilesystemPluginCallbacksStruct, Free> calls(
      VSIAllocFilesystemPluginCallbacksStruct());
  calls->stat = stat_output;
  calls->open = open_output;
  calls->tell = tell_output;
  calls->seek = seek_output;
  calls->read = read_output;
  calls->eof = is_at_end;
  calls->write = write_output;
  calls->flush = flush_output;
  calls->truncate = truncate_output;
  calls->close = close_output;
  VSIInstallPluginHandler(kMemoryFolder, calls.get());
}

}  // namespace

GdalOutput::GdalOutput(OutputFile& file) : file_(file), name_(Outputs::instance().add(*this)) {}

GdalOutput::~GdalOutput() { Outputs::instance().remove(name_); }

void GdalOutput::keep_exception() noexcept {
  if (!failure_) failure_ = std::current_exception();
}

void GdalOutput::rethrow() {
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

}  // namespace thiessen::io
