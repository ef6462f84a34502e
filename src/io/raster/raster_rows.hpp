// SPDX-License-Identifier: Apache-2.0
//
// Raster files that are read and written some rows (2-D) or planes (3-D) at a time, for rasters
// larger than memory. read_raster() and write_raster() are these with all rows at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "io/files/output_file.hpp"
#include "io/raster/raster_file.hpp"
#include "thiessen/grid.hpp"
#include "thiessen/labels.hpp"
#include "thiessen/view.hpp"

namespace thiessen::io {

/// What a raster file says about its cells.
struct RasterHead {
  ElementType type = ElementType::u8;
  Grid grid;
  std::optional<LabelValue> nodata = std::nullopt;
  std::optional<VoxelSize> voxels = std::nullopt;
  Scaling scaling = {};
  std::string unit = {};  ///< of the quantities
};

RasterHead head_of(const RasterFile& file);

/// An open raster file. It is used on the thread that opened it.
class RowReader {
 public:
  virtual ~RowReader() = default;

  const RasterHead& head() const noexcept { return head_; }

  /// Reads `count` rows or planes from `first` on into contiguous cells. Rows that are stored as
  /// one block are cheapest together. Throws Error{io}.
  virtual void read(std::int64_t first, std::int64_t count, std::byte* cells) = 0;

 protected:
  RasterHead head_;
};

/// Opens a file as read_raster() does. Throws Error{io}, also for those that are not read by rows:
/// pictures, three bands as one number, NPY in Fortran order, pipes.
std::unique_ptr<RowReader> open_rows(const std::filesystem::path& name,
                                     const ReadOptions& asked = {});

/// The same for every raster: one that is not read by rows is read whole, and kept.
std::unique_ptr<RowReader> open_rows_or_all(const std::filesystem::path& name,
                                            const ReadOptions& asked = {});

/// A raster file whose rows or planes come one after the other. It is used on one thread.
class RowWriter {
 public:
  virtual ~RowWriter() = default;

  /// Writes the next rows or planes: a host view of any strides with the extents of the file but
  /// for their number. Throws Error{io}.
  virtual void write(const View<const void>& rows) = 0;

  /// Ends the file after its last row; without it the file is of no use.
  virtual void finish() = 0;
};

/// Begins a file as write_raster() does; `extents` are those of all of it. All formats but
/// pictures. Throws Error{io} for what require_writable() refuses, and for pictures.
std::unique_ptr<RowWriter> write_rows(OutputFile& file, ElementType type, const Extents& extents,
                                      const WriteOptions& options = {});

/// How the cells lie in a file in which each has its place, so that many processes write it at
/// once: a head, then for each component (one, without an axis of these) all rows or planes.
struct RowLayout {
  std::string head;
  std::uint64_t components = 1;
  std::uint64_t rows = 0;
  std::uint64_t row_bytes = 0;

  std::uint64_t place_of(std::uint64_t component, std::uint64_t row) const {
    return head.size() + (component * rows + row) * row_bytes;
  }
};

/// The layout of a file that write_rows() would write, byte for byte: NPY. Nothing for others.
std::optional<RowLayout> row_layout(const std::filesystem::path& path, ElementType type,
                                    const Extents& extents, const WriteOptions& options = {});

/// Whether write_rows() takes a file of this name and format (see WriteOptions).
bool is_written_by_rows(const std::filesystem::path& path, const std::string& format = {});

}  // namespace thiessen::io
