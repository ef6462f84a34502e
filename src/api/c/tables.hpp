// SPDX-License-Identifier: Apache-2.0
//
// Tables that C callers get: structs whose arrays belong to an object that they keep in `memory`.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "api/c/arguments.hpp"

namespace thiessen::c {

/// Null for a column that is not there.
template <class T>
const T* column(const std::vector<T>& values, bool wanted = true) {
  return wanted ? values.data() : nullptr;
}

/// Writes a table, whose size for the caller's compiler is known, and leaves `found` to it.
template <class Found, class Table>
void hand_over(const char* name, Table* target, std::size_t size, Table table,
               std::unique_ptr<Found>& found) {
  table.memory = found.get();
  write_struct(name, target, size, table);
  static_cast<void>(found.release());
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
