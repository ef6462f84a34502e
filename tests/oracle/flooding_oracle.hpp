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

/// The definition of one run of jump flooding.
struct FloodingScheme {
  std::vector<std::int64_t> steps = {};
  std::string pattern = "square";  ///< or "circle", "random-circle"
  int points = 0;
  std::string noise = "none";  ///< or "in-place", "mask"
  std::uint64_t seed = 0;
  std::string ties = "index";  ///< or "first" seen, "last" seen
  bool literal = false;
};

/// The scheme of a method, for a longest axis of `longest` cells and so many sites; with another
/// rule for its steps, if one is named.
FloodingScheme scheme_of(const std::string& method, std::int64_t longest, std::int64_t sites,
                         std::string rule = "");

/// The site that every cell holds at the end, pass by pass, cell by cell: a rank, or -1.
std::vector<std::int64_t> flood(const Problem& problem, const std::vector<Site>& sites,
                                const FloodingScheme& scheme);

}  // namespace thiessen::oracle
