// SPDX-License-Identifier: Apache-2.0
//
// How many ranks write one file. Where each cell has its place in the file, each rank puts its rows
// there. In other files rows come in order: the first rank writes its own, and then those that the
// others keep in files beside it and send, a slab at a time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "io/files/output_file.hpp"
#include "io/raster/raster_rows.hpp"
#include "slabs/ranks.hpp"

namespace thiessen::cli {

/// The rows of a rank, at their places in a file of all ranks.
class SharedRows final : public io::RowWriter {
 public:
  /// `first` is the first of them. The first rank writes the head of the file, too.
  SharedRows(SharedFile& file, io::RowLayout layout, std::int64_t first);

  void write(const View<const void>& rows) override;
  void finish() override { file_.close(); }

 private:
  SharedFile& file_;
  io::RowLayout layout_;
  std::uint64_t row_;
};

/// The rows of a rank, in a file without a name beside the target, until they are sent. It is used
/// on one thread.
class KeptRows final : public io::RowWriter {
 public:
  /// The rows of a view are on the axis `row_axis`, 0 or 1.
  KeptRows(const std::filesystem::path& target, int row_axis, const io::Checkpoint& checkpoint);

  void write(const View<const void>& rows) override;

  /// Sends them to the first rank, which calls receive_rows().
  void finish() override;

 private:
  io::OutputFile file_;
  int row_axis_;
  io::Checkpoint checkpoint_;
  std::vector<std::size_t> sizes_;  // of what write() got, in bytes
};

/// On the first rank: receives the rows of the other ranks, in their order, and writes them.
struct RowsToReceive {
  ElementType type;
  const Extents& extents;  ///< those of the whole result
  int row_axis;
  const std::vector<Part>& parts;  ///< of the ranks
  const io::Checkpoint& checkpoint;
};
void receive_rows(io::RowWriter& writer, const RowsToReceive& rows);

}  // namespace thiessen::cli
