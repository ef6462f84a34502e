// SPDX-License-Identifier: Apache-2.0
//
// Copies between arrays of the host, with any strides, and device memory without gaps. They go in
// pieces through pinned buffers: threads of the host pack and unpack pieces while the device copies
// others. Memory that is pinned already is copied directly.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

#include "cuda/device/session.hpp"
#include "cuda/job/pack.hpp"

namespace thiessen::cuda {

/// Says whether results on the device hold: a number there, which arrives before they do, must be
/// less than `bound`.
struct Proof {
  const volatile float* number = nullptr;
  float bound = 0;

  bool holds() const { return number == nullptr || *number < bound; }
};

/// Where pieces go that may come as sparse cells. Piece i, of as many cells as `sparse` says, is in
/// slot i if is_sparse[i] is 1 after HostCopies::run(), else at its place in `cells`.
struct SparseTarget {
  const SparseCells* sparse = nullptr;
  std::byte* cells = nullptr;
  std::byte* slots = nullptr;
  std::uint8_t* is_sparse = nullptr;
};

class HostCopies {
 public:
  HostCopies(ContextState& state, CudaSession& session) : state_(state), session_(session) {}
  HostCopies(const HostCopies&) = delete;
  HostCopies& operator=(const HostCopies&) = delete;

  /// Adds a copy of cells of a view, in C order, to device memory, on a stream.
  void add_upload(const View<const void>& from, std::int64_t first, std::int64_t count,
                  std::byte* to, cudaStream_t stream);
  /// The same of a bit for each cell (pack_sites): whether the rule, which must outlive run(),
  /// makes it a site.
  void add_sites(const SiteRule& rule, const View<const void>& from, std::int64_t first,
                 std::int64_t count, std::uint32_t* to, cudaStream_t stream);
  /// The same of the cells themselves: pieces with few sites come as sparse cells.
  void add_sparse(const SparseTarget& to, const View<const void>& from, std::int64_t first,
                  std::int64_t count, cudaStream_t stream);
  /// Adds a copy to cells of a view. They are written only if the proof holds, unless they are
  /// pinned.
  void add_download(const std::byte* from, const View<void>& to, std::int64_t first,
                    std::int64_t count, cudaStream_t stream, const Proof& proof = {});

  /// Hands what was added to the device, downloads and uploads by turns. Some of the downloads are
  /// written to their views later: by another run(), or by finish().
  void run();
  /// Writes all downloads to their views.
  void finish();

 private:
  struct Upload {
    View<const void> view;
    std::int64_t first;
    std::int64_t count;
    std::byte* device;
    cudaStream_t stream;
    const SiteRule* rule = nullptr;       ///< null: the cells themselves
    const SparseCells* sparse = nullptr;  ///< … if they are many
    std::byte* slot = nullptr;
    std::uint8_t* is_sparse = nullptr;
  };
  struct Download {
    View<void> view;
    std::int64_t first;
    std::int64_t count;
    const std::byte* device;
    cudaStream_t stream;
    Proof proof;
  };
  /// What a lane has of its buffers.
  struct Lane {
    std::array<unsigned, kCopyWays> turn{};
    std::array<Download, 2> coming{};  ///< into the buffers of the way down; of 0 cells: none
  };

  static std::int64_t bytes_up(const Upload& piece);
  void cut_uploads(std::int64_t piece_bytes, std::vector<Upload>& pieces);
  void cut_downloads(std::int64_t piece_bytes, std::vector<Download>& pieces);
  template <class Visit>
  void on_lanes(int count, const Visit& visit);
  void upload(const Upload& piece, int lane);
  bool upload_sparse(const Upload& piece, const Staging::Buffer& buffer);
  void download(const Download& piece, int lane);
  void write(int lane, std::size_t buffer);

  ContextState& state_;
  CudaSession& session_;
  std::vector<Upload> uploads_;
  std::vector<Download> downloads_;
  std::array<Lane, Staging::kMostLanes> lanes_{};
};

}  // namespace thiessen::cuda
