// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>

#include "api/call/solver.hpp"
#include "core/problem/outputs.hpp"
#include "operations/rows/operation.hpp"
#include "thiessen/context.hpp"

namespace thiessen {

/// The structs of one call of an operation, as its rows know them. What an operation does follows
/// from its Role: it overrides run(), make_solver() or run_on().
class Arguments {
 public:
  virtual ~Arguments() = default;

  virtual void run(Context& context);
  virtual Solver make_solver(Context& context);
  virtual void run_on(Solver& solver);
  /// What memory for the outputs depends on.
  virtual ResultShape shape() const { return {}; }

  void* inputs = nullptr;
  void* options = nullptr;
  void* outputs = nullptr;
  void* results = nullptr;
};

std::unique_ptr<Arguments> make_arguments(const Operation& operation);

/// How to make the arguments of an operation.
struct Maker {
  const Operation* operation;
  std::unique_ptr<Arguments> (*make)();
};

// The makers of each source file of this folder.
std::span<const Maker> nearest_site_makers();
std::span<const Maker> cost_distance_makers();
std::span<const Maker> label_makers();
std::span<const Maker> polygon_makers();
std::span<const Maker> raster_makers();
std::span<const Maker> network_makers();
std::span<const Maker> shape_function_makers();
std::span<const Maker> placing_makers();
std::span<const Maker> slab_makers();
std::span<const Maker> cost_slab_makers();
std::span<const Maker> solver_makers();

}  // namespace thiessen
