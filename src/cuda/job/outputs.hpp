// SPDX-License-Identifier: Apache-2.0
//
// The outputs that kernels write, each with its row in the table of outputs: for drivers, which do
// the same with all of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "cuda/job/job.hpp"
#include "operations/tables/distances/nearest_site.hpp"
#include "thiessen/error.hpp"

namespace thiessen::cuda {
inline namespace job {

/// Calls visit(row, member…) for each output, with that member of all `outputs`.
template <class Visit, class... AnyOutputs>
void visit_outputs(const Visit& visit, AnyOutputs&... outputs) {
  const auto row = [](std::string_view name) -> const thiessen::Output& {
    return *std::ranges::find(kNearestSiteOutputs, name, &thiessen::Output::name);
  };
  visit(row("labels"), outputs.labels...);
  visit(row("site_index"), outputs.site_index...);
  visit(row("distance"), outputs.distance...);
  visit(row("weighted_distance"), outputs.weighted_distance...);
  visit(row("squared"), outputs.squared...);
  visit(row("offset"), outputs.offset...);
  visit(row("direction"), outputs.direction...);
}

// A member as bytes, and its bytes for each element.
inline std::byte* bytes_of(const Cells<std::byte>& cells) { return cells.bytes; }
template <class T>
std::byte* bytes_of(T* cells) {
  return reinterpret_cast<std::byte*>(cells);
}
inline std::int64_t element_of(const Cells<std::byte>& cells) { return cells.element; }
template <class T>
std::int64_t element_of(T* /*cells*/) {
  return sizeof(T);
}

inline void set_memory(Cells<std::byte>& cells, std::byte* bytes) { cells.bytes = bytes; }
template <class T>
void set_memory(T*& cells, std::byte* bytes) {
  cells = reinterpret_cast<T*>(bytes);
}

/// The outputs of these views, in the memory that memory_of(row, view) tells. Throws
/// Error{unsupported} for one that kernels do not write.
template <class MemoryOf>
Outputs outputs_in_memory(const NearestSiteOutputs& views, const MemoryOf& memory_of) {
  Outputs found;
  NearestSiteOutputs rest = views;
  visit_outputs(
      [&](const thiessen::Output& row, auto& member) {
        const View<void> view = row.get(&views);
        row.set(&rest, {});
        set_memory(member, memory_of(row, view));
        if constexpr (requires { member.element; })
          member.element = static_cast<std::int32_t>(size_of(view.element_type()));
      },
      found);
  for (const thiessen::Output& row : kNearestSiteOutputs)
    if (row.get(&rest))
      throw Error(ErrorCode::unsupported,
                  std::string(row.name) + " is wanted; kernels of cuda do not write it");
  return found;
}

}  // namespace job
}  // namespace thiessen::cuda
