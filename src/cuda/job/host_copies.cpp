// SPDX-License-Identifier: Apache-2.0
//
// Each thread of the host has a lane with buffers of its own. It packs a piece into one while the
// device reads the other, and asks for the next piece before it unpacks the last. So nobody waits
// for another thread, and both ways of the bus are busy at once.
#include "cuda/job/host_copies.hpp"

#include <algorithm>

#include "core/cells.hpp"
#include "cuda/job/limits.hpp"
#include "threads/parallel.hpp"

namespace thiessen::cuda {
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

/// The bytes of some copies.
template <class Copies>
std::int64_t bytes_of_all(const Copies& copies) {
  std::int64_t sum = 0;
  for (const auto& copy : copies) sum += copy.count * element_bytes(copy.view);
  return sum;
}

}  // namespace

std::int64_t HostCopies::bytes_up(const Upload& piece) {
  if (piece.rule == nullptr) return piece.count * element_bytes(piece.view);
  constexpr std::int64_t kWordBytes = sizeof(std::uint32_t);
  return (piece.count + kWordCells - 1) / kWordCells * kWordBytes;
}

void HostCopies::add_upload(const View<const void>& from, std::int64_t first, std::int64_t count,
                            std::byte* to, cudaStream_t stream) {
  if (count > 0) uploads_.push_back({from, first, count, to, stream});
}

void HostCopies::add_sites(const SiteRule& rule, const View<const void>& from, std::int64_t first,
                           std::int64_t count, std::uint32_t* to, cudaStream_t stream) {
  if (count > 0)
    uploads_.push_back({from, first, count, reinterpret_cast<std::byte*>(to), stream, &rule});
}

void HostCopies::add_sparse(const SparseTarget& to, const View<const void>& from,
                            std::int64_t first, std::int64_t count, cudaStream_t stream) {
  if (count > 0)
    uploads_.push_back(
        {from, first, count, to.cells, stream, nullptr, to.sparse, to.slots, to.is_sparse});
}

void HostCopies::add_download(const std::byte* from, const View<void>& to, std::int64_t first,
                              std::int64_t count, cudaStream_t stream, const Proof& proof) {
  if (count > 0) downloads_.push_back({to, first, count, from, stream, proof});
}

/// Hands copies of pinned memory to the device, and cuts others into pieces.
void HostCopies::cut_uploads(std::int64_t piece_bytes, std::vector<Upload>& pieces) {
  for (Upload piece : uploads_) {
    const std::int64_t element = element_bytes(piece.view);
    if (piece.rule == nullptr && piece.sparse == nullptr && is_pinned(piece.view)) {
      copy_async(piece.device, piece.view.bytes() + piece.first * element, piece.count * element,
                 cudaMemcpyHostToDevice, piece.stream);
      state_.progress.advance(piece.count * element);
      continue;
    }
    const std::int64_t end = piece.first + piece.count;
    std::int64_t cells = std::max<std::int64_t>(1, piece_bytes / element);
    if (piece.rule != nullptr) {  // the host takes longer than the bus: every lane has a piece
      cells = std::min(cells, piece.count / std::min(state_.threads, Staging::kMostLanes));
      cells = std::max(kWordCells, cells / kWordCells * kWordCells);
    }
    if (piece.sparse != nullptr) cells = piece.sparse->cells;
    for (; piece.first < end; piece.first += cells) {
      piece.count = std::min(cells, end - piece.first);
      pieces.push_back(piece);
      piece.device += bytes_up(piece);
      if (piece.sparse == nullptr) continue;
      piece.slot += piece.sparse->bytes();
      ++piece.is_sparse;
    }
  }
  uploads_.clear();
}

void HostCopies::cut_downloads(std::int64_t piece_bytes, std::vector<Download>& pieces) {
  for (Download piece : downloads_) {
    const std::int64_t element = element_bytes(piece.view);
    if (is_pinned(piece.view)) {
      copy_async(piece.view.bytes() + piece.first * element, piece.device, piece.count * element,
                 cudaMemcpyDeviceToHost, piece.stream);
      state_.progress.advance(piece.count * element);
      continue;
    }
    const std::int64_t end = piece.first + piece.count;
    const std::int64_t cells = std::max<std::int64_t>(1, piece_bytes / element);
    for (; piece.first < end; piece.first += cells, piece.device += cells * element) {
      piece.count = std::min(cells, end - piece.first);
      pieces.push_back(piece);
    }
  }
  downloads_.clear();
}

/// Calls visit(lane) for so many lanes, at once where there are threads.
template <class Visit>
void HostCopies::on_lanes(int count, const Visit& visit) {
  parallel_for(state_, count, 1, 0, [&](std::int64_t begin, std::int64_t end, int) {
    const CudaSession::Current current(session_);  // for this thread
    for (std::int64_t lane = begin; lane < end; ++lane) visit(static_cast<int>(lane));
  });
}

void HostCopies::run() {
  if (uploads_.empty() && downloads_.empty()) return;
  constexpr std::int64_t kLeastPiece = 1 << 19;  // shorter copies do not fill the bus
  constexpr std::int64_t kPiecesOfALane = 2;
  const std::int64_t bytes = bytes_of_all(uploads_) + bytes_of_all(downloads_);
  const std::int64_t most = TransferLimits::kPieceBytes;
  const std::int64_t most_lanes = std::min(state_.threads, Staging::kMostLanes);
  const std::int64_t piece_bytes =
      std::clamp(bytes / (most_lanes * kPiecesOfALane), std::min(kLeastPiece, most), most);
  std::vector<Upload> up;
  std::vector<Download> down;
  cut_uploads(piece_bytes, up);
  cut_downloads(piece_bytes, down);
  const std::size_t turns = std::max(up.size(), down.size());
  const auto lanes =
      static_cast<int>(std::min(most_lanes, static_cast<std::int64_t>(up.size() + down.size())));
  session_.staging().open_lanes(lanes);
  std::atomic<std::size_t> next{0};
  on_lanes(lanes, [&](int lane) {
    try {
      for (std::size_t turn; (turn = next++) < 2 * turns;) {
        const std::size_t i = turn / 2;
        if (turn % 2 == 0 && i < up.size()) upload(up[i], lane);
        if (turn % 2 != 0 && i < down.size()) download(down[i], lane);
      }
    } catch (...) {
      next = 2 * turns;  // nobody takes another one
      throw;
    }
  });
}

void HostCopies::upload(const Upload& piece, int lane) {
  constexpr auto kUp = static_cast<std::size_t>(CopyWay::up);
  const std::size_t turn = lanes_[static_cast<std::size_t>(lane)].turn[kUp]++ % 2;
  const Staging::Buffer& buffer = session_.staging().lane(lane).buffer[kUp][turn];
  check(cudaEventSynchronize(buffer.done), "wait for a copy");
  if (piece.sparse != nullptr && upload_sparse(piece, buffer)) return;
  if (piece.rule != nullptr)
    pack_sites(*piece.rule, piece.view, piece.first, piece.count,
               reinterpret_cast<std::uint32_t*>(buffer.bytes));
  else
    pack(piece.view, piece.first, piece.count, buffer.bytes);
  copy_async(piece.device, buffer.bytes, bytes_up(piece), cudaMemcpyHostToDevice, piece.stream);
  check(cudaEventRecord(buffer.done, piece.stream), "event");
  state_.progress.advance(piece.count * element_bytes(piece.view));
}

bool HostCopies::upload_sparse(const Upload& piece, const Staging::Buffer& buffer) {
  const std::int64_t bytes =
      pack_sparse(*piece.sparse, piece.view, piece.first, piece.count, buffer.bytes);
  *piece.is_sparse = bytes > 0 ? 1 : 0;
  if (bytes == 0) return false;
  copy_async(piece.slot, buffer.bytes, bytes, cudaMemcpyHostToDevice, piece.stream);
  check(cudaEventRecord(buffer.done, piece.stream), "event");
  state_.progress.advance(piece.count * element_bytes(piece.view));
  return true;
}

void HostCopies::download(const Download& piece, int lane) {
  constexpr auto kDown = static_cast<std::size_t>(CopyWay::down);
  Lane& own = lanes_[static_cast<std::size_t>(lane)];
  const std::size_t turn = own.turn[kDown]++ % 2;
  write(lane, turn);
  const Staging::Buffer& buffer = session_.staging().lane(lane).buffer[kDown][turn];
  copy_async(buffer.bytes, piece.device, piece.count * element_bytes(piece.view),
             cudaMemcpyDeviceToHost, piece.stream);
  check(cudaEventRecord(buffer.done, piece.stream), "event");
  own.coming[turn] = piece;
  write(lane, 1 - turn);
}

/// Writes what comes into a buffer to its view.
void HostCopies::write(int lane, std::size_t buffer) {
  Download& piece = lanes_[static_cast<std::size_t>(lane)].coming[buffer];
  if (piece.count == 0) return;
  const Staging::Buffer& from =
      session_.staging().lane(lane).buffer[static_cast<std::size_t>(CopyWay::down)][buffer];
  check(cudaEventSynchronize(from.done), "wait for a copy");
  if (piece.proof.holds()) {
    unpack(from.bytes, piece.view, piece.first, piece.count);
    state_.progress.advance(piece.count * element_bytes(piece.view));
  }
  piece.count = 0;
}

void HostCopies::finish() {
  int lanes = 0;
  for (int lane = 0; lane < Staging::kMostLanes; ++lane)
    for (const Download& piece : lanes_[static_cast<std::size_t>(lane)].coming)
      if (piece.count > 0) lanes = lane + 1;
  if (lanes == 0) return;
  on_lanes(lanes, [&](int lane) {
    const std::size_t older = lanes_[static_cast<std::size_t>(lane)].turn[1] % 2;
    write(lane, older);
    write(lane, 1 - older);
  });
}

}  // namespace thiessen::cuda
