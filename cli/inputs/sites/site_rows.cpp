// SPDX-License-Identifier: Apache-2.0
#include "inputs/sites/site_rows.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "inputs/rasters/raster_input.hpp"
#include "io/raster/raster_rows.hpp"
#include "slabs/slab_plan.hpp"
#include "talk/interrupt.hpp"
#include "thiessen/thiessen.hpp"
#include "words/arguments.hpp"

namespace thiessen::cli {
namespace {

/// Random sites, drawn anew whenever they are read.
class RandomRows {
 public:
  RandomRows(const SiteArguments& arguments, const Sites& sites)
      : context_({.device = "cpu", .threads = 1}),
        type_(sites.raster.element_type()),
        raster_(sites.extents()),
        count_(parse_integer("--random", arguments.random, 0, sites.extents().count())),
        seed_(parse_seed("--seed", arguments.seed)) {}

  void read(std::int64_t first, std::int64_t count, std::byte* cells) {
    const View<void> rows(cells, type_, slab_extents(raster_, count));
    if (first != next_) above_.reset();
    above_ = random_sites_slab(context_, rows, {raster_, first}, count_, seed_, above_);
    next_ = first + count;
  }

 private:
  Context context_;
  ElementType type_;
  Extents raster_;
  std::int64_t count_;
  std::uint64_t seed_;
  std::int64_t next_ = 0;              // the row after the last one that was read
  std::optional<std::int64_t> above_;  // number of sites above it
};

/// The numbers of the connected areas of cells, in pieces of rows: all rows are read once more
/// before the first ones, as areas go through all.
class ComponentRows {
 public:
  ComponentRows(ReadRows cells, const Sites& sites, int threads)
      : cells_(std::move(cells)),
        type_(sites.raster.element_type()),
        raster_(sites.extents()),
        image_(*sites.image),
        context_({.device = "cpu", .threads = threads}) {
    constexpr std::int64_t kCells = 1 << 22;
    const std::int64_t columns = raster_.count() / std::max<std::int64_t>(raster_[0], 1);
    rows_ = std::clamp<std::int64_t>(kCells / std::max<std::int64_t>(columns, 1), 1, raster_[0]);
  }

  void read(std::int64_t first, std::int64_t count, std::byte* cells) {
    if (numbers_.empty()) number_all();
    const std::size_t row_bytes =
        size_of(type_) * static_cast<std::size_t>(raster_.count() / raster_[0]);
    for (std::int64_t row = first; row < first + count;) {
      number_piece(row / rows_);
      const std::int64_t end = std::min((piece_ + 1) * rows_, first + count);
      std::memcpy(cells, labels_.bytes() + static_cast<std::size_t>(row % rows_) * row_bytes,
                  static_cast<std::size_t>(end - row) * row_bytes);
      cells += static_cast<std::size_t>(end - row) * row_bytes;
      row = end;
    }
  }

 private:
  /// Reads all rows, and numbers their areas.
  void number_all() {
    std::vector<ComponentsSummary> summaries;
    summaries.reserve(static_cast<std::size_t>((raster_[0] + rows_ - 1) / rows_));
    Raster labels(type_, slab_extents(raster_, std::min(rows_, raster_[0])));
    for (std::int64_t first = 0; first < raster_[0]; first += rows_) {
      throw_if_interrupted();
      const std::int64_t count = std::min(rows_, raster_[0] - first);
      const View<void> rows(labels.bytes(), type_, slab_extents(raster_, count));
      summaries.push_back(summarise(first, rows));
    }
    numbers_ = combine_components(summaries, raster_, image_.options);
  }

  /// Makes `labels_` those of this piece.
  void number_piece(std::int64_t piece) {
    if (piece_ == piece) return;
    const std::int64_t first = piece * rows_;
    const Extents some = slab_extents(raster_, std::min(rows_, raster_[0] - first));
    if (!labels_ || labels_.extents() != some) labels_ = Raster(type_, some);
    summarise(first, labels_.view());
    number_components(numbers_[static_cast<std::size_t>(piece)], labels_.view());
    piece_ = piece;
  }

  /// Numbers the areas within some rows.
  ComponentsSummary summarise(std::int64_t first, const View<void>& labels) {
    const Extents& some = labels.extents();
    if (rows_of_cells_.extents() != some) rows_of_cells_ = Raster(image_.type, some);
    cells_(first, some[0], rows_of_cells_.bytes());
    return summarise_components(context_, std::as_const(rows_of_cells_).view(), image_.options,
                                labels);
  }

  ReadRows cells_;
  ElementType type_;
  Extents raster_;
  Image image_;
  std::int64_t rows_ = 1;  // of a piece
  Context context_;
  Raster rows_of_cells_;
  std::vector<ComponentNumbers> numbers_;
  std::int64_t piece_ = -1;  // whose labels these are
  Raster labels_;
};

ReadRows open_cells(const SiteArguments& arguments, const Sites& sites, int threads) {
  if (sites.layer) return burning(sites.layer, georeferenced(sites.grid));
  if (sites.are_in_cells)
    return [&sites](std::int64_t first, std::int64_t count, std::byte* cells) {
      put_points_in_cells(sites, {first, count}, cells);
    };
  if (arguments.file.empty()) return reading_by(std::make_unique<RandomRows>(arguments, sites));
  io::ReadOptions reading{.threads = threads};
  choose_band(arguments.band, reading);
  return reading_by(io::open_rows(arguments.file, reading));
}

}  // namespace

FileRows site_rows(const SiteArguments& arguments, const Sites& sites, int threads) {
  const bool is_in_order = sites.image || sites.layer || arguments.file.empty();
  const auto open = [&arguments, &sites, threads] {
    ReadRows cells = open_cells(arguments, sites, threads);
    if (!sites.image) return cells;
    return reading_by(std::make_unique<ComponentRows>(std::move(cells), sites, threads));
  };
  return FileRows(sites.raster.element_type(), sites.extents(), open, is_in_order);
}

ReadRows burning(std::shared_ptr<const io::VectorFile> layer, Grid grid) {
  return [layer = std::move(layer), grid = std::move(grid)](std::int64_t first, std::int64_t count,
                                                            std::byte* cells) {
    layer->burn_rows(grid, first, count, cells);
  };
}

}  // namespace thiessen::cli
