// SPDX-License-Identifier: Apache-2.0
//
// What the functions of rasters in slabs take and give, by straight lines and of components.
// Summaries are bytes. The bytes of several slabs follow each other, with a list of their sizes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "operations/tables/distances/nearest_site.hpp"
#include "operations/tables/sites/making_sites.hpp"
#include "thiessen/slabs/component_slabs.hpp"
#include "thiessen/slabs/slabs.hpp"

namespace thiessen {

/// Where a slab lies, besides the options of the whole call.
struct SlabOptions : NearestSiteOptions {
  std::vector<std::int64_t> shape = {};
  std::int64_t first = 0;
};

struct PointSlabOptions : NearestSiteOptions {
  std::vector<std::int64_t> shape = {};
  std::int64_t first = 0;
  std::int64_t count = 0;
};

struct ComponentsRasterOptions : ComponentsOptions {
  std::vector<std::int64_t> shape = {};
};

struct SlabInputs {
  View<const void> sites;
  View<const void> domain;
  View<const std::uint8_t> neighbours;
};

struct JoinSlabsInputs {
  View<const std::uint8_t> upper;
  View<const std::uint8_t> lower;
};

struct SummariesInputs {
  View<const std::uint8_t> summaries;
  View<const std::int64_t> summary_sizes;
};

struct NumbersInputs {
  View<const std::uint8_t> numbers;
};

struct SummaryResults {
  std::vector<std::byte> summary = {};
};

struct NeighboursResults {
  std::vector<std::byte> neighbours = {};
  std::vector<std::int64_t> neighbour_sizes = {};
};

struct NumbersResults {
  std::vector<std::byte> numbers = {};
  std::vector<std::int64_t> number_sizes = {};
};

}  // namespace thiessen
