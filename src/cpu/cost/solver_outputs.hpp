// SPDX-License-Identifier: Apache-2.0
//
// Writes the outputs of a solver for some cells of a row.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>

#include "core/base/cell_access.hpp"
#include "core/cost/problem.hpp"
#include "core/cost/site_table.hpp"
#include "core/search/special_values.hpp"
#include "cpu/cost/repair.hpp"

namespace thiessen::cpu::cost {

template <class T>
class SolverOutputs {
 public:
  SolverOutputs(const CostProblem& problem, const CostDistanceOutputs& out,
                const CostSiteTable& sites)
      : problem_(problem), out_(out), sites_(sites) {}

  /// Writes labels, site indices and distances of `count` cells from `first` on, all in one row.
  void write(const SolverArrays<T>& arrays, std::int64_t first, std::int64_t count) const {
    const Rank* const site = arrays.site + first;
    const T* const cost = arrays.cost + first;
    const Axes cell = to_cell(problem_.extent, first);
    if (out_.labels) write_labels(site, cell, count);
    if (out_.site_index)
      write<std::int64_t>(out_.site_index, cell, count,
                          [&](std::int64_t i) { return site_index_of(site[i]); });
    if (out_.distance) write_distance(site, cost, cell, count);
  }

  void write_link(std::int64_t index, std::uint8_t link) const {
    *reinterpret_cast<std::uint8_t*>(address_of(out_.back_link, to_cell(problem_.extent, index))) =
        link;
  }
  bool has_links() const { return static_cast<bool>(out_.back_link); }

  static std::int64_t site_index_of(Rank site) {
    return site == kOutside ? kNodata : site == kNoRank ? kUnreached : std::int64_t{site};
  }

 private:
  template <class Out, class Of>
  void write(const View<void>& view, const Axes& cell, std::int64_t count, const Of& of) const {
    std::byte* address = address_of(view, cell);
    for (std::int64_t i = 0; i < count; ++i, address += view.stride(2)) {
      const Out value = of(i);
      std::memcpy(address, &value, sizeof value);
    }
  }

  void write_labels(const Rank* site, const Axes& cell, std::int64_t count) const {
    visit_element_width(out_.labels.element_type(), [&]<class L>(std::type_identity<L>) {
      const L unreached = from_bits<L>(problem_.unreached.bytes.data());
      const L nodata = from_bits<L>(problem_.nodata_label.bytes.data());
      const auto label_of = [&](Rank own) {
        if (own == kNoRank) return unreached;
        if (own == kOutside) return nodata;
        const std::uint32_t record = sites_.record_of(own);
        const std::byte* const label = sites_.label_of(record);
        return label == nullptr ? static_cast<L>(record + std::uint64_t{1}) : from_bits<L>(label);
      };
      Rank last = kNoRank;  // neighbours mostly have the same site
      L label = unreached;
      write<L>(out_.labels, cell, count, [&](std::int64_t i) {
        if (site[i] != last) label = label_of(last = site[i]);
        return label;
      });
    });
  }

  void write_distance(const Rank* site, const T* cost, const Axes& cell, std::int64_t count) const {
    const auto of = [&](std::int64_t i) {
      return site[i] == kOutside ? static_cast<T>(kNodataDistance) : cost[i];
    };
    if (out_.distance.element_type() == ElementType::f32)
      write<float>(out_.distance, cell, count,
                   [&](std::int64_t i) { return static_cast<float>(of(i)); });
    else
      write<double>(out_.distance, cell, count,
                    [&](std::int64_t i) { return static_cast<double>(of(i)); });
  }

  template <class L>
  static L from_bits(const std::byte* bytes) {
    L value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
  }

  const CostProblem& problem_;
  const CostDistanceOutputs& out_;
  const CostSiteTable& sites_;
};

}  // namespace thiessen::cpu::cost
