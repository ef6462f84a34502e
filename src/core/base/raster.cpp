// SPDX-License-Identifier: Apache-2.0
#include "thiessen/raster.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "core/base/scratch.hpp"

namespace thiessen {

namespace {

std::size_t checked_bytes(ElementType type, const Extents& extents) {
  const std::int64_t cells = extents.count();
  const auto element = static_cast<std::int64_t>(size_of(type));
  if (cells > std::numeric_limits<std::int64_t>::max() / element)
    throw Error(ErrorCode::invalid_argument, "a raster must be smaller than 2^63 bytes");
  return static_cast<std::size_t>(cells * element);
}

}  // namespace

Raster::Raster(ElementType type, Grid grid)
    : grid_(std::move(grid)), size_bytes_(checked_bytes(type, grid_.extents)), type_(type) {
  bytes_.reset(allocate_bytes(size_bytes_, "a raster"));
  capacity_ = size_bytes_;
}

void Raster::resize(ElementType type, const Extents& extents) {
  const std::size_t bytes = checked_bytes(type, extents);
  if (!bytes_ || bytes > capacity_) {
    const std::size_t more = bytes_ ? std::max(bytes, 2 * capacity_) : bytes;
    bytes_.reset(allocate_bytes(more, "a raster"));
    capacity_ = more;
  }
  grid_ = {.extents = extents};
  size_bytes_ = bytes;
  type_ = type;
}

void Raster::Free::operator()(std::byte* bytes) const noexcept { free_bytes(bytes); }

void Raster::require_type(ElementType wanted) const {
  if (type_ != wanted)
    throw Error(ErrorCode::invalid_argument, "the raster holds " + std::string(name_of(type_)) +
                                                 ", not " + std::string(name_of(wanted)));
}

}  // namespace thiessen
