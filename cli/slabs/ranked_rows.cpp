// SPDX-License-Identifier: Apache-2.0
#include "slabs/ranked_rows.hpp"

#include <utility>

namespace thiessen::cli {
namespace {

/// Calls each(component, bytes, count) for what a view has in one piece: its rows or, where these
/// are on the axis 1, those of each component.
template <class Each>
void for_each_piece(const View<const void>& rows, int row_axis, const Each& each) {
  const std::int64_t components = row_axis == 1 ? rows.extent(0) : 1;
  const std::int64_t cells = components == 0 ? 0 : rows.extents().count() / components;
  const std::size_t bytes = static_cast<std::size_t>(cells) * size_of(rows.element_type());
  for (std::int64_t component = 0; component < components; ++component)
    each(component, rows.bytes() + (row_axis == 1 ? component * rows.stride(0) : 0), bytes);
}

}  // namespace

SharedRows::SharedRows(SharedFile& file, io::RowLayout layout, std::int64_t first)
    : file_(file), layout_(std::move(layout)), row_(static_cast<std::uint64_t>(first)) {
  if (ranks().rank() == 0)
    file_.write_at(0, reinterpret_cast<const std::byte*>(layout_.head.data()), layout_.head.size());
}

void SharedRows::write(const View<const void>& rows) {
  const int row_axis = layout_.components > 1 ? 1 : 0;
  for_each_piece(
      rows, row_axis, [&](std::int64_t component, const std::byte* bytes, std::size_t count) {
        file_.write_at(layout_.place_of(static_cast<std::uint64_t>(component), row_), bytes, count);
      });
  row_ += static_cast<std::uint64_t>(rows.extent(row_axis));
}

KeptRows::KeptRows(const std::filesystem::path& target, int row_axis,
                   const io::Checkpoint& checkpoint)
    : file_(target.string() + ".rows", true, checkpoint),
      row_axis_(row_axis),
      checkpoint_(checkpoint) {}

void KeptRows::write(const View<const void>& rows) {
  std::size_t& size = sizes_.emplace_back(0);
  std::uint64_t end = file_.size();
  for_each_piece(rows, row_axis_, [&](std::int64_t, const std::byte* bytes, std::size_t count) {
    file_.write_at(end, bytes, count);
    end += count;
    size += count;
  });
}

void KeptRows::finish() {
  std::vector<std::byte> bytes;
  std::uint64_t begin = 0;
  for (const std::size_t size : sizes_) {
    checkpoint_();
    bytes.resize(size);
    begin += file_.read_at(begin, bytes.data(), size);
    ranks().communicator().exchange(0, bytes, -1);
  }
}

void receive_rows(io::RowWriter& writer, const RowsToReceive& rows) {
  const std::int64_t cells = rows.extents.count() / rows.extents[rows.row_axis];
  const std::int64_t row_bytes = cells * static_cast<std::int64_t>(size_of(rows.type));
  for (int rank = 1; rank < ranks().size(); ++rank) {
    std::int64_t left = rows.parts[static_cast<std::size_t>(rank)].count;
    while (left > 0) {
      rows.checkpoint();
      const std::vector<std::byte> bytes = ranks().communicator().exchange(-1, {}, rank);
      const std::int64_t come = static_cast<std::int64_t>(bytes.size()) / row_bytes;
      std::vector<std::int64_t> sizes(static_cast<std::size_t>(rows.extents.rank()));
      for (int axis = 0; axis < rows.extents.rank(); ++axis)
        sizes[static_cast<std::size_t>(axis)] = axis == rows.row_axis ? come : rows.extents[axis];
      writer.write({bytes.data(), rows.type, Extents(sizes)});
      left -= come;
    }
  }
}

}  // namespace thiessen::cli
