// SPDX-License-Identifier: Apache-2.0
#include "commands/planned_run.hpp"

#include <string>
#include <utility>

#include "inputs/sites/site_rows.hpp"

namespace thiessen::cli {

void PlannedRun::open_sources(const SiteArguments& source, Sites& sites) {
  run_sites_ = &sites;
  const int threads = context_.threads();
  if (!mask_arguments_.file.empty())
    domain_ = &mask_.emplace(open_mask(mask_arguments_, threads, sites));
  if (sites.are_points()) return;
  cells_ = &read_cells_.emplace(site_rows(source, sites, threads));
  if (mask_arguments_.clip_sites) cells_ = &clipped_cells_.emplace(*read_cells_, *mask_, sites);
}

void PlannedRun::hold_sites(const SiteArguments& source) {
  hold_cells(source, context_, progress_, *run_sites_);
  if (!run_sites_->are_points()) cells_ = &held_cells_.emplace(run_sites_->raster);
}

void PlannedRun::find_domain(DomainRows* like, bool is_at_once) {
  if (like != nullptr && (like->is_all() || !has_cell(*like, 0))) like = nullptr;
  domain_ = like;
  Raster of_mask;
  std::optional<RasterRows> held_mask;
  if (mask_) {
    domain_ = &*mask_;
    if (is_at_once) domain_ = &held_mask.emplace(of_mask = held(*mask_, run_sites_->grid));
    clip_sites(mask_arguments_, *domain_, is_at_once, clipped_cells_, *run_sites_);
  }
  if (mask_ && like != nullptr) {
    domain_ = &common_.emplace(*like, *domain_);
    run_sites_->area.reset();  // the edges of both are those of cells
  }
  if (domain_ == nullptr) return;
  if (!is_at_once) {
    run_sites_->domain = Raster(ElementType::u8, slab_extents(extents(), 0));
    return;
  }
  run_sites_->domain =
      held_mask && !common_ ? std::move(of_mask) : held(*domain_, run_sites_->grid);
  domain_ = nullptr;  // the raster is there, and what it was made of goes
  common_.reset();
}

void PlannedRun::begin_computing(ResultFiles& files, std::size_t scratch_per_cell, double end) {
  files.reserve(extents().count(), scratch_per_cell, run_sites_->grid_cause);
  report_.step("prepare outputs");
  progress_.stage("compute", end, extents().count());
}

void PlannedRun::tell(const ResultFiles& files, std::string_view method, std::string_view metric) {
  warnings_.tell(report_);
  report_.set("extents", to_json(extents()));
  tell_unit(*run_sites_, talk_, report_);
  report_.set("method", method);
  report_.set("metric", metric);
  report_.set("device", std::string(context_.device()));
  report_.set("threads", context_.threads());
  report_.set("files", files.names());
  report_.print(talk_);
}

void PlannedRun::stream_sites(ResultFiles& files, NearestSiteStream call, const StreamPlan& plan,
                              const std::function<void(const View<const void>& cells,
                                                       const NearestSiteOutputs& out)>& change) {
  UnheededNodata unheeded(call.options, *run_sites_);
  call.on_rows = [&](const SlabRows&, const View<const void>& cells,
                     const NearestSiteOutputs& out) {
    if (!run_sites_->are_points()) unheeded.look_at(cells);
    if (change) change(cells, out);
  };
  stream_to(files, call, plan, [&](const StreamReport&) {
    if (ranks().rank() == 0) warnings_.add(context_, *run_sites_);
    unheeded.warn(warnings_);
  });
}

}  // namespace thiessen::cli
