// SPDX-License-Identifier: Apache-2.0
#include "api/call/call.hpp"

#include <string>

#include "thiessen/error.hpp"

namespace thiessen {
namespace {

/// The axes of the first raster that is given, or of the raster that points lie in.
int rank_of(const Operation& operation, Arguments& arguments) {
  for (const Input& input : operation.inputs)
    if (const View<const void>& view = input.view(arguments.inputs)) {
      if (input.kind == InputKind::raster) return view.rank();
      if (input.kind == InputKind::points && view.rank() == 2)
        return static_cast<int>(view.extent(1));
    }
  return 0;
}

}  // namespace

Call::Call(std::string_view operation)
    : operation_(find_operation(operation)), arguments_(make_arguments(operation_)) {}

void Call::set_option(std::string_view name, const Value& value) {
  const Field& field = find_field(operation_, name);
  if (field.set == nullptr)
    throw Error(ErrorCode::invalid_argument,
                {.argument = std::string(name), .rule = "is a function, which only C++ can pass"});
  counts_.erase(&field);
  const auto* count = std::get_if<std::int64_t>(&value);
  if (count != nullptr && field.choice_of_count != nullptr)
    counts_[&field] = *count;  // the rank is not known yet
  else
    field.set(field, arguments_->options, value);
}

void Call::set_input(std::string_view name, const View<const void>& view) {
  find_input(operation_, name).view(arguments_->inputs) = view;
}

void Call::set_output(std::string_view name, const View<void>& view) {
  const Output& output = find_output(operation_, name);
  if (view && output.type == TypeRule::fixed && view.element_type() != output.element)
    throw Error(ErrorCode::invalid_argument,
                {.argument = std::string(name),
                 .rule = "is " + std::string(name_of(view.element_type())) + "; must be " +
                         std::string(name_of(output.element))});
  own_.erase(&output);
  output.set(arguments_->outputs, view);
}

void Call::want(std::string_view name) { own_[&find_output(operation_, name)]; }

View<const void> Call::output(std::string_view name) const {
  for (const Result& result : operation_.results)
    if (result.name == name) return result.view(arguments_->results);
  return find_output(operation_, name).get(arguments_->outputs);
}

void Call::make_outputs() {
  if (own_.empty()) return;
  const ResultShape shape = arguments_->shape();
  for (auto& [output, raster] : own_) {
    raster = Raster(type_of(*output, shape),
                    extents_of(*output, shape.grid.extents, shape.rank, shape.k));
    output->set(arguments_->outputs, raster.view());
  }
}

void Call::run(Context& context) {
  const int rank = counts_.empty() ? 0 : rank_of(operation_, *arguments_);
  for (const auto& [field, count] : counts_) {
    const auto choice = field->choice_of_count(count, rank);
    if (!choice)
      throw Error(ErrorCode::invalid_argument,
                  {.argument = std::string(field->name),
                   .value = std::to_string(count),
                   .rule = "must be a number of neighbours that rasters of " +
                           std::to_string(rank) + " axes have"});
    field->set(*field, arguments_->options, std::string(field->choices[*choice]));
  }
  make_outputs();
  arguments_->run(context);
}

}  // namespace thiessen
