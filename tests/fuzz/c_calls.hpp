// SPDX-License-Identifier: Apache-2.0
//
// What the calls of the C API share: arguments that are drawn, and the checks of a call.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <vector>

#include "c_arrays.hpp"

namespace thiessen::fuzz {

/// Calls of c_api_cost.cpp.
void cost_distance(Draw& draw);
void least_cost_path(Draw& draw);
void material_map(Draw& draw);

inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "%s; last error: %s\n", what, thiessen_last_error());
  std::abort();
}

inline thiessen_context* context() {
  static thiessen_context* const kContext = [] {
    thiessen_context_options options;
    thiessen_context_options_init(&options, sizeof options);
    options.threads = 1;
    thiessen_context* created = nullptr;
    require(thiessen_context_create(&options, &created) == THIESSEN_OK, "no context");
    return created;
  }();
  return kContext;
}

/// Runs `call` and checks its status and what it left of its outputs.
template <class Call>
thiessen_status checked(const Call& call, const std::vector<const Cells*>& outputs) {
  std::vector<std::vector<std::uint8_t>> before;
  std::vector<std::vector<std::uint8_t>> gaps;
  for (const Cells* output : outputs) {
    before.push_back(output->memory());
    gaps.push_back(output->gaps());
  }
  const thiessen_status status = call();
  require(status == THIESSEN_OK || status == THIESSEN_INVALID_ARGUMENT ||
              status == THIESSEN_UNSUPPORTED,
          thiessen_status_name(status));
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    require(outputs[i]->gaps() == gaps[i], "a byte beside the elements was written");
    require(status == THIESSEN_OK || outputs[i]->memory() == before[i],
            "a refused call has written");
  }
  return status;
}

inline thiessen_value draw_value(Draw& draw) {
  constexpr std::array<double, 6> kReals = {0, 1, 2, 0.5, -1, 1e30};
  thiessen_value value{};
  value.kind = draw.rarely(16) ? draw.take<std::int8_t>() : draw.below(4);
  if (value.kind == THIESSEN_VALUE_F64)
    value.as.f64 = draw.rarely(4) ? draw.take<double>() : draw.among(kReals);
  else
    value.as.i64 = draw.rarely(4) ? draw.odd_number() : draw.below(5);
  return value;
}

/// A number that selects one of a few things, and rarely one that selects none.
inline std::int32_t draw_choice(Draw& draw, int count) {
  return draw.rarely(32) ? draw.take<std::int8_t>() : draw.below(count);
}

inline thiessen_type real_type(Draw& draw) { return draw.rarely(2) ? THIESSEN_F64 : THIESSEN_F32; }

inline thiessen_type label_type(Draw& draw, thiessen_type sites) {
  if (draw.rarely(16)) return draw.below(11);
  if (sites != THIESSEN_BOOL) return sites;
  return draw.rarely(2) ? THIESSEN_I64 : THIESSEN_I32;
}

/// False for an array that reaches beyond its memory, but not beyond all memory: the library would
/// have to believe it.
inline bool is_believable(const Cells& cells) {
  const thiessen_array& array = cells.array();
  if (cells.has_memory() || array.rank < 1 || array.rank > kMostAxes) return true;
  if (cells.reach() > std::numeric_limits<std::int64_t>::max()) return true;
  for (int axis = 0; axis < array.rank; ++axis)
    if (array.extents[axis] < 1 || array.extents[axis] > std::int64_t{1} << 30) return true;
  return false;
}

template <std::same_as<Cells>... Each>
bool are_believable(const Each&... each) {
  return (is_believable(each) && ...);
}

inline bool are_believable(const std::vector<const Cells*>& all) {
  return std::all_of(all.begin(), all.end(),
                     [](const Cells* each) { return is_believable(*each); });
}

/// Whether a call would take long, if it were accepted.
inline bool is_long(const thiessen_array& array) {
  Int128 cells = 1;
  for (int axis = 0; axis < std::clamp(array.rank, 0, kMostAxes); ++axis)
    if (array.extents[axis] >= 0 && array.extents[axis] <= std::int64_t{1} << 30)
      cells *= std::max<std::int64_t>(1, array.extents[axis]);
  return cells > 4096;
}

/// The same for a list or a batch, whose length no rule limits.
inline bool is_long_list(const thiessen_array& array) { return array.extents[0] > 4096; }

template <class Number>
std::int64_t number(const std::vector<std::uint8_t>& elements, std::size_t index) {
  Number value{};
  std::memcpy(&value, &elements[index * sizeof value], sizeof value);
  return value;
}

/// The integers of an i32 or i64 array.
inline std::vector<std::int64_t> numbers(const Cells& cells) {
  const std::vector<std::uint8_t> elements = cells.elements();
  const bool small = cells.array().type == THIESSEN_I32;
  std::vector<std::int64_t> all(elements.size() / (small ? 4 : 8));
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = small ? number<std::int32_t>(elements, i) : number<std::int64_t>(elements, i);
  return all;
}

}  // namespace thiessen::fuzz
