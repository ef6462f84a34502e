// SPDX-License-Identifier: Apache-2.0
//
// The names of the choices of each enum that is an option.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>

#include "operations/rows/spelling.hpp"
#include "thiessen/choices/connectivity.hpp"
#include "thiessen/choices/float_type.hpp"
#include "thiessen/choices/method.hpp"
#include "thiessen/choices/metric.hpp"
#include "thiessen/cost_distance.hpp"
#include "thiessen/nearest_site.hpp"
#include "thiessen/papers.hpp"
#include "thiessen/placing.hpp"
#include "thiessen/render.hpp"
#include "thiessen/slabs/cost_slabs.hpp"

namespace thiessen::detail {

using Names = std::span<const std::string_view>;

constexpr Names names_of(std::type_identity<Allotment>) { return kAllotmentNames; }
constexpr Names names_of(std::type_identity<Connectivity>) { return kConnectivityNames; }
constexpr Names names_of(std::type_identity<CostMethod>) { return kCostMethodNames; }
constexpr Names names_of(std::type_identity<CostStage>) { return kCostStageNames; }
constexpr Names names_of(std::type_identity<DistanceTo>) { return kDistanceToNames; }
constexpr Names names_of(std::type_identity<EdgeWeight>) { return kEdgeWeightNames; }
constexpr Names names_of(std::type_identity<FitEnd>) { return kFitEndNames; }
constexpr Names names_of(std::type_identity<FloatType>) { return kFloatTypeNames; }
constexpr Names names_of(std::type_identity<Marks>) { return kMarksNames; }
constexpr Names names_of(std::type_identity<Material>) { return kMaterialNames; }
constexpr Names names_of(std::type_identity<Method>) { return kMethodNames; }
constexpr Names names_of(std::type_identity<Metric>) { return kMetricNames; }
constexpr Names names_of(std::type_identity<Noise>) { return kNoiseNames; }
constexpr Names names_of(std::type_identity<Ramp>) { return kRampNames; }
constexpr Names names_of(std::type_identity<RampScale>) { return kRampScaleNames; }
constexpr Names names_of(std::type_identity<RelaxEnd>) { return kRelaxEndNames; }
constexpr Names names_of(std::type_identity<RenderMode>) { return kRenderModeNames; }
constexpr Names names_of(std::type_identity<StepRule>) { return kStepRuleNames; }
constexpr Names names_of(std::type_identity<Walk>) { return kWalkNames; }
constexpr Names names_of(std::type_identity<WalkDirection>) { return kWalkDirectionNames; }
constexpr Names names_of(std::type_identity<WalkMap>) { return kWalkMapNames; }
constexpr Names names_of(std::type_identity<Weighting>) { return kWeightingNames; }

template <class Choice>
constexpr Names choices_of() {
  static_assert(are_as_many<Choice, names_of(std::type_identity<Choice>()).size()>(),
                "there are more or fewer names than choices");
  return names_of(std::type_identity<Choice>());
}

}  // namespace thiessen::detail
