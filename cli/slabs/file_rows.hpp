// SPDX-License-Identifier: Apache-2.0
//
// Raster files, and what lies over them, as sources of rows (thiessen/slabs/stream.hpp).
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "io/raster/raster_rows.hpp"
#include "thiessen/raster.hpp"
#include "thiessen/slabs/stream.hpp"

namespace thiessen::cli {

/// Writes `count` rows or planes from `first` on into contiguous cells.
using ReadRows = std::function<void(std::int64_t first, std::int64_t count, std::byte* cells)>;

/// What a reader, which goes with it, does so.
template <class Pointer>
ReadRows reading_by(Pointer reader) {
  return [reader = std::shared_ptr(std::move(reader))](std::int64_t first, std::int64_t count,
                                                       std::byte* cells) {
    reader->read(first, count, cells);
  };
}

/// A raster that is read by rows. It is opened on the thread that reads it, when that begins.
class FileRows final : public RowSource {
 public:
  /// Throws UsageError or Error{io} for a file that is not read by rows.
  using Open = std::function<ReadRows()>;

  /// `is_in_order`: reading rows in another order would take long.
  FileRows(ElementType type, const Extents& extents, Open open, bool is_in_order = false)
      : type_(type), extents_(extents), open_(std::move(open)), is_in_order_(is_in_order) {}

  ElementType element_type() const override { return type_; }
  const Extents& extents() const override { return extents_; }
  bool is_in_order() const override { return is_in_order_; }
  void read(const SlabRows& rows, std::byte* cells) override;
  void close() override { read_ = nullptr; }

 private:
  ElementType type_;
  Extents extents_;
  Open open_;
  bool is_in_order_;
  ReadRows read_;
};

/// A raster in memory, which outlives it.
class RasterRows final : public RowSource {
 public:
  explicit RasterRows(const Raster& raster) : raster_(raster) {}

  ElementType element_type() const override { return raster_.element_type(); }
  const Extents& extents() const override { return raster_.extents(); }
  View<const void> memory(const SlabRows& rows) override;
  void read(const SlabRows& rows, std::byte* cells) override;

 private:
  const Raster& raster_;
};

/// Memory for some rows of a raster, kept from call to call.
std::byte* room_for(Raster& kept, ElementType type, const Extents& rows);

/// All cells of a source, if there is memory for them.
Raster held(RowSource& source, const Grid& grid);

/// Calls visit(rows, cells) for all cells of a source, some rows at a time.
void for_each_rows(RowSource& source,
                   const std::function<void(const SlabRows&, const View<const void>&)>& visit);

}  // namespace thiessen::cli
