// SPDX-License-Identifier: Apache-2.0
#include "api/call/arguments.hpp"

#include <string>

#include "core/base/refuse.hpp"

namespace thiessen {
namespace {

constexpr std::span<const Maker> (*kMakers[])() = {
    &nearest_site_makers, &cost_distance_makers, &label_makers,          &polygon_makers,
    &raster_makers,       &network_makers,       &placing_makers,        &slab_makers,
    &cost_slab_makers,    &solver_makers,        &shape_function_makers,
};

}  // namespace

void Arguments::run(Context&) { refuse("the call does not run on a context"); }
Solver Arguments::make_solver(Context&) { refuse("the call makes no solver"); }
void Arguments::run_on(Solver&) { refuse("the call does not run on a solver"); }

std::unique_ptr<Arguments> make_arguments(const Operation& operation) {
  for (const auto& makers : kMakers)
    for (const Maker& maker : makers())
      if (maker.operation == &operation) return maker.make();
  throw Error(ErrorCode::unsupported,
              {.argument = std::string(operation.name), .rule = "cannot be called by its name"});
}

}  // namespace thiessen
