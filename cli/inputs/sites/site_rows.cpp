// SPDX-License-Identifier: Apache-2.0
#include "inputs/sites/site_rows.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "inputs/rasters/raster_input.hpp"
#include "slabs/slab_plan.hpp"
#include "talk/interrupt.hpp"
#include "thiessen/thiessen.hpp"
#include "words/arguments.hpp"

namespace thiessen::cli {
namespace {

/// Labels of the features of a layer, burned some rows at a time.
class LayerRows final : public io::RowReader {
 public:
  LayerRows(std::shared_ptr<const io::VectorFile> layer, Grid grid) : layer_(std::move(layer)) {
    head_ = {.type = layer_->label_type(), .grid = std::move(grid)};
  }

  void read(std::int64_t first, std::int64_t count, std::byte* cells) override {
    layer_->burn_rows(head_.grid, first, count, cells);
  }

 private:
  std::shared_ptr<const io::VectorFile> layer_;
};

/// Values of the features of a layer, burned some rows at a time.
class ValueRows final : public io::RowReader {
 public:
  ValueRows(std::shared_ptr<const io::VectorFile> layer, Grid grid, std::vector<double> values)
      : layer_(std::move(layer)), values_(std::move(values)) {
    head_ = {.type = ElementType::f64, .grid = std::move(grid)};
  }

  void read(std::int64_t first, std::int64_t count, std::byte* cells) override {
    layer_->burn_values(head_.grid, values_, first, count, cells);
  }

 private:
  std::shared_ptr<const io::VectorFile> layer_;
  std::vector<double> values_;
};

/// Points in their cells.
class PointRows final : public io::RowReader {
 public:
  explicit PointRows(const Sites& sites) : sites_(sites) {
    head_ = {.type = sites.point_labels.element_type(), .grid = sites.grid};
  }

  void read(std::int64_t first, std::int64_t count, std::byte* cells) override {
    put_points_in_cells(sites_, {first, count}, cells);
  }

 private:
  const Sites& sites_;
};

/// Random sites, drawn anew whenever they are read.
class RandomRows final : public io::RowReader {
 public:
  RandomRows(const SiteArguments& arguments, const Sites& sites)
      : context_({.device = "cpu", .threads = 1}),
        count_(parse_integer("--random", arguments.random, 0, sites.extents().count())),
        seed_(parse_seed("--seed", arguments.seed)) {
    head_ = {.type = sites.raster.element_type(), .grid = sites.grid};
  }

  void read(std::int64_t first, std::int64_t count, std::byte* cells) override {
    const Extents& raster = head_.grid.extents;
    const View<void> rows(cells, head_.type, slab_extents(raster, count));
    if (first != next_) above_.reset();
    above_ = random_sites_slab(context_, rows, {raster, first}, count_, seed_, above_);
    next_ = first + count;
  }

 private:
  Context context_;
  std::int64_t count_;
  std::uint64_t seed_;
  std::int64_t next_ = 0;              // the row after the last one that was read
  std::optional<std::int64_t> above_;  // number of sites above it
};

/// The numbers of the connected areas of cells, in pieces of rows: all rows are read once more
/// before the first ones, as areas go through all.
class ComponentRows final : public io::RowReader {
 public:
  ComponentRows(std::unique_ptr<io::RowReader> cells, const Sites& sites, int threads)
      : cells_(std::move(cells)),
        image_(*sites.image),
        context_({.device = "cpu", .threads = threads}) {
    head_ = cells_->head();
    constexpr std::int64_t kCells = 1 << 22;
    const Extents& raster = head_.grid.extents;
    const std::int64_t columns = raster.count() / std::max<std::int64_t>(raster[0], 1);
    rows_ = std::clamp<std::int64_t>(kCells / std::max<std::int64_t>(columns, 1), 1, raster[0]);
    head_.type = sites.raster.element_type();
    head_.nodata = sites.nodata;
  }

  void read(std::int64_t first, std::int64_t count, std::byte* cells) override {
    if (numbers_.empty()) number_all();
    const Extents& raster = head_.grid.extents;
    const std::size_t row_bytes =
        size_of(head_.type) * static_cast<std::size_t>(raster.count() / raster[0]);
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
    const Extents& raster = head_.grid.extents;
    std::vector<ComponentsSummary> summaries;
    summaries.reserve(static_cast<std::size_t>((raster[0] + rows_ - 1) / rows_));
    Raster labels(head_.type, slab_extents(raster, std::min(rows_, raster[0])));
    for (std::int64_t first = 0; first < raster[0]; first += rows_) {
      throw_if_interrupted();
      const std::int64_t count = std::min(rows_, raster[0] - first);
      const View<void> rows(labels.bytes(), head_.type, slab_extents(raster, count));
      summaries.push_back(summarise(first, rows));
    }
    numbers_ = combine_components(summaries, raster, image_.options);
  }

  /// Makes `labels_` those of this piece.
  void number_piece(std::int64_t piece) {
    if (piece_ == piece) return;
    const Extents& raster = head_.grid.extents;
    const std::int64_t first = piece * rows_;
    const Extents some = slab_extents(raster, std::min(rows_, raster[0] - first));
    if (!labels_ || labels_.extents() != some) labels_ = Raster(head_.type, some);
    summarise(first, labels_.view());
    number_components(numbers_[static_cast<std::size_t>(piece)], labels_.view());
    piece_ = piece;
  }

  /// Numbers the areas within some rows.
  ComponentsSummary summarise(std::int64_t first, const View<void>& labels) {
    const Extents& some = labels.extents();
    if (rows_of_cells_.extents() != some) rows_of_cells_ = Raster(image_.type, some);
    cells_->read(first, some[0], rows_of_cells_.bytes());
    return summarise_components(context_, std::as_const(rows_of_cells_).view(), image_.options,
                                labels);
  }

  std::unique_ptr<io::RowReader> cells_;
  Image image_;
  std::int64_t rows_ = 1;  // of a piece
  Context context_;
  Raster rows_of_cells_;
  std::vector<ComponentNumbers> numbers_;
  std::int64_t piece_ = -1;  // whose labels these are
  Raster labels_;
};

std::unique_ptr<io::RowReader> open_cells(const SiteArguments& arguments, const Sites& sites,
                                          int threads) {
  if (sites.layer) return open_layer_rows(sites.layer, georeferenced(sites.grid));
  if (sites.are_in_cells) return std::make_unique<PointRows>(sites);
  if (arguments.file.empty()) return std::make_unique<RandomRows>(arguments, sites);
  io::ReadOptions reading{.threads = threads};
  choose_band(arguments.band, reading);
  return io::open_rows(arguments.file, reading);
}

}  // namespace

std::unique_ptr<io::RowReader> open_site_rows(const SiteArguments& arguments, const Sites& sites,
                                              int threads) {
  std::unique_ptr<io::RowReader> cells = open_cells(arguments, sites, threads);
  if (!sites.image) return cells;
  return std::make_unique<ComponentRows>(std::move(cells), sites, threads);
}

FileRows site_rows(const SiteArguments& arguments, const Sites& sites, int threads) {
  const bool is_in_order = sites.image || sites.layer || arguments.file.empty();
  return FileRows(
      sites.raster.element_type(), sites.extents(),
      [&arguments, &sites, threads] { return open_site_rows(arguments, sites, threads); },
      is_in_order);
}

std::unique_ptr<io::RowReader> open_layer_rows(std::shared_ptr<const io::VectorFile> layer,
                                               Grid grid) {
  return std::make_unique<LayerRows>(std::move(layer), std::move(grid));
}

std::unique_ptr<io::RowReader> open_value_rows(const Sites& sites, std::vector<double> values) {
  return std::make_unique<ValueRows>(sites.layer, georeferenced(sites.grid), std::move(values));
}

}  // namespace thiessen::cli
