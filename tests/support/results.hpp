// SPDX-License-Identifier: Apache-2.0
//
// The outputs of a case: those that a call wrote, and the expected ones.
#pragma once

#include <vector>

#include "cases/cases.hpp"
#include "core/problem/problem.hpp"
#include "oracle/oracle.hpp"
#include "support/guarded_array.hpp"

namespace thiessen::testing {

struct Outputs {
  Outputs(const cases::Case& item, Layout layout);

  GuardedArray labels, site_index, distance32, distance64, squared, offset, direction;
};

bool has_squared(const cases::Case& item);

/// All outputs of the case.
NearestSiteOutputs views(const cases::Case& item, Outputs& outputs, bool wide_distance);

/// The expected outputs, made from an oracle's winners one cell at a time.
struct Expected {
  std::vector<std::byte> labels, site_index, distance32, distance64, squared, offset, direction;
};

Expected expect(const cases::Case& item, const Problem& problem, const Raster& sites,
                const oracle::Result& truth);

/// Fails the running test if they differ, or if guard bytes were written.
void compare(const char* name, const GuardedArray& output, const std::vector<std::byte>& expected);

}  // namespace thiessen::testing
