// SPDX-License-Identifier: Apache-2.0
//
// The images of a site on periodic axes that may be nearest to a cell.
#pragma once

#include <vector>

#include "core/order/form.hpp"
#include "core/problem/problem.hpp"

namespace thiessen::cpu::candidates {

/// Adds the images of a point at `at`, within the first period of each axis, to a list. Along each
/// axis the nearest image counts, which lies within half a period of the cell.
void add_images(const Problem& problem, const Axes& at, std::vector<Axes>& list);

/// The same for a point with a metric of its own.
void add_images(const Problem& problem, const Form& form, const Axes& at, std::vector<Axes>& list);

}  // namespace thiessen::cpu::candidates
