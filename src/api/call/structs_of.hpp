// SPDX-License-Identifier: Apache-2.0
//
// What the arguments of all operations are made of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "api/call/arguments.hpp"
#include "api/label_types.hpp"
#include "core/base/refuse.hpp"
#include "core/problem/problem.hpp"
#include "thiessen/cost_distance.hpp"

namespace thiessen {

template <class Inputs, class Options, class Outputs, class Results>
class StructsOf : public Arguments {
 public:
  StructsOf() {
    inputs = &own_.in;
    options = &own_.options;
    outputs = &own_.out;
    results = &own_.results;
  }

 protected:
  struct Structs {
    Inputs in;
    Options options;
    Outputs out;
    Results results;
  };
  Structs own_;
};

template <class Own>
std::unique_ptr<Arguments> make() {
  return std::make_unique<Own>();
}

struct NoShape {
  template <class Own>
  ResultShape operator()(const Own&) const {
    return {};
  }
};

/// Makes a call that runs as run(context, own), with the structs of it. Memory for its outputs has
/// shape(own).
template <class Inputs, class Options, class Outputs, class Results, class Run,
          class Shape = NoShape>
constexpr Maker runs(const Operation& operation, const Run&, const Shape& = {}) {
  class Call final : public StructsOf<Inputs, Options, Outputs, Results> {
   public:
    void run(Context& context) override { Run()(context, this->own_); }
    ResultShape shape() const override { return Shape()(this->own_); }
  };
  return {&operation, &make<Call>};
}

/// The points of a call.
template <class Inputs>
PointList points_of(const Inputs& inputs) {
  PointList points{.coordinates = inputs.points, .labels = inputs.point_labels};
  if constexpr (requires { inputs.weights; }) points.weights = inputs.weights;
  if constexpr (requires { inputs.metrics; }) points.metrics = inputs.metrics;
  return points;
}

/// The shape of outputs on a raster of these extents.
template <class Options>
ResultShape shape_of(const Options& options, const Extents& extents, int rank, ElementType labels) {
  ResultShape shape{.grid = {.extents = extents},
                    .rank = rank,
                    .labels = labels,
                    .distances = to_element_type(options.distance_type)};
  if constexpr (requires { options.k; }) shape.k = options.k;
  return shape;
}

/// The one of the two maps that is given.
template <class Inputs>
CostMap map_of(const Inputs& inputs) {
  return inputs.cost ? CostMap::cost(inputs.cost) : CostMap::stiffness(inputs.stiffness);
}

/// The elements of a list on the host, as T of the same size; none of an empty view.
template <class T, class Element>
std::vector<T> list_of(const char* name, const View<const Element>& view) {
  static_assert(sizeof(T) == sizeof(Element));
  if (!view) return {};
  if (view.rank() != 1 || view.space() != MemorySpace::host)
    throw Error(ErrorCode::invalid_argument,
                BrokenRule{.argument = name, .rule = "must be a list in memory of the host"});
  check_strides(name, view);
  std::vector<T> list(static_cast<std::size_t>(view.extent(0)));
  if (!list.empty() && view.bytes() == nullptr)
    throw Error(ErrorCode::invalid_argument,
                BrokenRule{.argument = name, .rule = "is a null pointer"});
  const std::byte* from = view.bytes();
  for (T& each : list) {
    std::memcpy(&each, from, sizeof each);
    from += view.stride(0);
  }
  return list;
}

}  // namespace thiessen
