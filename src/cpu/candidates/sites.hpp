// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/scratch.hpp"
#include "cpu/candidates/search.hpp"

namespace thiessen::cpu::candidates {

/// Orders the points, with their images, and builds the tree over them. Among sites at one
/// place only the one that wins there is kept. Time O(points · log(points)), 70 bytes of `scratch`
/// for each point, on periodic axes 100 for each image. Throws Error{unsupported} for 2^32 or more.
Sites make_sites(const Problem& problem, const ProblemViews& views, Scratch::Frame& scratch);

}  // namespace thiessen::cpu::candidates
