// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/problem/problem.hpp"
#include "cpu/tiles/job/job.hpp"

namespace thiessen::cpu::tiles {

/// Fills `tables` for a problem; `label_stride` are the strides of its labels.
void make_dense_tables(const Problem& problem, const Axes& label_stride, DenseTables& tables);

}  // namespace thiessen::cpu::tiles
