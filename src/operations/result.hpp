// SPDX-License-Identifier: Apache-2.0
//
// What a call finds besides the outputs of its cells: numbers, and lists whose length nobody knows
// before. A row shows each as an array that the results own; a number alone is an array of one.
#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>
#include <vector>

#include "operations/spelling.hpp"
#include "thiessen/raster.hpp"
#include "thiessen/view.hpp"

namespace thiessen {

struct ResultText {
  std::string_view name;
  std::string_view help;
};

struct Result : ResultText {
  ElementType element = ElementType::u8;
  bool is_list = false;  ///< else a number
  View<const void> (*view)(const void* results) = nullptr;
};

namespace detail {

template <class T>
struct ElementOfResult {
  using Type = T;
};
template <class T>
struct ElementOfResult<std::vector<T>> {
  using Type = T;
};

}  // namespace detail

/// A row for a member that is a number or a vector of numbers.
template <auto kMember>
constexpr Result result(const ResultText& text) {
  using Results = detail::StructOf<kMember>;
  using Member = detail::MemberOf<kMember>;
  using T = typename detail::ElementOfResult<Member>::Type;
  if (!detail::is_spelled<kMember>(text.name)) throw "the name is not the name of the member";
  Result row{text};
  row.element = detail::element_type_of<T>();
  row.is_list = !std::is_same_v<T, Member>;
  row.view = [](const void* results) -> View<const void> {
    const Member& member = static_cast<const Results*>(results)->*kMember;
    if constexpr (std::is_same_v<T, Member>)
      return View<const T>(&member, {1});
    else
      return View<const T>(member.data(), {static_cast<std::int64_t>(member.size())});
  };
  return row;
}

}  // namespace thiessen
