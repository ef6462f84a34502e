// SPDX-License-Identifier: Apache-2.0
#include "operations/rows/operation.hpp"

#include <string>
#include <vector>

#include "thiessen/choices/choice.hpp"
#include "thiessen/error.hpp"

namespace thiessen {
namespace {

constexpr const Operation* kOperations[] = {
    // clang-format off
    &kNearestSite, &kNearestSiteBatch, &kVoronoi, &kEllipseMetrics, &kCostDistance, &kLeastCostPath,
    &kLeastCostLine, &kCostTable, &kLeastCostNetwork, &kCorridor, &kCoverageDistance, &kShepardWeights, &kNaturalCoordinates,
    &kSiteStatistics, &kAdjacency, &kRegionPolygons, &kRegionBorders,
    &kVoronoiPolygons, &kVoronoiBorders, &kContourLines, &kCompare, &kRender,
    &kConnectedComponents, &kRandomSites, &kMaterialMap, &kRelaxSites, &kRelaxCostSites, &kFitWeights,
    &kFarthestSites, &kFarthestCostSites, &kSummariseSlab, &kJoinSlabs, &kCombineSlabs,
    &kFinishSlab, &kVoronoiSlab, &kSummariseComponents, &kCombineComponents, &kNumberComponents,
    &kCostSlabRows, &kBeginCostSlab, &kContinueCostSlab, &kFinishCostSlab, &kCostSlabQueue,
    &kNextCostSlab, &kAddCostSlab, &kAddPoints, &kMovePoints, &kAddSites, &kMoveSites,
    &kRemoveSites, &kFindSites, &kUpdateSites, &kUpdateMap, &kUpdateBox, &kUpdateBlockedFaces, &kSetInitialCost, &kSolve, &kEnqueue,
    &kChanges, &kChangedCells, &kRegionStatistics, &kUpdateRegions, &kRegionChanges, &kSolverBytes, &kRegionTable,
    &kRegionAdjacency,
    // clang-format on
};

std::string_view name_of_row(const Operation* operation) { return operation->name; }
template <class Row>
std::string_view name_of_row(const Row& row) {
  return row.name;
}

/// The row of a name among the rows of one kind, such as "option".
template <class Row>
const Row& find_named(std::span<const Row> rows, const char* kind, std::string_view owner,
                      std::string_view name) {
  for (const Row& row : rows)
    if (name_of_row(row) == name) return row;
  std::vector<std::string_view> names;
  for (const Row& row : rows) names.push_back(name_of_row(row));
  const std::string_view likely = likely_name(name, names);
  throw Error(
      ErrorCode::invalid_argument,
      {.argument = std::string(name),
       .rule = "is no " + std::string(kind) + (owner.empty() ? "" : " of " + std::string(owner)) +
               (likely.empty() ? "" : "; did you mean " + std::string(likely) + "?")});
}

}  // namespace

std::span<const Operation* const> operations() { return kOperations; }

const Operation& find_operation(std::string_view name) {
  return *find_named(operations(), "operation", "", name);
}

const Field& find_field(const Operation& operation, std::string_view name) {
  return find_named(operation.fields, "option", operation.name, name);
}

const Input& find_input(const Operation& operation, std::string_view name) {
  return find_named(operation.inputs, "input", operation.name, name);
}

const Output& find_output(const Operation& operation, std::string_view name) {
  return find_named(operation.outputs, "output", operation.name, name);
}

}  // namespace thiessen
