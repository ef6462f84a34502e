// SPDX-License-Identifier: Apache-2.0
#include "cuda/job/site_class.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "core/base/rng.hpp"
#include "thiessen/element_visit.hpp"
#include "unit/cuda/job.hpp"

namespace thiessen::cuda {
namespace {

constexpr ElementType kTypes[] = {ElementType::boolean, ElementType::u8,  ElementType::i8,
                                  ElementType::u16,     ElementType::i16, ElementType::u32,
                                  ElementType::i32,     ElementType::u64, ElementType::i64,
                                  ElementType::f32,     ElementType::f64};

/// Values, among them those of the rules.
template <class T>
std::vector<T> some_values() {
  std::vector<T> values = {
      T{0}, T{1}, T{3}, T{7}, std::numeric_limits<T>::max(), std::numeric_limits<T>::lowest()};
  if constexpr (std::is_floating_point_v<T>) {
    constexpr T kNan = std::numeric_limits<T>::quiet_NaN();
    for (const T value : {-T{0}, kNan, -kNan, std::numeric_limits<T>::denorm_min(),
                          std::numeric_limits<T>::infinity()})
      values.push_back(value);
  }
  return values;
}

/// The class of every cell, by the core and by the kernels.
template <class T>
void compare(const SiteRule& rule, const std::vector<T>& cells) {
  std::vector<std::uint8_t> classes(cells.size());
  classify(rule, cells.data(), static_cast<std::int64_t>(cells.size()), classes.data());
  Job job;
  job.rule = host_rule(rule);
  job.sites = {reinterpret_cast<const std::byte*>(cells.data()), sizeof(T)};
  for (std::size_t i = 0; i < cells.size(); ++i)
    EXPECT_EQ(class_of(job, static_cast<std::int64_t>(i)), classes[i])
        << name_of(rule.type) << ", selection " << static_cast<int>(rule.selection) << ", cell "
        << i << (rule.nodata ? ", nodata" : "") << (rule.complement ? ", complement" : "");
}

std::vector<LabelBits> rule_values(ElementType type) {
  const bool is_float = type == ElementType::f32 || type == ElementType::f64;
  std::vector<LabelBits> values = {to_label_bits(std::int64_t{1}, type, "values"),
                                   to_label_bits(std::int64_t{0}, type, "values")};
  if (type != ElementType::boolean)
    values.push_back(to_label_bits(std::int64_t{7}, type, "values"));
  if (is_float)
    values.push_back(to_label_bits(std::numeric_limits<double>::quiet_NaN(), type, "values"));
  return values;
}

TEST(CudaSiteClassTest, EqualsThatOfTheHost) {
  for (const ElementType type : kTypes)
    visit_element_type(type, [&]<class T>(std::type_identity<T>) {
      const std::vector<T> cells = some_values<T>();
      const std::vector<LabelBits> values = rule_values(type);
      for (const auto selection : {SiteSelection::nonzero, SiteSelection::values,
                                   SiteSelection::others, SiteSelection::all})
        for (const bool complement : {false, true}) {
          SiteRule rule{.type = type, .selection = selection, .complement = complement};
          if (selection == SiteSelection::values) rule.values = {values.begin() + 1, values.end()};
          if (selection == SiteSelection::others) rule.values = {values.back()};
          compare(rule, cells);
          for (const LabelBits& nodata : values) {
            rule.nodata = nodata;
            compare(rule, cells);
          }
        }
    });
}

}  // namespace
}  // namespace thiessen::cuda
