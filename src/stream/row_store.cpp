// SPDX-License-Identifier: Apache-2.0
#include "stream/row_store.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#ifndef _WIN32
#include <unistd.h>

#include <cstdlib>
#endif

#include "thiessen/error.hpp"

namespace thiessen {
namespace {

[[noreturn]] void fail(const std::string& what) {
  const int reason = errno;
  throw Error(ErrorCode::io, "the temporary file " + what + ": " + std::strerror(reason));
}

/// A file without a name in a folder; on Windows always in that for temporary files.
std::FILE* open_nameless([[maybe_unused]] const std::string& folder) {
#ifdef _WIN32
  std::FILE* const file = std::tmpfile();
#else
  std::error_code none;
  const std::filesystem::path place =
      folder.empty() ? std::filesystem::temp_directory_path(none) : std::filesystem::path(folder);
  std::string name = (place / ".thiessen-XXXXXX").string();
  const int descriptor = ::mkstemp(name.data());
  if (descriptor < 0) fail("cannot be made in " + place.string());
  ::unlink(name.c_str());
  std::FILE* const file = ::fdopen(descriptor, "w+b");
#endif
  if (file == nullptr) fail("cannot be made");
  std::setvbuf(file, nullptr, _IONBF, 0);  // rows are large
  return file;
}

int seek(std::FILE* file, std::int64_t offset) {
#ifdef _WIN32
  return ::_fseeki64(file, offset, SEEK_SET);
#else
  return ::fseeko(file, offset, SEEK_SET);
#endif
}

}  // namespace

RowStore::RowStore(std::int64_t rows, const std::string& folder)
    : rows_(rows), file_(open_nameless(folder)) {}

std::size_t RowStore::add(std::size_t row_bytes) {
  const auto bytes = static_cast<std::int64_t>(row_bytes);
  places_.push_back({end_, bytes});
  end_ += rows_ * bytes;
  return places_.size() - 1;
}

void RowStore::go_to(std::size_t raster, const SlabRows& rows) {
  const Place& place = places_[raster];
  if (seek(file_.get(), place.offset + rows.first * place.row_bytes) != 0) fail("cannot be used");
}

void RowStore::read(std::size_t raster, const SlabRows& rows, std::byte* to) {
  go_to(raster, rows);
  const auto count = static_cast<std::size_t>(rows.count * places_[raster].row_bytes);
  const std::size_t read = std::fread(to, 1, count, file_.get());
  if (read < count && std::ferror(file_.get()) != 0) fail("cannot be read");
  std::fill(to + read, to + count, std::byte{});  // beyond the last row that was written
}

void RowStore::write(std::size_t raster, const SlabRows& rows, const std::byte* from) {
  go_to(raster, rows);
  const auto count = static_cast<std::size_t>(rows.count * places_[raster].row_bytes);
  if (std::fwrite(from, 1, count, file_.get()) != count) fail("cannot be written");
}

}  // namespace thiessen
