// SPDX-License-Identifier: Apache-2.0
#include "io/gdal/raster/output.hpp"

#include <cpl_vsi.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <type_traits>
#include <utility>

#include "io/gdal/session.hpp"

namespace thiessen::io {
namespace {

constexpr const char* kMemoryFolder = "/vsithiessen/";
constexpr const char* kTiffSuffix = ".tif";

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
    const std::string name = std::to_string(counter_++) + kTiffSuffix;
    outputs_.emplace(name, &output);
    return kMemoryFolder + name;
  }

  void remove(const std::string& name) {
    const std::lock_guard lock(mutex_);
    outputs_.erase(name.substr(std::strlen(kMemoryFolder)));
  }

  /// The output of this name, or that beside which a file of this name lies; `suffix` is what
  /// follows its own name.
  GdalOutput* find(const std::string& name, std::string& suffix) {
    const std::lock_guard lock(mutex_);
    const std::size_t end = name.find(kTiffSuffix) + std::strlen(kTiffSuffix);
    if (end < std::strlen(kTiffSuffix)) return nullptr;
    suffix = name.substr(end);
    const auto found = outputs_.find(name.substr(0, end));
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
  OutputFile* file;  ///< its own, or one beside it
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
  std::string suffix;
  GdalOutput* const output = Outputs::instance().find(name, suffix);
  if (output == nullptr) return -1;
  return guarded(*output, -1, [&] {
    const OutputFile* const file = suffix.empty() ? &output->file() : output->find_beside(suffix);
    if (file == nullptr) return -1;
    std::memset(status, 0, sizeof *status);
    status->st_mode = S_IFREG;
    status->st_size = static_cast<decltype(status->st_size)>(file->size());
    return status->st_size > 0 ? 0 : -1;  // not a TIFF yet, and GDAL should delete nothing
  });
}

void* open_output(void*, const char* name, const char* access) {
  std::string suffix;
  GdalOutput* const output = Outputs::instance().find(name, suffix);
  if (output == nullptr) return nullptr;
  return guarded(*output, static_cast<Handle*>(nullptr), [&]() -> Handle* {
    const bool is_new = access[0] == 'w';
    OutputFile* file = suffix.empty() ? &output->file() : output->find_beside(suffix);
    if (file == nullptr && is_new) file = &output->make_beside(suffix);
    if (file == nullptr) return nullptr;
    if (is_new) file->resize(0);
    return new Handle{output, file};
  });
}

vsi_l_offset tell_output(void* file) { return static_cast<Handle*>(file)->position; }

int seek_output(void* file, vsi_l_offset offset, int whence) {
  auto* const handle = static_cast<Handle*>(file);
  return guarded(*handle->output, -1, [&] {
    const std::uint64_t base = whence == SEEK_CUR   ? handle->position
                               : whence == SEEK_END ? handle->file->size()
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
    const std::size_t got = handle->file->read_at(handle->position, bytes, size * count);
    if (handle->file == &handle->output->file())
      handle->output->show_pages(handle->position, static_cast<std::byte*>(bytes), got);
    handle->position += got;
    handle->at_end = got < size * count;
    return got / size;
  });
}

std::size_t write_output(void* file, const void* bytes, std::size_t size, std::size_t count) {
  auto* const handle = static_cast<Handle*>(file);
  return guarded(*handle->output, std::size_t{0}, [&] {
    handle->file->write_at(handle->position, bytes, size * count);
    handle->position += size * count;
    return count;
  });
}

int truncate_output(void* file, vsi_l_offset bytes) {
  auto* const handle = static_cast<Handle*>(file);
  return guarded(*handle->output, -1, [&] {
    handle->file->resize(bytes);
    return 0;
  });
}

int unlink_output(void*, const char* name) {
  std::string suffix;
  GdalOutput* const output = Outputs::instance().find(name, suffix);
  return output != nullptr && output->remove_beside(suffix) ? 0 : -1;
}

int is_at_end(void* file) { return static_cast<Handle*>(file)->at_end ? 1 : 0; }

int flush_output(void*) { return 0; }

int close_output(void* file) {
  delete static_cast<Handle*>(file);
  return 0;
}

/// GDAL knows the prefix until the process ends.
Outputs::Outputs() {
  const Released<VSIFilesystemPluginCallbacksStruct*, VSIFreeFilesystemPluginCallbacksStruct> calls(
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
  calls->unlink = unlink_output;
  VSIInstallPluginHandler(kMemoryFolder, calls.get());
}

}  // namespace

GdalOutput::GdalOutput(OutputFile& file) : file_(file), name_(Outputs::instance().add(*this)) {}

GdalOutput::~GdalOutput() { Outputs::instance().remove(name_); }

OutputFile* GdalOutput::find_beside(const std::string& suffix) {
  for (Beside& each : beside_)
    if (each.suffix == suffix) return &each.file;
  return nullptr;
}

OutputFile& GdalOutput::make_beside(const std::string& suffix) {
  return beside_.emplace_back(Beside{suffix, OutputFile(file_.place().string() + suffix, true)})
      .file;
}

bool GdalOutput::remove_beside(const std::string& suffix) {
  return std::erase_if(beside_, [&](const Beside& each) { return each.suffix == suffix; }) > 0;
}

void GdalOutput::skip_pages() {
  constexpr std::uint16_t kBigTiff = 43;
  std::array<std::uint16_t, 2> head{};  // GDAL writes numbers in our byte order
  file_.read_at(0, head.data(), sizeof head);
  const bool is_big = head[1] == kBigTiff;
  page_bytes_ = is_big ? sizeof(std::uint64_t) : sizeof(std::uint32_t);
  page_place_ = is_big ? 8 : 4;
  if (is_big) {
    const std::uint64_t last = last_page<std::uint64_t>(page_place_);
    std::memcpy(last_page_.data(), &last, sizeof last);
  } else {
    const auto last = static_cast<std::uint32_t>(last_page<std::uint32_t>(page_place_));
    std::memcpy(last_page_.data(), &last, sizeof last);
  }
}

/// Follows the chain of directories from the page that was the last.
template <class Offset>
std::uint64_t GdalOutput::last_page(std::uint64_t head_bytes) {
  constexpr bool kIsBig = sizeof(Offset) == sizeof(std::uint64_t);
  constexpr std::uint64_t kEntryBytes = kIsBig ? 20 : 12;
  using Count = std::conditional_t<kIsBig, std::uint64_t, std::uint16_t>;
  Offset next = 0;
  std::memcpy(&next, last_page_.data(), sizeof next);
  if (next == 0) file_.read_at(head_bytes, &next, sizeof next);
  std::uint64_t last = 0;
  while (next > last) {
    last = next;
    Count entries = 0;
    file_.read_at(last, &entries, sizeof entries);
    next = 0;
    file_.read_at(last + sizeof entries + entries * kEntryBytes, &next, sizeof next);
  }
  return last;
}

void GdalOutput::show_pages(std::uint64_t position, std::byte* bytes, std::size_t count) const {
  for (std::size_t i = 0; i < page_bytes_; ++i) {
    const std::uint64_t place = page_place_ + i;
    if (place >= position && place - position < count) bytes[place - position] = last_page_[i];
  }
}

void GdalOutput::keep_exception() noexcept {
  if (!failure_) failure_ = std::current_exception();
}

void GdalOutput::rethrow() {
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

}  // namespace thiessen::io
