// SPDX-License-Identifier: Apache-2.0
//
// What functions of statistics take from C callers, and the tables that they give them.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "api/c/arguments.hpp"
#include "thiessen/statistics.hpp"
#include "thiessen/thiessen.h"

namespace thiessen::c {

inline std::vector<double> to_spacing(const double* spacing, int rank) {
  return spacing == nullptr ? std::vector<double>() : std::vector<double>(spacing, spacing + rank);
}

inline SiteFields to_fields(const thiessen_site_fields* given) {
  const auto fields = read_struct("fields", given, {});
  return {.field = to_view("field", fields.field),
          .distance = to_view("distance", fields.distance)};
}

/// Null for a column that is not there.
template <class T>
const T* to_column(const std::vector<T>& values) {
  return values.empty() ? nullptr : values.data();
}

inline thiessen_site_statistics_table to_table(SiteStatistics& found) {
  thiessen_site_statistics_table table{};
  table.memory = &found;
  table.rows = static_cast<std::int64_t>(found.cells.size());
  table.rank = found.rank;
  table.labels = found.labels.bytes();
  table.cells = to_column(found.cells);
  table.volume = to_column(found.volume);
  table.centroid = to_column(found.centroid);
  table.second_moments = to_column(found.second_moments);
  table.first = to_column(found.first);
  table.last = to_column(found.last);
  table.mass = to_column(found.mass);
  table.mass_centroid = to_column(found.mass_centroid);
  table.greatest_distance = to_column(found.greatest_distance);
  table.mean_distance = to_column(found.mean_distance);
  return table;
}

inline thiessen_adjacency_table to_table(Adjacency& found) {
  thiessen_adjacency_table table{};
  table.memory = &found;
  table.rows = static_cast<std::int64_t>(found.contacts.size());
  table.a = found.a.bytes();
  table.b = found.b.bytes();
  table.contacts = to_column(found.contacts);
  table.boundary = to_column(found.boundary);
  return table;
}

/// Checks the caller's struct before anything is computed.
template <class Table>
void check_table(Table* table) {
  check_size("table", required("table", table).size, sizeof *table);
}

/// Fills the caller's struct, to which what was found belongs from then on.
template <class Found, class Table>
void write_table(Table* table, Found found) {
  auto kept = std::make_unique<Found>(std::move(found));
  write_struct("table", table, table->size, to_table(*kept));
  static_cast<void>(kept.release());
}

}  // namespace thiessen::c
