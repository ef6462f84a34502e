// SPDX-License-Identifier: Apache-2.0
#include "inputs/sites/site_keys.hpp"

#include <type_traits>
#include <utility>

#include "thiessen/element_visit.hpp"

namespace thiessen::cli {
namespace {

/// The place of each point, and its label.
std::vector<io::Column> keys_of_points(const Sites& sites, const Raster& places,
                                       const std::string& suffix) {
  const auto* const first = places.view<std::int64_t>().data();
  const std::vector<std::int64_t> rows(first, first + places.extents()[0]);
  const Raster own = sites.point_labels ? Raster() : numbers_of_points(sites);
  const Raster& labels = sites.point_labels ? sites.point_labels : own;
  return {io::integer_column("site_index" + suffix, rows),
          label_column("label" + suffix, io::rows_of(labels.view(), rows))};
}

}  // namespace

std::string label_text(const Raster& labels, std::int64_t row) {
  return visit_element_type(labels.element_type(), [&]<class T>(std::type_identity<T>) {
    return std::to_string(reinterpret_cast<const T*>(labels.bytes())[row]);
  });
}

io::Column label_column(const std::string& name, const Raster& labels) {
  const std::int64_t rows = labels.extents()[0];
  io::Column column{.name = name, .kind = io::ColumnKind::integer};
  visit_element_type(labels.element_type(), [&]<class T>(std::type_identity<T>) {
    const auto* label = reinterpret_cast<const T*>(labels.bytes());
    constexpr bool kIsInteger = std::is_integral_v<T> && !std::is_same_v<T, std::uint64_t>;
    column.kind = kIsInteger ? io::ColumnKind::integer : io::ColumnKind::real;
    for (std::int64_t i = 0; i < rows; ++i)
      if constexpr (kIsInteger)
        column.integers.push_back(static_cast<std::int64_t>(label[i]));
      else
        column.reals.push_back(static_cast<double>(label[i]));
  });
  return column;
}

namespace {

/// Adds the names of the labels in the last column, if sites have names.
void add_names(const Sites& sites, const std::string& suffix, std::vector<io::Column>& columns) {
  if (sites.names.empty()) return;
  io::Column names{.name = "name" + suffix};
  for (const std::int64_t label : columns.back().integers) {
    const bool is_known = label >= 1 && label <= static_cast<std::int64_t>(sites.names.size());
    names.texts.push_back(is_known ? sites.names[static_cast<std::size_t>(label) - 1] : "");
    names.missing.push_back(!is_known);
  }
  columns.push_back(std::move(names));
}

}  // namespace

std::vector<io::Column> label_keys(const Sites& sites, const Raster& labels,
                                   const std::string& suffix) {
  std::vector<io::Column> columns{label_column("label" + suffix, labels)};
  add_names(sites, suffix, columns);
  return columns;
}

std::vector<io::Column> site_keys(const Sites& sites, const Raster& regions,
                                  const std::string& suffix) {
  if (!sites.are_points()) return label_keys(sites, regions, suffix);
  std::vector<io::Column> columns = keys_of_points(sites, regions, suffix);
  add_names(sites, suffix, columns);
  return columns;
}

}  // namespace thiessen::cli
