// SPDX-License-Identifier: Apache-2.0
#include "io/table/feature_file.hpp"

#include <algorithm>
#include <cstddef>

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

Raster rows_of(const View<const void>& labels, const std::vector<std::int64_t>& rows) {
  Raster kept(labels.element_type(), Extents{static_cast<std::int64_t>(rows.size())});
  const std::size_t bytes = size_of(labels.element_type());
  std::byte* to = kept.bytes();
  for (const std::int64_t row : rows)
    to = std::copy_n(labels.bytes() + static_cast<std::size_t>(row) * bytes, bytes, to);
  return kept;
}

}  // namespace thiessen::io
