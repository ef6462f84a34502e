// SPDX-License-Identifier: Apache-2.0
#include "api/call/call.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "thiessen/error.hpp"

namespace thiessen {
namespace {

/// The axes of the first raster that is given, of the raster that points lie in, or of a shape.
int rank_of(const Operation& operation, const Arguments& arguments) {
  for (const Input& input : operation.inputs)
    if (const View<const void>& view = input.view(arguments.inputs)) {
      if (input.kind == InputKind::raster) return view.rank();
      if (input.kind == InputKind::points && view.rank() == 2)
        return static_cast<int>(view.extent(1));
    }
  for (const Field& field : operation.fields)
    if (field.name == "shape")
      return static_cast<int>(
          std::get<std::vector<LabelValue>>(field.get(arguments.options)).size());
  return 0;
}

std::optional<std::int64_t> to_count(const Value& value) {
  if (const auto* const number = std::get_if<std::int64_t>(&value)) return *number;
  const auto* const number = std::get_if<std::uint64_t>(&value);
  if (number == nullptr || !std::in_range<std::int64_t>(*number)) return std::nullopt;
  return static_cast<std::int64_t>(*number);
}

[[noreturn]] void refuse_argument(std::string_view name, const std::string& rule) {
  throw Error(ErrorCode::invalid_argument, {.argument = std::string(name), .rule = rule});
}

/// Refuses an array of another element type than the row's.
template <class Row>
void check_element(const Row& row, ElementType type) {
  if (type != row.element)
    refuse_argument(row.name, "is " + std::string(name_of(type)) + "; must be " +
                                  std::string(name_of(row.element)));
}

/// Checks that one of the inputs with this word is given.
void check_group(const Operation& operation, const Arguments& arguments, std::string_view group) {
  const Input* last = nullptr;
  int given = 0;
  for (const Input& input : operation.inputs)
    if (input.one_of == group && input.view(arguments.inputs)) {
      last = &input;
      ++given;
    }
  if (given == 1) return;
  std::string names;
  for (const Input& input : operation.inputs)
    if (input.one_of == group) names += (names.empty() ? "" : ", ") + std::string(input.name);
  refuse_argument(
      given == 0 ? group : last->name,
      (given == 0 ? "is missing; must be one of " : "is one too many; must be one of ") + names);
}

}  // namespace

Call::Call(std::string_view operation)
    : operation_(find_operation(operation)), arguments_(make_arguments(operation_)) {}

void Call::set_option(std::string_view name, const Value& value) {
  const Field& field = find_field(operation_, name);
  if (field.set == nullptr) refuse_argument(name, "is a function, which only C++ can pass");
  const std::optional<std::int64_t> count = to_count(value);
  if (count && field.choice_of_count != nullptr) {
    counts_[&field] = *count;  // the rank is not known yet
    return;
  }
  field.set(field, arguments_->options, value);
  counts_.erase(&field);
}

void Call::set_input(std::string_view name, const View<const void>& view) {
  const Input& input = find_input(operation_, name);
  if (view && input.has_type) check_element(input, view.element_type());
  input.view(arguments_->inputs) = view;
}

void Call::set_output(std::string_view name, const View<void>& view) {
  const Output& output = find_output(operation_, name);
  if (view && output.type == TypeRule::fixed) check_element(output, view.element_type());
  own_.erase(&output);
  output.set(arguments_->outputs, view);
}

void Call::want(std::string_view name) {
  const Output& output = find_output(operation_, name);
  if (output.is_read) refuse_argument(name, "is read, too; must be an array of the caller's");
  own_[&output];
}

View<const void> Call::output(std::string_view name) const {
  for (const Result& result : operation_.results)
    if (result.name == name)
      return has_run_ ? result.view(result, arguments_->results) : View<const void>();
  const Output& output = find_output(operation_, name);
  if (own_.contains(&output) && !has_run_) return {};
  return output.get(arguments_->outputs);
}

void Call::check_inputs() const {
  for (const Input& input : operation_.inputs) {
    if (input.is_required && !input.view(arguments_->inputs))
      refuse_argument(input.name, "is missing");
    if (!input.one_of.empty()) check_group(operation_, *arguments_, input.one_of);
  }
}

void Call::set_counts() {
  const int rank = counts_.empty() ? 0 : rank_of(operation_, *arguments_);
  for (const auto& [field, count] : counts_) {
    const std::string_view choice = field->choice_of_count(count, rank);
    if (choice.empty())
      throw Error(ErrorCode::invalid_argument,
                  {.argument = std::string(field->name),
                   .value = std::to_string(count),
                   .rule = "must be a number of neighbours that rasters of " +
                           std::to_string(rank) + " axes have"});
    field->set(*field, arguments_->options, std::string(choice));
  }
}

void Call::make_outputs() {
  if (own_.empty()) return;
  const ResultShape shape = arguments_->shape();
  for (auto& [output, raster] : own_) {
    const ElementType type = type_of(*output, shape);
    const Extents extents = extents_of(*output, shape.grid.extents, shape.rank, shape.k);
    // A solver may keep the memory of an earlier run.
    const bool fits =
        raster.use_count() == 1 && raster->element_type() == type && raster->extents() == extents;
    if (!fits) raster = std::make_shared<Raster>(type, extents);
    output->set(arguments_->outputs, raster->view());
  }
}

void Call::prepare() {
  has_run_ = false;
  check_inputs();
  set_counts();
  make_outputs();
}

namespace {

/// Runs act(). An error about an argument that several inputs are for names the one that is given.
template <class Act>
auto with_own_names(const Operation& operation, const Arguments& arguments, const Act& act) {
  try {
    return act();
  } catch (const Error& error) {
    BrokenRule broken = error.broken_rule();
    const std::size_t end = std::min(broken.argument.find('['), broken.argument.size());
    const std::string group = broken.argument.substr(0, end);
    if (group.empty() || std::ranges::count(operation.inputs, group, &Input::name) > 0) throw;
    for (const Input& input : operation.inputs)
      if ((input.one_of == group || input.argument == group) && input.view(arguments.inputs)) {
        broken.argument.replace(0, end, input.name);
        throw Error(error.code(), broken);
      }
    throw;
  }
}

}  // namespace

void Call::run(Context& context) {
  if (operation_.role == Role::solver_only)
    refuse_argument(operation_.name, "makes a solver, and does not run");
  if (operation_.role == Role::solver_function)
    refuse_argument(operation_.name, "runs on a solver, and not on a context");
  with_own_names(operation_, *arguments_, [&] {
    prepare();
    arguments_->run(context);
  });
  has_run_ = true;
}

Solver Call::make_solver(Context& context) {
  if (operation_.role != Role::solver && operation_.role != Role::solver_only)
    refuse_argument(operation_.name, "makes no solver");
  Solver solver = with_own_names(operation_, *arguments_, [&] {
    prepare();
    return arguments_->make_solver(context);
  });
  for (const auto& [output, raster] : own_) solver.memory.push_back(raster);
  has_run_ = true;
  return solver;
}

void Call::run_on(Solver& solver) {
  if (operation_.role != Role::solver_function)
    refuse_argument(operation_.name, "does not run on a solver");
  prepare();
  arguments_->run_on(solver);
  has_run_ = true;
}

}  // namespace thiessen
