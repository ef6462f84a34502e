// SPDX-License-Identifier: Apache-2.0
//
// Turns what C callers pass into what the C++ functions take. Everything here throws
// Error{invalid_argument} naming the argument, its value and the rule.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/c/boundary.hpp"
#include "core/refuse.hpp"
#include "thiessen/choice.hpp"
#include "thiessen/labels.hpp"
#include "thiessen/view.hpp"

namespace thiessen::c {

template <class T>
T& required(const char* name, T* pointer) {
  if (pointer == nullptr) refuse(std::string(name) + " is a null pointer");
  return *pointer;
}

/// Checks the size of a struct as the caller's compiler knows it; `least` is that of its first
/// version. No struct ends within a word, since a pointer that is cut off would point anywhere.
inline void check_size(const char* name, std::size_t size, std::size_t least) {
  constexpr std::size_t kMost = 4096;  // more than any later version needs
  if (size < least || size > kMost || size % alignof(std::size_t) != 0)
    refuse(std::string(name) + " has the size " + std::to_string(size) +
           "; must be sizeof of the struct, at least " + std::to_string(least));
}

/// The caller's struct in the form of this version of the library: members that the caller's
/// version lacks keep the value in `defaults`; members that our version lacks must be zero.
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

/// Writes values into a struct that has `size` bytes for the caller's compiler.
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

/// Makes a view; empty for rank 0.
View<void> to_view(const std::string& name, const thiessen_array& array);

/// The same; empty for a null pointer, too.
View<const void> to_optional_view(const std::string& name, const thiessen_array* array);

/// The view of an array for cells of the C++ type T.
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

/// One length for each of `rank` axes; none for a null pointer.
std::vector<double> to_spacing(const double* spacing, int rank);

/// A flag for each of `rank` axes; none for a null pointer.
std::vector<bool> to_periodic(const std::int32_t* periodic, int rank);

/// Empty for THIESSEN_VALUE_NONE.
std::optional<LabelValue> to_value(const std::string& name, const thiessen_value& value);

/// `count` values, none of which may be THIESSEN_VALUE_NONE.
std::vector<LabelValue> to_values(const thiessen_value* values, std::size_t count);

/// 0 or 1.
bool to_flag(const std::string& name, std::int32_t flag);

/// `found`, what a name stands for; refuses a name that stands for nothing.
template <class Choice, std::size_t kCount>
Choice to_choice(const char* argument, const char* name, const std::optional<Choice>& found,
                 const std::string_view (&names)[kCount]) {
  if (found) return *found;
  std::string known;
  for (const std::string_view each : names)
    known += (known.empty() ? "" : ", ") + std::string(each);
  const std::string_view likely = likely_name(name, names);
  refuse(std::string(argument) + " = " + name + "; must be one of " + known +
         (likely.empty() ? "" : "; did you mean " + std::string(likely) + "?"));
}

/// One of the numbers 0 to `last`, as the enumerator that it stands for.
template <class Enum>
Enum to_enum(const std::string& name, std::int32_t number, Enum last) {
  if (number < 0 || number > static_cast<std::int32_t>(last))
    refuse(name + " = " + std::to_string(number) + "; must be 0 to " +
           std::to_string(static_cast<std::int32_t>(last)));
  return static_cast<Enum>(number);
}

}  // namespace thiessen::c
