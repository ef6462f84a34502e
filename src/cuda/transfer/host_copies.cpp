// SPDX-License-Identifier: Apache-2.0
//
// Each thread of the host has a lane with buffers of its own, so nobody waits for another thread.
#include "cuda/transfer/host_copies.hpp"

#include <algorithm>
#include <atomic>

#include "core/base/cells.hpp"
#include "cuda/job/limits.hpp"
#include "threads/parallel.hpp"

namespace thiessen::cuda {
inline namespace transfer {
namespace {

constexpr std::int64_t kWordCells = 32;  ///< of which a word has the bits

/// Whether the device itself can copy from and to the view.
bool is_pinned(const View<const void>& view) {
  if (!is_packed(view)) return false;
  const auto pinned = [](const std::byte* address) {
    cudaPointerAttributes found{};
    check(cudaPointerGetAttributes(&found, address), "kind of an address");
    return found.type == cudaMemoryTypeHost;
  };
  return pinned(view.bytes()) &&
         pinned(view.bytes() + view.extents().count() * element_bytes(view) - 1);
}

void copy_async(void* to, const void* from, std::int64_t bytes, cudaMemcpyKind kind,
                cudaStream_t stream) {
  check(cudaMemcpyAsync(to, from, static_cast<std::size_t>(bytes), kind, stream),
        "copy between host and device");
}

}  // namespace

std::int64_t HostCopies::bytes_up(const Upload& piece) {
  if (piece.rule == nullptr) return piece.count * element_bytes(piece.view);
  constexpr std::int64_t kWordBytes = sizeof(std::uint32_t);
  return (piece.count + kWordCells - 1) / kWordCells * kWordBytes;
}

std::int64_t HostCopies::most_lanes() const {
  return std::min(state_.threads, Staging::kMostLanes);
}

/// The bytes of a piece of so many.
std::int64_t HostCopies::piece_bytes(std::int64_t bytes) const {
  constexpr std::int64_t kLeastPiece = 1 << 19;  // shorter copies do not fill the bus
  constexpr std::int64_t kPiecesPerLane = 2;
  const std::int64_t most = TransferLimits::kPieceBytes;
  return std::clamp(bytes / (most_lanes() * kPiecesPerLane), std::min(kLeastPiece, most), most);
}

std::int64_t HostCopies::cells_of_piece(const Upload& whole) const {
  const std::int64_t element = element_bytes(whole.view);
  const std::int64_t cells =
      std::max<std::int64_t>(1, piece_bytes(whole.count * element) / element);
  if (whole.rule == nullptr) return cells;
  // The host takes longer than the bus: every lane has a piece.
  const std::int64_t share = std::min(cells, whole.count / most_lanes());
  return std::max(kWordCells, share / kWordCells * kWordCells);
}

void HostCopies::enter_upload() {
  if (session_.stage_times() != nullptr)
    session_.stage_times()->enter("copy to device", session_.stream());
}

bool HostCopies::copy_pinned(const Upload& whole) {
  if (!is_pinned(whole.view)) return false;
  copy_async(whole.device, whole.view.bytes(), bytes_up(whole), cudaMemcpyHostToDevice,
             session_.stream());
  state_.progress.advance(bytes_up(whole));
  return true;
}

bool HostCopies::copy_pinned(const Download& whole) {
  if (!is_pinned(whole.view)) return false;
  const std::int64_t bytes = whole.count * element_bytes(whole.view);
  copy_async(whole.view.bytes(), whole.device, bytes, cudaMemcpyDeviceToHost, session_.stream());
  state_.progress.advance(bytes);
  return true;
}

/// Calls visit(lane, next) for lanes that together take so many pieces, at once where there are
/// threads; next() gives the number of a piece, or one that does not exist.
template <class Visit>
void HostCopies::on_lanes(std::size_t pieces, const Visit& visit) {
  if (pieces == 0) return;
  const auto lanes = std::min(most_lanes(), static_cast<std::int64_t>(pieces));
  session_.staging().open_lanes(static_cast<int>(lanes));
  std::atomic<std::size_t> taken{0};
  parallel_for(state_, lanes, 1, 0, [&](std::int64_t begin, std::int64_t end, int) {
    const CudaSession::DeviceGuard guard(session_);  // for this thread
    try {
      for (std::int64_t lane = begin; lane < end; ++lane)
        visit(session_.staging().lane(static_cast<int>(lane)), [&] { return taken++; });
    } catch (...) {
      taken = pieces;  // nobody takes another one
      throw;
    }
  });
}

void HostCopies::upload(const View<const void>& from, std::byte* to) {
  const Upload whole{.view = from, .count = from.extents().count(), .device = to};
  enter_upload();
  if (whole.count > 0 && !copy_pinned(whole)) upload_pieces(whole);
}

void HostCopies::upload_sites(const SiteRule& rule, const View<const void>& from,
                              std::uint32_t* to) {
  enter_upload();
  upload_pieces({.view = from,
                 .count = from.extents().count(),
                 .device = reinterpret_cast<std::byte*>(to),
                 .rule = &rule});
}

/// A lane packs a piece into one of its buffers while the device reads the other.
void HostCopies::upload_pieces(Upload rest) {
  const std::int64_t end = rest.count;
  const std::int64_t cells = cells_of_piece(rest);
  std::vector<Upload> pieces;
  for (; rest.first < end; rest.first += cells) {
    rest.count = std::min(cells, end - rest.first);
    pieces.push_back(rest);
    rest.device += bytes_up(rest);
  }
  on_lanes(pieces.size(), [&](Staging::Lane& lane, const auto& next) {
    std::size_t turn = 0;
    for (std::size_t i; (i = next()) < pieces.size(); turn = 1 - turn)
      upload(pieces[i], lane.buffer[turn]);
  });
}

void HostCopies::upload(const Upload& piece, const Staging::Buffer& buffer) {
  check(cudaEventSynchronize(buffer.done), "wait for a copy");
  if (piece.rule != nullptr)
    pack_sites(*piece.rule, piece.view, piece.first, piece.count,
               reinterpret_cast<std::uint32_t*>(buffer.bytes));
  else
    pack(piece.view, piece.first, piece.count, buffer.bytes);
  copy_async(piece.device, buffer.bytes, bytes_up(piece), cudaMemcpyHostToDevice,
             session_.stream());
  check(cudaEventRecord(buffer.done, session_.stream()), "event");
  state_.progress.advance(piece.count * element_bytes(piece.view));
}

void HostCopies::add_download(const std::byte* from, const View<void>& to) {
  const Download whole{.view = to, .count = to.extents().count(), .device = from};
  if (whole.count > 0 && !copy_pinned(whole)) downloads_.push_back(whole);
}

/// A lane asks for a piece before it unpacks the one before.
void HostCopies::download_all() {
  std::int64_t bytes = 0;
  for (const Download& whole : downloads_) bytes += whole.count * element_bytes(whole.view);
  std::vector<Download> pieces;
  for (Download& rest : downloads_) {
    const std::int64_t end = rest.count;
    const std::int64_t element = element_bytes(rest.view);
    const std::int64_t cells = std::max<std::int64_t>(1, piece_bytes(bytes) / element);
    for (; rest.first < end; rest.first += cells, rest.device += cells * element) {
      rest.count = std::min(cells, end - rest.first);
      pieces.push_back(rest);
    }
  }
  downloads_.clear();
  on_lanes(pieces.size(), [&](Staging::Lane& lane, const auto& next) {
    Coming coming;
    std::size_t turn = 0;
    for (std::size_t i; (i = next()) < pieces.size(); turn = 1 - turn) {
      coming[turn] = pieces[i];
      download(coming[turn], lane.buffer[turn]);
      write(coming[1 - turn], lane.buffer[1 - turn]);
    }
    write(coming[1 - turn], lane.buffer[1 - turn]);
  });
}

void HostCopies::download(const Download& piece, const Staging::Buffer& buffer) {
  copy_async(buffer.bytes, piece.device, piece.count * element_bytes(piece.view),
             cudaMemcpyDeviceToHost, session_.stream());
  check(cudaEventRecord(buffer.done, session_.stream()), "event");
}

/// Writes what comes into a buffer to its view.
void HostCopies::write(Download& piece, const Staging::Buffer& buffer) {
  if (piece.count == 0) return;
  check(cudaEventSynchronize(buffer.done), "wait for a copy");
  unpack(buffer.bytes, piece.view, piece.first, piece.count);
  state_.progress.advance(piece.count * element_bytes(piece.view));
  piece.count = 0;
}

}  // namespace transfer
}  // namespace thiessen::cuda
