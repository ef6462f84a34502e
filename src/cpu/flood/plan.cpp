// SPDX-License-Identifier: Apache-2.0
//
// Puts passes into a group as long as their steps share a divisor and their rings fit the window,
// and cuts each row into stretches whose columns see the same sources.
#include "cpu/flood/plan.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace thiessen::cpu::flood {
namespace {

/// The offsets of a pass, (0, 0) included, as far as they stay in the raster.
std::vector<Axes> offsets_of(const Flooding& flooding, std::int64_t step, const Axes& extent) {
  std::vector<Axes> offsets = flooding_offsets(flooding, 2, step);
  std::erase_if(offsets, [&](const Axes& offset) {
    return std::abs(offset[1]) >= extent[1] || std::abs(offset[2]) >= extent[2];
  });
  offsets.push_back({0, 0, 0});
  return offsets;
}

/// Greatest common divisor of all offsets along y; 0 if all of them are 0.
std::int64_t divisor_of(const std::vector<Axes>& offsets) {
  std::int64_t divisor = 0;
  for (const Axes& offset : offsets) divisor = std::gcd(divisor, offset[1]);
  return divisor;
}

std::int64_t reach_of(const std::vector<Axes>& offsets) {
  std::int64_t reach = 0;
  for (const Axes& offset : offsets) reach = std::max(reach, std::abs(offset[1]));
  return reach;
}

std::vector<Stretch> make_stretches(const std::vector<Axes>& offsets,
                                    const std::vector<std::int64_t>& rows, std::int64_t apart,
                                    std::int64_t width) {
  std::vector<std::int64_t> ends{0, width};
  for (const Axes& offset : offsets) {
    ends.push_back(std::max<std::int64_t>(0, -offset[2]));
    ends.push_back(std::min(width, width - offset[2]));
  }
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  std::vector<Stretch> stretches;
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    Stretch stretch{.begin = ends[i], .end = ends[i + 1]};
    for (const Axes& offset : offsets) {
      if (stretch.begin + offset[2] < 0 || stretch.end + offset[2] > width) continue;
      const auto row = std::find(rows.begin(), rows.end(), offset[1] / apart);
      stretch.sources.push_back({static_cast<std::size_t>(row - rows.begin()), offset[2]});
    }
    stretches.push_back(std::move(stretch));
  }
  return stretches;
}

PackedPass make_pass(const std::vector<Axes>& offsets, std::int64_t step, std::int64_t apart,
                     std::int64_t width) {
  PackedPass pass{.step = step, .reach = reach_of(offsets) / apart};
  for (const Axes& offset : offsets) pass.rows.push_back(offset[1] / apart);
  std::sort(pass.rows.begin(), pass.rows.end());
  pass.rows.erase(std::unique(pass.rows.begin(), pass.rows.end()), pass.rows.end());
  pass.stretches = make_stretches(offsets, pass.rows, apart, width);
  return pass;
}

}  // namespace

std::vector<Group> plan_groups(const Flooding& flooding, const std::vector<std::int64_t>& steps,
                               const Axes& extent, std::int64_t window_rows, bool single) {
  std::vector<Group> groups;
  for (std::size_t first = 0; first < steps.size();) {
    std::vector<std::vector<Axes>> offsets;
    std::int64_t apart = 0;
    for (std::size_t next = first; next < steps.size(); ++next) {
      offsets.push_back(offsets_of(flooding, steps[next], extent));
      const std::int64_t together = std::gcd(apart, divisor_of(offsets.back()));
      std::int64_t window = 0;
      for (const auto& each : offsets)
        window += 2 * reach_of(each) / std::max<std::int64_t>(together, 1) + 1;
      if (next > first && (single || window > window_rows)) {
        offsets.pop_back();
        break;
      }
      apart = together;
    }
    Group group{.apart = apart == 0 ? 1 : apart, .first = static_cast<std::int64_t>(first)};
    for (const auto& each : offsets)
      group.passes.push_back(make_pass(each, steps[first++], group.apart, extent[2]));
    groups.push_back(std::move(group));
  }
  return groups;
}

}  // namespace thiessen::cpu::flood
