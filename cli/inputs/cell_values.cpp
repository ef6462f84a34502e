// SPDX-License-Identifier: Apache-2.0
#include "inputs/cell_values.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <variant>
#include <vector>

#include "io/raster/exact.hpp"
#include "thiessen/element_visit.hpp"

namespace thiessen::cli {
namespace {

template <class T>
bool equals(T cell, T value) {
  if constexpr (std::is_floating_point_v<T>)
    if (std::isnan(value)) return std::isnan(cell);
  return cell == value;
}

}  // namespace

bool can_hold(ElementType type, const LabelValue& value) {
  return visit_element_type(
      type, [&]<class T>(std::type_identity<T>) { return io::exactly<T>(value).has_value(); });
}

bool any_holds(const View<const void>& cells, const LabelValue& value) {
  return visit_element_type(cells.element_type(), [&]<class T>(std::type_identity<T>) {
    const auto* first = reinterpret_cast<const T*>(cells.bytes());
    const T wanted = io::exactly<T>(value).value();
    return std::any_of(first, first + cells.extents().count(),
                       [&](T cell) { return equals(cell, wanted); });
  });
}

std::string text_of(const LabelValue& value) {
  return std::visit(
      [](auto number) {
        char text[32];
        const auto end = std::to_chars(std::begin(text), std::end(text), number).ptr;
        return std::string(std::begin(text), end);
      },
      value);
}

std::uint8_t kinds_of(const View<const void>& cells, const NearestSiteOptions& options,
                      const std::optional<LabelValue>& nodata) {
  return visit_element_type(cells.element_type(), [&]<class T>(std::type_identity<T>) {
    const auto value_of = [](const std::optional<LabelValue>& value) {
      return value ? io::exactly<T>(*value) : std::nullopt;
    };
    const std::optional<T> outside = value_of(options.nodata), of_file = value_of(nodata);
    std::vector<T> values;
    for (const LabelValue& value : options.values)
      if (const auto own = io::exactly<T>(value)) values.push_back(*own);
    const auto is_site = [&](T cell) {
      if (options.zero_is_site) return true;
      if (options.values.empty()) return cell < T{0} || cell > T{0};
      return std::ranges::any_of(values, [&](T value) { return equals(cell, value); });
    };
    std::uint8_t kinds = 0;
    const auto* const first = reinterpret_cast<const T*>(cells.bytes());
    for (std::int64_t i = 0; i < cells.extents().count(); ++i) {
      if (of_file && equals(first[i], *of_file)) kinds |= kNodataKind;
      if (outside && equals(first[i], *outside)) continue;
      if (!is_site(first[i])) return static_cast<std::uint8_t>(kinds | kFreeKind);
      kinds |= kSiteKind;
    }
    return kinds;
  });
}

void put_where(const View<void>& cells, const LabelValue& put, const View<const void>& where,
               const LabelValue& value) {
  const std::int64_t count = cells.extents().count();
  visit_element_type(where.element_type(), [&]<class From>(std::type_identity<From>) {
    const auto* from = reinterpret_cast<const From*>(where.bytes());
    const From wanted = io::exactly<From>(value).value();
    visit_element_type(cells.element_type(), [&]<class To>(std::type_identity<To>) {
      auto* to = reinterpret_cast<To*>(cells.bytes());
      const To written = io::exactly<To>(put).value();
      for (std::int64_t i = 0; i < count; ++i)
        if (equals(from[i], wanted)) to[i] = written;
    });
  });
}

}  // namespace thiessen::cli
