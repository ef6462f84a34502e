// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "inputs/sites/site_input.hpp"

namespace thiessen::cli {

/// With --ellipse-fields, reads the ellipses by which points measure: the fields of both half axes,
/// in units of the spacing, and of the azimuth of the first one, in degrees clockwise from the
/// north of the grid. Throws UsageError naming the first point that has none.
void read_ellipses(const SiteArguments& arguments, Sites& sites);

}  // namespace thiessen::cli
