// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "thiessen/choices/choice.hpp"

namespace thiessen {

/// How the weight w of a site enters the key of a cell. The site with the least key wins the cell.
/// S is the squared distance.
enum class Weighting : std::uint8_t {
  none,      ///< sites have no weights
  power,     ///< S − w: power diagrams, also named after Laguerre; w in squared units of length
  additive,  ///< √S − w: diagrams of Apollonius and Johnson-Mehl; w in units of length
  multiplicative,  ///< √S / w, w > 0: trade areas
};

inline constexpr std::string_view kWeightingNames[] = {"none", "power", "additive",
                                                       "multiplicative"};

constexpr std::string_view name_of(Weighting weighting) {
  return detail::choice_name(kWeightingNames, weighting);
}

/// Whether the cells of points have straight edges.
constexpr bool has_straight_edges(Weighting weighting) { return weighting <= Weighting::power; }

/// The weighting with this name, or nullopt.
constexpr std::optional<Weighting> find_weighting(std::string_view name) {
  return detail::find_choice<Weighting>(kWeightingNames, name);
}

}  // namespace thiessen
