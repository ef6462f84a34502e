// SPDX-License-Identifier: Apache-2.0
//
// Cells between views of the host, with any strides, and memory without gaps.
#pragma once

#include <cstdint>

#include "core/cell_class.hpp"
#include "thiessen/view.hpp"

namespace thiessen::cuda {

/// The bytes of an element.
inline std::int64_t element_bytes(const View<const void>& view) {
  return static_cast<std::int64_t>(size_of(view.element_type()));
}

/// Copies cells first .. first + count - 1, in C order, out of a view.
void pack(const View<const void>& view, std::int64_t first, std::int64_t count, std::byte* to);

/// Copies them into a view.
void unpack(const std::byte* from, const View<void>& view, std::int64_t first, std::int64_t count);

/// Cells of which at most a quarter are sites, the cells that are neither 0 nor NaN, without the
/// others: a bit for each cell as of pack_sites(); for each group how many sites come before it;
/// the values of the sites.
struct SparseCells {
  static constexpr std::int64_t kGroup = 1024;  ///< cells

  std::int64_t cells = 0;    ///< of a piece, a multiple of kGroup
  std::int64_t element = 0;  ///< bytes of one

  constexpr std::int64_t groups() const { return cells / kGroup; }
  constexpr std::int64_t most_sites() const { return cells / 4; }
  /// Places in bytes.
  constexpr std::int64_t counts_at() const { return cells / 8; }
  constexpr std::int64_t values_at() const { return (counts_at() + 4 * groups() + 7) / 8 * 8; }
  constexpr std::int64_t bytes() const { return values_at() + most_sites() * element; }
};

/// Packs cells of a view so. Returns how many bytes it takes; 0 if there are more sites, or gaps in
/// the view.
std::int64_t pack_sparse(const SparseCells& sparse, const View<const void>& view,
                         std::int64_t first, std::int64_t count, std::byte* to);

/// A bit for each of these cells: whether the rule makes it a site. Cell i is bit i % 32 of word
/// i / 32; the last word is filled with zeros.
void pack_sites(const SiteRule& rule, const View<const void>& view, std::int64_t first,
                std::int64_t count, std::uint32_t* to);

}  // namespace thiessen::cuda
