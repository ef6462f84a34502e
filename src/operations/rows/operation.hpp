// SPDX-License-Identifier: Apache-2.0
//
// The operations that a caller can run, for walkers that know none of them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "operations/rows/field.hpp"
#include "operations/rows/output.hpp"
#include "operations/rows/result.hpp"
#include "thiessen/export.hpp"

namespace thiessen {

/// What an operation runs on, and what it makes.
enum class Role : std::uint8_t {
  function,         ///< runs on a context
  solver,           ///< the same, and can make a solver in place of running
  solver_only,      ///< only makes a solver
  solver_function,  ///< runs on a solver
};

struct Operation {
  std::string_view name;
  std::string_view help;
  Role role = Role::function;
  std::span<const Input> inputs = {};
  std::span<const Field> fields = {};
  std::span<const Output> outputs = {};
  std::span<const Result> results = {};
  const void* (*defaults)() = nullptr;  ///< the struct of options as a caller finds it
};

struct NoInputs {};
struct NoOptions {};
struct NoOutputs {};
struct NoResults {};

template <class Options>
const void* defaults_of() {
  static const Options kDefaults;
  return &kDefaults;
}

// Straight lines and costs.
extern THIESSEN_API const Operation kNearestSite, kNearestSiteBatch, kVoronoi, kEllipseMetrics,
    kCostDistance, kLeastCostPath, kLeastCostLine, kCoverageDistance;
// Shape functions of sites.
extern const Operation kShepardWeights, kNaturalCoordinates;
// Ways of least cost between places.
extern THIESSEN_API const Operation kCostTable, kLeastCostNetwork, kCorridor;
// Labels: tables, outlines, comparisons, pictures.
extern const Operation kSiteStatistics, kAdjacency, kRegionPolygons, kRegionBorders,
    kVoronoiPolygons, kVoronoiBorders, kContourLines, kCompare, kRender;
// Sites and maps.
extern const Operation kConnectedComponents, kRandomSites, kMaterialMap, kRelaxSites,
    kRelaxCostSites, kFitWeights, kFarthestSites, kFarthestCostSites;
// Rasters in slabs.
extern const Operation kSummariseSlab, kJoinSlabs, kCombineSlabs, kFinishSlab, kVoronoiSlab,
    kSummariseComponents, kCombineComponents, kNumberComponents, kCostSlabRows, kBeginCostSlab,
    kContinueCostSlab, kFinishCostSlab, kCostSlabQueue, kNextCostSlab, kAddCostSlab;
// Solvers.
extern const Operation kAddPoints, kMovePoints, kAddSites, kMoveSites, kRemoveSites, kFindSites,
    kUpdateSites, kUpdateMap, kUpdateBox, kUpdateBlockedFaces, kSetInitialCost, kSolve, kEnqueue,
    kChanges, kChangedCells, kRegionStatistics, kUpdateRegions, kRegionChanges, kRegionTable,
    kRegionAdjacency, kSolverBytes;

/// Rows of the C++ structs of these operations, without the grid or shape that calls by names have
/// besides.
extern const std::span<const Field> kRelaxOptions, kFitOptions, kFarthestOptions, kRenderOptions;

THIESSEN_API std::span<const Operation* const> operations();

/// The operation of a name; throws Error{invalid_argument}.
THIESSEN_API const Operation& find_operation(std::string_view name);

/// The row of a name. Throws Error{invalid_argument} that names the row which was likely meant.
THIESSEN_API const Field& find_field(const Operation& operation, std::string_view name);
THIESSEN_API const Input& find_input(const Operation& operation, std::string_view name);
THIESSEN_API const Output& find_output(const Operation& operation, std::string_view name);

}  // namespace thiessen
