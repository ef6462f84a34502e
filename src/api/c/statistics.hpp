// SPDX-License-Identifier: Apache-2.0
//
// What functions of statistics take from C callers, and the tables that they give them.
#pragma once

#include <cstdint>
#include <utility>

#include "api/c/arguments.hpp"
#include "api/c/tables.hpp"
#include "thiessen/statistics.hpp"
#include "thiessen/thiessen.h"

namespace thiessen::c {

inline SiteFields to_fields(const thiessen_site_fields* given) {
  const auto fields = read_struct("fields", given, {});
  return {.field = to_view("field", fields.field),
          .distance = to_view("distance", fields.distance)};
}

inline thiessen_site_statistics_table to_table(const SiteStatistics& found) {
  thiessen_site_statistics_table table{};
  table.rows = static_cast<std::int64_t>(found.cells.size());
  table.rank = found.rank;
  table.labels = found.labels.bytes();
  table.cells = column(found.cells);
  table.volume = column(found.volume);
  table.centroid = column(found.centroid);
  table.second_moments = column(found.second_moments);
  table.first = column(found.first);
  table.last = column(found.last);
  table.mass = column(found.mass);
  table.mass_centroid = column(found.mass_centroid);
  table.greatest_distance = column(found.greatest_distance);
  table.mean_distance = column(found.mean_distance);
  return table;
}

inline thiessen_adjacency_table to_table(const Adjacency& found) {
  thiessen_adjacency_table table{};
  table.rows = static_cast<std::int64_t>(found.contacts.size());
  table.a = found.a.bytes();
  table.b = found.b.bytes();
  table.contacts = column(found.contacts);
  table.boundary = column(found.boundary);
  return table;
}

inline void write_table(thiessen_site_statistics_table* table, SiteStatistics found) {
  write_table("table", table, std::move(found),
              [](const SiteStatistics& own) { return to_table(own); });
}
inline void write_table(thiessen_adjacency_table* table, Adjacency found) {
  write_table("table", table, std::move(found), [](const Adjacency& own) { return to_table(own); });
}

}  // namespace thiessen::c
