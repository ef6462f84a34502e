// SPDX-License-Identifier: Apache-2.0
//
// An output of an operation: a row of a table. A table is a plain constexpr array, so that a loop
// over all outputs is a `for` in an ordinary function. A row is made by output<…>() from pointers
// to the members that hold the output in the struct of views, in the struct of what is wanted and
// in the struct of results; whoever adds a member and no row does not compile (checks/rows.hpp).
#pragma once

#include <cstddef>
#include <limits>
#include <string_view>
#include <type_traits>

#include "operations/rows/spelling.hpp"
#include "thiessen/grid.hpp"
#include "thiessen/view.hpp"

namespace thiessen {

/// How the element type of an output is found: the table names it, it is the type of the labels, or
/// one of the two types of distances.
enum class TypeRule : std::uint8_t { fixed, labels, distance };

/// The axis that an output has in front of the axes of the raster: for the components of a vector,
/// or, in a call for the k nearest, for these.
enum class FrontAxis : std::uint8_t { none, component, rank };

/// What an output tells.
enum class Subject : std::uint8_t {
  distance,     ///< how far the nearest site is
  site,         ///< which site is the nearest
  other_label,  ///< what the call would find if the sites of the cell's own label were taken away
  ties,         ///< how many labels have a site at the least distance
  none,         ///< nothing of sites: a map, a picture
};

/// What is written of an output.
struct OutputText {
  std::string_view name;        ///< the same in every language; the command writes --site-index
  std::string_view help;        ///< one line
  std::string_view alias = {};  ///< another name on the command line alone
  Subject subject = Subject::site;
  TypeRule type = TypeRule::fixed;
  FrontAxis axis = FrontAxis::none;
  /// The value of a cell that no site reaches, and of a cell outside of the domain. Labels have the
  /// options `unreached` and `nodata` in their place.
  double unreached = 0;
  double nodata = 0;
  bool is_read = false;  ///< a call goes on from what the array holds, so that the caller gives it
};

struct Output : OutputText {
  ElementType element = ElementType::u8;  ///< by TypeRule::fixed
  bool is_default = false;                ///< wanted unless a caller says otherwise

  View<void> (*get)(const void* views) = nullptr;
  void (*set)(void* views, const View<void>& view) = nullptr;
  bool (*is_wanted)(const void* wanted) = nullptr;
  /// Makes memory for the output in the struct of results.
  void (*allocate)(void* results, ElementType type, const Grid& grid) = nullptr;
  View<void> (*view)(void* results) = nullptr;
};

/// `kRows` is the table of a struct of views. A trait, because nvcc takes no table as the argument
/// of a template.
template <class Outputs>
struct TableOf;

/// What a cell without an answer holds in the output of this name, for code that writes single
/// outputs. A name that the table lacks does not compile.
struct SpecialValues {
  double unreached;
  double nodata;
};

template <class Outputs>
consteval SpecialValues special_values(std::string_view name) {
  for (const Output& output : TableOf<Outputs>::kRows)
    if (output.name == name) return {output.unreached, output.nodata};
  throw "no output has this name";
}

/// A row of an operation that has a struct of views alone: such outputs are wanted.
template <auto kView>
constexpr Output output(const OutputText& text) {
  using Views = detail::StructOf<kView>;
  using OneView = detail::MemberOf<kView>;
  constexpr bool kIsFixed = !std::is_same_v<OneView, View<void>>;
  if (!detail::is_spelled<kView>(text.name)) throw "the name is not the name of the member";
  if (kIsFixed != (text.type == TypeRule::fixed)) throw "the rule of types is not the member's";
  Output row{text};
  if constexpr (kIsFixed)
    row.element = detail::element_type_of<std::remove_reference_t<decltype(*OneView().data())>>();
  row.is_default = true;
  row.get = [](const void* views) -> View<void> {
    return static_cast<const Views*>(views)->*kView;
  };
  row.set = [](void* views, const View<void>& view) {
    OneView& member = static_cast<Views*>(views)->*kView;
    if constexpr (kIsFixed)
      member = {reinterpret_cast<decltype(member.data())>(view.bytes()), view.extents(),
                view.strides(), view.space()};
    else
      member = view;
  };
  return row;
}

/// A row of a table: the member of the views, of what is wanted, and of the results.
template <auto kView, auto kWanted, auto kResult>
constexpr Output output(const OutputText& text) {
  using Wanted = detail::StructOf<kWanted>;
  using Results = detail::StructOf<kResult>;
  constexpr bool kIsFixed = !std::is_same_v<detail::MemberOf<kView>, View<void>>;
  if (!detail::is_spelled<kWanted>(text.name) || !detail::is_spelled<kResult>(text.name))
    throw "the name is not the name of the three members";
  Output row = output<kView>(text);
  row.is_default = Wanted{}.*kWanted;
  row.is_wanted = [](const void* wanted) { return static_cast<const Wanted*>(wanted)->*kWanted; };
  row.allocate = [](void* results, ElementType type, const Grid& grid) {
    auto& array = static_cast<Results*>(results)->*kResult;
    using Array = std::remove_reference_t<decltype(array)>;
    if constexpr (kIsFixed)
      array = Array(grid.extents);
    else
      array = Array(type, grid);
  };
  row.view = [](void* results) -> View<void> {
    return (static_cast<Results*>(results)->*kResult).view();
  };
  return row;
}

}  // namespace thiessen
