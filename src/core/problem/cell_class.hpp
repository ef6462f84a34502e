// SPDX-License-Identifier: Apache-2.0
//
// Which cells are sites, which are free, which lie outside the domain.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/label_bits.hpp"
#include "thiessen/view.hpp"

namespace thiessen {

/// Classes of cells.
inline constexpr std::uint8_t kFreeCell = 0;
inline constexpr std::uint8_t kSiteCell = 1;
inline constexpr std::uint8_t kNodataCell = 2;

/// Which cells are sites; nodata cells never are.
enum class SiteSelection : std::uint8_t {
  nonzero,  ///< neither zero nor NaN
  values,   ///< one of SiteRule::values
  others,   ///< none of SiteRule::values
  all,
};

/// The rule by which the value of a cell makes it a site.
struct SiteRule {
  ElementType type = ElementType::u8;
  std::optional<LabelBits> nodata = std::nullopt;
  SiteSelection selection = SiteSelection::nonzero;
  std::vector<LabelBits> values = {};
  /// The complement: every cell that is not a site becomes one, and every site becomes free. That
  /// includes nodata cells, which are not sites: they end an area of sites as any other cell does.
  bool complement = false;
};

/// Classes of `count` contiguous cells.
void classify(const SiteRule& rule, const void* cells, std::int64_t count, std::uint8_t* classes);

/// same[i] = 1 where the two cells hold the same value (two NaN are the same), else 0.
void compare_cells(ElementType type, const void* a, const void* b, std::int64_t count,
                   std::uint8_t* same);

}  // namespace thiessen
