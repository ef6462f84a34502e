// SPDX-License-Identifier: Apache-2.0
//
// Calls by names, and the tables that they walk.
#include "api/call/call.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "operations/rows/operation.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

/// What a call throws, as "argument|value|rule".
std::string refusal_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    const BrokenRule& broken = error.broken_rule();
    return broken.argument + '|' + broken.value + '|' + broken.rule;
  }
  return "nothing was thrown";
}

/// Calls visit(operation, field) for the options of all operations that take values.
void for_each_field(const std::function<void(const Operation&, const Field&)>& visit) {
  for (const Operation* operation : operations())
    for (const Field& field : operation->fields) {
      SCOPED_TRACE(std::string(operation->name) + ": " + std::string(field.name));
      if (field.set != nullptr) visit(*operation, field);
    }
}

TEST(Tables, DefaultsAreLegalAndNotGiven) {
  for_each_field([](const Operation& operation, const Field& field) {
    const void* const defaults = operation.defaults();
    EXPECT_NO_THROW(field.check(field, defaults));
    EXPECT_FALSE(field.is_given(defaults));
    Call call(operation.name);
    EXPECT_NO_THROW(call.set_option(field.name, field.get(defaults)));
    EXPECT_NO_THROW(call.set_option(field.name, {}));
  });
}

TEST(Tables, EachChoiceIsTaken) {
  for_each_field([](const Operation& operation, const Field& field) {
    Call call(operation.name);
    for (const std::string_view choice : field.choices)
      EXPECT_NO_THROW(call.set_option(field.name, std::string(choice)));
    if (field.choices.empty()) return;
    const std::string refusal =
        refusal_of([&] { call.set_option(field.name, std::string("nonsense")); });
    EXPECT_EQ(refusal.rfind(std::string(field.name) + "|nonsense|must be one of ", 0), 0U)
        << refusal;
  });
}

TEST(Tables, ValuesOfAnotherKindAreRefused) {
  for_each_field([](const Operation& operation, const Field& field) {
    Call call(operation.name);
    const Value wrong = field.kind == Kind::choice || field.kind == Kind::text
                            ? Value(2.5)
                            : Value(std::string("word"));
    EXPECT_THROW(call.set_option(field.name, wrong), Error);
  });
}

TEST(Tables, NumbersOutOfRangeAreRefused) {
  for_each_field([](const Operation& operation, const Field& field) {
    Call call(operation.name);
    const bool has_range = field.kind == Kind::number || field.kind == Kind::numbers ||
                           field.kind == Kind::count || field.kind == Kind::counts;
    if (!has_range) return;
    std::vector<double> wrong;
    if (std::isfinite(field.range.least)) wrong.push_back(field.range.least - 1);
    if (field.range.is_open) wrong.push_back(field.range.least);
    if (std::isfinite(field.range.greatest)) wrong.push_back(field.range.greatest + 1);
    for (const double number : wrong)
      EXPECT_THROW(call.set_option(field.name, number), Error) << number;
    if (field.kind == Kind::number) {
      EXPECT_THROW(call.set_option(field.name, std::nan("")), Error);
    }
  });
}

TEST(CallByNames, GivesTheBitsOfTheFunction) {
  const std::vector<std::uint8_t> cells = {0, 0, 7, 4, 0, 0, 0, 0, 0, 0, 0, 9};
  const View<const std::uint8_t> sites(cells.data(), {3, 4});
  Call call("nearest_site");
  call.set_input("sites", sites);
  call.set_option("metric", std::string("manhattan"));
  call.set_option("spacing", std::vector<LabelValue>{2.0, std::int64_t{1}});
  call.set_option("max_distance", std::int64_t{3});
  for (const char* name : {"labels", "site_index", "distance", "offset", "direction"})
    call.want(name);
  Context context;
  call.run(context);
  NearestSite owned =
      nearest_site(sites, {.metric = Metric::manhattan, .spacing = {2, 1}, .max_distance = 3},
                   {.site_index = true, .offset = true, .direction = true});
  NearestSiteOutputs views = owned.outputs();
  for (const Output& output : call.operation().outputs) {
    const View<void> own = output.get(&views);
    if (!own) continue;
    const View<const void> found = call.output(output.name);
    ASSERT_EQ(found.extents(), own.extents()) << output.name;
    ASSERT_EQ(found.element_type(), own.element_type()) << output.name;
    EXPECT_EQ(
        std::memcmp(found.bytes(), own.bytes(),
                    static_cast<std::size_t>(own.extents().count()) * size_of(own.element_type())),
        0)
        << output.name;
  }
}

TEST(CallByNames, SaysWhatIsWrong) {
  Call call("nearest_site");
  EXPECT_EQ(refusal_of([] { Call("nearest_sites"); }),
            "nearest_sites||is no operation; did you mean nearest_site?");
  EXPECT_EQ(refusal_of([&] { call.set_option("max_distnce", 1.0); }),
            "max_distnce||is no option of nearest_site; did you mean max_distance?");
  EXPECT_EQ(refusal_of([&] { call.set_option("max_distance", -1.0); }),
            "max_distance|-1|must be >= 0");
  EXPECT_EQ(refusal_of([&] { call.set_option("spacing", 0.0); }),
            "spacing[0]|0|must be finite and > 0");
  EXPECT_EQ(refusal_of([&] { call.set_option("k", std::int64_t{2000}); }),
            "k|2000|must be from 0 to 1024");
  const std::string method = refusal_of([&] { call.set_option("method", std::string("JFA*+1")); });
  EXPECT_NE(method.find("did you mean jfa-star?"), std::string::npos) << method;
  EXPECT_EQ(refusal_of([&] { call.want("labls"); }),
            "labls||is no output of nearest_site; did you mean labels?");
  EXPECT_EQ(refusal_of([&] { call.set_option("on_pass", 1.0); }),
            "on_pass||is a function, which only C++ can pass");
}

/// Whether no name stands twice.
bool are_unique(std::vector<std::string_view> names) {
  std::sort(names.begin(), names.end());
  return std::adjacent_find(names.begin(), names.end()) == names.end();
}

/// What a caller gives has unique names, and so has what he gets.
TEST(Tables, NamesAreUnique) {
  for (const Operation* operation : operations()) {
    std::vector<std::string_view> given, got;
    for (const Input& input : operation->inputs) given.push_back(input.name);
    for (const Field& field : operation->fields) given.push_back(field.name);
    for (const Output& output : operation->outputs) given.push_back(output.name);
    for (const Output& output : operation->outputs) got.push_back(output.name);
    for (const Result& result : operation->results) got.push_back(result.name);
    EXPECT_TRUE(are_unique(given)) << operation->name;
    EXPECT_TRUE(are_unique(got)) << operation->name;
  }
}

TEST(CallByNames, SetsAStructBackWithItsLastOption) {
  Call call("nearest_site");
  const std::vector<std::uint8_t> cells(6, 1);
  call.set_input("sites", View<const std::uint8_t>(cells.data(), {2, 3}));
  call.set_option("latitude", std::vector<LabelValue>{1.0, 2.0});
  call.set_option("longitude", std::vector<LabelValue>{1.0, 2.0, 3.0});
  call.set_option("flattening", {});
  call.set_option("metric", std::string("ellipsoidal"));
  call.want("distance");
  Context context;
  call.run(context);
  for (const char* name : {"latitude", "longitude", "metric"}) call.set_option(name, {});
  EXPECT_NO_THROW(call.run(context));
}

TEST(CallByNames, ShowsNothingAfterARunThatFailed) {
  Call call("nearest_site");
  const std::vector<std::uint8_t> cells(6, 1);
  call.set_input("sites", View<const std::uint8_t>(cells.data(), {2, 3}));
  call.want("labels");
  EXPECT_FALSE(call.output("labels"));
  Context context;
  call.run(context);
  EXPECT_TRUE(call.output("labels"));
  call.set_option("spacing", std::vector<LabelValue>{1.0, 1.0, 1.0});
  EXPECT_THROW(call.run(context), Error);
  EXPECT_FALSE(call.output("labels"));
}

TEST(CallByNames, CountsNeighboursByTheAxesOfTheRaster) {
  const std::vector<float> map(12, 1);
  const std::vector<std::uint8_t> cells = {0, 0, 7, 4, 0, 0, 0, 0, 0, 0, 0, 9};
  Context context;
  Call call("cost_distance");
  call.set_input("cost", View<const float>(map.data(), {3, 4}));
  call.set_input("sites", View<const std::uint8_t>(cells.data(), {3, 4}));
  call.want("distance");
  call.set_option("connectivity", std::int64_t{4});
  call.run(context);
  EXPECT_EQ(static_cast<std::int64_t>(call.output("ignored_sites").extents().count()), 1);
  call.set_option("connectivity", std::int64_t{26});
  EXPECT_EQ(refusal_of([&] { call.run(context); }),
            "connectivity|26|must be a number of neighbours that rasters of 2 axes have");
}

TEST(NearestSite, MeasuresToZeros) {
  const std::vector<std::uint8_t> cells = {3, 3, 0, 3, 7, 7, 7, 0};
  const View<const std::uint8_t> sites(cells.data(), {2, 4});
  NearestSite zeros = nearest_site(sites, {.distance_to = DistanceTo::zeros}, {.site_index = true});
  NearestSite listed = nearest_site(sites, {.values = {std::int64_t{0}}}, {.site_index = true});
  EXPECT_TRUE(std::equal(zeros.site_index.begin(), zeros.site_index.end(),
                         listed.site_index.begin(), listed.site_index.end()));
  EXPECT_EQ(zeros.distance.view<float>()(1, 0), std::sqrt(5.0F));
  EXPECT_EQ(refusal_of([&] {
              nearest_site(sites, {.zero_is_site = true, .distance_to = DistanceTo::zeros});
            }),
            "distance_to|zeros|must be sites when other options tell which cells are sites");
}

}  // namespace
}  // namespace thiessen
