// SPDX-License-Identifier: Apache-2.0
//
// From a pointer to a member of results to a row of a table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "operations/rows/member.hpp"
#include "operations/rows/result.hpp"
#include "thiessen/raster.hpp"

namespace thiessen {
namespace detail {

template <class T>
constexpr ElementType element_of_result() {
  if constexpr (std::is_same_v<T, std::byte>)
    return ElementType::u8;
  else if constexpr (std::is_enum_v<T>)
    return element_type_of<std::underlying_type_t<T>>();
  else
    return element_type_of<T>();
}

/// The extents of a list of `size` numbers with so many axes of the raster.
inline Extents extents_of_list(std::int64_t size, Columns columns, int rank) {
  const std::int64_t axes = columns == Columns::two ? 2 : rank;
  if (columns == Columns::one || axes == 0) return {size};
  if (columns == Columns::axes_squared) return {size / (axes * axes), axes, axes};
  return {size / axes, axes};
}

template <class Results>
int axes_of_results(const Results& results) {
  if constexpr (requires { results.rank; })
    return results.rank;
  else
    return 0;
}

}  // namespace detail

/// A row for a member of the results, or of a struct in them: a number, a choice, a raster, or a
/// list of numbers.
template <auto... kPath>
constexpr Result result(const ResultText& text) {
  using Path = detail::Access<kPath...>;
  using Member = typename Path::Member;
  if (!detail::is_spelled<Path::kLast>(text.name)) throw "the name is not the name of the member";
  Result row{text};
  if constexpr (std::is_same_v<Member, Raster>) {
    row.is_of_labels = row.is_list = true;
    row.view = [](const Result&, const void* results) -> View<const void> {
      return Path::find(results)->view();
    };
  } else if constexpr (requires(const Member& member) { member.data(); }) {
    using T = std::remove_cvref_t<decltype(*Member().data())>;
    row.element = detail::element_of_result<T>();
    row.is_list = true;
    row.is_view =
        std::is_same_v<Member, std::span<T>> || std::is_same_v<Member, std::span<const T>>;
    row.view = [](const Result& own, const void* results) -> View<const void> {
      const Member& member = *Path::find(results);
      const auto& whole = *static_cast<const typename Path::Options*>(results);
      return {member.data(), own.element,
              detail::extents_of_list(static_cast<std::int64_t>(member.size()), own.columns,
                                      detail::axes_of_results(whole))};
    };
  } else {
    row.element = detail::element_of_result<Member>();
    if constexpr (std::is_enum_v<Member>) row.choices = detail::choices_of<Member>();
    row.view = [](const Result& own, const void* results) -> View<const void> {
      return {Path::find(results), own.element, {1}};
    };
  }
  return row;
}

}  // namespace thiessen
