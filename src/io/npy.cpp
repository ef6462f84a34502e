// SPDX-License-Identifier: Apache-2.0
#include "io/npy.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "core/cells.hpp"
#include "io/byte_order.hpp"
#include "io/npy_header.hpp"
#include "io/raster_shape.hpp"

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

void scatter_panel(const Panel& panel, std::size_t cell_bytes, std::byte* raster) {
  for (std::int64_t y = 0; y < panel.size_y; ++y) {
    if (cell_bytes == 1) scatter_plane<1>(panel, y, raster);
    if (cell_bytes == 2) scatter_plane<2>(panel, y, raster);
    if (cell_bytes == 4) scatter_plane<4>(panel, y, raster);
    if (cell_bytes == 8) scatter_plane<8>(panel, y, raster);
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
    scatter_panel(panel, size_of(npy.type), raster.bytes());
  }
}

std::string header_of(const View<const void>& raster) {
  const char order = size_of(raster.element_type()) == 1 ? '|' : kNativeOrder;
  std::string text = std::string("{'descr': '") + order + npy_code_of(raster.element_type()) +
                     "', 'fortran_order': False, 'shape': (";
  for (int axis = 0; axis < raster.rank(); ++axis) {
    text += std::to_string(raster.extent(axis)) + (raster.rank() == 1 ? "," : "");
    if (axis + 1 < raster.rank()) text += ", ";
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

template <std::size_t CellBytes>
void gather(const std::byte* cell, std::int64_t stride, std::int64_t count, std::byte* row) {
  for (std::int64_t i = 0; i < count; ++i, cell += stride, row += CellBytes) {
    std::memcpy(row, cell, CellBytes);
  }
}

void gather_row(const View<const void>& raster, const std::byte* first, std::byte* row) {
  const int last = raster.rank() - 1;
  const std::int64_t stride = raster.stride(last);
  const std::int64_t count = raster.extent(last);
  const std::size_t cell_bytes = size_of(raster.element_type());
  if (cell_bytes == 1) gather<1>(first, stride, count, row);
  if (cell_bytes == 2) gather<2>(first, stride, count, row);
  if (cell_bytes == 4) gather<4>(first, stride, count, row);
  if (cell_bytes == 8) gather<8>(first, stride, count, row);
  if (raster.element_type() == ElementType::boolean) {
    normalise_booleans(row, static_cast<std::size_t>(count));
  }
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

void write_packed(OutputFile& file, const std::byte* bytes, std::size_t count,
                  const WriteProgress& progress) {
  constexpr std::size_t kPieceBytes = std::size_t{16} << 20;
  for (std::size_t done = 0; done < count; done += kPieceBytes) {
    if (progress) progress(static_cast<double>(done) / static_cast<double>(count));
    file.write(bytes + done, std::min(kPieceBytes, count - done));
  }
}

void write_cells(OutputFile& file, const View<const void>& raster, const WriteProgress& progress) {
  const std::int64_t count = raster.extents().count();
  if (count == 0) return;
  const std::size_t cell_bytes = size_of(raster.element_type());
  if (is_packed(raster) && raster.element_type() != ElementType::boolean) {
    return write_packed(file, raster.bytes(), static_cast<std::size_t>(count) * cell_bytes,
                        progress);
  }
  const std::int64_t width = raster.extent(raster.rank() - 1);
  const std::int64_t rows = count / width;
  const auto row_bytes = static_cast<std::int64_t>(cell_bytes) * width;
  const std::int64_t fitting = std::max<std::int64_t>(1, kChunkBytes / row_bytes);
  Raster buffer(raster.element_type(), Extents{std::min(fitting, rows), width});
  for (std::int64_t row = 0; row < rows;) {
    const std::int64_t end = std::min(row + fitting, rows);
    if (progress) progress(static_cast<double>(row) / static_cast<double>(rows));
    std::byte* gathered = buffer.bytes();
    for (; row < end; ++row, gathered += row_bytes) {
      gather_row(raster, row_start(raster, row), gathered);
    }
    file.write(buffer.bytes(), static_cast<std::size_t>(gathered - buffer.bytes()));
  }
}

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

void write_npy(OutputFile& file, const View<const void>& raster, const WriteProgress& progress) {
  const std::string header = header_of(raster);
  file.write(header.data(), header.size());
  write_cells(file, raster, progress);
}

}  // namespace thiessen::io
