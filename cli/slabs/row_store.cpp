// SPDX-License-Identifier: Apache-2.0
#include "slabs/row_store.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <utility>

#include "io/files/io_error.hpp"
#include "talk/interrupt.hpp"

namespace thiessen::cli {
namespace {

/// Calls move(offset, done, count), as pread() and pwrite() do it, until all bytes are moved;
/// returns 0 or a value of errno.
template <class Move>
int move_all(std::int64_t offset, std::int64_t bytes, const Move& move) {
  constexpr std::int64_t kPiece = std::int64_t{1} << 26;  // a signal is seen soon
  for (std::int64_t done = 0; done < bytes;) {
    throw_if_interrupted();
    const ssize_t moved = move(offset + done, done, std::min(bytes - done, kPiece));
    if (moved < 0 && errno == EINTR) continue;
    if (moved <= 0) return moved < 0 ? errno : EIO;
    done += moved;
  }
  return 0;
}

}  // namespace

RowStore RowStore::beside(const std::filesystem::path& output, std::int64_t rows) {
  RowStore store(output, true, rows);
  if (const int reason = store.hidden_.create(output); reason != 0)
    store.fail("cannot be made", reason);
  return store;
}

RowStore RowStore::at(const std::filesystem::path& path, std::int64_t rows, bool is_new) {
  RowStore store(path, false, rows);
  const int flags = O_RDWR | O_CLOEXEC | (is_new ? O_CREAT | O_TRUNC : 0);
  store.descriptor_ = ::open(path.c_str(), flags, 0666);
  if (store.descriptor_ < 0) store.fail("cannot be opened", errno);
  return store;
}

RowStore::~RowStore() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

RowStore::RowStore(RowStore&& other) noexcept
    : name_(std::move(other.name_)),
      is_hidden_(other.is_hidden_),
      rows_(other.rows_),
      hidden_(std::move(other.hidden_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      places_(std::move(other.places_)),
      end_(other.end_) {}

void RowStore::fail(const char* what, int reason) const {
  const std::string which = is_hidden_ ? "the temporary file beside it " : "";
  io::fail(name_, which + what, reason);
}

std::size_t RowStore::add(std::size_t row_bytes) {
  const auto bytes = static_cast<std::int64_t>(row_bytes);
  places_.push_back({end_, bytes});
  end_ += rows_ * bytes;
  return places_.size() - 1;
}

void RowStore::make_room() {
  if (::ftruncate(descriptor(), end_) != 0) fail("cannot become so long", errno);
}

void RowStore::read(std::size_t raster, const SlabRows& rows, std::byte* to) const {
  const Place& place = places_[raster];
  const int reason =
      move_all(place.offset + rows.first * place.row_bytes, rows.count * place.row_bytes,
               [&](auto at, auto done, auto count) {
                 return ::pread(descriptor(), to + done, static_cast<std::size_t>(count), at);
               });
  if (reason != 0) fail("cannot be read", reason);
}

void RowStore::write(std::size_t raster, const SlabRows& rows, const std::byte* from) {
  const Place& place = places_[raster];
  const int reason =
      move_all(place.offset + rows.first * place.row_bytes, rows.count * place.row_bytes,
               [&](auto at, auto done, auto count) {
                 return ::pwrite(descriptor(), from + done, static_cast<std::size_t>(count), at);
               });
  if (reason != 0) fail("cannot be written", reason);
}

void RowStore::sync() const {
  if (::fdatasync(descriptor()) != 0) fail("cannot be written", errno);
}

}  // namespace thiessen::cli
