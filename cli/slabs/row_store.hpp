// SPDX-License-Identifier: Apache-2.0
//
// Rasters in a file of the command's own, for what does not fit into memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <utility>
#include <vector>

#include "io/files/hidden_file.hpp"
#include "thiessen/slabs/cost_slabs.hpp"

namespace thiessen::cli {

/// Rows (2-D) or planes (3-D) of several rasters of the same extents.
class RowStore {
 public:
  /// A file that nobody else sees, beside an output: it is gone however the process ends
  /// (HiddenFile). Throws Error{io} if that folder takes no file.
  static RowStore beside(const std::filesystem::path& output, std::int64_t rows);

  /// A file that stays; `is_new`: whatever was there is gone. Throws Error{io}.
  static RowStore at(const std::filesystem::path& path, std::int64_t rows, bool is_new);

  ~RowStore();
  RowStore(RowStore&& other) noexcept;
  RowStore& operator=(RowStore&&) = delete;

  /// Adds a raster whose rows have so many bytes, and returns its number.
  std::size_t add(std::size_t row_bytes);

  std::size_t row_bytes(std::size_t raster) const {
    return static_cast<std::size_t>(places_[raster].row_bytes);
  }
  /// Bytes of all rasters.
  std::int64_t size() const { return end_; }

  // These throw Error{io}.

  /// Makes the file as long as all rasters; what is new is zero.
  void make_room();
  void read(std::size_t raster, const SlabRows& rows, std::byte* to) const;
  void write(std::size_t raster, const SlabRows& rows, const std::byte* from);
  /// Waits until all is on the disk.
  void sync() const;

 private:
  struct Place {
    std::int64_t offset;
    std::int64_t row_bytes;
  };

  RowStore(std::filesystem::path name, bool is_hidden, std::int64_t rows)
      : name_(std::move(name)), is_hidden_(is_hidden), rows_(rows) {}
  int descriptor() const { return is_hidden_ ? hidden_.descriptor() : descriptor_; }
  [[noreturn]] void fail(const char* what, int reason) const;

  std::filesystem::path name_;  // for errors: its own, or that of the output
  bool is_hidden_;
  std::int64_t rows_;
  io::HiddenFile hidden_;
  int descriptor_ = -1;  // of a file that stays
  std::vector<Place> places_;
  std::int64_t end_ = 0;
};

}  // namespace thiessen::cli
