// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/problem/problem.hpp"
#include "cpu/tiles/job/job.hpp"

namespace thiessen::cpu::tiles {

/// Fills `tables` for a problem. They have no levels if its factors leave nothing to search nearby.
void make_near_tables(const Problem& problem, NearTables& tables);

}  // namespace thiessen::cpu::tiles
