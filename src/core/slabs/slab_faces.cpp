// SPDX-License-Identifier: Apache-2.0
#include "core/slabs/slab_faces.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "core/base/element_width.hpp"
#include "core/base/refuse.hpp"
#include "core/problem/cell_class.hpp"
#include "core/slabs/slab.hpp"

namespace thiessen {
namespace {

static_assert(SlabFace::kNone == kNoSite);

ElementType label_type(ElementType sites) {
  return sites == ElementType::boolean ? kSlabNumber : sites;
}

/// Takes what `to` lacks from `from`, column by column; labels have the width of T.
template <class T>
void fill_columns(SlabFace& to, const SlabFace& from) {
  const bool labels = !to.labels.empty();
  for (std::size_t i = 0; i < to.site.size(); ++i) {
    if (to.site[i] != kNoSite || from.site[i] == kNoSite) continue;
    to.site[i] = from.site[i];
    if (labels)
      std::memcpy(to.labels.data() + i * sizeof(T), from.labels.data() + i * sizeof(T), sizeof(T));
  }
}

/// The change that is nearest to `near`: its own, or else one between the two rows, or in `far`.
void fill_changes(SlabFace& near, const SlabFace& far) {
  if (far.row == SlabFace::kNone) return;
  if (near.row == SlabFace::kNone) {
    near.row = far.row;
    near.values = far.values;
    near.change = far.change;
    return;
  }
  std::vector<std::uint8_t> same(near.change.size());
  compare_cells(near.type, near.values.data(), far.values.data(),
                static_cast<std::int64_t>(same.size()), same.data());
  for (std::size_t i = 0; i < same.size(); ++i)
    if (near.change[i] == kNoSite) near.change[i] = same[i] != 0 ? far.change[i] : far.row;
}

}  // namespace

std::size_t label_bytes(ElementType sites) { return size_of(label_type(sites)); }

SlabFace moved(SlabFace face, std::int64_t by) {
  const auto move = [&](std::int32_t& coordinate) {
    if (coordinate != kNoSite) coordinate += static_cast<std::int32_t>(by);
  };
  for (auto* const coordinates : {&face.site, &face.other, &face.change})
    std::for_each(coordinates->begin(), coordinates->end(), move);
  move(face.row);
  return face;
}

void add_to_numbers(SlabFace& face, std::int64_t before) {
  if (face.type != ElementType::boolean || before == 0) return;
  for (std::size_t i = 0; i < face.site.size(); ++i) {
    if (face.site[i] == kNoSite) continue;
    std::byte* const at = face.labels.data() + i * sizeof before;
    std::int64_t number;
    std::memcpy(&number, at, sizeof number);
    number += before;
    std::memcpy(at, &number, sizeof number);
  }
}

SlabFace without_cells(const SlabFace& like) {
  SlabFace face = like;
  face.row = SlabFace::kNone;
  for (auto* const coordinates : {&face.site, &face.other, &face.change})
    std::fill(coordinates->begin(), coordinates->end(), kNoSite);
  std::fill(face.labels.begin(), face.labels.end(), std::byte{0});
  std::fill(face.values.begin(), face.values.end(), std::byte{0});
  return face;
}

SlabFace nearest_face(SlabFace near, const SlabFace& far) {
  visit_element_width(label_type(near.type),
                      [&]<class T>(std::type_identity<T>) { fill_columns<T>(near, far); });
  for (std::size_t i = 0; i < near.other.size(); ++i)
    if (near.other[i] == kNoSite) near.other[i] = far.other[i];
  fill_changes(near, far);
  return near;
}

void check_face(const SlabFace& face, const SlabFace& like) {
  if (face.type != like.type || face.site.size() != like.site.size() ||
      face.labels.size() != like.labels.size() || face.other.size() != like.other.size() ||
      face.values.size() != like.values.size() || face.change.size() != like.change.size())
    refuse("a face has " + std::to_string(face.site.size()) + " columns of " +
           std::string(name_of(face.type)) + "; all must be of one raster of " +
           std::to_string(like.site.size()) + " columns of " + std::string(name_of(like.type)) +
           ", and made with the same options");
}

}  // namespace thiessen
