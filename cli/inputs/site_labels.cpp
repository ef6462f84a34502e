// SPDX-License-Identifier: Apache-2.0
#include "inputs/site_labels.hpp"

#include <cstdio>
#include <limits>
#include <type_traits>
#include <variant>
#include <vector>

#include "inputs/cell_values.hpp"
#include "thiessen/element_visit.hpp"
#include "words/arguments.hpp"

namespace thiessen::cli {
namespace {

/// Values that are no likely label, the best ones first.
template <class T>
std::vector<LabelValue> candidates() {
  using Wide = std::conditional_t<std::is_unsigned_v<T>, std::uint64_t, std::int64_t>;
  constexpr int kTries = 1 << 16;
  constexpr T kLeast = std::numeric_limits<T>::lowest(), kMost = std::numeric_limits<T>::max();
  if constexpr (std::is_floating_point_v<T>) {
    return {std::numeric_limits<double>::quiet_NaN(), double{kLeast}, double{kMost}};
  } else {
    std::vector<LabelValue> values;
    if (std::is_signed_v<T>) values = {std::int64_t{-1}, static_cast<Wide>(kLeast)};
    Wide value = kMost;
    for (int i = 0; i < kTries && value >= Wide{kLeast}; ++i, --value) {
      values.emplace_back(value);
      if (value == Wide{kLeast}) break;
    }
    return values;
  }
}

}  // namespace

bool has_label(const Sites& sites, const LabelValue& label) {
  const Raster& labels = sites.are_points() ? sites.point_labels : sites.raster;
  const bool own = labels.extents().rank() > 0 && labels.element_type() != ElementType::boolean;
  if (own) return any_holds(labels.view(), label);
  // Numbers begin with 1.
  return std::visit([](auto value) { return value >= 1; }, label);
}

LabelValue label_of_unreached(const std::string& text, const Sites& sites) {
  if (!text.empty()) return parse_label("--unreached", text);
  return sites.free_nodata ? *sites.nodata : LabelValue(std::int64_t{0});
}

LabelValue spare_label(const Sites& sites, const LabelValue& unreached) {
  // A layer that is burned some rows at a time is not in memory.
  const bool is_burned = !sites.layer || sites.raster.extents().count() > 0;
  const Raster of_layer =
      is_burned ? Raster() : as_usage([&] { return sites.layer->attributes().labels; });
  const auto is_taken = [&](const LabelValue& label) {
    return text_of(label) == text_of(unreached) ||
           (is_burned ? has_label(sites, label) : any_holds(of_layer.view(), label));
  };
  const std::vector<LabelValue> all = visit_element_type(
      sites.label_type(), []<class T>(std::type_identity<T>) { return candidates<T>(); });
  for (const LabelValue& label : all)
    if (!is_taken(label)) return label;
  throw UsageError(
      "--output-nodata is missing: cells outside of the domain need a label, and sites have all "
      "values of the labels' type " +
      std::string(name_of(sites.label_type())));
}

void tell_spare_label(const LabelValue& label, const TalkArguments& talk, Report& report) {
  if (!talk.quiet)
    std::fprintf(stderr,
                 "thiessen: cells outside of the domain have the label %s; --output-nodata "
                 "chooses another\n",
                 text_of(label).c_str());
  std::visit([&](auto value) { report.set("output_nodata", value); }, label);
}

}  // namespace thiessen::cli
