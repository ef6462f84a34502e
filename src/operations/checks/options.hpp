// SPDX-License-Identifier: Apache-2.0
//
// What the rows of options say of a whole call: ranges, lists for axes, what an option needs and
// excludes.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "operations/rows/operation.hpp"

namespace thiessen {

/// Throws Error{invalid_argument} for the first option that breaks a rule of its row, of a call for
/// rasters of `rank` axes, or of any number for 0. `has_input` says which inputs are given; without
/// it none is.
void check_options(std::span<const Field> fields, const void* options, int rank,
                   const std::function<bool(std::string_view input)>& has_input = {});

/// Throws Error{invalid_argument} for an option that only the first of two operations has, if it is
/// given; `why` follows "is given; it ".
void refuse_others(const Operation& whole, const Operation& part, const void* options,
                   const std::string& why);

}  // namespace thiessen
