// SPDX-License-Identifier: Apache-2.0
//
// Rasters in a file for what does not fit into memory. Nobody else sees the file, and it is gone
// however the process ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "thiessen/slabs/cost_slabs.hpp"

namespace thiessen {

/// Rows (2-D) or planes (3-D) of several rasters of the same extents.
class RowStore {
 public:
  /// The file lies in `folder`; empty: in the system's folder for temporary files. Throws
  /// Error{io}.
  RowStore(std::int64_t rows, const std::string& folder);

  /// Adds a raster whose rows have so many bytes, and returns its number.
  std::size_t add(std::size_t row_bytes);

  // These throw Error{io}. Rows that have not been written are zero.

  void read(std::size_t raster, const SlabRows& rows, std::byte* to);
  void write(std::size_t raster, const SlabRows& rows, const std::byte* from);

 private:
  struct Place {
    std::int64_t offset;
    std::int64_t row_bytes;
  };
  struct Close {
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
  };

  void go_to(std::size_t raster, const SlabRows& rows);

  std::int64_t rows_;
  std::int64_t end_ = 0;
  std::vector<Place> places_;
  std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace thiessen
