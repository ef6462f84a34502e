// SPDX-License-Identifier: Apache-2.0
//
// What each method of each kind of device takes: the table that a conformance suite compares with
// what calls do (tests/conformance/support.txt).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "thiessen/export.hpp"

namespace thiessen {

/// A method by some metrics, on rasters of so many axes.
struct SupportRow {
  std::string_view device;  ///< "cpu", "cuda" or "opencl"
  std::string_view method;  ///< "exact"; of costs "cost:exact"
  std::uint8_t rank = 2;
  std::string_view metrics;  ///< with commas
  std::string_view lacks;    ///< outputs, options and other things that are refused, with spaces
  std::string_view refusal;  ///< why these metrics are refused; empty if they are not
};

THIESSEN_API std::span<const SupportRow> support_rows();

}  // namespace thiessen
