// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "thiessen/choices/choice.hpp"
#include "thiessen/choices/metric.hpp"

namespace thiessen {

/// Ways of computing the nearest site. docs/methods.md and docs/raster-methods.md describe them.
/// devices() lists the methods of each device. The exact methods give the same results; is_exact()
/// says which ones are exact.
enum class Method : std::uint8_t {
  exact,           ///< linear time
  brute_force,     ///< compares every cell with every site
  raster_gpu,      ///< brute-force for few sites, expansion for many
  chamfer,         ///< two passes over the raster; approximate by octagonal distance
  circle_growing,  ///< circles around the sites, a step wider from round to round
  dilation,        ///< areas around the sites, a cell wider from round to round
  expansion,       ///< a search outward from each cell
  jfa,             ///< jump flooding: steps of halving length down to 1
  one_jfa,         ///< "1+jfa": a pass of step 1 first
  jfa_one,         ///< "jfa+1": a pass of step 1 more at the end
  jfa_two,         ///< "jfa+2": passes of step 2 and 1 more at the end
  jfa2,            ///< jfa twice
  jfa_noise,       ///< jfa from a start with random sites
  jfa_plus,        ///< steps of quartering length, with noise in place
  jfa_star,        ///< about log* passes on circles, with a mask of noise
  jfa_thrust,      ///< jfa-coeurjolly by Thrust; only on CUDA
  // Papers to the letter, with their steps and ties; 2-D only.
  jfa_coeurjolly,      ///< steps 1, p/2, p/4 … 1; the site seen first wins
  jfa_one_paper,       ///< "jfa+1-paper", Czyżewski's JFA+1; the site seen last wins
  jfa_plus_paper,      ///< "jfa+-paper", his JFA+: p/2, p/4 … for log4(p) passes
  jfa_star_paper,      ///< his JFA*+1 of log*(n) passes, on random circles
  jfa_star_one_paper,  ///< "jfa-star+1-paper": a pass more
};

inline constexpr std::string_view kMethodNames[] = {
    "exact",           "brute-force",    "raster-gpu",  "chamfer",    "circle-growing",
    "dilation",        "expansion",      "jfa",         "1+jfa",      "jfa+1",
    "jfa+2",           "jfa2",           "jfa-noise",   "jfa-plus",   "jfa-star",
    "jfa-thrust",      "jfa-coeurjolly", "jfa+1-paper", "jfa+-paper", "jfa-star-paper",
    "jfa-star+1-paper"};

constexpr std::string_view name_of(Method method) {
  return detail::choice_name(kMethodNames, method);
}

/// The method with this name, or nullopt.
constexpr std::optional<Method> find_method(std::string_view name) {
  return detail::find_choice<Method>(kMethodNames, name);
}

/// Whether a method finds the nearest site of every cell by this metric. The methods of jump
/// flooding do not, nor does `chamfer` by octagonal distance. It does not say whether the method
/// takes the metric.
constexpr bool is_exact(Method method, Metric metric) {
  if (method == Method::chamfer) return metric != Metric::octagonal;
  return method <= Method::expansion;
}

/// Ways of computing cost distances. All but `eikonal` give the same results: least costs over
/// steps from cell to cell.
enum class CostMethod : std::uint8_t {
  exact,       ///< the fastest
  dijkstra,    ///< one thread, a heap
  relaxation,  ///< all cells again and again; counts its iterations
  eikonal,     ///< fronts in any direction, without steps
};

inline constexpr std::string_view kCostMethodNames[] = {"exact", "dijkstra", "relaxation",
                                                        "eikonal"};

constexpr std::string_view name_of(CostMethod method) {
  return detail::choice_name(kCostMethodNames, method);
}

/// The method with this name, or nullopt.
constexpr std::optional<CostMethod> find_cost_method(std::string_view name) {
  return detail::find_choice<CostMethod>(kCostMethodNames, name);
}

}  // namespace thiessen
