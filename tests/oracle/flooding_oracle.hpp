// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "oracle/oracle.hpp"

namespace thiessen::oracle {

/// A site, in the order of their index.
struct Site {
  Axes place;          ///< in the units of S
  std::int64_t index;  ///< of its cell, or place in the list
};

/// What one run of jump flooding does.
struct FloodingScheme {
  std::vector<std::int64_t> steps = {};
  std::string pattern = "square";  ///< or "circle", "random-circle"
  int points = 0;
  std::string noise = "none";  ///< or "in-place", "mask"
  std::uint64_t seed = 0;
};

/// That of a method, for an axis of `longest` cells at most and so many sites.
FloodingScheme scheme_of(const std::string& method, std::int64_t longest, std::int64_t sites);

/// What every cell holds in the end: ranks of sites, or -1. Pass by pass, cell by cell.
std::vector<std::int64_t> flood(const Problem& problem, const std::vector<Site>& sites,
                                const FloodingScheme& scheme);

}  // namespace thiessen::oracle
