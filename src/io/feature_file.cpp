// SPDX-License-Identifier: Apache-2.0
#include "io/feature_file.hpp"

namespace thiessen::io {
namespace {

template <class T>
std::vector<T> taken(const std::vector<T>& values, const std::vector<std::int64_t>& rows) {
  std::vector<T> result;
  if (values.empty()) return result;
  result.reserve(rows.size());
  for (const std::int64_t row : rows)
    result.push_back(row < 0 ? T{} : values[static_cast<std::size_t>(row)]);
  return result;
}

}  // namespace

Column rows_of(const Column& column, const std::vector<std::int64_t>& rows) {
  Column result{.name = column.name,
                .kind = column.kind,
                .integers = taken(column.integers, rows),
                .reals = taken(column.reals, rows),
                .texts = taken(column.texts, rows)};
  result.missing.reserve(rows.size());
  for (const std::int64_t row : rows)
    result.missing.push_back(
        row < 0 || (!column.missing.empty() && column.missing[static_cast<std::size_t>(row)]));
  return result;
}

}  // namespace thiessen::io
