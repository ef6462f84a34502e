// SPDX-License-Identifier: Apache-2.0
#include "support/guarded_array.hpp"

#include <algorithm>
#include <cstring>

namespace thiessen::testing {
namespace {

constexpr std::byte kGuard{0xA5};
constexpr std::size_t kMargin = 64;

}  // namespace

GuardedArray::GuardedArray(ElementType type, const Extents& extents, Layout layout) {
  const auto element = static_cast<std::int64_t>(size_of(type));
  View<void>::Strides strides{};
  std::int64_t stride = layout == Layout::padded ? 2 * element : element;
  std::int64_t first = 0;
  for (int axis = extents.rank() - 1; axis >= 0; --axis) {
    const bool turned = layout == Layout::reversed && (axis == 0 || axis == extents.rank() - 1);
    strides[static_cast<std::size_t>(axis)] = turned ? -stride : stride;
    if (turned && extents[axis] > 0) first += stride * (extents[axis] - 1);
    stride *= std::max<std::int64_t>(extents[axis], 1);
    if (layout == Layout::padded) stride += 3 * element;
  }
  bytes_.assign(static_cast<std::size_t>(stride) + 2 * kMargin, kGuard);
  view_ = View<void>(bytes_.data() + kMargin + first, type, extents, strides);
}

template <class Visit>
void GuardedArray::for_each_element(Visit&& visit) const {
  const Extents& extents = view_.extents();
  const std::int64_t count = extents.count();
  for (std::int64_t index = 0; index < count; ++index) {
    std::int64_t rest = index;
    std::int64_t offset = 0;
    for (int axis = extents.rank() - 1; axis >= 0; --axis) {
      offset += rest % extents[axis] * view_.stride(axis);
      rest /= extents[axis];
    }
    visit(view_.bytes() + offset, index);
  }
}

void GuardedArray::assign(const std::byte* source) {
  const std::size_t element = size_of(view_.element_type());
  for_each_element([&](std::byte* at, std::int64_t index) {
    std::memcpy(at, source + static_cast<std::size_t>(index) * element, element);
  });
}

std::vector<std::byte> GuardedArray::elements() const {
  const std::size_t element = size_of(view_.element_type());
  std::vector<std::byte> copy(static_cast<std::size_t>(view_.extents().count()) * element);
  for_each_element([&](const std::byte* at, std::int64_t index) {
    std::memcpy(copy.data() + static_cast<std::size_t>(index) * element, at, element);
  });
  return copy;
}

bool GuardedArray::intact() const {
  std::vector<std::byte> rest = bytes_;
  const std::size_t element = size_of(view_.element_type());
  for_each_element([&](const std::byte* at, std::int64_t) {
    std::fill_n(rest.begin() + (at - bytes_.data()), element, kGuard);
  });
  return std::all_of(rest.begin(), rest.end(), [](std::byte byte) { return byte == kGuard; });
}

}  // namespace thiessen::testing
