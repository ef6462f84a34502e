// SPDX-License-Identifier: Apache-2.0
#include "core/slab_faces.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "core/cell_class.hpp"
#include "core/refuse.hpp"
#include "core/slab.hpp"

namespace thiessen {
namespace {

static_assert(SlabFace::kNone == kNoSite);

/// Takes what `to` lacks from `from`, column by column; `labels` may be empty.
void fill_columns(std::vector<std::int32_t>& to, std::vector<std::byte>& to_labels,
                  const std::vector<std::int32_t>& from, const std::vector<std::byte>& from_labels,
                  std::size_t label) {
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (to[i] != kNoSite || from[i] == kNoSite) continue;
    to[i] = from[i];
    if (label > 0) std::memcpy(to_labels.data() + i * label, from_labels.data() + i * label, label);
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

std::size_t label_bytes(ElementType sites) {
  return size_of(sites == ElementType::boolean ? kSlabNumber : sites);
}

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

SlabFace nearest_face(const SlabFace& near, const SlabFace& far) {
  SlabFace face = near;
  std::vector<std::byte> none;
  fill_columns(face.site, face.labels, far.site, far.labels, label_bytes(near.type));
  fill_columns(face.other, none, far.other, none, 0);
  fill_changes(face, far);
  return face;
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
