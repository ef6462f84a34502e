// SPDX-License-Identifier: Apache-2.0
//
// A value on its way from a front end (the command, C, Python) into a member of a struct of
// options.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "thiessen/export.hpp"
#include "thiessen/labels.hpp"

namespace thiessen {

/// monostate: not given, so that the default holds. A number may stand for a list of one.
using Value = std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string,
                           std::vector<LabelValue>>;

/// As a message shows it: numbers by their shortest decimals, lists with commas.
THIESSEN_API std::string to_text(const Value& value);

}  // namespace thiessen
