// SPDX-License-Identifier: Apache-2.0
//
// How options of the library become attributes of Python classes, each under its own name, so that
// no two can be swapped.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string_view>
#include <vector>

#include "values.hpp"

namespace thiessen::python {

/// An attribute that holds a label, or none: an int or a float.
template <class Bound, class Owner, class Label>
void bind_label(Bound& bound, const char* name, Label Owner::*member) {
  using Options = typename Bound::Type;
  bound.def_prop_rw(
      name, [member](const Options& options) { return options.*member; },
      [name, member](Options& options, nb::handle value) {
        options.*member = to_label(name, value);
      });
}

/// An attribute that holds labels: a list of ints and floats.
template <class Bound, class Owner>
void bind_labels(Bound& bound, const char* name, std::vector<LabelValue> Owner::*member) {
  using Options = typename Bound::Type;
  bound.def_prop_rw(
      name, [member](const Options& options) { return options.*member; },
      [name, member](Options& options, const std::vector<nb::object>& values) {
        options.*member = to_labels(name, values);
      });
}

/// An attribute that holds a choice, or none: one of the names, which are in the order of the enum.
template <class Bound, class Owner, class Choice, std::size_t count>
void bind_choice(Bound& bound, const char* name, Choice Owner::*member,
                 const std::string_view (&names)[count]) {
  using Options = typename Bound::Type;
  bound.def_prop_rw(
      name, [member](const Options& options) { return name_of(options.*member); },
      [name, member, &names](Options& options, std::string_view value) {
        options.*member = to_choice<Choice>(name, value, names);
      });
}
template <class Bound, class Owner, class Choice, std::size_t count>
void bind_choice(Bound& bound, const char* name, std::optional<Choice> Owner::*member,
                 const std::string_view (&names)[count]) {
  using Options = typename Bound::Type;
  bound.def_prop_rw(
      name,
      [member](const Options& options) {
        const std::optional<Choice>& choice = options.*member;
        return choice ? std::optional(name_of(*choice)) : std::nullopt;
      },
      [name, member, &names](Options& options, std::string_view value) {
        options.*member = to_choice<Choice>(name, value, names);
      });
}

}  // namespace thiessen::python
