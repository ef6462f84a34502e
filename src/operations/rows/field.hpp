// SPDX-License-Identifier: Apache-2.0
//
// An option and an input of an operation: rows of tables. field<&Options::member>({…}) makes a row:
// its text is written, and its kind, its choices and how to set, get and check the member follow
// from the type of the member (member.hpp).
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "operations/rows/value.hpp"
#include "thiessen/view.hpp"

namespace thiessen {

/// What an option is.
enum class Kind : std::uint8_t {
  flag,
  number,
  count,
  choice,
  label,
  text,
  numbers,
  counts,
  flags,
  labels,
  callback,  ///< a function, which only C++ takes here
};

inline constexpr std::string_view kKindNames[] = {"flag",  "number", "count",   "choice",
                                                  "label", "text",   "numbers", "counts",
                                                  "flags", "labels", "callback"};

/// Which numbers are legal. NaN never is.
struct Range {
  double least = -std::numeric_limits<double>::infinity();
  double greatest = std::numeric_limits<double>::infinity();
  bool is_open = false;        ///< `least` itself is not legal
  bool takes_infinity = true;  ///< else `greatest` infinite means any finite number

  bool has(double number) const;
};

constexpr Range at_least(double least) { return {.least = least}; }
constexpr Range from_to(double least, double greatest) {
  return {.least = least, .greatest = greatest};
}
inline constexpr Range kPositive = {.least = 0, .is_open = true, .takes_infinity = false};
inline constexpr Range kFinite = {.takes_infinity = false};

/// "must be >= 0", "must be from 1 to 1024".
std::string text_of(const Range& range);

/// The option `name` has one of the choices `values`; or, without values, the option or input is
/// given.
struct Condition {
  std::string_view name = {};
  std::span<const std::string_view> values = {};
  std::string_view words = {};  ///< for several values: "methods of jump flooding"
};

/// "method exact", or the words for several values; `name` is its name as the caller writes it.
std::string text_of(const Condition& condition, std::string_view name);

/// What is written of an option.
struct FieldText {
  std::string_view name;        ///< the same in every language; the command writes --map-nodata
  std::string_view help;        ///< one line
  std::string_view alias = {};  ///< another name on the command line alone
  std::string_view group = "Options";  ///< of the command's help
  std::string_view unit = {};
  std::string_view form = {};        ///< of a text: "square or circle:N"
  std::string_view if_missing = {};  ///< what holds where the option has no value
  std::span<const std::string_view> some_choices = {};  ///< where not all of the enum are
  Range range = {};
  bool is_per_axis = false;  ///< a list with one element for each axis
  Condition only_if = {};
  std::span<const std::string_view> not_with = {};  ///< other options
};

struct Field : FieldText {
  std::string_view member = {};  ///< "Options::member", whose comment tells more than `help`
  Kind kind = Kind::flag;
  bool is_optional = false;
  std::span<const std::string_view> choices = {};
  /// The choice that a number stands for in rasters of so many axes: 8 neighbours; empty for none.
  /// Null for choices that have names alone.
  std::string_view (*choice_of_count)(std::int64_t count, int rank) = nullptr;

  /// Throws Error{invalid_argument} for a value that is not of the kind or out of range. Null for a
  /// callback.
  void (*set)(const Field&, void* options, const Value& value) = nullptr;
  /// monostate for an option without a value.
  Value (*get)(const void* options) = nullptr;
  /// Throws Error{invalid_argument} for numbers out of range.
  void (*check)(const Field&, const void* options) = nullptr;
  /// Whether the value differs from the default.
  bool (*is_given)(const void* options) = nullptr;
};

/// What kind of arrays an input takes: a raster, coordinates, a list of values, or a list of linear
/// indices of cells or of places in a list.
enum class InputKind : std::uint8_t { raster, points, values, indices };

/// An array that a call reads.
struct Input {
  std::string_view name;
  std::string_view help;
  InputKind kind = InputKind::raster;
  bool is_required = false;
  std::string_view one_of = {};    ///< exactly one of the inputs with this word is given
  std::string_view argument = {};  ///< of the function in C++, if it has another name
  bool has_type = false;           ///< `element` is the only element type; else the call says which
  ElementType element = ElementType::u8;

  View<const void>& (*view)(void* inputs) = nullptr;
};

}  // namespace thiessen
