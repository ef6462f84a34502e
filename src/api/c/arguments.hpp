// SPDX-License-Identifier: Apache-2.0
//
// From what C callers hand over to what the C++ functions take. Everything here throws
// Error{invalid_argument} naming the argument, its value and the rule.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "api/c/boundary.hpp"
#include "thiessen/labels.hpp"
#include "thiessen/view.hpp"

namespace thiessen::c {

[[noreturn]] inline void refuse(const std::string& message) {
  throw Error(ErrorCode::invalid_argument, message);
}

template <class T>
T& required(const char* name, T* pointer) {
  if (pointer == nullptr) refuse(std::string(name) + " is a null pointer");
  return *pointer;
}

/// Checks the size of a struct as the caller's compiler knows it. `least` is that of its first
/// version. No struct ends within a word, and a pointer that is cut off would lead anywhere.
inline void check_size(const char* name, std::size_t size, std::size_t least) {
  constexpr std::size_t kMost = 4096;  // of any version to come
  if (size < least || size > kMost || size % alignof(std::size_t) != 0)
    refuse(std::string(name) + " has the size " + std::to_string(size) +
           "; must be sizeof of the struct, at least " + std::to_string(least));
}

/// The caller's struct as this version of the library knows it: members that the caller's version
/// does not have keep the value in `defaults`; members that ours does not have must be zero.
template <class Struct>
Struct read_struct(const char* name, const Struct* given, const Struct& defaults,
                   std::size_t least = sizeof(Struct)) {
  if (given == nullptr) return defaults;
  std::size_t size = 0;
  std::memcpy(&size, given, sizeof size);
  check_size(name, size, least);
  const auto* const bytes = reinterpret_cast<const char*>(given);
  if (size > sizeof(Struct) &&
      std::any_of(bytes + sizeof(Struct), bytes + size, [](char byte) { return byte != 0; }))
    refuse(std::string(name) + " sets a member that this version of the library does not know");
  Struct ours = defaults;
  std::memcpy(&ours, given, std::min(size, sizeof(Struct)));
  return ours;
}

/// Writes values into a struct that the caller's compiler knows to be of `size` bytes.
template <class Struct>
void write_struct(const char* name, Struct* target, std::size_t size, Struct values,
                  std::size_t least = sizeof(Struct)) {
  required(name, target);
  check_size(name, size, least);
  values.size = size;
  auto* const bytes = reinterpret_cast<char*>(target);
  std::fill_n(bytes, size, char{0});
  std::memcpy(bytes, &values, std::min(size, sizeof(Struct)));
}

/// The empty view for rank 0.
View<void> to_view(const std::string& name, const thiessen_array& array);

/// The same of cells of the C++ type T.
template <class T>
View<T> to_typed_view(const std::string& name, const thiessen_array& array) {
  const View<void> view = to_view(name, array);
  if (!view) return {};
  constexpr ElementType kWanted = detail::element_type_of<T>();
  if (view.element_type() != kWanted)
    refuse(name + " is " + std::string(name_of(view.element_type())) + "; must be " +
           std::string(name_of(kWanted)));
  return {reinterpret_cast<T*>(view.bytes()), view.extents(), view.strides(), view.space()};
}

/// Nothing for THIESSEN_VALUE_NONE.
std::optional<LabelValue> to_value(const std::string& name, const thiessen_value& value);

/// `count` values, none of which may be THIESSEN_VALUE_NONE.
std::vector<LabelValue> to_values(const thiessen_value* values, std::size_t count);

/// 0 or 1.
bool to_flag(const std::string& name, std::int32_t flag);

/// One of the numbers 0 to `last`, as the enumerator that it stands for.
template <class Enum>
Enum to_enum(const std::string& name, std::int32_t number, Enum last) {
  if (number < 0 || number > static_cast<std::int32_t>(last))
    refuse(name + " = " + std::to_string(number) + "; must be 0 to " +
           std::to_string(static_cast<std::int32_t>(last)));
  return static_cast<Enum>(number);
}

}  // namespace thiessen::c
