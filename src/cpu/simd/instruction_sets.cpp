// SPDX-License-Identifier: Apache-2.0
#include "cpu/simd/instruction_sets.hpp"

#include <hwy/targets.h>

#include <cstdlib>
#include <string>

#include "thiessen/error.hpp"

namespace thiessen::cpu {
namespace {

struct Named {
  std::string_view name;
  std::int64_t own;      ///< bits that the processor must have
  std::int64_t targets;  ///< it and all sets before it
};

#if HWY_ARCH_ARM_A64
constexpr Named kNamed[] = {{"neon", HWY_NEON, HWY_NEON}};  // which all of them have
constexpr const char* kNames = "auto or neon";
#else
constexpr std::int64_t kAvx2 = HWY_SSE4 | HWY_AVX2;
constexpr Named kNamed[] = {
    {"none", 0, 0},
    {"sse4", HWY_SSE4, HWY_SSE4},
    {"avx2", HWY_AVX2, kAvx2},
    {"avx512", HWY_AVX3_DL, kAvx2 | HWY_AVX3_DL},
};
constexpr const char* kNames = "auto, none, sse4, avx2 or avx512";
#endif

std::string_view chosen_by_user() {
  const char* variable = std::getenv("THIESSEN_INSTRUCTIONS");
  return variable == nullptr || *variable == '\0' ? "auto" : variable;
}

}  // namespace

std::int64_t find_instruction_sets(std::string_view name) {
  if (name.empty()) name = chosen_by_user();
  const auto supported = static_cast<std::int64_t>(hwy::SupportedTargets());
  if (name == "auto") return supported;
  for (const Named& each : kNamed) {
    if (each.name != name) continue;
    if ((each.own & supported) != each.own)
      throw Error(ErrorCode::unsupported,
                  {"instructions", std::string(name), "this processor does not have them"});
    return each.targets;
  }
  throw Error(ErrorCode::invalid_argument,
              {"instructions", std::string(name), std::string("must be ") + kNames});
}

std::vector<std::string_view> instruction_set_names() {
  const auto supported = static_cast<std::int64_t>(hwy::SupportedTargets());
  std::vector<std::string_view> names;
  for (const Named& each : kNamed)
    if ((each.own & supported) == each.own) names.push_back(each.name);
  return names;
}

}  // namespace thiessen::cpu
