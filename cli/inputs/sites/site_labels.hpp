// SPDX-License-Identifier: Apache-2.0
//
// Labels that cells get where there is no site: they should not be those of sites.
#pragma once

#include <string>

#include "inputs/sites/site_input.hpp"
#include "talk/report.hpp"
#include "thiessen/slabs/stream.hpp"

namespace thiessen::cli {

/// Whether a site has this label, which its type can hold. Reads `cells`, if sites are cells whose
/// values are labels.
bool has_label(const Sites& sites, RowSource* cells, const LabelValue& label);

/// The label of unreached cells: --unreached, else the value of the free cells of --free-nodata,
/// else 0.
LabelValue label_of_unreached(const std::string& text, const Sites& sites);

/// A label for the cells outside of the domain that no site has, nor unreached cells: NaN or -1 if
/// the type has it, else its end. Reads `cells` likewise. Throws UsageError if all values are
/// taken.
LabelValue spare_label(const Sites& sites, RowSource* cells, const LabelValue& unreached);

/// Tells which one was chosen: on stderr, and in the report.
void tell_spare_label(const LabelValue& label, const TalkArguments& talk, Report& report);

}  // namespace thiessen::cli
