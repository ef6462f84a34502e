// SPDX-License-Identifier: Apache-2.0
#include "thiessen/raster.hpp"

#include <limits>
#include <string>
#include <utility>

#include "core/base/scratch.hpp"

namespace thiessen {

Raster::Raster(ElementType type, Grid grid) : grid_(std::move(grid)), type_(type) {
  const std::int64_t cells = grid_.extents.count();
  const auto element = static_cast<std::int64_t>(size_of(type));
  if (cells > std::numeric_limits<std::int64_t>::max() / element)
    throw Error(ErrorCode::invalid_argument, "a raster must be smaller than 2^63 bytes");
  size_bytes_ = static_cast<std::size_t>(cells * element);
  bytes_.reset(allocate_bytes(size_bytes_, "a raster"));
}

void Raster::Free::operator()(std::byte* bytes) const noexcept { free_bytes(bytes); }

void Raster::require_type(ElementType wanted) const {
  if (type_ != wanted)
    throw Error(ErrorCode::invalid_argument, "the raster holds " + std::string(name_of(type_)) +
                                                 ", not " + std::string(name_of(wanted)));
}

}  // namespace thiessen
