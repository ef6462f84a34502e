// SPDX-License-Identifier: Apache-2.0
#include "thiessen/random_sites.hpp"

#include <limits>
#include <string>

#include "core/problem.hpp"
#include "core/rng.hpp"
#include "thiessen/error.hpp"

namespace thiessen {
namespace {

void check(const View<void>& sites, std::int64_t count) {
  const ElementType type = sites.element_type();
  if (type != ElementType::i32 && type != ElementType::i64)
    throw Error(ErrorCode::invalid_argument,
                "sites are " + std::string(name_of(type)) + "; must be i32 or i64");
  if (sites.rank() != 2 && sites.rank() != 3)
    throw Error(ErrorCode::invalid_argument,
                "sites have " + std::to_string(sites.rank()) + " axes; must be 2 or 3");
  const std::int64_t cells = sites.extents().count();
  if (count < 0 || count > cells)
    throw Error(ErrorCode::invalid_argument, "count = " + std::to_string(count) +
                                                 "; must be 0 to the number of cells, " +
                                                 std::to_string(cells));
  if (type == ElementType::i32 && count > std::numeric_limits<std::int32_t>::max())
    throw Error(ErrorCode::invalid_argument,
                "count = " + std::to_string(count) + "; labels of i32 end at 2^31 - 1");
}

template <class Label>
void draw(const View<void>& sites, std::int64_t count, std::uint64_t seed) {
  const Axes extent = to_axes(sites.extents());
  const int rank = sites.rank();
  const auto cell = [&](std::int64_t z, std::int64_t y, std::int64_t x) -> Label& {
    const std::int64_t offset = (rank == 3 ? z * sites.stride(0) : 0) + y * sites.stride(rank - 2) +
                                x * sites.stride(rank - 1);
    return *reinterpret_cast<Label*>(sites.bytes() + offset);
  };
  const auto for_each_cell = [&](auto&& visit) {
    for (std::int64_t z = 0; z < extent[0]; ++z)
      for (std::int64_t y = 0; y < extent[1]; ++y)
        for (std::int64_t x = 0; x < extent[2]; ++x) visit(cell(z, y, x));
  };

  for_each_cell([](Label& label) { label = 0; });
  const Permutation permutation(static_cast<std::uint64_t>(sites.extents().count()), seed);
  for (std::int64_t i = 0; i < count; ++i) {
    const auto index = static_cast<std::int64_t>(permutation(static_cast<std::uint64_t>(i)));
    const std::int64_t row = index / extent[2];
    cell(row / extent[1], row % extent[1], index % extent[2]) = 1;
  }
  Label next = 0;
  for_each_cell([&](Label& label) {
    if (label != 0) label = ++next;
  });
}

}  // namespace

void random_sites(View<void> sites, std::int64_t count, std::uint64_t seed) {
  check(sites, count);
  if (sites.element_type() == ElementType::i32)
    draw<std::int32_t>(sites, count, seed);
  else
    draw<std::int64_t>(sites, count, seed);
}

}  // namespace thiessen
