// SPDX-License-Identifier: Apache-2.0
//
// Cells between views of the host, with any strides, and memory without gaps.
#pragma once

#include <cstdint>

#include "core/problem/cell_class.hpp"
#include "thiessen/view.hpp"

namespace thiessen::cuda {
inline namespace transfer {

/// The bytes of an element.
inline std::int64_t element_bytes(const View<const void>& view) {
  return static_cast<std::int64_t>(size_of(view.element_type()));
}

/// Copies cells first .. first + count - 1, in C order, out of a view.
void pack(const View<const void>& view, std::int64_t first, std::int64_t count, std::byte* to);

/// Copies them into a view.
void unpack(const std::byte* from, const View<void>& view, std::int64_t first, std::int64_t count);

/// A bit for each of these cells: whether the rule makes it a site. Cell i is bit i % 32 of word
/// i / 32; the last word is filled with zeros.
void pack_sites(const SiteRule& rule, const View<const void>& view, std::int64_t first,
                std::int64_t count, std::uint32_t* to);

}  // namespace transfer
}  // namespace thiessen::cuda
