// SPDX-License-Identifier: Apache-2.0
#include "inputs/sites/number_field.hpp"

#include <algorithm>
#include <utility>

#include "maps/scale/numbers.hpp"
#include "thiessen/element_visit.hpp"
#include "words/arguments.hpp"

namespace thiessen::cli {
namespace {

/// A column of numbers, and what messages call it.
struct Column {
  std::string name;
  const io::Column& values;
  const RuleOfNumber& broken_rule;

  double number(std::size_t row, const std::string& site) const {
    const bool is_missing = !values.missing.empty() && values.missing[row];
    if (is_missing || (values.integers.empty() && values.reals.empty()))
      throw UsageError(name + ": holds no number for " + site);
    const double found =
        values.reals.empty() ? static_cast<double>(values.integers[row]) : values.reals[row];
    const char* const rule = broken_rule ? broken_rule(found) : nullptr;
    if (rule == nullptr) return found;
    throw UsageError(name + ": holds " + maps::number_text(found) + " for " + site + "; " + rule);
  }
};

/// The labels of points as a column. They are none of the columns of attributes.
io::Column column_of(const Raster& labels) {
  std::vector<double> numbers;
  visit_element_type(labels.element_type(), [&]<class T>(std::type_identity<T>) {
    const auto* const first = reinterpret_cast<const T*>(labels.bytes());
    numbers.assign(first, first + labels.extents().count());
  });
  return io::real_column("", std::move(numbers));
}

}  // namespace

std::vector<double> numbers_of_field(const std::string& flag, const std::string& field,
                                     const SiteArguments& arguments, const Sites& sites,
                                     const RuleOfNumber& broken_rule) {
  const std::string name = flag + " " + field;
  const auto of_point = [&](std::size_t point) {
    return "point " + std::to_string(point + 1) + " of " + sites.name;
  };
  std::vector<double> numbers;
  if (sites.are_points() && field == arguments.label_field && sites.names.empty()) {
    const io::Column labels = column_of(sites.point_labels);
    const Column column{name, labels, broken_rule};
    for (std::size_t i = 0; i < labels.reals.size(); ++i)
      numbers.push_back(column.number(i, of_point(i)));
    return numbers;
  }
  const std::vector<io::Column>& columns = sites.attributes.columns;
  const auto found = std::ranges::find(columns, field, &io::Column::name);
  if (found == columns.end()) throw UsageError(name + ": " + sites.name + " has no such field");
  const Column column{name, *found, broken_rule};
  if (sites.are_points()) {
    for (const std::int64_t row : sites.attributes.row_of_point)
      numbers.push_back(column.number(static_cast<std::size_t>(row), of_point(numbers.size())));
    return numbers;
  }
  const std::vector<std::int64_t>& features = columns[0].integers;  // source_fid
  for (std::size_t row = 0; row < features.size(); ++row)
    numbers.push_back(
        column.number(row, "feature " + std::to_string(features[row]) + " of " + sites.name));
  return numbers;
}

}  // namespace thiessen::cli
