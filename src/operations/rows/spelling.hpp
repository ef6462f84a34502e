// SPDX-License-Identifier: Apache-2.0
//
// Pointers to members: their struct, their type, and how a compiler spells them. The spelling
// checks the names in the tables and never makes one that callers use, because compilers differ in
// it; nvcc's spelling is not looked at.
#pragma once

#include <cstddef>
#include <string_view>

namespace thiessen::detail {

template <class Pointer>
struct PointerToMember;
template <class Struct, class Member>
struct PointerToMember<Member Struct::*> {
  using S = Struct;
  using M = Member;
};

template <auto kMember>
using StructOf = typename PointerToMember<decltype(kMember)>::S;
template <auto kMember>
using MemberOf = typename PointerToMember<decltype(kMember)>::M;

#if (defined(__GNUC__) || defined(__clang__)) && !defined(__CUDACC__)

/// "&thiessen::NearestSiteOptions::spacing" or "thiessen::Metric::euclidean";
/// "(thiessen::Metric)9" for a number without a name.
template <auto kValue>
constexpr std::string_view spelling() {
  const std::string_view text = __PRETTY_FUNCTION__;
  constexpr std::string_view kBefore = "kValue = ";
  const std::size_t begin = text.find(kBefore) + kBefore.size();
  return text.substr(begin, text.find_first_of(";]", begin) - begin);
}

/// Whether the member has this name.
template <auto kMember>
constexpr bool is_spelled(std::string_view name) {
  const std::string_view text = spelling<kMember>();
  return text.substr(text.rfind(':') + 1) == name;
}

/// "NearestSiteOptions::spacing", for generators.
template <auto kMember>
constexpr std::string_view place_of() {
  const std::string_view text = spelling<kMember>();
  const std::size_t begin = text.rfind(':', text.rfind("::") - 1);
  return text.substr(begin == std::string_view::npos ? text.find('&') + 1 : begin + 1);
}

/// Whether an enum has so many choices.
template <class Choice, std::size_t kCount>
constexpr bool are_as_many() {
  return spelling<static_cast<Choice>(kCount - 1)>()[0] != '(' &&
         spelling<static_cast<Choice>(kCount)>()[0] == '(';
}

#else

template <class, std::size_t>
constexpr bool are_as_many() {
  return true;
}
template <auto>
constexpr bool is_spelled(std::string_view) {
  return true;
}
template <auto>
constexpr std::string_view place_of() {
  return {};
}

#endif

}  // namespace thiessen::detail
