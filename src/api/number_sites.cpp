// SPDX-License-Identifier: Apache-2.0
#include "api/number_sites.hpp"

#include <cstring>

#include "core/base/element_width.hpp"

namespace thiessen {
namespace {

template <class Label>
View<const void> number_sites_as(ContextState& state, Scratch::Frame& scratch, const SiteRule& rule,
                                 const View<const void>& mask, std::int64_t before) {
  auto* const numbers = scratch.array<Label>(mask.extents().count());
  Label* label = numbers;
  auto last = static_cast<Label>(before);
  const bool true_is_site = rule.selection != SiteSelection::values;  // the values of a mask are
                                                                      // false
  const bool false_is_site = rule.selection != SiteSelection::nonzero;
  for (std::int64_t z = 0; z < mask.extent(0); ++z)
    for (std::int64_t y = 0; y < mask.extent(1); ++y) {
      const std::byte* cell = address_of(mask, {z, y, 0});
      for (std::int64_t x = 0; x < mask.extent(2); ++x, cell += mask.stride(2))
        *label++ = (*cell != std::byte{0} ? true_is_site : false_is_site) ? ++last : 0;
      state.progress.check();
    }
  return View<const Label>(numbers, mask.extents());
}

}  // namespace

View<const void> number_sites(ContextState& state, Scratch::Frame& scratch, const SiteRule& rule,
                              const View<const void>& mask, ElementType type, std::int64_t before) {
  const PhaseTimer phase(state, "number sites");
  return type == ElementType::i32
             ? number_sites_as<std::int32_t>(state, scratch, rule, mask, before)
             : number_sites_as<std::int64_t>(state, scratch, rule, mask, before);
}

View<const void> labels_of_points(Scratch::Frame& scratch, const View<const void>& labels,
                                  ElementType type, std::int64_t count, const std::int64_t* place) {
  auto* const packed = scratch.array<std::byte>(count * static_cast<std::int64_t>(size_of(type)));
  visit_element_width(type, [&]<class T>(std::type_identity<T>) {
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t at = place == nullptr ? i : place[i];
      auto label = static_cast<T>(at + 1);
      if (labels) std::memcpy(&label, labels.bytes() + at * labels.stride(0), sizeof label);
      std::memcpy(packed + i * std::int64_t{sizeof(T)}, &label, sizeof label);
    }
  });
  return {packed, type, Extents{count}};
}

}  // namespace thiessen
