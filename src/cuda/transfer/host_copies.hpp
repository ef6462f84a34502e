// SPDX-License-Identifier: Apache-2.0
//
// Copies between arrays of the host, with any strides, and device memory without gaps. They go in
// pieces through pinned buffers: threads of the host pack and unpack pieces while the device copies
// others. Memory that is pinned already is copied directly.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "cuda/device/session.hpp"
#include "cuda/transfer/pack.hpp"

namespace thiessen::cuda {
inline namespace transfer {

/// Copies in the order of the session's stream. The host may use its arrays again when a call
/// returns.
class HostCopies {
 public:
  HostCopies(ContextState& state, CudaSession& session) : state_(state), session_(session) {}
  HostCopies(const HostCopies&) = delete;
  HostCopies& operator=(const HostCopies&) = delete;

  /// Copies the cells of a view, in C order, to device memory.
  void upload(const View<const void>& from, std::byte* to);
  /// The same of a bit for each cell (pack_sites): whether the rule makes it a site.
  void upload_sites(const SiteRule& rule, const View<const void>& from, std::uint32_t* to);

  /// Adds a copy to the cells of a view.
  void add_download(const std::byte* from, const View<void>& to);
  /// Does the copies that were added.
  void download_all();

 private:
  struct Upload {
    View<const void> view;
    std::int64_t first = 0;
    std::int64_t count = 0;
    std::byte* device = nullptr;
    const SiteRule* rule = nullptr;  ///< null: the cells themselves
  };
  struct Download {
    View<void> view;
    std::int64_t first = 0;
    std::int64_t count = 0;
    const std::byte* device = nullptr;
  };
  /// The downloads that come into the buffers of a lane; of 0 cells: none.
  using Coming = std::array<Download, 2>;

  static std::int64_t bytes_up(const Upload& piece);
  std::int64_t most_lanes() const;
  std::int64_t piece_bytes(std::int64_t bytes) const;
  std::int64_t cells_of_piece(const Upload& whole) const;
  /// What comes next belongs to the stage of copies to the device.
  void enter_upload();
  bool copy_pinned(const Upload& whole);
  bool copy_pinned(const Download& whole);
  void upload_pieces(Upload rest);
  template <class Visit>
  void on_lanes(std::size_t pieces, const Visit& visit);
  void upload(const Upload& piece, const Staging::Buffer& buffer);
  void download(const Download& piece, const Staging::Buffer& buffer);
  void write(Download& piece, const Staging::Buffer& buffer);

  ContextState& state_;
  CudaSession& session_;
  std::vector<Download> downloads_;
};

}  // namespace transfer
}  // namespace thiessen::cuda
