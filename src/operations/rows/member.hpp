// SPDX-License-Identifier: Apache-2.0
//
// From a pointer to a member to a row of a table. Only the list of operations instantiates these
// templates; everything else walks rows.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "operations/rows/choices.hpp"
#include "operations/rows/field.hpp"
#include "operations/rows/spelling.hpp"
#include "thiessen/choices/earth.hpp"
#include "thiessen/papers.hpp"
#include "thiessen/render.hpp"

namespace thiessen {
namespace detail {

template <class T>
struct WithoutOptional {
  using Type = T;
};
template <class T>
struct WithoutOptional<std::optional<T>> {
  using Type = T;
};

template <class T>
inline constexpr bool kIsFunction = false;
template <class Signature>
inline constexpr bool kIsFunction<std::function<Signature>> = true;

template <class T>
inline constexpr bool kIsNumbers = std::is_same_v<T, std::vector<double>>;
template <std::size_t kCount>
inline constexpr bool kIsNumbers<std::array<double, kCount>> = true;

/// The kind of option that a member of this type is.
template <class T>
constexpr Kind kind_of() {
  if constexpr (std::is_same_v<T, bool>) return Kind::flag;
  if constexpr (std::is_same_v<T, double>) return Kind::number;
  if constexpr (std::is_same_v<T, std::int64_t> || std::is_same_v<T, std::uint64_t>)
    return Kind::count;
  if constexpr (std::is_enum_v<T>) return Kind::choice;
  if constexpr (std::is_same_v<T, LabelValue>) return Kind::label;
  if constexpr (std::is_same_v<T, Pattern> || std::is_same_v<T, Colour>) return Kind::text;
  if constexpr (kIsNumbers<T>) return Kind::numbers;
  if constexpr (std::is_same_v<T, std::vector<std::int64_t>>) return Kind::counts;
  if constexpr (std::is_same_v<T, std::vector<bool>>) return Kind::flags;
  if constexpr (std::is_same_v<T, std::vector<LabelValue>>) return Kind::labels;
  if constexpr (kIsFunction<T>) return Kind::callback;
}

// One reader for each type of member (member.cpp). Each throws Error{invalid_argument}.
void read(const Field& field, const Value& value, bool& member);
void read(const Field& field, const Value& value, double& member);
void read(const Field& field, const Value& value, std::int64_t& member);
void read(const Field& field, const Value& value, std::uint64_t& member);
void read(const Field& field, const Value& value, LabelValue& member);
void read(const Field& field, const Value& value, Pattern& member);
void read(const Field& field, const Value& value, Colour& member);
void read(const Field& field, const Value& value, std::vector<double>& member);
void read_numbers(const Field& field, const Value& value, std::span<double> member);
void read(const Field& field, const Value& value, std::vector<std::int64_t>& member);
void read(const Field& field, const Value& value, std::vector<bool>& member);
void read(const Field& field, const Value& value, std::vector<LabelValue>& member);
template <std::size_t kCount>
void read(const Field& field, const Value& value, std::array<double, kCount>& member) {
  read_numbers(field, value, member);
}
/// The place of the choice among the names of the enum.
std::size_t read_choice(const Field& field, const Value& value, Names names);

/// "ff8800".
std::string name_of_colour(const Colour& colour);

/// `place` is that of a number in a list.
void check_number(const Field& field, double number, std::optional<std::size_t> place = {});
void check_choice(const Field& field, std::string_view choice);

template <class T>
void check_range(const Field& field, const T& member) {
  if constexpr (std::is_enum_v<T>) {
    check_choice(field, name_of(member));
  } else if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) {
    check_number(field, static_cast<double>(member));
  } else if constexpr (kIsNumbers<T> || std::is_same_v<T, std::vector<std::int64_t>>) {
    for (std::size_t i = 0; i < member.size(); ++i)
      check_number(field, static_cast<double>(member[i]), i);
  }
}

template <class T>
Value to_value(const T& member) {
  if constexpr (std::is_enum_v<T>) {
    return std::string(name_of(member));
  } else if constexpr (std::is_same_v<T, Pattern>) {
    return name_of(member);
  } else if constexpr (std::is_same_v<T, Colour>) {
    return name_of_colour(member);
  } else if constexpr (std::is_same_v<T, LabelValue>) {
    return std::visit([](auto number) { return Value(number); }, member);
  } else if constexpr (std::is_arithmetic_v<T>) {
    return member;
  } else {
    std::vector<LabelValue> list;
    for (const auto& each : member) {
      if constexpr (std::is_same_v<T, std::vector<bool>>)
        list.emplace_back(std::int64_t{each});
      else
        list.emplace_back(each);
    }
    return list;
  }
}

/// Whether the struct holds its defaults alone. The binding counts its members.
inline bool holds_defaults(const Earth& earth) {
  static const Earth kPlain;
  const auto& [latitude, longitude, radius, flattening] = earth;
  return latitude.empty() && longitude.empty() && !radius && flattening == kPlain.flattening;
}

/// A member of the options; or of a struct in the options, which may be optional there. An optional
/// struct comes to be when a member of it is set, and goes when all its members are set back.
template <auto... kPath>
struct Access;

template <auto kMember>
struct Access<kMember> {
  using Options = StructOf<kMember>;
  using Member = MemberOf<kMember>;
  static constexpr auto kLast = kMember;

  static Member& make(void* options) { return static_cast<Options*>(options)->*kMember; }
  static const Member* find(const void* options) {
    return &(static_cast<const Options*>(options)->*kMember);
  }
  static const Member& standard() {
    static const Options kPlain;
    return kPlain.*kMember;
  }
  static void set_back(void* options) { make(options) = standard(); }
};

template <auto kOuter, auto kMember>
struct Access<kOuter, kMember> {
  using Options = StructOf<kOuter>;
  using Member = MemberOf<kMember>;
  static constexpr auto kLast = kMember;

  static Member& make(void* options) {
    auto& outer = static_cast<Options*>(options)->*kOuter;
    if constexpr (requires { outer.has_value(); }) {
      if (!outer) outer.emplace();
      return (*outer).*kMember;
    } else {
      return outer.*kMember;
    }
  }
  static const Member* find(const void* options) {
    const auto& outer = static_cast<const Options*>(options)->*kOuter;
    if constexpr (requires { outer.has_value(); })
      return outer ? &((*outer).*kMember) : nullptr;
    else
      return &(outer.*kMember);
  }
  static const Member& standard() {
    if constexpr (kIsOptional) {
      static const StructOf<kMember> kPlain;
      return kPlain.*kMember;
    } else {
      static const Options kPlain;
      return kPlain.*kOuter.*kMember;
    }
  }
  static void set_back(void* options) {
    if (find(options) != nullptr) make(options) = standard();
    if constexpr (kIsOptional) {
      auto& outer = static_cast<Options*>(options)->*kOuter;
      if (outer && holds_defaults(*outer)) outer.reset();
    }
  }

 private:
  static constexpr bool kIsOptional = !std::is_same_v<MemberOf<kOuter>, StructOf<kMember>>;
};

template <class Path>
struct Accessors {
  using Member = typename Path::Member;
  using T = typename WithoutOptional<Member>::Type;

  static void set(const Field& field, void* options, const Value& value) {
    if (std::holds_alternative<std::monostate>(value)) {
      Path::set_back(options);
    } else if (takes_none(value)) {
      Path::make(options) = Member{};
    } else if constexpr (std::is_enum_v<T>) {
      Path::make(options) = static_cast<T>(read_choice(field, value, choices_of<T>()));
    } else {
      T member{};
      read(field, value, member);
      check_range(field, member);
      Path::make(options) = std::move(member);
    }
  }

  static Value get(const void* options) {
    const Member* const found = Path::find(options);
    const Member& member = found == nullptr ? Path::standard() : *found;
    if constexpr (std::is_same_v<T, Member>)
      return to_value(member);
    else
      return member ? to_value(*member) : has_standard() ? Value(std::string("none")) : Value();
  }

  static void check(const Field& field, const void* options) {
    const Member* const member = Path::find(options);
    if (member == nullptr) return;
    if constexpr (std::is_same_v<T, Member>)
      check_range(field, *member);
    else if (*member)
      check_range(field, **member);
  }

  static bool is_given(const void* options) {
    const Member* const now = Path::find(options);
    return now != nullptr && !(*now == Path::standard());
  }

  /// Whether the default of an optional member is a value. Then the text "none" takes it away.
  static bool has_standard() { return !(Path::standard() == Member{}); }
  static bool takes_none(const Value& value) {
    const auto* const word = std::get_if<std::string>(&value);
    return !std::is_same_v<T, Member> && word != nullptr && *word == "none" && has_standard();
  }
};

}  // namespace detail

/// A row of a table of options. With two members the second is one of a struct in the options, and
/// the name may have a word in front of the second member's.
template <auto... kPath>
constexpr Field field(const FieldText& text) {
  using Path = detail::Access<kPath...>;
  using A = detail::Accessors<Path>;
  using T = typename A::T;
  if (!detail::is_spelled<Path::kLast>(text.name) &&
      !(sizeof...(kPath) == 2 &&
        detail::is_spelled<Path::kLast>(text.name.substr(text.name.find('_') + 1))))
    throw "the name is not the name of the member";
  Field row{text};
  row.member = detail::place_of<Path::kLast>();
  row.kind = detail::kind_of<T>();
  row.is_optional = !std::is_same_v<T, typename A::Member>;
  if constexpr (std::is_enum_v<T>)
    row.choices = text.some_choices.empty() ? detail::choices_of<T>() : text.some_choices;
  if constexpr (std::is_same_v<T, Connectivity>)
    row.choice_of_count = [](std::int64_t count, int rank) -> std::string_view {
      constexpr std::int64_t kMost = 26;
      if (count < 1 || count > kMost) return {};
      const auto found = find_connectivity(static_cast<int>(count), rank);
      return found ? name_of(*found) : std::string_view();
    };
  if constexpr (!detail::kIsFunction<T>) {
    row.set = &A::set;
    row.get = &A::get;
    row.check = &A::check;
    row.is_given = &A::is_given;
  } else {
    row.is_given = [](const void* options) {
      const auto* const function = Path::find(options);
      return function != nullptr && static_cast<bool>(*function);
    };
  }
  return row;
}

/// A row of a table of inputs.
template <auto kMember>
constexpr Input input(Input row) {
  using OneView = detail::MemberOf<kMember>;
  if (!detail::is_spelled<kMember>(row.name)) throw "the name is not the name of the member";
  if constexpr (!std::is_same_v<OneView, View<const void>>) {
    row.has_type = true;
    row.element = detail::element_type_of<std::remove_reference_t<decltype(*OneView().data())>>();
  }
  row.view = [](void* inputs) -> View<const void>& {
    return static_cast<detail::StructOf<kMember>*>(inputs)->*kMember;
  };
  return row;
}

}  // namespace thiessen
