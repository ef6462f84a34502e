// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace thiessen::oracle::papers {

/// The program of D. Coeurjolly's tutorial "Jump Flooding Algorithm on GPU" on a raster of n rows
/// of m cells, of which those in `sites` are sites. A state is the index of a site's cell, or m·n
/// for none. `literal`: a state m·n is measured, as printed; else it loses against every site.
std::vector<int> coeurjolly(int m, int n, const std::vector<int>& sites, bool literal);

}  // namespace thiessen::oracle::papers
