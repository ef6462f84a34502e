// SPDX-License-Identifier: Apache-2.0
#include "api/c/arguments.hpp"

#include <cstdint>
#include <span>
#include <string>

#include "thiessen/labels.hpp"

namespace thiessen::c {
namespace {

static_assert(static_cast<std::int32_t>(ElementType::boolean) == THIESSEN_BOOL);
static_assert(static_cast<std::int32_t>(ElementType::f64) == THIESSEN_F64);
static_assert(static_cast<std::int32_t>(MemorySpace::cuda) == THIESSEN_CUDA);
static_assert(kMaxAxes == THIESSEN_MAX_AXES);
static_assert(kUnreached == THIESSEN_SITE_UNREACHED && kNodata == THIESSEN_SITE_NODATA);

void check_extents(const char* name, const thiessen_array& array) {
  if (array.rank < 0 || array.rank > THIESSEN_MAX_AXES)
    refuse(std::string(name) + ".rank = " + std::to_string(array.rank) + "; must be 0 to 5");
  for (std::int32_t axis = 0; axis < array.rank; ++axis)
    if (array.extents[axis] < 0)
      refuse(std::string(name) + ".extents[" + std::to_string(axis) +
             "] = " + std::to_string(array.extents[axis]) + "; must be >= 0");
}

/// One of the numbers 0 to `last`, as the enumerator that it stands for.
template <class Enum>
Enum to_enum(const char* name, const char* member, std::int32_t number, Enum last) {
  if (number < 0 || number > static_cast<std::int32_t>(last))
    refuse(std::string(name) + member + " = " + std::to_string(number) + "; must be 0 to " +
           std::to_string(static_cast<std::int32_t>(last)));
  return static_cast<Enum>(number);
}

/// Strides of axes with at most one cell have no meaning; they become harmless ones.
View<void>::Strides strides_of(const thiessen_array& array) {
  View<void>::Strides strides{};
  for (std::int32_t axis = 0; axis < array.rank; ++axis)
    if (array.extents[axis] > 1) strides[static_cast<std::size_t>(axis)] = array.strides[axis];
  return strides;
}

}  // namespace

View<void> to_view(const char* name, const thiessen_array& array) {
  check_extents(name, array);
  if (array.rank == 0) return {};
  const auto type = to_enum(name, ".type", array.type, ElementType::f64);
  const auto space = to_enum(name, ".memory", array.memory, MemorySpace::cuda);
  const Extents extents(std::span(array.extents, static_cast<std::size_t>(array.rank)));
  return {array.data, type, extents, strides_of(array), space};
}

}  // namespace thiessen::c

thiessen_array thiessen_contiguous(const void* data, thiessen_type type, int32_t rank,
                                   const int64_t* extents) {
  thiessen_array array{};
  array.data = const_cast<void*>(data);
  array.type = type;
  array.rank = extents != nullptr ? rank : -1;
  if (array.rank < 0 || array.rank > THIESSEN_MAX_AXES) return array;
  const bool known = type >= THIESSEN_BOOL && type <= THIESSEN_F64;
  std::uint64_t bytes = known ? thiessen::size_of(static_cast<thiessen::ElementType>(type)) : 0;
  for (std::int32_t axis = rank - 1; axis >= 0; --axis) {
    array.extents[axis] = extents[axis];
    array.strides[axis] = static_cast<std::int64_t>(bytes);
    // May wrap for extents that no function accepts.
    bytes *= extents[axis] > 0 ? static_cast<std::uint64_t>(extents[axis]) : 1;
  }
  return array;
}
