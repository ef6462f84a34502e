// SPDX-License-Identifier: Apache-2.0
//
// Python values as the library's: labels, metrics, colours.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <string_view>

#include "thiessen/labels.hpp"
#include "thiessen/metric.hpp"

namespace thiessen::python {

namespace nb = nanobind;

/// An int of up to 64 bits, signed or not, or a float. `name` is the argument's for the message.
LabelValue to_label(const char* name, nb::handle value);

/// None is no label.
std::optional<LabelValue> to_optional_label(const char* name, nb::handle value);

/// "euclidean", "manhattan" or "chessboard".
Metric to_metric(std::string_view name);

}  // namespace thiessen::python
