// SPDX-License-Identifier: Apache-2.0
#include "solvers/update_checks.hpp"

#include <algorithm>
#include <cstring>

#include "core/base/cell_access.hpp"
#include "core/base/element_width.hpp"
#include "core/base/refuse.hpp"
#include "core/problem/problem.hpp"

namespace thiessen::solvers {

void refuse_unsupported(const std::string& message) {
  throw Error(ErrorCode::unsupported, "NearestSiteSolver: " + message);
}

std::vector<std::byte> packed(const View<const void>& view) {
  const View<const void> cells = with_three_axes(view);
  const auto element = static_cast<std::int64_t>(size_of(view.element_type()));
  std::vector<std::byte> bytes(static_cast<std::size_t>(view.extents().count() * element));
  std::byte* to = bytes.data();
  visit_element_width(view.element_type(), [&]<class T>(std::type_identity<T>) {
    for (std::int64_t z = 0; z < cells.extent(0); ++z)
      for (std::int64_t y = 0; y < cells.extent(1); ++y) {
        const std::byte* from = address_of(cells, {z, y, 0});
        for (std::int64_t x = 0; x < cells.extent(2); ++x, to += sizeof(T), from += cells.stride(2))
          std::memcpy(to, from, sizeof(T));
      }
  });
  return bytes;
}

void check_range(const char* name, std::int64_t index, std::int64_t count) {
  if (index < 0 || index >= count)
    refuse(name, std::to_string(index), "must be from 0 to " + std::to_string(count - 1));
}

void check_range(const char* name, std::span<const std::int64_t> indices, std::int64_t count) {
  for (std::size_t i = 0; i < indices.size(); ++i)
    if (indices[i] < 0 || indices[i] >= count)
      refuse(at(name, i) + " = " + std::to_string(indices[i]) + "; must be from 0 to " +
             std::to_string(count - 1));
}

void check_value_memory(const char* name, const View<const void>& values) {
  ReachableMemory().check(name, values, "lie");
  if (values.extents().count() > 0 && values.bytes() == nullptr)
    refuse(name, "are a null pointer; must be memory for them");
  check_strides(name, values);
}

void check_unique(const char* name, std::span<const std::int64_t> indices,
                  std::vector<std::int64_t>& sorted) {
  sorted.assign(indices.begin(), indices.end());
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end())
    refuse(name, "has " + std::to_string(*twice) + " twice; must have it once");
}

void check_on_host(const char* name, const View<const void>& view) {
  if (view && view.space() != MemorySpace::host)
    refuse_unsupported(std::string(name) +
                       " lie in memory of a device; must be on the host, where a copy is kept");
}

}  // namespace thiessen::solvers
