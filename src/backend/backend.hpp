// SPDX-License-Identifier: Apache-2.0
//
// The contract between the public functions and whatever computes for them.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/context_state.hpp"
#include "core/cost_problem.hpp"
#include "core/problem.hpp"
#include "thiessen/devices.hpp"

namespace thiessen {

/// Yes, or the reason why not: it feeds error messages, `thiessen devices` and test skips.
struct Support {
  std::string reason;

  explicit operator bool() const { return reason.empty(); }
};

/// Whether methods other than "exact" measure what a problem asks for: sites, not the boundary.
Support supports_distance_to(const Problem& problem);

/// Whether the metric is one of those that all methods of the backends but the raster methods have:
/// euclidean, manhattan, chessboard.
Support supports_axes_metric(const Problem& problem);

/// What the jump flooding family supports on every backend.
Support supports_flooding(const Problem& problem);

/// What methods that compare every cell with all sites support on every backend: "brute-force",
/// "raster-gpu".
Support supports_scan(const Problem& problem);

/// The same of the methods of these names.
Support supports_expansion(const Problem& problem);
Support supports_chamfer(const Problem& problem);
Support supports_circle_growing(const Problem& problem);
Support supports_dilation(const Problem& problem);

/// One way of computing the nearest-site map on one backend.
struct Method {
  std::string_view name;
  bool exact;
  /// Of a problem, on the device that `state` is open on.
  Support (*supports)(const ContextState& state, const Problem& problem);
  /// Fills every output that `views` has. Throws Error{out_of_memory, cancelled}.
  void (*run)(ContextState& state, const Problem& problem, const ProblemViews& views);
  /// Whether run() does all rasters of a batch at once (Problem::layers); null: it never does.
  bool (*takes_batch)(const Problem& raster) = nullptr;
  /// Whether run() measures by Problem::metric_function.
  bool takes_metric_function = false;
};

/// The methods of a backend with those of the jump flooding family behind them, which `flooding` is
/// but for the name.
template <std::size_t kCount>
constexpr auto with_flooding(const Method (&methods)[kCount], const Method& flooding) {
  std::array<Method, kCount + std::size(kFloodingMethods)> all{};
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = i < kCount ? methods[i] : flooding;
    if (i >= kCount) all[i].name = kFloodingMethods[i - kCount].name;
  }
  return all;
}

/// One way of computing cost distances on one backend; all of them are exact.
struct CostMethod {
  std::string_view name;
  /// Of a problem, on the device that `state` is open on.
  Support (*supports)(const ContextState& state, const CostProblem& problem);
  /// Fills every output that `views` has, of a raster that has cells. Throws
  /// Error{invalid_argument} for what cells hold, Error{out_of_memory, cancelled}.
  void (*run)(ContextState& state, const CostProblem& problem, const CostViews& views,
              CostDistanceReport& report);
};

class Backend {
 public:
  virtual ~Backend() = default;

  /// "cpu"; devices are named so, or so with ":0", ":1" … behind.
  virtual std::string_view name() const = 0;
  virtual std::vector<DeviceInfo> devices() const = 0;
  virtual std::span<const Method> methods() const = 0;
  virtual std::span<const CostMethod> cost_methods() const { return {}; }
  /// Puts device name, threads and session into `state`. Throws Error if the device is not to be
  /// had.
  virtual void open(ContextState& state, const ContextOptions& options) const = 0;
};

/// All backends of this build, in the order in which `auto` tries them.
std::span<const Backend* const> backends();

/// The backend of a device name such as "cpu" or "cuda:1"; null if this build has none of that
/// name.
const Backend* find_backend(std::string_view device);

/// The device that `auto` means: the first available one in the order of backends().
std::string auto_device();

/// Throws Error{invalid_argument} listing the methods there are.
const Method& find_method(const Backend& backend, std::string_view name);
const CostMethod& find_cost_method(const Backend& backend, std::string_view name);

}  // namespace thiessen
