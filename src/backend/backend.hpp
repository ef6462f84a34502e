// SPDX-License-Identifier: Apache-2.0
//
// The contract between the public functions and the backends.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backend/cost_solver.hpp"
#include "backend/cost_steps.hpp"
#include "backend/nearest_solver.hpp"
#include "core/base/context_state.hpp"
#include "core/cost/problem.hpp"
#include "core/cost/slab.hpp"
#include "core/problem/problem.hpp"
#include "core/slabs/slab.hpp"
#include "core/statistics/problem.hpp"
#include "thiessen/devices.hpp"

namespace thiessen {

/// Yes, or the reason why not: it feeds error messages, `thiessen devices` and test skips.
struct Support {
  std::string reason;

  explicit operator bool() const { return reason.empty(); }
};

/// Whether methods other than "exact" measure what a problem wants: sites, not the boundary.
Support supports_distance_to(const Problem& problem);

/// Whether the metric is euclidean, manhattan or chessboard, which all methods of all backends
/// have; only the raster methods have more.
Support supports_axes_metric(const Problem& problem);

/// What the jump flooding family supports on every backend.
Support supports_flooding(const Problem& problem);

/// What the methods "brute-force" and "raster-gpu", which compare every cell with all sites,
/// support on every backend.
Support supports_scan(const Problem& problem);

/// What the methods with these names support on every backend.
Support supports_expansion(const Problem& problem);
Support supports_chamfer(const Problem& problem);
Support supports_circle_growing(const Problem& problem);
Support supports_dilation(const Problem& problem);

/// Devices other than the CPU refuse labels that are carried along: with many threads they would
/// depend on which one is faster.
Support supports_settled_labels(const Problem& problem);
Support supports_settled_labels(const CostProblem& problem);

/// Method eikonal refuses steps that are no fronts.
Support supports_fronts(const CostProblem& problem);

/// Devices other than the CPU refuse walks and the Earth: their steps cost the same everywhere.
Support supports_even_steps(const CostProblem& problem);

/// The greatest S that method chamfer may find. Its octagonal ways are as long as those by
/// manhattan distance at most, which is less than twice as far; others are shortest ways.
Int128 longest_of_two_passes(const Problem& problem);

/// One way of computing the nearest-site map on one backend: a row of its table of methods.
struct MethodEntry {
  Method method;
  /// Whether it takes a problem on the device that `state` is open on.
  Support (*supports)(const ContextState& state, const Problem& problem);
  /// Fills every output that `views` has. Throws Error{out_of_memory, cancelled}.
  void (*run)(ContextState& state, const Problem& problem, const ProblemViews& views);
  /// Whether run() does all rasters of a batch at once (Problem::layers); null: never.
  bool (*takes_batch)(const Problem& raster) = nullptr;
  /// Whether run() measures with Problem::metric_function.
  bool takes_metric_function = false;
  /// Whether run() fills the outputs of another label, the k nearest, and ties.
  bool finds_extra_outputs = false;
  /// Whether run() orders sites by Problem::keys.
  bool takes_weights = false;
};

/// The methods of a backend with those of the jump flooding family behind them, which `flooding` is
/// but for the method.
template <std::size_t kCount>
constexpr auto with_flooding(const MethodEntry (&methods)[kCount], const MethodEntry& flooding) {
  std::array<MethodEntry, kCount + std::size(kFloodingMethods)> all{};
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = i < kCount ? methods[i] : flooding;
    if (i >= kCount) all[i].method = kFloodingMethods[i - kCount].method;
  }
  return all;
}

/// The same of cost distances; all methods are exact.
struct CostMethodEntry {
  CostMethod method;
  /// Whether it can solve a problem on the device that `state` has.
  Support (*supports)(const ContextState& state, const CostProblem& problem);
  /// Fills every output that `views` has; the raster has cells. Throws Error{invalid_argument} for
  /// wrong values in cells, Error{out_of_memory, cancelled}.
  void (*run)(ContextState& state, const CostProblem& problem, const CostViews& views,
              CostDistanceReport& report);
  /// Whether run() fills directions, and the outputs of another label.
  bool finds_extra_outputs = false;
  /// Whether run() finds the k nearest.
  bool finds_nearest_k = false;
};

/// Statistics of rasters of labels in memory of the device. Throws Error{invalid_argument} for
/// wrong values in cells, Error{out_of_memory, cancelled}.
struct StatisticsEntry {
  SiteStatistics (*site_statistics)(ContextState& state, const StatisticsProblem& problem);
  Adjacency (*adjacency)(ContextState& state, const AdjacencyProblem& problem);
};

/// The method exact for slabs of a larger raster, by euclidean or manhattan distance; `problem` is
/// that of the whole raster, and the arrays are on the host. Throws Error{out_of_memory,
/// cancelled}.
struct SlabEntry {
  /// Fills the faces that are wanted. The slab has cells.
  void (*summarise)(ContextState& state, const Problem& problem, const Slab& slab,
                    const View<const void>& sites, SlabFaces& faces);
  /// Fills every output that `views`, those of the slab's cells, has. The slab has cells.
  void (*finish)(ContextState& state, const Problem& problem, const SlabMaps& slab,
                 const ProblemViews& views);
};

/// Cost distances of slabs (thiessen/slabs/cost_slabs.hpp), which have own cells, on the host.
/// Throws Error{invalid_argument} for wrong values in cells, Error{out_of_memory, cancelled}.
struct CostSlabEntry {
  CostSlabReport (*begin)(ContextState& state, const CostSlabProblem& slab, CostStage stage);
  CostSlabReport (*go_on)(ContextState& state, const CostSlabProblem& slab, CostStage stage);
  void (*finish)(ContextState& state, const CostSlabProblem& slab);
};

class Backend {
 public:
  virtual ~Backend() = default;

  /// "cpu"; its devices have this name, or this name followed by ":0", ":1" …
  virtual std::string_view name() const = 0;
  virtual std::vector<DeviceInfo> devices() const = 0;
  virtual std::span<const MethodEntry> methods() const = 0;
  virtual std::span<const CostMethodEntry> cost_methods() const { return {}; }
  /// What does the work of a CostSolver, whose outputs are those of `views`; null if the backend
  /// has no such solver. `state`, `problem` and `sites` must outlive it. Throws
  /// Error{invalid_argument} for wrong values of the map, Error{out_of_memory}.
  virtual std::unique_ptr<CostSolverEngine> make_cost_solver(ContextState& /*state*/,
                                                             const CostProblem& /*problem*/,
                                                             const CostViews& /*views*/,
                                                             const CostSiteTable& /*sites*/) const {
    return nullptr;
  }
  /// The steps of a map on the host; null if the backend has none. `state`, `problem` and the
  /// arrays of `views` must outlive them. Throws as make_cost_solver() does.
  virtual std::unique_ptr<CostSteps> make_cost_steps(ContextState& /*state*/,
                                                     const CostProblem& /*problem*/,
                                                     const CostViews& /*views*/) const {
    return nullptr;
  }
  /// What does the work of a NearestSiteSolver, as make_cost_solver(). Throws Error{unsupported,
  /// out_of_memory}.
  virtual std::unique_ptr<NearestSolverEngine> make_nearest_solver(
      ContextState& /*state*/, const NearestSolverData& /*data*/,
      const FreshCalls& /*calls*/) const {
    return nullptr;
  }
  /// What does the work of a Context of several devices of this backend (names_several); null if it
  /// takes one at a time.
  virtual const Backend* several() const { return nullptr; }
  /// Null if the backend has none.
  virtual const SlabEntry* slabs() const { return nullptr; }
  virtual const CostSlabEntry* cost_slabs() const { return nullptr; }
  /// Those of labels on the host are the CPU's.
  virtual const StatisticsEntry* statistics() const { return nullptr; }
  /// Puts device name, threads and session into `state`. Throws Error if the device is not to be
  /// had.
  virtual void open(ContextState& state, const ContextOptions& options) const = 0;
};

/// All backends of this build, in the order in which `auto` tries them.
std::span<const Backend* const> backends();

/// Whether a device name means several devices: "cuda:0,cuda:1" or "cuda:all".
bool names_several(std::string_view device);

/// The backend of a device name such as "cpu" or "cuda:1"; null if this build has none with that
/// name.
const Backend* find_backend(std::string_view device);

/// The device that `auto` means: the first available one in the order of backends().
std::string auto_device();

/// Throws Error{invalid_argument} that lists the methods of the backend if it lacks this one.
const MethodEntry& find_method(const Backend& backend, Method method);
const CostMethodEntry& find_cost_method(const Backend& backend, CostMethod method);

}  // namespace thiessen
