// SPDX-License-Identifier: Apache-2.0
//
// Compares what kernels write for a cell, given its winner, with what the CPU writes.
#include "cuda/job/results.hpp"

#include <gtest/gtest.h>

#include "cases/cases.hpp"
#include "oracle/oracle.hpp"
#include "support/guarded_array.hpp"
#include "thiessen/thiessen.hpp"
#include "unit/cuda/job.hpp"

namespace thiessen::cuda {
namespace {

using testing::GuardedArray;
using testing::Layout;

/// One of each output that a case can have.
struct Results {
  Results(const cases::Case& item, ElementType distance_type)
      : with_squared(item.options.metric == Metric::euclidean && item.options.spacing.empty()),
        is_flat(item.extents.rank() == 2),
        labels(item.type, item.extents, Layout::contiguous),
        site_index(ElementType::i64, item.extents, Layout::contiguous),
        distance(distance_type, item.extents, Layout::contiguous),
        squared(ElementType::i64, item.extents, Layout::contiguous),
        offset(ElementType::i32, offset_extents(item.extents), Layout::contiguous),
        direction(ElementType::f32, item.extents, Layout::contiguous) {}

  static Extents offset_extents(const Extents& extents) {
    if (extents.rank() == 2) return {2, extents[0], extents[1]};
    return {3, extents[0], extents[1], extents[2]};
  }

  NearestSiteOutputs views() const {
    NearestSiteOutputs out;
    out.labels = labels.view();
    out.site_index = site_index.view<std::int64_t>();
    out.distance = distance.view();
    out.offset = offset.view<std::int32_t>();
    if (with_squared) out.squared = squared.view<std::int64_t>();
    if (is_flat) out.direction = direction.view<float>();
    return out;
  }

  bool with_squared;
  bool is_flat;
  GuardedArray labels, site_index, distance, squared, offset, direction;
};

/// Passes every cell's winner to write_result(), like a kernel.
void write_all(const Problem& problem, const Raster& sites, const Results& results) {
  const ProblemViews views = make_views(sites.view(), results.views());
  Job job = host_job(problem, views);
  job.labels = job.sites;
  Problem unlimited = problem;
  unlimited.limited = false;
  const oracle::Result truth = oracle::nearest_site(unlimited, sites.view());
  for (std::int64_t cell = 0; cell < problem.cells(); ++cell) {
    const std::int64_t site = truth.site[static_cast<std::size_t>(cell)];
    const Int128 exact = site < 0 ? 0
                                  : exact_between(problem, to_cell(problem.extent, cell),
                                                  to_cell(problem.extent, site));
    write_result(job, cell, site == kNodata ? kUnreached : site, exact);
  }
  if (!problem.signed_distance) return;
  job.inside = true;
  for (std::int64_t cell = 0; cell < problem.cells(); ++cell) {
    const Int128 exact = truth.exact[static_cast<std::size_t>(cell)];
    if (class_of(job, cell) == kSiteCell)
      write_result(job, cell, exact == kUnreached ? kUnreached : std::int64_t{0}, exact);
    else
      write_result(job, cell, std::int64_t{0}, Int128{0});
  }
}

class CudaResults : public ::testing::TestWithParam<ElementType> {};

TEST_P(CudaResults, EqualThoseOfTheCpu) {
  constexpr std::int64_t kMostCells = 500;  // the oracle takes its time
  Context context({.device = "cpu", .threads = 1});
  int compared = 0;
  for (const cases::Case& item : cases::small_cases_by_axes()) {
    // Boolean sites get numbers, which the API makes.
    if (item.options.distance_to == DistanceTo::boundary || item.type == ElementType::boolean ||
        item.extents.count() > kMostCells || item.extents.count() == 0)
      continue;
    SCOPED_TRACE(item.name);
    const Raster sites = cases::make_sites(item);
    const Results own(item, GetParam());
    const Results other(item, GetParam());
    nearest_site(context, sites.view(), item.options, other.views());
    write_all(make_problem(sites.view(), item.options, own.views()), sites, own);
    EXPECT_EQ(own.labels.elements(), other.labels.elements());
    EXPECT_EQ(own.site_index.elements(), other.site_index.elements());
    EXPECT_EQ(own.distance.elements(), other.distance.elements());
    EXPECT_EQ(own.squared.elements(), other.squared.elements());
    EXPECT_EQ(own.offset.elements(), other.offset.elements());
    EXPECT_EQ(own.direction.elements(), other.direction.elements());
    ++compared;
  }
  EXPECT_GT(compared, 100);
}

INSTANTIATE_TEST_SUITE_P(Distances, CudaResults,
                         ::testing::Values(ElementType::f32, ElementType::f64),
                         [](const auto& test) { return std::string(name_of(test.param)); });

}  // namespace
}  // namespace thiessen::cuda
