// SPDX-License-Identifier: Apache-2.0
#include "row_store.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "interrupt.hpp"
#include "io/io_error.hpp"

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

RowStore::RowStore(const std::filesystem::path& beside, std::int64_t rows)
    : beside_(beside), rows_(rows) {
  if (const int reason = file_.create(beside); reason != 0)
    io::fail(beside_, "cannot make a temporary file beside it", reason);
}

std::size_t RowStore::add(std::size_t row_bytes) {
  const auto bytes = static_cast<std::int64_t>(row_bytes);
  places_.push_back({end_, bytes});
  end_ += rows_ * bytes;
  if (::ftruncate(file_.descriptor(), end_) != 0)
    io::fail(beside_, "cannot make room in the temporary file beside it", errno);
  return places_.size() - 1;
}

void RowStore::read(std::size_t raster, const SlabRows& rows, std::byte* to) const {
  const Place& place = places_[raster];
  const int reason =
      move_all(place.offset + rows.first * place.row_bytes, rows.count * place.row_bytes,
               [&](auto at, auto done, auto count) {
                 return ::pread(file_.descriptor(), to + done, static_cast<std::size_t>(count), at);
               });
  if (reason != 0) io::fail(beside_, "cannot read the temporary file beside it", reason);
}

void RowStore::write(std::size_t raster, const SlabRows& rows, const std::byte* from) {
  const Place& place = places_[raster];
  const int reason = move_all(place.offset + rows.first * place.row_bytes,
                              rows.count * place.row_bytes, [&](auto at, auto done, auto count) {
                                return ::pwrite(file_.descriptor(), from + done,
                                                static_cast<std::size_t>(count), at);
                              });
  if (reason != 0) io::fail(beside_, "cannot write the temporary file beside it", reason);
}

}  // namespace thiessen::cli
