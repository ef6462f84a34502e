// SPDX-License-Identifier: Apache-2.0
//
// Calls of the C API, whose names and values are drawn from the tables of all operations. Each must
// end with a status that its documentation names, write only the elements of its outputs, and
// nothing at all if it refuses; methods that are exact must agree.
#include <array>
#include <cmath>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "c_calls.hpp"
#include "operations/rows/operation.hpp"
#include "target.hpp"

namespace thiessen::fuzz {
namespace {

/// What the arrays and options of one call have in common.
struct Scene {
  std::vector<std::int64_t> extents;  ///< of the raster
  thiessen_type labels = THIESSEN_I32;
  std::int64_t count = 0;  ///< of points, cells and sites
};

Scene draw_scene(Draw& draw) {
  Scene scene{.extents = draw_extents(draw), .labels = draw.below(11), .count = draw.below(6)};
  if (draw.rarely(8)) scene.extents.insert(scene.extents.begin(), draw.below(4));
  return scene;
}

std::vector<std::int64_t> extents_of(const Scene& scene, const Input& input) {
  if (input.kind == InputKind::raster) return scene.extents;
  if (input.kind == InputKind::points)
    return {scene.count, static_cast<std::int64_t>(scene.extents.size())};
  return {scene.count};
}

thiessen_type type_of(Draw& draw, const Scene& scene, const Input& input) {
  if (draw.rarely(24)) return draw.below(11);
  if (input.has_type) return static_cast<thiessen_type>(input.element);
  if (input.kind == InputKind::points) return draw.rarely(2) ? THIESSEN_F32 : THIESSEN_F64;
  return input.name.find("cost") != std::string_view::npos ? THIESSEN_F32 : scene.labels;
}

Cells draw_input(Draw& draw, const Scene& scene, const Input& input) {
  constexpr std::array<float, 6> kPlaces = {0, 1, 2.5F, 3, -1, 7.25F};
  Cells cells = draw_array(draw, type_of(draw, scene, input), extents_of(scene, input));
  if (input.kind == InputKind::points || input.kind == InputKind::indices)
    cells.fill_with([&] { return draw.rarely(8) ? draw.take<float>() : draw.among(kPlaces); });
  else
    cells.fill(draw);
  return cells;
}

Cells draw_output(Draw& draw, const Scene& scene, const Output& output) {
  std::vector<std::int64_t> extents = scene.extents;
  if (output.axis == FrontAxis::component)
    extents.insert(extents.begin(), static_cast<std::int64_t>(extents.size()));
  if (output.name == "pixels") extents.push_back(3 + draw.below(2));
  thiessen_type type = static_cast<thiessen_type>(output.element);
  if (output.type == TypeRule::distance) type = draw.rarely(3) ? THIESSEN_F64 : THIESSEN_F32;
  if (output.type == TypeRule::labels)
    type = draw.rarely(3) || scene.labels == THIESSEN_BOOL ? THIESSEN_I32 : scene.labels;
  return draw_array(draw, type, extents);
}

double draw_number(Draw& draw, const Range& range) {
  constexpr std::array<double, 8> kReals = {1, 0, 0.5, 2, 0.3, -1, 1e300, 3.14159};
  if (draw.rarely(8)) return draw.take<double>();
  if (draw.rarely(8) && std::isfinite(range.greatest)) return range.greatest;
  return draw.among(kReals);
}

std::int64_t draw_count(Draw& draw) { return draw.rarely(12) ? draw.odd_number() : draw.below(9); }

/// A list for an option of each axis, or of any length.
thiessen_status set_list(Draw& draw, thiessen_call* call, const Field& field, const Scene& scene) {
  const char* const name = field.name.data();
  std::size_t length = static_cast<std::size_t>(draw.below(4));
  if (field.is_per_axis || field.name == "first" || field.name == "from")
    length = scene.extents.size();
  if (field.name == "latitude") length = static_cast<std::size_t>(scene.extents.front());
  if (field.name == "longitude") length = static_cast<std::size_t>(scene.extents.back());
  if (field.name == "shape" && !draw.rarely(8))
    return thiessen_set_integers(call, name, scene.extents.data(), scene.extents.size());
  if (field.kind == Kind::numbers) {
    std::vector<double> numbers;
    for (std::size_t i = 0; i < length; ++i) numbers.push_back(draw_number(draw, field.range));
    return thiessen_set_numbers(call, name, numbers.data(), length);
  }
  std::vector<std::int64_t> counts;
  for (std::size_t i = 0; i < length; ++i)
    counts.push_back(field.kind == Kind::flags ? draw.below(draw.rarely(16) ? 3 : 2)
                                               : draw_count(draw));
  return thiessen_set_integers(call, name, counts.data(), length);
}

thiessen_status set_option(Draw& draw, thiessen_call* call, const Field& field,
                           const Scene& scene) {
  constexpr std::array<const char*, 6> kTexts = {"square", "circle:5",        "circle:65",
                                                 "ff8800", "random-circle:9", "none"};
  const char* const name = field.name.data();
  if (draw.rarely(64)) return thiessen_set_text(call, name, "nonsense");
  switch (field.kind) {
    case Kind::flag:
      return thiessen_set_flag(call, name, draw.rarely(32) ? draw.take<std::int8_t>() : 1);
    case Kind::number:
      return thiessen_set_number(call, name, draw_number(draw, field.range));
    case Kind::count:
    case Kind::label:
      if (draw.rarely(8)) return thiessen_set_unsigned(call, name, draw.take<std::uint64_t>());
      return thiessen_set_integer(call, name, draw_count(draw));
    case Kind::choice: {
      const int choice = draw.below(static_cast<int>(field.choices.size()));
      const std::string word(field.choices[static_cast<std::size_t>(choice)]);
      return thiessen_set_text(call, name, word.c_str());
    }
    case Kind::text:
      return thiessen_set_text(call, name, draw.among(kTexts));
    case Kind::callback:
      return thiessen_set_number(call, name, 1);
    default:
      return set_list(draw, call, field, scene);
  }
}

/// A call and its arrays.
struct Filled {
  explicit Filled(const Operation& own) : operation(own) {
    require(thiessen_call_new(own.name.data(), &call) == THIESSEN_OK, "no call");
  }
  ~Filled() { thiessen_call_free(call); }
  Filled(const Filled&) = delete;
  Filled& operator=(const Filled&) = delete;

  void draw_all(Draw& draw, const Scene& scene) {
    for (const Input& input : operation.inputs)
      if (input.is_required || (!input.one_of.empty() && !draw.rarely(3)) || draw.rarely(4)) {
        inputs.push_back(std::make_unique<Cells>(draw_input(draw, scene, input)));
        check(thiessen_set_input(call, input.name.data(), &inputs.back()->array()));
      }
    for (const Output& output : operation.outputs)
      if (output.is_read || draw.rarely(2)) {
        outputs.push_back(std::make_unique<Cells>(draw_output(draw, scene, output)));
        names.push_back(output.name.data());
      }
    for (const Field& field : operation.fields) {
      const bool is_shape = field.name == "shape";
      if (is_shape || draw.rarely(16)) check(set_option(draw, call, field, scene));
    }
  }

  void set_outputs(const std::vector<std::unique_ptr<Cells>>& cells) const {
    for (std::size_t i = 0; i < cells.size(); ++i)
      check(thiessen_set_output(call, names[i], &cells[i]->array()));
  }

  /// Whether all arrays are small, and the library need not believe that their memory is there.
  bool is_believable() const {
    for (const auto* all : {&inputs, &outputs})
      for (const auto& cells : *all)
        if (!fuzz::is_believable(*cells) || is_long(cells->array())) return false;
    return true;
  }

  static void check(thiessen_status status) {
    require(status == THIESSEN_OK || status == THIESSEN_INVALID_ARGUMENT,
            "a setter failed otherwise");
  }

  const Operation& operation;
  thiessen_call* call = nullptr;
  std::vector<std::unique_ptr<Cells>> inputs, outputs;
  std::vector<const char*> names;
};

std::vector<const Cells*> pointers(const std::vector<std::unique_ptr<Cells>>& cells) {
  std::vector<const Cells*> all;
  for (const auto& each : cells) all.push_back(each.get());
  return all;
}

/// Runs a call with its outputs, or with copies of them.
thiessen_status run(const Filled& filled, const std::vector<std::unique_ptr<Cells>>& outputs) {
  filled.set_outputs(outputs);
  return checked([&] { return thiessen_run(context(), filled.call); }, pointers(outputs));
}

/// Runs the call by each method that is exact: all that can must give the same.
void compare_methods(const Filled& filled, std::initializer_list<const char*> methods) {
  std::vector<std::vector<std::uint8_t>> expected;
  for (const char* const method : methods) {
    if (thiessen_set_text(filled.call, "method", method) != THIESSEN_OK) continue;
    std::vector<std::unique_ptr<Cells>> copies;
    for (const auto& each : filled.outputs) copies.push_back(std::make_unique<Cells>(*each));
    if (run(filled, copies) != THIESSEN_OK) continue;
    std::vector<std::vector<std::uint8_t>> found;
    for (const auto& each : copies) found.push_back(each->elements());
    require(expected.empty() || found == expected, "the methods differ");
    expected = std::move(found);
  }
}

/// Makes a solver, and runs some operations on it.
void follow(Draw& draw, const Scene& scene, const Filled& filled) {
  filled.set_outputs(filled.outputs);
  thiessen_solver* solver = nullptr;
  const thiessen_status made =
      checked([&] { return thiessen_solver_new(context(), filled.call, &solver); },
              pointers(filled.outputs));
  require((made == THIESSEN_OK) == (solver != nullptr), "a solver is there or not");
  for (int step = 0; solver != nullptr && step < 6; ++step) {
    const auto all = operations();
    const Operation& own = *all[static_cast<std::size_t>(draw.below(static_cast<int>(all.size())))];
    if (own.role != Role::solver_function) continue;
    Filled update(own);
    update.draw_all(draw, scene);
    if (!update.is_believable()) continue;
    const thiessen_status status = thiessen_solver_run(solver, update.call);
    require(status == THIESSEN_OK || status == THIESSEN_INVALID_ARGUMENT ||
                status == THIESSEN_UNSUPPORTED,
            thiessen_status_name(status));
  }
  thiessen_solver_free(solver);
}

/// Looks at all results, so that the sanitizers see memory that was never written.
void use_results(const Filled& filled) {
  for (const Result& result : filled.operation.results) {
    thiessen_array array{};
    require(thiessen_get_output(filled.call, result.name.data(), &array) == THIESSEN_OK,
            "a result is not there");
    std::int64_t count = array.rank > 0 ? element_bytes(array.type) : 0;
    for (int axis = 0; axis < array.rank; ++axis) count *= array.extents[axis];
    use_cells(static_cast<const std::byte*>(array.data), static_cast<std::size_t>(count));
  }
}

}  // namespace
}  // namespace thiessen::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace thiessen::fuzz;
  Draw draw(data, size);
  const auto all = thiessen::operations();
  const int place = draw.below(2 * static_cast<int>(all.size()));
  const bool is_other =
      place >= static_cast<int>(all.size());  // half of the calls are of the first
  const thiessen::Operation& operation =
      *all[is_other ? draw.rarely(2) ? 2 : 0 : static_cast<std::size_t>(place)];
  const Scene scene = draw_scene(draw);
  Filled filled(operation);
  filled.draw_all(draw, scene);
  if (!filled.is_believable()) return 0;
  const bool solves = operation.role == thiessen::Role::solver_only ||
                      (operation.role == thiessen::Role::solver && draw.rarely(3));
  if (solves) {
    follow(draw, scene, filled);
  } else {
    run(filled, filled.outputs);
    use_results(filled);
    if (operation.name == "nearest_site" || operation.name == "voronoi")
      compare_methods(filled, {"exact", "brute-force", "circle-growing", "dilation", "expansion"});
    if (operation.name == "cost_distance")
      compare_methods(filled, {"exact", "dijkstra", "relaxation"});
  }
  if (draw.rarely(8)) thiessen_context_release_scratch(context());
  return 0;
}
