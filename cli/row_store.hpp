// SPDX-License-Identifier: Apache-2.0
//
// Rasters in a file that nobody else sees, for what does not fit into memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "io/hidden_file.hpp"
#include "thiessen/cost_slabs.hpp"

namespace thiessen::cli {

/// Rows (2-D) or planes (3-D) of several rasters of the same extents. The file lies beside another
/// one, and is gone however the process ends (HiddenFile).
class RowStore {
 public:
  /// `beside` is an output. Throws Error{io} if its folder takes no file.
  RowStore(const std::filesystem::path& beside, std::int64_t rows);

  /// Adds a raster whose rows have so many bytes, all zero at first, and returns its number. Throws
  /// Error{io}.
  std::size_t add(std::size_t row_bytes);

  /// Both throw Error{io}.
  void read(std::size_t raster, const SlabRows& rows, std::byte* to) const;
  void write(std::size_t raster, const SlabRows& rows, const std::byte* from);

 private:
  struct Place {
    std::int64_t offset;
    std::int64_t row_bytes;
  };

  std::filesystem::path beside_;
  io::HiddenFile file_;
  std::int64_t rows_;
  std::vector<Place> places_;
  std::int64_t end_ = 0;
};

}  // namespace thiessen::cli
