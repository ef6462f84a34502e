// SPDX-License-Identifier: Apache-2.0
#include "thiessen/view.hpp"

#include <limits>
#include <string>

namespace thiessen {

std::size_t size_of(ElementType type) noexcept {
  switch (type) {
    case ElementType::boolean:
    case ElementType::u8:
    case ElementType::i8:
      return 1;
    case ElementType::u16:
    case ElementType::i16:
      return 2;
    case ElementType::u32:
    case ElementType::i32:
    case ElementType::f32:
      return 4;
    case ElementType::u64:
    case ElementType::i64:
    case ElementType::f64:
      break;
  }
  return 8;
}

std::string_view name_of(ElementType type) noexcept {
  constexpr std::string_view kNames[] = {"bool", "u8",  "i8",  "u16", "i16", "u32",
                                         "i32",  "u64", "i64", "f32", "f64"};
  return kNames[static_cast<std::size_t>(type)];
}

Extents::Extents(std::span<const std::int64_t> sizes) {
  if (sizes.size() > kMaxAxes)
    throw Error(
        ErrorCode::invalid_argument,
        {"extents", {}, "have " + std::to_string(sizes.size()) + " axes; at most 5 are possible"});
  for (const std::int64_t size : sizes) {
    if (size < 0)
      throw Error(ErrorCode::invalid_argument,
                  {"extents[" + std::to_string(rank_) + "]", std::to_string(size), "must be >= 0"});
    sizes_[static_cast<std::size_t>(rank_++)] = size;
  }
}

std::int64_t Extents::count() const {
  // An axis without cells makes the raster empty, however long the others are.
  for (int axis = 0; axis < rank_; ++axis)
    if ((*this)[axis] == 0) return 0;
  std::int64_t cells = 1;
  for (int axis = 0; axis < rank_; ++axis) {
    if ((*this)[axis] > std::numeric_limits<std::int64_t>::max() / cells)
      throw Error(ErrorCode::invalid_argument, {"extents", {}, "hold more than 2^63 - 1 cells"});
    cells *= (*this)[axis];
  }
  return cells;
}

}  // namespace thiessen
