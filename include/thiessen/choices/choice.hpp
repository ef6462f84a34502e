// SPDX-License-Identifier: Apache-2.0
//
// Choices and their names.
//
// Where a caller chooses one of a few things (a metric, a method, a kind of noise), the choice is
// an enum. Three things stand beside each enum, here for Metric: kMetricNames, the names in the
// order of the enum; name_of(), the name of a choice; and find_metric(), the choice of a name, or
// nothing. The command, Python and C take these names.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "thiessen/export.hpp"

namespace thiessen {

/// The name among `names` that was likely meant by an unknown word; or empty. It is a name for
/// which papers or other programs use this word ("cityblock" for "manhattan"). Or it differs by a
/// typing error: at most one letter in three is wrong, missing, too many or swapped with the next.
/// For messages. It takes the product of the lengths for each name.
THIESSEN_API std::string_view likely_name(std::string_view word,
                                          std::span<const std::string_view> names);

}  // namespace thiessen

namespace thiessen::detail {

/// The name of a choice; "unknown" for a number that is none.
template <class Choice, std::size_t kCount>
constexpr std::string_view choice_name(const std::string_view (&names)[kCount], Choice choice) {
  const auto place = static_cast<std::size_t>(choice);
  return place < kCount ? names[place] : "unknown";
}

/// The choice at the position of `name` among the names, or nullopt.
template <class Choice, std::size_t kCount>
constexpr std::optional<Choice> find_choice(const std::string_view (&names)[kCount],
                                            std::string_view name) {
  for (std::size_t i = 0; i < kCount; ++i)
    if (names[i] == name) return static_cast<Choice>(i);
  return std::nullopt;
}

}  // namespace thiessen::detail
