// SPDX-License-Identifier: Apache-2.0
#include "maps/scale/units.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "io/files/lower_case.hpp"
#include "maps/scale/numbers.hpp"
#include "thiessen/error.hpp"

namespace thiessen::maps {
namespace {

enum class Quantity { length, time };

struct KnownUnit {
  Quantity quantity;
  double size;                          ///< in metres or seconds
  std::vector<std::string_view> names;  ///< the sign first, then words in lower case
};

/// The unit of a name, or null.
const KnownUnit* find_unit(const std::string& name) {
  static const std::vector<KnownUnit> kUnits = {
      {Quantity::length, 1, {"m", "metre", "metres", "meter", "meters"}},
      {Quantity::length, 1e3, {"km", "kilometre", "kilometres", "kilometer", "kilometers"}},
      {Quantity::length, 1e-2, {"cm", "centimetre", "centimetres", "centimeter", "centimeters"}},
      {Quantity::length, 1e-3, {"mm", "millimetre", "millimetres", "millimeter", "millimeters"}},
      {Quantity::length,
       1e-6,
       {"\u00B5m", "\u03BCm", "um", "micron", "microns", "micrometre", "micrometer"}},
      {Quantity::length, 1e-9, {"nm", "nanometre", "nanometres", "nanometer", "nanometers"}},
      {Quantity::length, 0.3048, {"ft", "foot", "feet", "international foot"}},
      {Quantity::length, 1200.0 / 3937, {"us-ft", "us survey foot"}},
      {Quantity::length, 1609.344, {"mi", "mile", "miles"}},
      {Quantity::length, 1852, {"nmi", "nautical mile", "nautical miles"}},
      {Quantity::time, 1, {"s", "sec", "second", "seconds"}},
      {Quantity::time, 60, {"min", "minute", "minutes"}},
      {Quantity::time, 3600, {"h", "hr", "hour", "hours"}},
      {Quantity::time, 86400, {"d", "day", "days"}},
  };
  const std::string word = io::lower_case(name);
  for (const KnownUnit& unit : kUnits)
    if (name == unit.names[0] ||
        std::find(unit.names.begin() + 1, unit.names.end(), word) != unit.names.end())
      return &unit;
  return nullptr;
}

bool is_length(const KnownUnit* unit) {
  return unit != nullptr && unit->quantity == Quantity::length;
}

/// Values of a unit in another one.
ReadableUnit converted(const std::string& from, const std::string& to) {
  if (from.empty() || from == to) return {to, 1};
  const KnownUnit* const own = find_unit(from);
  const KnownUnit* const other = find_unit(to);
  if (own != nullptr && other != nullptr && own->quantity == other->quantity)
    return {to, own->size / other->size};
  throw Error(ErrorCode::invalid_argument, "unit " + to + ": the values of the raster are in " +
                                               from + ", which does not convert to it");
}

}  // namespace

ValueUnit value_unit(const std::string& stored, const std::string& of_grid,
                     const std::string& wanted, const std::optional<std::array<double, 2>>& range) {
  const KnownUnit* const known = find_unit(stored);
  ReadableUnit unit{stored, 1};
  if (!wanted.empty()) {
    const bool by_grid = stored.empty() && is_length(find_unit(wanted));
    unit = converted(by_grid ? of_grid : stored, wanted);
  } else if (is_length(known)) {
    const double greatest = range ? std::max(std::fabs((*range)[0]), std::fabs((*range)[1])) : 1;
    unit = readable_unit(std::string(known->names[0]), greatest);
  }
  if (unit.name.empty()) return {.title = "Cost or distance", .name = {}};
  const std::string word =
      is_length(find_unit(unit.name)) || unit.name == "cells" ? "Distance" : "Cost";
  return {.title = word + " (" + unit.name + ")", .name = unit.name, .factor = unit.factor};
}

}  // namespace thiessen::maps
