// SPDX-License-Identifier: Apache-2.0
//
// Tables that C callers get: structs whose arrays belong to an object that they keep in `memory`.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "api/c/arguments.hpp"

namespace thiessen::c {

/// Null for a column that is not there.
template <class T>
const T* column(const std::vector<T>& values) {
  return values.empty() ? nullptr : values.data();
}

/// Checks the caller's struct before anything is computed.
template <class Table>
void check_table(const char* name, Table* table) {
  check_size(name, required(name, table).size, sizeof *table);
}

/// Fills the caller's struct by to_c(found) and its `memory`, to which what was found belongs from
/// then on.
template <class Found, class Table, class ToC>
void write_table(const char* name, Table* table, Found found, const ToC& to_c) {
  auto kept = std::make_unique<Found>(std::move(found));
  Table values = to_c(*kept);
  values.memory = kept.get();
  write_struct(name, table, table->size, values);
  static_cast<void>(kept.release());
}

/// Frees what a table of type Table holds, which is a Found.
template <class Found, class Table>
void free_table(Table* table) {
  if (table == nullptr || table->memory == nullptr) return;
  const std::unique_ptr<Found> found(static_cast<Found*>(table->memory));
  const std::size_t size = table->size;
  *table = Table{};
  table->size = size;
}

}  // namespace thiessen::c
