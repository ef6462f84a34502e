// SPDX-License-Identifier: Apache-2.0
//
// The C API by the tables of all operations: each name is taken and each wrong value refused. Then
// what no table says: null pointers, arrays that make no sense, contexts, errors.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "support/c/call.hpp"
#include "thiessen/version.hpp"

namespace thiessen {
namespace {

using testing::CCall;
using testing::CContext;

/// Expects a refusal whose text begins with the name of the argument, which is told as well.
void expect_refused(thiessen_status status, const std::string& argument) {
  EXPECT_EQ(status, THIESSEN_INVALID_ARGUMENT) << argument;
  EXPECT_EQ(std::string(thiessen_last_error()).rfind(argument, 0), 0U) << thiessen_last_error();
  EXPECT_EQ(thiessen_last_error_argument(), argument) << thiessen_last_error();
}

/// Calls visit(operation, row, name) for the rows of one kind of all operations.
template <class Row>
void for_each_row(std::span<const Row> Operation::*rows,
                  const std::function<void(const Operation&, const Row&, const char*)>& visit) {
  for (const Operation* operation : operations())
    for (const Row& row : operation->*rows) {
      SCOPED_TRACE(std::string(operation->name) + ": " + std::string(row.name));
      visit(*operation, row, row.name.data());
    }
}

thiessen_status set(thiessen_call* call, const char* name, const Value& value) {
  if (const auto* flag = std::get_if<bool>(&value))
    return thiessen_set_flag(call, name, *flag ? 1 : 0);
  if (const auto* count = std::get_if<std::int64_t>(&value))
    return thiessen_set_integer(call, name, *count);
  if (const auto* count = std::get_if<std::uint64_t>(&value))
    return thiessen_set_unsigned(call, name, *count);
  if (const auto* number = std::get_if<double>(&value))
    return thiessen_set_number(call, name, *number);
  if (const auto* text = std::get_if<std::string>(&value))
    return thiessen_set_text(call, name, text->c_str());
  if (std::holds_alternative<std::monostate>(value)) return thiessen_set_default(call, name);
  std::vector<double> numbers;
  for (const LabelValue& each : std::get<std::vector<LabelValue>>(value))
    numbers.push_back(std::visit([](auto number) { return static_cast<double>(number); }, each));
  return thiessen_set_numbers(call, name, numbers.data(), numbers.size());
}

TEST(CTables, DefaultsAreTaken) {
  for_each_row<Field>(
      &Operation::fields, [](const Operation& operation, const Field& field, const char* name) {
        if (field.get == nullptr) return;
        CCall call(operation.name);
        EXPECT_EQ(set(call.get(), name, field.get(operation.defaults())), THIESSEN_OK)
            << thiessen_last_error();
        EXPECT_EQ(thiessen_set_default(call.get(), name), THIESSEN_OK);
        EXPECT_EQ(thiessen_set_text(call.get(), name, nullptr), THIESSEN_OK);
      });
}

TEST(CTables, ChoicesAreTakenAndOthersRefused) {
  for_each_row<Field>(
      &Operation::fields, [](const Operation& operation, const Field& field, const char* name) {
        if (field.choices.empty()) return;
        CCall call(operation.name);
        for (const std::string_view choice : field.choices)
          EXPECT_EQ(thiessen_set_text(call.get(), name, std::string(choice).c_str()), THIESSEN_OK);
        expect_refused(thiessen_set_text(call.get(), name, "nonsense"), name);
        expect_refused(thiessen_set_number(call.get(), name, 0.5), name);
      });
}

TEST(CTables, ValuesOfAnotherKindAreRefused) {
  for_each_row<Field>(&Operation::fields,
                      [](const Operation& operation, const Field& field, const char* name) {
                        CCall call(operation.name);
                        const bool is_word = field.kind == Kind::choice || field.kind == Kind::text;
                        expect_refused(is_word ? thiessen_set_number(call.get(), name, 2.5)
                                               : thiessen_set_text(call.get(), name, "word"),
                                       name);
                        if (field.kind == Kind::flag) {
                          expect_refused(thiessen_set_flag(call.get(), name, 2), name);
                          expect_refused(thiessen_set_flag(call.get(), name, -1), name);
                        }
                        if (field.kind == Kind::count)
                          expect_refused(thiessen_set_number(call.get(), name, 1.5), name);
                        if (field.kind == Kind::number) {
                          const std::int64_t list[] = {1, 2};
                          expect_refused(thiessen_set_integers(call.get(), name, list, 2), name);
                          expect_refused(thiessen_set_number(call.get(), name, std::nan("")), name);
                        }
                      });
}

TEST(CTables, NumbersOutOfRangeAreRefused) {
  for_each_row<Field>(&Operation::fields, [](const Operation& operation, const Field& field,
                                             const char* name) {
    CCall call(operation.name);
    std::vector<double> wrong;
    if (std::isfinite(field.range.least)) wrong.push_back(field.range.least - 1);
    if (field.range.is_open) wrong.push_back(field.range.least);
    if (std::isfinite(field.range.greatest)) wrong.push_back(field.range.greatest + 1);
    for (const double number : wrong) {
      const std::vector<double> list(4, number);
      const bool is_list = field.kind == Kind::numbers || field.kind == Kind::counts;
      if (is_list)
        EXPECT_NE(thiessen_set_numbers(call.get(), name, list.data(), list.size()), THIESSEN_OK);
      else
        expect_refused(thiessen_set_number(call.get(), name, number), name);
    }
  });
}

TEST(CTables, ArraysOfAnotherTypeAreRefused) {
  for_each_row<Input>(
      &Operation::inputs, [](const Operation& operation, const Input& input, const char* name) {
        CCall call(operation.name);
        const std::int64_t extents[] = {2, 2};
        const std::uint16_t cells[4] = {};  // no input has this type
        const thiessen_array array = thiessen_contiguous(cells, THIESSEN_U16, 2, extents);
        const thiessen_array none{};
        EXPECT_EQ(thiessen_set_input(call.get(), name, nullptr), THIESSEN_OK);
        EXPECT_EQ(thiessen_set_input(call.get(), name, &none), THIESSEN_OK);
        if (input.has_type)
          expect_refused(thiessen_set_input(call.get(), name, &array), name);
        else
          EXPECT_EQ(thiessen_set_input(call.get(), name, &array), THIESSEN_OK);
      });
  for_each_row<Output>(
      &Operation::outputs, [](const Operation& operation, const Output& output, const char* name) {
        CCall call(operation.name);
        const std::int64_t extents[] = {2, 2};
        std::uint16_t cells[4] = {};
        const thiessen_array array = thiessen_contiguous(cells, THIESSEN_U16, 2, extents);
        if (output.type == TypeRule::fixed)
          expect_refused(thiessen_set_output(call.get(), name, &array), name);
        EXPECT_EQ(thiessen_want(call.get(), name),
                  output.is_read ? THIESSEN_INVALID_ARGUMENT : THIESSEN_OK);
        EXPECT_EQ(thiessen_set_output(call.get(), name, nullptr), THIESSEN_OK);
      });
}

TEST(CTables, ACallThatHasNotRunHasNoResults) {
  for_each_row<Result>(&Operation::results,
                       [](const Operation& operation, const Result&, const char* name) {
                         EXPECT_EQ(CCall(operation.name).get(name).rank, 0);
                       });
}

TEST(CTables, UnknownNamesAreRefused) {
  for (const Operation* operation : operations()) {
    SCOPED_TRACE(operation->name);
    CCall call(operation->name);
    thiessen_array array{};
    expect_refused(thiessen_set_number(call.get(), "nonsense_", 1), "nonsense_");
    expect_refused(thiessen_set_input(call.get(), "nonsense_", &array), "nonsense_");
    expect_refused(thiessen_set_output(call.get(), "nonsense_", &array), "nonsense_");
    expect_refused(thiessen_want(call.get(), "nonsense_"), "nonsense_");
    expect_refused(thiessen_get_output(call.get(), "nonsense_", &array), "nonsense_");
  }
  thiessen_call* call = nullptr;
  expect_refused(thiessen_call_new("nearest_sites", &call), "nearest_sites");
  EXPECT_STREQ(thiessen_last_error(), "nearest_sites is no operation; did you mean nearest_site?");
  EXPECT_EQ(call, nullptr);
}

TEST(CTables, AreDescribed) {
  const std::string json = thiessen_describe();
  const auto expect_name = [&](std::string_view name) {
    EXPECT_NE(json.find("\"name\": \"" + std::string(name) + '"'), std::string::npos) << name;
  };
  for (const Operation* operation : operations()) {
    expect_name(operation->name);
    for (const Input& row : operation->inputs) expect_name(row.name);
    for (const Field& row : operation->fields) expect_name(row.name);
    for (const Output& row : operation->outputs) expect_name(row.name);
    for (const Result& row : operation->results) expect_name(row.name);
  }
  EXPECT_NE(json.find("\"default\": [\"inf\", \"inf\"]"), std::string::npos);
  EXPECT_EQ(std::count(json.begin(), json.end(), '{'), std::count(json.begin(), json.end(), '}'));
}

/// A raster of 2 x 3 cells.
class CApi : public ::testing::Test {
 protected:
  CApi() {
    sites_ = testing::to_array(View<const std::uint8_t>(cells_.data(), {2, 3}));
    labels_ = testing::to_array(View<const std::uint8_t>(found_.data(), {2, 3}));
  }

  thiessen_status run() {
    if (const thiessen_status status = thiessen_set_input(call_.get(), "sites", &sites_))
      return status;
    if (const thiessen_status status = thiessen_set_output(call_.get(), "labels", &labels_))
      return status;
    return thiessen_run(context_.get(), call_.get());
  }

  /// Expects that a spoilt array is refused with these words, and that nothing was written.
  void refused(const std::string& words, const std::function<void()>& spoil) {
    const thiessen_array sites = sites_, labels = labels_;
    spoil();
    EXPECT_EQ(run(), THIESSEN_INVALID_ARGUMENT) << words;
    EXPECT_NE(std::string(thiessen_last_error()).find(words), std::string::npos)
        << thiessen_last_error() << " lacks " << words;
    EXPECT_EQ(found_, std::vector<std::uint8_t>(6, 99));
    sites_ = sites;
    labels_ = labels;
  }

  CContext context_;
  CCall call_{"nearest_site"};
  std::vector<std::uint8_t> cells_ = {0, 0, 7, 4, 0, 0};
  std::vector<std::uint8_t> found_ = std::vector<std::uint8_t>(6, 99);
  thiessen_array sites_, labels_;
};

TEST_F(CApi, Runs) {
  EXPECT_EQ(run(), THIESSEN_OK) << thiessen_last_error();
  EXPECT_EQ(found_, (std::vector<std::uint8_t>{4, 7, 7, 4, 4, 7}));
  thiessen_array array{};
  EXPECT_EQ(thiessen_get_output(call_.get(), "labels", &array), THIESSEN_OK);
  EXPECT_EQ(array.data, found_.data());
  EXPECT_EQ(thiessen_get_output(call_.get(), "distance", &array), THIESSEN_OK);
  EXPECT_EQ(array.rank, 0);
}

TEST_F(CApi, ArraysThatMakeNoSense) {
  constexpr std::int64_t kSmallest = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
  refused("sites.rank = -1; must be 0 to 5", [&] { sites_.rank = -1; });
  refused("sites.rank = 6", [&] { sites_.rank = 6; });
  refused("sites is missing", [&] { sites_.rank = 0; });
  refused("sites has 4 axes", [&] { sites_.rank = 4; });
  refused("sites.type = 11; must be 0 to 10", [&] { sites_.type = 11; });
  refused("sites.type = -1", [&] { sites_.type = -1; });
  refused("sites.memory = 7", [&] { sites_.memory = 7; });
  refused("memory of a CUDA device; device = cpu", [&] { sites_.memory = THIESSEN_CUDA; });
  refused("sites.extents[1] = -3; must be >= 0", [&] { sites_.extents[1] = -3; });
  refused("sites.extents[0] = -9223372036854775808", [&] { sites_.extents[0] = kSmallest; });
  refused("at most 2^30", [&] { sites_.extents[0] = kLargest; });
  refused("sites is a null pointer", [&] { sites_.data = nullptr; });
  refused("sites has strides that lead out of memory", [&] { sites_.strides[0] = kLargest; });
  refused("sites has strides that lead out of memory", [&] { sites_.strides[1] = kSmallest; });
  refused("labels has strides that lead out", [&] { labels_.strides[1] = kSmallest; });
  refused("labels has the stride[0] = 2", [&] { labels_.strides[0] = 2; });
  refused("labels has the stride[1] = 0", [&] { labels_.strides[1] = 0; });
  refused("labels has the extents 2x2", [&] { labels_.extents[1] = 2; });
  refused("labels is a null pointer", [&] { labels_.data = nullptr; });
  refused("labels overlaps the sites", [&] { labels_.data = cells_.data(); });
  const std::int64_t extents[] = {2, 3};
  refused("sites.rank = -1",
          [&] { sites_ = thiessen_contiguous(cells_.data(), THIESSEN_U8, 2, nullptr); });
  refused("sites.rank = 9",
          [&] { sites_ = thiessen_contiguous(cells_.data(), THIESSEN_U8, 9, extents); });
  refused("sites.type = 77", [&] { sites_ = thiessen_contiguous(cells_.data(), 77, 2, extents); });
}

TEST_F(CApi, StridesOfAnySign) {
  sites_.data = cells_.data() + 5;
  sites_.strides[0] = -3;
  sites_.strides[1] = -1;
  EXPECT_EQ(run(), THIESSEN_OK) << thiessen_last_error();
  EXPECT_EQ(found_, (std::vector<std::uint8_t>{7, 4, 4, 7, 7, 4}));
}

TEST_F(CApi, StridesOfOneCellMeanNothing) {
  sites_.extents[0] = labels_.extents[0] = 1;
  sites_.strides[0] = labels_.strides[0] = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(run(), THIESSEN_OK) << thiessen_last_error();
  EXPECT_EQ(found_[0], 7);
}

TEST_F(CApi, NullPointers) {
  thiessen_call* const call = call_.get();
  thiessen_array array{};
  const thiessen_status statuses[] = {thiessen_call_new(nullptr, nullptr),
                                      thiessen_context_new("cpu", 0, nullptr, nullptr),
                                      thiessen_set_flag(nullptr, "strict", 1),
                                      thiessen_set_flag(call, nullptr, 1),
                                      thiessen_set_number(nullptr, "max_distance", 1),
                                      thiessen_set_integer(call, nullptr, 1),
                                      thiessen_set_unsigned(nullptr, "seed", 1),
                                      thiessen_set_text(nullptr, "method", "exact"),
                                      thiessen_set_numbers(call, "spacing", nullptr, 1),
                                      thiessen_set_integers(call, nullptr, nullptr, 0),
                                      thiessen_set_unsigneds(call, "values", nullptr, 1),
                                      thiessen_set_default(nullptr, "k"),
                                      thiessen_set_input(nullptr, "sites", &array),
                                      thiessen_set_input(call, nullptr, &array),
                                      thiessen_set_output(call, nullptr, &array),
                                      thiessen_want(call, nullptr),
                                      thiessen_get_output(call, "labels", nullptr),
                                      thiessen_get_output(nullptr, "labels", &array),
                                      thiessen_run(nullptr, call),
                                      thiessen_run(context_.get(), nullptr),
                                      thiessen_context_release_scratch(nullptr),
                                      thiessen_context_synchronize(nullptr),
                                      thiessen_context_on_progress(nullptr, nullptr, nullptr),
                                      thiessen_devices_json(nullptr)};
  for (const thiessen_status status : statuses) EXPECT_EQ(status, THIESSEN_INVALID_ARGUMENT);
  EXPECT_STREQ(thiessen_last_error(), "json is a null pointer");
  thiessen_call_free(nullptr);
  thiessen_context_free(nullptr);
  thiessen_context_cancel(nullptr);
  EXPECT_STREQ(thiessen_context_device(nullptr), "");
  EXPECT_EQ(thiessen_context_threads(nullptr), 0);
  EXPECT_EQ(thiessen_context_scratch_bytes(nullptr), 0U);
  EXPECT_EQ(thiessen_context_warning(nullptr, 0, nullptr), nullptr);
}

TEST_F(CApi, LabelsOf63BitsAndMore) {
  const std::vector<std::uint64_t> cells = {0, ~0ULL, 5, 0};
  const std::uint64_t value = ~0ULL;
  CCall call("nearest_site");
  call.input("sites", View<const std::uint64_t>(cells.data(), {2, 2})).want("labels");
  EXPECT_EQ(thiessen_set_unsigneds(call.get(), "values", &value, 1), THIESSEN_OK);
  EXPECT_EQ(thiessen_set_unsigned(call.get(), "unreached", value - 1), THIESSEN_OK);
  call.run(context_);
  EXPECT_EQ(call.list<std::uint64_t>("labels"), std::vector<std::uint64_t>(4, value));
}

TEST_F(CApi, Warnings) {
  std::fill(cells_.begin(), cells_.end(), std::uint8_t{0});
  ASSERT_EQ(run(), THIESSEN_OK);
  std::int64_t count = -1;
  EXPECT_STREQ(thiessen_context_warning(context_.get(), 0, &count),
               "no site: all cells are 0, NaN or nodata, so every cell is unreached");
  EXPECT_EQ(count, 1);
  EXPECT_EQ(thiessen_context_warning(context_.get(), 1, nullptr), nullptr);
  call_.flag("strict");
  EXPECT_EQ(run(), THIESSEN_INVALID_ARGUMENT);
}

TEST_F(CApi, Contexts) {
  thiessen_context* context = nullptr;
  ASSERT_EQ(thiessen_context_new("cpu", 2, nullptr, &context), THIESSEN_OK);
  EXPECT_STREQ(thiessen_context_device(context), "cpu");
  EXPECT_EQ(thiessen_context_threads(context), 2);
  ASSERT_EQ(run(), THIESSEN_OK);
  EXPECT_EQ(thiessen_run(context, call_.get()), THIESSEN_OK);
  EXPECT_GT(thiessen_context_scratch_bytes(context), 0U);
  EXPECT_EQ(thiessen_context_release_scratch(context), THIESSEN_OK);
  EXPECT_EQ(thiessen_context_scratch_bytes(context), 0U);
  EXPECT_EQ(thiessen_context_synchronize(context), THIESSEN_OK);
  thiessen_context_free(context);
  EXPECT_EQ(thiessen_context_new(nullptr, -1, nullptr, &context), THIESSEN_INVALID_ARGUMENT);
  EXPECT_EQ(context, nullptr);
  EXPECT_EQ(thiessen_context_new("abacus", 1, nullptr, &context), THIESSEN_INVALID_ARGUMENT);
  EXPECT_EQ(std::string(thiessen_last_error()).find("device = abacus"), 0U);
  EXPECT_EQ(thiessen_context_new("cpu", 1, &context, &context), THIESSEN_INVALID_ARGUMENT);
}

TEST_F(CApi, ProgressAndCancellation) {
  std::vector<double> fractions;
  const thiessen_progress note = [](double fraction, void* user) {
    static_cast<std::vector<double>*>(user)->push_back(fraction);
    return 0;
  };
  ASSERT_EQ(thiessen_context_on_progress(context_.get(), note, &fractions), THIESSEN_OK);
  ASSERT_EQ(run(), THIESSEN_OK);
  ASSERT_FALSE(fractions.empty());
  EXPECT_EQ(fractions.back(), 1);

  const thiessen_progress stop = [](double, void*) { return 1; };
  std::vector<std::uint8_t> cells(512 * 512);
  std::vector<std::uint8_t> labels(cells.size());
  sites_ = testing::to_array(View<const std::uint8_t>(cells.data(), {512, 512}));
  labels_ = testing::to_array(View<const std::uint8_t>(labels.data(), {512, 512}));
  ASSERT_EQ(thiessen_context_on_progress(context_.get(), stop, nullptr), THIESSEN_OK);
  EXPECT_EQ(run(), THIESSEN_CANCELLED);
  ASSERT_EQ(thiessen_context_on_progress(context_.get(), nullptr, nullptr), THIESSEN_OK);
  EXPECT_EQ(run(), THIESSEN_OK);
  thiessen_context_cancel(context_.get());
  EXPECT_EQ(run(), THIESSEN_CANCELLED);
  EXPECT_EQ(run(), THIESSEN_OK);
}

TEST_F(CApi, ErrorsAreThoseOfTheThread) {
  sites_.rank = 6;
  EXPECT_EQ(run(), THIESSEN_INVALID_ARGUMENT);
  EXPECT_STRNE(thiessen_last_error(), "");
  std::thread([] {
    EXPECT_STREQ(thiessen_last_error(), "");
    EXPECT_STREQ(thiessen_last_error_argument(), "");
  }).join();
}

TEST_F(CApi, LongErrorsAreCut) {
  const std::string name(10000, 'm');
  EXPECT_NE(thiessen_set_text(call_.get(), "method", name.c_str()), THIESSEN_OK);
  EXPECT_EQ(std::strlen(thiessen_last_error()), 511U);
  EXPECT_NE(thiessen_set_text(call_.get(), name.c_str(), "exact"), THIESSEN_OK);
  EXPECT_EQ(std::strlen(thiessen_last_error_argument()), 63U);
}

TEST(CApiNames, StatusVersionDevices) {
  EXPECT_STREQ(thiessen_status_name(THIESSEN_OK), "ok");
  EXPECT_STREQ(thiessen_status_name(THIESSEN_OUT_OF_MEMORY), "out_of_memory");
  EXPECT_STREQ(thiessen_status_name(THIESSEN_INTERNAL), "internal");
  EXPECT_STREQ(thiessen_status_name(-5), "unknown");
  EXPECT_EQ(std::string(thiessen_version()), std::to_string(THIESSEN_VERSION_MAJOR) + '.' +
                                                 std::to_string(THIESSEN_VERSION_MINOR) + '.' +
                                                 std::to_string(THIESSEN_VERSION_PATCH));
  EXPECT_STREQ(version(), thiessen_version());
  const char* json = nullptr;
  ASSERT_EQ(thiessen_devices_json(&json), THIESSEN_OK);
  EXPECT_EQ(std::string(json).find("[{\"name\": \"cpu\", \"description\": \""), 0U) << json;
  for (const char* const method :
       {R"({"name": "exact", "exact": true, "approximate_metrics": []})",
        R"({"name": "chamfer", "exact": true, "approximate_metrics": ["octagonal"]})",
        R"({"name": "jfa", "exact": false, "approximate_metrics": []})"})
    EXPECT_NE(std::string(json).find(method), std::string::npos) << method;
}

}  // namespace
}  // namespace thiessen
