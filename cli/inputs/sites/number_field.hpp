// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "inputs/sites/site_input.hpp"

namespace thiessen::cli {

/// Returns the rule that a number breaks, such as "must be > 0"; null where it breaks none.
using RuleOfNumber = std::function<const char*(double number)>;

/// The numbers that a field of a layer or table holds for each point or, where sites are lines or
/// areas, for each feature. `flag` is the flag that names the field. Throws UsageError naming the
/// first site without a number, or with one that breaks the rule.
std::vector<double> numbers_of_field(const std::string& flag, const std::string& field,
                                     const SiteArguments& arguments, const Sites& sites,
                                     const RuleOfNumber& broken_rule = {});

}  // namespace thiessen::cli
