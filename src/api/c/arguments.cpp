// SPDX-License-Identifier: Apache-2.0
#include "api/c/arguments.hpp"

#include <array>
#include <span>

namespace thiessen::c {
namespace {

static_assert(static_cast<std::int32_t>(ElementType::boolean) == THIESSEN_BOOL);
static_assert(static_cast<std::int32_t>(ElementType::f64) == THIESSEN_F64);
static_assert(static_cast<std::int32_t>(MemorySpace::cuda) == THIESSEN_CUDA);
static_assert(kMaxAxes == THIESSEN_MAX_AXES);
static_assert(kUnreached == THIESSEN_SITE_UNREACHED && kNodata == THIESSEN_SITE_NODATA);

void check_extents(const std::string& name, const thiessen_array& array) {
  if (array.rank < 0 || array.rank > THIESSEN_MAX_AXES)
    refuse(name + ".rank = " + std::to_string(array.rank) + "; must be 0 to 5");
  for (std::int32_t axis = 0; axis < array.rank; ++axis)
    if (array.extents[axis] < 0)
      refuse(name + ".extents[" + std::to_string(axis) +
             "] = " + std::to_string(array.extents[axis]) + "; must be >= 0");
}

/// Strides of axes with at most one cell have no meaning; they become harmless ones.
View<void>::Strides strides_of(const thiessen_array& array) {
  View<void>::Strides strides{};
  for (std::int32_t axis = 0; axis < array.rank; ++axis)
    if (array.extents[axis] > 1) strides[static_cast<std::size_t>(axis)] = array.strides[axis];
  return strides;
}

}  // namespace

View<void> to_view(const std::string& name, const thiessen_array& array) {
  check_extents(name, array);
  if (array.rank == 0) return {};
  const auto type = to_enum(name + ".type", array.type, ElementType::f64);
  const auto space = to_enum(name + ".memory", array.memory, MemorySpace::cuda);
  const Extents extents(std::span(array.extents, static_cast<std::size_t>(array.rank)));
  return {array.data, type, extents, strides_of(array), space};
}

View<const void> to_optional_view(const std::string& name, const thiessen_array* array) {
  if (array == nullptr) return {};
  return to_view(name, *array);
}

std::vector<double> to_spacing(const double* spacing, int rank) {
  return spacing == nullptr ? std::vector<double>() : std::vector<double>(spacing, spacing + rank);
}

std::vector<bool> to_periodic(const std::int32_t* periodic, int rank) {
  std::vector<bool> flags;
  for (int axis = 0; periodic != nullptr && axis < rank; ++axis)
    flags.push_back(to_flag("periodic[" + std::to_string(axis) + "]", periodic[axis]));
  return flags;
}

std::optional<LabelValue> to_value(const std::string& name, const thiessen_value& value) {
  switch (value.kind) {
    case THIESSEN_VALUE_NONE:
      return std::nullopt;
    case THIESSEN_VALUE_I64:
      return value.as.i64;
    case THIESSEN_VALUE_U64:
      return value.as.u64;
    case THIESSEN_VALUE_F64:
      return value.as.f64;
    default:
      refuse(name + ".kind = " + std::to_string(value.kind) + "; must be 0 to 3");
  }
}

std::vector<LabelValue> to_values(const thiessen_value* values, std::size_t count) {
  if (count > 0) required("values", values);
  std::vector<LabelValue> cpp;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string name = "values[" + std::to_string(i) + "]";
    const auto value = to_value(name, values[i]);
    if (!value) refuse(name + ".kind = 0; must be 1 to 3");
    cpp.push_back(*value);
  }
  return cpp;
}

bool to_flag(const std::string& name, std::int32_t flag) {
  if (flag != 0 && flag != 1) refuse(name + " = " + std::to_string(flag) + "; must be 0 or 1");
  return flag == 1;
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

thiessen_value thiessen_value_i64(int64_t number) {
  thiessen_value value{};
  value.kind = THIESSEN_VALUE_I64;
  value.as.i64 = number;
  return value;
}

thiessen_value thiessen_value_u64(uint64_t number) {
  thiessen_value value{};
  value.kind = THIESSEN_VALUE_U64;
  value.as.u64 = number;
  return value;
}

thiessen_value thiessen_value_f64(double number) {
  thiessen_value value{};
  value.kind = THIESSEN_VALUE_F64;
  value.as.f64 = number;
  return value;
}
