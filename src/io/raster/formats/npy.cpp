// SPDX-License-Identifier: Apache-2.0
#include "io/raster/formats/npy.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "core/base/cells.hpp"
#include "core/base/element_width.hpp"
#include "io/files/byte_order.hpp"
#include "io/raster/formats/npy_header.hpp"
#include "io/raster/raster_shape.hpp"

namespace thiessen::io {
namespace {

constexpr std::size_t kPreambleBytes = 8;  // signature and version
constexpr std::uint64_t kLongestHeader = 1 << 20;
constexpr std::size_t kHeaderAlignment = 64;
constexpr std::int64_t kChunkBytes = std::int64_t{1} << 18;  // stays in cache while it is converted
constexpr std::int64_t kPanelBytes = std::int64_t{8} << 20;
constexpr std::int64_t kPanelSlices = 16;
constexpr std::int64_t kTile = 32;  // two tiles of 8-byte cells fit the first-level cache

std::size_t header_length(InputFile& file) {
  std::array<std::byte, kPreambleBytes> preamble{};
  file.read(preamble.data(), preamble.size());
  const int version = std::to_integer<int>(preamble[6]);
  if (version < 1 || version > 3) {
    file.fail("is NPY version " + std::to_string(version) + "; versions 1 to 3 can be read");
  }
  std::uint64_t length = 0;
  for (int byte = 0; byte < (version == 1 ? 2 : 4); ++byte) {
    const int next = file.get();
    if (next < 0) file.fail_short("ends inside its NPY header");
    length |= static_cast<std::uint64_t>(next) << (8 * byte);
  }
  if (length > kLongestHeader) {
    file.fail("promises an NPY header of " + std::to_string(length) + " bytes; at most " +
              std::to_string(kLongestHeader) + " are read");
  }
  return static_cast<std::size_t>(length);
}

NpyHeader read_npy_header(InputFile& file) {
  const std::size_t length = header_length(file);
  if (file.available(length) < length) {
    file.fail_short("promises an NPY header of " + std::to_string(length) + " bytes, but only " +
                    std::to_string(file.available(length)) + " follow");
  }
  std::vector<std::byte> text(length);
  file.read(text.data(), length);
  return NpyHeaderParser(file, {reinterpret_cast<const char*>(text.data()), length}).parse();
}

/// Throws for cells or extents that no raster can hold.
RasterLayout layout_of(const InputFile& file, const NpyHeader& header) {
  const NpyType npy = npy_type_of(file, *header.descr);
  const std::size_t rank = header.shape->size();
  if (rank != 2 && rank != 3) {
    file.fail("has " + std::to_string(rank) + (rank == 1 ? " axis" : " axes") +
              "; a raster has 2 or 3");
  }
  return {npy.type, checked_extents(file, *header.shape)};
}

/// In a file any byte but zero is true; in memory it must be 1 to be read as a bool.
void normalise_booleans(std::byte* cells, std::size_t count) {
  std::transform(cells, cells + count, cells,
                 [](std::byte cell) { return std::byte{cell != std::byte{0}}; });
}

/// Reads cells in the order of the file.
void read_cells(InputFile& file, std::byte* cells, std::size_t count, const NpyType& npy) {
  const std::size_t cell_bytes = size_of(npy.type);
  if (!npy.swapped && npy.type != ElementType::boolean) return file.read(cells, count * cell_bytes);
  const std::size_t chunk = std::size_t{kChunkBytes} / cell_bytes;
  for (std::size_t first = 0; first < count; first += chunk) {
    const std::size_t some = std::min(chunk, count - first);
    std::byte* const bytes = cells + first * cell_bytes;
    file.read(bytes, some * cell_bytes);
    if (npy.swapped) swap_bytes(bytes, some, cell_bytes);
    if (npy.type == ElementType::boolean) normalise_booleans(bytes, some);
  }
}

/// Some slices across the last axis of a raster in Fortran order: (x, y, z) with z contiguous.
struct Panel {
  const std::byte* cells;
  std::int64_t first_x, size_x, size_y, size_z;
  std::int64_t width;  // of the raster
};

/// Puts one row of slices, all with the same y, into a raster (z, y, x), tile by tile.
template <std::size_t CellBytes>
void scatter_plane(const Panel& panel, std::int64_t y, std::byte* raster) {
  const auto cell = [](std::int64_t index) { return index * std::int64_t{CellBytes}; };
  const std::byte* const from = panel.cells + cell(y * panel.size_z);
  std::byte* const to = raster + cell(y * panel.width + panel.first_x);
  for (std::int64_t tile_z = 0; tile_z < panel.size_z; tile_z += kTile) {
    const std::int64_t end_z = std::min(tile_z + kTile, panel.size_z);
    for (std::int64_t tile_x = 0; tile_x < panel.size_x; tile_x += kTile) {
      const std::int64_t end_x = std::min(tile_x + kTile, panel.size_x);
      for (std::int64_t z = tile_z; z < end_z; ++z) {
        for (std::int64_t x = tile_x; x < end_x; ++x) {
          std::memcpy(to + cell(z * panel.size_y * panel.width + x),
                      from + cell(x * panel.size_y * panel.size_z + z), CellBytes);
        }
      }
    }
  }
}

void scatter_panel(const Panel& panel, ElementType type, std::byte* raster) {
  for (std::int64_t y = 0; y < panel.size_y; ++y) {
    visit_element_width(type, [&]<class Cell>(std::type_identity<Cell>) {
      scatter_plane<sizeof(Cell)>(panel, y, raster);
    });
  }
}

void read_fortran(InputFile& file, const NpyType& npy, Raster& raster) {
  const Extents& extents = raster.extents();
  const bool flat = extents.rank() == 2;
  const std::int64_t depth = extents[0];
  const std::int64_t height = flat ? 1 : extents[1];
  const std::int64_t width = extents[flat ? 1 : 2];
  if (raster.size_bytes() == 0) return;
  const auto cell_bytes = static_cast<std::int64_t>(size_of(npy.type));
  const std::int64_t fitting = kPanelBytes / cell_bytes / (depth * height);
  const std::int64_t slices = std::min(std::max(kPanelSlices, fitting), width);
  Raster buffer(npy.type, Extents{slices, height, depth});
  for (std::int64_t x = 0; x < width; x += slices) {
    const Panel panel{buffer.bytes(), x, std::min(slices, width - x), height, depth, width};
    const std::int64_t cells = panel.size_x * height * depth;
    read_cells(file, buffer.bytes(), static_cast<std::size_t>(cells), npy);
    scatter_panel(panel, npy.type, raster.bytes());
  }
}

std::string header_of(ElementType type, const Extents& extents) {
  const char order = size_of(type) == 1 ? '|' : kNativeOrder;
  std::string text = std::string("{'descr': '") + order + npy_code_of(type) +
                     "', 'fortran_order': False, 'shape': (";
  for (int axis = 0; axis < extents.rank(); ++axis) {
    text += std::to_string(extents[axis]) + (extents.rank() == 1 ? "," : "");
    if (axis + 1 < extents.rank()) text += ", ";
  }
  text += "), }";
  // Spaces and a line feed make the cells begin at a multiple of 64 bytes.
  const std::size_t prefix = kPreambleBytes + 2;
  const std::size_t used = (prefix + text.size() + 1) % kHeaderAlignment;
  text.append((kHeaderAlignment - used) % kHeaderAlignment, ' ').push_back('\n');
  std::string header("\x93NUMPY\x01\x00", kPreambleBytes);
  header.push_back(static_cast<char>(text.size() & 0xff));
  header.push_back(static_cast<char>(text.size() >> 8));
  return header + text;
}

void gather_row(const View<const void>& raster, const std::byte* cell, std::byte* row) {
  const int last = raster.rank() - 1;
  const std::int64_t stride = raster.stride(last);
  const std::int64_t count = raster.extent(last);
  visit_element_width(raster.element_type(), [&]<class Cell>(std::type_identity<Cell>) {
    for (std::int64_t i = 0; i < count; ++i)
      std::memcpy(row + i * std::int64_t{sizeof(Cell)}, cell + i * stride, sizeof(Cell));
  });
  if (raster.element_type() == ElementType::boolean)
    normalise_booleans(row, static_cast<std::size_t>(count));
}

/// The first cell of the row with this number; rows count in C order.
const std::byte* row_start(const View<const void>& raster, std::int64_t row) {
  const std::byte* cell = raster.bytes();
  for (int axis = raster.rank() - 2; axis >= 0; --axis) {
    cell += row % raster.extent(axis) * raster.stride(axis);
    row /= raster.extent(axis);
  }
  return cell;
}

/// Writes a view to where its cells lie in the file, one piece after the other.
template <class Put>
void write_cells(const View<const void>& view, const Put& put) {
  const std::int64_t count = view.extents().count();
  if (count == 0) return;
  const std::size_t cell_bytes = size_of(view.element_type());
  if (is_packed(view) && view.element_type() != ElementType::boolean)
    return put(view.bytes(), static_cast<std::size_t>(count) * cell_bytes);
  const std::int64_t width = view.extent(view.rank() - 1);
  const std::int64_t rows = count / width;
  const auto row_bytes = static_cast<std::int64_t>(cell_bytes) * width;
  const std::int64_t fitting = std::max<std::int64_t>(1, kChunkBytes / row_bytes);
  Raster buffer(view.element_type(), Extents{std::min(fitting, rows), width});
  for (std::int64_t row = 0; row < rows;) {
    const std::int64_t end = std::min(row + fitting, rows);
    std::byte* gathered = buffer.bytes();
    for (; row < end; ++row, gathered += row_bytes) {
      gather_row(view, row_start(view, row), gathered);
    }
    put(buffer.bytes(), static_cast<std::size_t>(gathered - buffer.bytes()));
  }
}

/// The view of one component.
View<const void> component_of(const View<const void>& view, std::int64_t component) {
  std::vector<std::int64_t> sizes;
  View<const void>::Strides strides{};
  for (int axis = 1; axis < view.rank(); ++axis) {
    sizes.push_back(view.extent(axis));
    strides[static_cast<std::size_t>(axis) - 1] = view.stride(axis);
  }
  return {view.bytes() + component * view.stride(0), view.element_type(), Extents(sizes), strides};
}

class NpyWriter : public RowWriter {
 public:
  NpyWriter(OutputFile& file, ElementType type, const Extents& extents, int row_axis,
            WriteProgress progress)
      : file_(file),
        components_(row_axis > 0 ? extents[0] : 1),
        has_components_(row_axis > 0),
        bytes_(extents.count() * static_cast<std::int64_t>(size_of(type))),
        progress_(std::move(progress)) {
    const std::string header = header_of(type, extents);
    cells_ = header.size();
    put_next(reinterpret_cast<const std::byte*>(header.data()), header.size());
  }

  void write(const View<const void>& rows) override {
    if (!has_components_) {
      return write_cells(
          rows, [&](const std::byte* bytes, std::size_t count) { put_in_pieces(bytes, count); });
    }
    for (std::int64_t component = 0; component < components_; ++component) {
      std::uint64_t at = cells_ + static_cast<std::uint64_t>(component * (bytes_ / components_) +
                                                             done_ / components_);
      write_cells(component_of(rows, component), [&](const std::byte* bytes, std::size_t count) {
        file_.write_at(at, bytes, count);
        at += count;
      });
    }
    done_ += rows.extents().count() * static_cast<std::int64_t>(size_of(rows.element_type()));
    report();
  }

  void finish() override { report(); }

 private:
  /// The components of a raster lie far apart, so its file is written by positions alone.
  void put_next(const std::byte* bytes, std::size_t count) {
    if (has_components_)
      file_.write_at(0, bytes, count);
    else
      file_.write(bytes, count);
  }

  void put_in_pieces(const std::byte* bytes, std::size_t count) {
    constexpr std::size_t kPieceBytes = std::size_t{16} << 20;
    for (std::size_t done = 0; done < count; done += kPieceBytes) {
      report();
      const std::size_t piece = std::min(kPieceBytes, count - done);
      file_.write(bytes + done, piece);
      done_ += static_cast<std::int64_t>(piece);
    }
  }

  void report() const {
    if (progress_ && bytes_ > 0)
      progress_(static_cast<double>(done_) / static_cast<double>(bytes_));
  }

  OutputFile& file_;
  std::int64_t components_;
  bool has_components_;
  std::int64_t bytes_;       // of all cells,
  std::int64_t done_ = 0;    // and of those that are written
  std::uint64_t cells_ = 0;  // where they begin
  WriteProgress progress_;
};

/// Cells in the order of the file, from any row on.
class NpyRows : public RowReader {
 public:
  explicit NpyRows(const std::filesystem::path& path) : file_(path) {
    const NpyHeader header = read_npy_header(file_);
    const RasterLayout layout = layout_of(file_, header);
    require_data(file_, layout.extents, checked_bytes(file_, layout.extents, size_of(layout.type)));
    npy_ = npy_type_of(file_, *header.descr);
    head_.type = layout.type;
    head_.grid.extents = layout.extents;
    first_ = file_.position();
  }

  void read(std::int64_t first, std::int64_t count, std::byte* cells) override {
    const Extents& extents = head_.grid.extents;
    if (extents.count() == 0) return;
    const auto row = static_cast<std::uint64_t>(extents.count() / extents[0]);
    file_.seek(first_ + static_cast<std::uint64_t>(first) * row * size_of(npy_.type));
    read_cells(file_, cells, static_cast<std::size_t>(count) * row, npy_);
  }

 private:
  InputFile file_;
  NpyType npy_{};
  std::uint64_t first_ = 0;  ///< where the cells begin
};

}  // namespace

Raster read_npy(InputFile& file) {
  const NpyHeader header = read_npy_header(file);
  const RasterLayout layout = layout_of(file, header);
  const std::uint64_t bytes = checked_bytes(file, layout.extents, size_of(layout.type));
  require_data(file, layout.extents, bytes);
  Raster raster(layout.type, layout.extents);
  const NpyType npy = npy_type_of(file, *header.descr);
  if (*header.fortran_order) {
    read_fortran(file, npy, raster);
  } else {
    read_cells(file, raster.bytes(), raster.size_bytes() / size_of(npy.type), npy);
  }
  require_end(file);
  return raster;
}

RasterLayout read_npy_layout(InputFile& file) { return layout_of(file, read_npy_header(file)); }

bool is_npy_in_fortran_order(InputFile& file) { return *read_npy_header(file).fortran_order; }

std::unique_ptr<RowReader> open_npy_rows(const std::filesystem::path& path) {
  return std::make_unique<NpyRows>(path);
}

std::unique_ptr<RowWriter> write_npy_rows(OutputFile& file, ElementType type,
                                          const Extents& extents, int row_axis,
                                          const WriteProgress& progress) {
  return std::make_unique<NpyWriter>(file, type, extents, row_axis, progress);
}

RowLayout npy_row_layout(ElementType type, const Extents& extents, int row_axis) {
  const auto components = static_cast<std::uint64_t>(row_axis > 0 ? extents[0] : 1);
  const auto rows = static_cast<std::uint64_t>(extents[row_axis]);
  const auto cells = static_cast<std::uint64_t>(extents.count());
  return {header_of(type, extents), components, rows,
          cells == 0 ? 0 : cells / components / rows * size_of(type)};
}

}  // namespace thiessen::io
