// SPDX-License-Identifier: Apache-2.0
#include "slabs/cost_store.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <span>

namespace thiessen::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kCells = "cells";
constexpr const char* kProgress = "progress.json";

CostProgress progress_of(const json& text) {
  return {.stages_done = text.at("stages_done").get<std::size_t>(),
          .nodata_is_label = text.at("nodata_is_label").get<bool>(),
          .sites_before = text.at("sites_before").get<std::vector<std::int64_t>>(),
          .sites = text.at("sites").get<std::int64_t>(),
          .ignored = text.at("ignored").get<std::int64_t>(),
          .first_ignored = text.at("first_ignored").get<std::int64_t>()};
}

json text_of(const CostProgress& progress) {
  return {{"stages_done", progress.stages_done},   {"nodata_is_label", progress.nodata_is_label},
          {"sites_before", progress.sites_before}, {"sites", progress.sites},
          {"ignored", progress.ignored},           {"first_ignored", progress.first_ignored}};
}

RowStore open_rows(const SlabPlan& plan, const std::string& output, std::int64_t rows,
                   bool is_new) {
  if (plan.folder == nullptr) return RowStore::beside(output, rows);
  return RowStore::at(plan.folder->path(kCells), rows, is_new);
}

}  // namespace

std::optional<CostStage> changing_stage(Kept which) {
  switch (which) {
    case Kept::cost:
      return CostStage::costs;
    case Kept::site_index:
    case Kept::labels:
      return CostStage::sites;
    case Kept::hops:
      return CostStage::hops;
    default:
      return std::nullopt;
  }
}

CostStore::CostStore(const KeptTypes& types, const Extents& raster, const SlabPlan& plan,
                     const std::string& output)
    : types_(types), plan_(plan) {
  for (std::vector<std::int8_t>& copies : written_)
    copies.assign(static_cast<std::size_t>(plan.slabs), kNone);
  if (is_kept()) load_progress();
  kept_ = written_;
  rows_.emplace(open_rows(plan, output, raster[0], !before_));
  const auto columns = static_cast<std::size_t>(raster.count() / raster[0]);
  for (std::size_t i = 0; i < kKeptRasters; ++i) {
    const auto which = static_cast<Kept>(i);
    places_[which] = rows_->add(types_.bytes(which) * columns);
    if (is_kept() && changing_stage(which)) rows_->add(types_.bytes(which) * columns);
  }
  std::error_code none;
  if (!before_)
    rows_->make_room();
  else if (fs::file_size(plan.folder->path(kCells), none) !=
           static_cast<std::uintmax_t>(rows_->size()))
    plan.folder->refuse(std::string("has a damaged file ") + kCells);
}

/// Takes what progress.json says, if there is one.
void CostStore::load_progress() {
  std::ifstream file(plan_.folder->path(kProgress));
  if (!file) return;
  const auto slabs = static_cast<std::size_t>(plan_.slabs);
  bool is_whole = false;
  try {
    const json text = json::parse(file);
    before_ = progress_of(text);
    written_ = text.at("copies").get<Copies>();
    is_whole = before_->stages_done <= kCostStages && before_->sites_before.size() == slabs;
  } catch (const json::exception&) {
    before_.reset();
  }
  for (const std::vector<std::int8_t>& copies : written_)
    is_whole = is_whole && copies.size() == slabs &&
               std::ranges::all_of(copies, [](int copy) { return copy >= kNone && copy <= 1; });
  if (!is_whole) plan_.folder->refuse(std::string("has a damaged file ") + kProgress);
}

void CostStore::read(Kept which, const SlabRows& rows, std::byte* to) const {
  const std::optional<CostStage> stage = changing_stage(which);
  if (!stage || !is_kept()) return rows_->read(place(which, 0), rows, to);
  const std::vector<std::int8_t>& copies = written_[static_cast<std::size_t>(*stage)];
  const std::size_t row_bytes = rows_->row_bytes(place(which, 0));
  const std::int64_t end = rows.first + rows.count;
  for (std::int64_t row = rows.first; row < end;) {
    const std::int64_t slab = row / plan_.rows;
    const std::int64_t count = std::min(end, (slab + 1) * plan_.rows) - row;
    const std::int8_t copy = copies[static_cast<std::size_t>(slab)];
    rows_->read(place(which, std::max<std::int8_t>(copy, 0)), {row, count}, to);
    to += static_cast<std::size_t>(count) * row_bytes;
    row += count;
  }
}

void CostStore::write(Kept which, const SlabRows& rows, const std::byte* from) {
  rows_->write(place(which, 0), rows, from);
}

void CostStore::write_slab(CostStage stage, std::size_t slab, const From& from) {
  const auto of_stage = static_cast<std::size_t>(stage);
  const std::int8_t copy = is_kept() && kept_[of_stage][slab] == 0 ? 1 : 0;
  for (std::size_t i = 0; i < kKeptRasters; ++i) {
    const auto which = static_cast<Kept>(i);
    if (types_.holds(which) && changing_stage(which) == stage)
      rows_->write(place(which, copy), plan_.slab(static_cast<std::int64_t>(slab)), from(which));
  }
  written_[of_stage][slab] = copy;
}

void CostStore::keep(const CostProgress& progress) {
  rows_->sync();
  json text = text_of(progress);
  text["copies"] = written_;
  const std::string bytes = text.dump();
  plan_.folder->keep(kProgress, std::as_bytes(std::span(bytes)));
  kept_ = written_;
}

void CostStore::remove() const {
  // Without its progress the rest is nothing that a run would go on from.
  std::error_code none;
  fs::remove(plan_.folder->path(kProgress), none);
  plan_.folder->remove([](const std::string& name) { return name == kCells; });
}

}  // namespace thiessen::cli
