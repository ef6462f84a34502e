// SPDX-License-Identifier: Apache-2.0
#include "stream/rows.hpp"

namespace thiessen {

RowInputs::RowInputs(std::vector<RowSource*> sources) : sources_(std::move(sources)) {
  for (Slab* const slab : {&ahead_, &here_}) {
    slab->cells.resize(sources_.size());
    slab->views.resize(sources_.size());
  }
}

RowInputs::~RowInputs() {
  try {
    worker_.wait();
  } catch (...) {  // somebody else has an error to tell
  }
  try {
    worker_.start([this] {
      for (RowSource* const source : sources_)
        if (source != nullptr) source->close();
    });
    worker_.wait();
  } catch (...) {
  }
}

void RowInputs::begin(const SlabRows& part, std::int64_t rows) {
  worker_.wait();
  rows_ = rows;
  left_ = part;
  read_ahead();
}

void RowInputs::read_ahead() {
  const SlabRows rows{left_.first, std::min(rows_, left_.count)};
  if (rows.count <= 0) return;
  left_ = {rows.first + rows.count, left_.count - rows.count};
  worker_.start([this, rows] { read(rows); });
}

void RowInputs::read(const SlabRows& rows) {
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    RowSource* const source = sources_[i];
    if (source == nullptr) continue;
    ahead_.views[i] = source->memory(rows);
    if (ahead_.views[i]) continue;
    const Extents some = slab_extents(source->extents(), rows.count);
    Raster& cells = ahead_.cells[i];
    if (!cells || cells.extents() != some) cells = Raster(source->element_type(), some);
    source->read(rows, cells.bytes());
    ahead_.views[i] = std::as_const(cells).view();
  }
}

const std::vector<View<const void>>& RowInputs::next() {
  worker_.wait();
  std::swap(ahead_, here_);
  read_ahead();
  return here_.views;
}

std::vector<View<const void>> RowInputs::no_rows() const {
  static constexpr std::byte kNowhere{};
  std::vector<View<const void>> views(sources_.size());
  for (std::size_t i = 0; i < sources_.size(); ++i)
    if (const RowSource* const source = sources_[i])
      views[i] = {&kNowhere, source->element_type(), slab_extents(source->extents(), 0)};
  return views;
}

}  // namespace thiessen
