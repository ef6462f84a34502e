// SPDX-License-Identifier: Apache-2.0
#include "inputs/sites/site_labels.hpp"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <type_traits>
#include <variant>
#include <vector>

#include "io/raster/cell_values.hpp"
#include "slabs/file_rows.hpp"
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

/// Takes away the values that sites have as labels.
void drop_taken(const Sites& sites, RowSource* cells, std::vector<LabelValue>& values) {
  const auto drop = [&](const View<const void>& labels) {
    std::erase_if(values, [&](const LabelValue& value) { return io::any_holds(labels, value); });
  };
  if (sites.are_points() && sites.point_labels) return drop(sites.point_labels.view());
  if (sites.are_points() || sites.raster.element_type() == ElementType::boolean) {
    // Numbers begin with 1.
    std::erase_if(values, [](const LabelValue& value) {
      return std::visit([](auto number) { return number >= 1; }, value);
    });
    return;
  }
  if (sites.layer)
    return drop(as_usage_error([&] { return sites.layer->attributes().labels; }).view());
  for_each_rows(*cells, [&](const SlabRows&, const View<const void>& rows) { drop(rows); });
}

}  // namespace

bool has_label(const Sites& sites, RowSource* cells, const LabelValue& label) {
  std::vector<LabelValue> spare{label};
  drop_taken(sites, cells, spare);
  return spare.empty();
}

LabelValue label_of_unreached(const std::string& text, const Sites& sites) {
  if (!text.empty()) return parse_label("--unreached", text);
  return sites.free_nodata ? *sites.nodata : LabelValue(std::int64_t{0});
}

LabelValue spare_label(const Sites& sites, RowSource* cells, const LabelValue& unreached) {
  constexpr std::size_t kTogether = 8;  // which one look at the labels is for
  const std::vector<LabelValue> all = visit_element_type(
      sites.label_type(), []<class T>(std::type_identity<T>) { return candidates<T>(); });
  for (std::size_t first = 0; first < all.size(); first += kTogether) {
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
    std::vector<LabelValue> some(
        begin, begin + static_cast<std::ptrdiff_t>(std::min(kTogether, all.size() - first)));
    std::erase_if(some, [&](const LabelValue& label) {
      return io::label_text(label) == io::label_text(unreached);
    });
    drop_taken(sites, cells, some);
    if (!some.empty()) return some.front();
  }
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
                 io::label_text(label).c_str());
  std::visit([&](auto value) { report.set("output_nodata", value); }, label);
}

}  // namespace thiessen::cli
