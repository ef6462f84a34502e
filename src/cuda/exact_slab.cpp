// SPDX-License-Identifier: Apache-2.0
//
// Method "exact" for a slab of a larger raster: chooses who computes.
//
// The searches of exact.cpp know nothing of slabs. They get the slab with the rows beside it in
// which sites lie that may count, and in them the one site of each column that is nearest to the
// slab. Where these rows are too many, or lie beyond the end of a periodic axis, a method along
// lines takes the slab as it is, with its outer sites.
#include "cuda/exact_slab.hpp"

#include <algorithm>

#include "cuda/exact.hpp"
#include "cuda/job/limits.hpp"
#include "cuda/job/outputs.hpp"
#include "cuda/lines/boundary.hpp"
#include "cuda/lines/separable_slab.hpp"
#include "cuda/slabs/faces.hpp"
#include "cuda/slabs/outer_reach.hpp"
#include "cuda/slabs/outer_sites.hpp"
#include "cuda/transfer/domain.hpp"
#include "cuda/transfer/inputs.hpp"
#include "cuda/transfer/make_job.hpp"

namespace thiessen::cuda {
namespace {

/// The same job in the complement, for the distances inside of sites.
Job inside_of(Job job) {
  job.rule.complement = true;
  job.inside = true;
  return job;
}

void copy_on_device(const CudaSession& session, void* to, const void* from, std::int64_t bytes) {
  check(cudaMemcpyAsync(to, from, static_cast<std::size_t>(bytes), cudaMemcpyDeviceToDevice,
                        session.stream()),
        "copy on the device");
}

/// A slab with more rows at both ends.
class WideSlab {
 public:
  WideSlab(const CudaSession& session, const Problem& problem, const Slab& slab, const Job& job,
           const slabs::OuterReach& reach, Scratch::Frame& device)
      : session_(session),
        whole_(problem),
        own_(job),
        reach_(reach),
        problem_(alone(problem, slab)),
        job_(job) {
    const auto axis = static_cast<std::size_t>(problem.first_axis());
    problem_.extent[axis] += reach.above + reach.below;
    problem_.first_site -= before();
    job_.extent = problem_.extent;
    job_.first_site = problem_.first_site;
    allocate_outputs(device);
    if (job.out.labels) labels_ = widen(job.labels, device);
    job_.labels = {labels_.bytes, labels_.element};
    if (!job.rule.has_nodata) return;
    const bool has_sites = job.out.labels && job.labels.bytes == job.sites.bytes;
    const Cells<std::byte> sites = has_sites ? labels_ : widen(job.sites, device);
    job_.sites = {sites.bytes, sites.element};
  }

  /// Searches it; `slab` has the sites beyond it.
  void search(const Slab& slab, bool inside, Scratch::Frame& device) const {
    const Job job = inside ? inside_of(job_) : job_;
    const Bits bits = sites::allocate_bits(job, device);
    const std::int64_t lines = job.extent[0] * job.extent[1];
    const std::int64_t line_count = slab_columns(whole_) / whole_.extent[2];
    check(cudaMemsetAsync(bits.words, 0,
                          static_cast<std::size_t>(lines * bits.row_words) * sizeof *bits.words,
                          session_.stream()),
          "bits of a slab");
    sites::mark_sites(session_, inside ? inside_of(own_) : own_,
                      {bits.words + reach_.above * line_count * bits.row_words, bits.row_words});
    const std::int64_t end = reach_.above + slab.count;
    const Cells<std::byte> labels = inside ? Cells<std::byte>{} : labels_;
    const std::int64_t first = slab.first - reach_.above;
    slabs::put_outer_sites(session_, whole_, slab.above, {first, 0, reach_.above}, bits, labels);
    slabs::put_outer_sites(session_, whole_, slab.below, {first, end, end + reach_.below}, bits,
                           labels);
    search_bits(session_, problem_, job, bits, device);
  }

  /// Copies the rows of the slab to its own outputs.
  void copy_outputs() const {
    visit_outputs(
        [&](const Output& row, const auto& to, const auto& from) {
          const std::int64_t element = element_of(to);
          for (int part = 0; bytes_of(to) != nullptr && part < parts_of(row); ++part)
            copy_on_device(session_, bytes_of(to) + part * own_.cells() * element,
                           bytes_of(from) + (part * job_.cells() + before()) * element,
                           own_.cells() * element);
        },
        own_.out, job_.out);
  }

 private:
  /// Cells before the slab.
  std::int64_t before() const { return reach_.above * slab_columns(whole_); }

  void allocate_outputs(Scratch::Frame& device) {
    visit_outputs(
        [&](const Output& row, auto& output) {
          const std::int64_t bytes = job_.cells() * parts_of(row) * element_of(output);
          if (bytes_of(output) != nullptr) set_memory(output, device.array<std::byte>(bytes));
        },
        job_.out);
  }

  /// Rasters that an output consists of.
  int parts_of(const Output& row) const { return row.axis == FrontAxis::component ? job_.rank : 1; }

  /// A copy of cells with room for the rows that were added.
  Cells<std::byte> widen(const Cells<const std::byte>& cells, Scratch::Frame& device) const {
    auto* const copy = device.array<std::byte>(job_.cells() * cells.element);
    copy_on_device(session_, copy + before() * cells.element, cells.bytes,
                   own_.cells() * cells.element);
    return {copy, cells.element};
  }

  const CudaSession& session_;
  const Problem& whole_;
  const Job& own_;
  slabs::OuterReach reach_;
  Problem problem_;
  Job job_;
  Cells<std::byte> labels_;
};

/// Whether a slab is searched with so many rows more.
bool may_widen(const Problem& problem, const Slab& slab, const slabs::OuterReach& reach) {
  const std::int64_t added = reach.above + reach.below;
  if (added > std::max((SlabLimits::kMostWide - 1) * slab.count, SlabLimits::kFewRows))
    return false;
  const auto axis = static_cast<std::size_t>(problem.first_axis());
  const bool is_inside =
      slab.first >= reach.above && slab.first + slab.count + reach.below <= problem.extent[axis];
  return added == 0 || problem.period[axis] == kNoPeriod || is_inside;
}

void run_lines(const CudaSession& session, const Problem& problem, const Slab& slab, const Job& job,
               Scratch::Frame& device) {
  const Bits bits = sites::allocate_bits(job, device);
  sites::mark_sites(session, job, bits);
  lines::run_separable_slab(session, problem, slab, job, bits, device);
}

/// The nearest sites of all cells and, for signed distances, those inside of sites.
void run_maps(const CudaSession& session, const Problem& problem, const SlabMaps& slab,
              const SlabFaces& own, const Job& job, Scratch::Frame& device) {
  const bool inside = problem.signed_distance && job.out.distance;
  slabs::OuterReach reach =
      slabs::find_outer_reach(session, problem, slab.sites, own.sites, device);
  if (inside) {
    const slabs::OuterReach others =
        slabs::find_outer_reach(session, problem, slab.others, own.others, device);
    reach = {std::max(reach.above, others.above), std::max(reach.below, others.below)};
  }
  if (!may_widen(problem, slab.sites, reach)) {
    run_lines(session, problem, slab.sites, job, device);
    if (inside) run_lines(session, problem, slab.others, inside_of(job), device);
  } else if (reach.above + reach.below == 0) {
    const Problem alone_problem = alone(problem, slab.sites);
    search_map(session, alone_problem, job, device);
    if (inside) search_map(session, alone_problem, inside_of(job), device);
  } else {
    const WideSlab wide(session, problem, slab.sites, job, reach, device);
    wide.search(slab.sites, false, device);
    if (inside) wide.search(slab.others, true, device);
    wide.copy_outputs();
  }
}

bool wants_distances(const Outputs& out) { return out.distance || out.squared != nullptr; }

void refuse_capture(const CudaSession& session) {
  if (session.is_capturing())
    throw Error(
        ErrorCode::unsupported,
        {"stream", {}, "is being captured; a slab waits for the device, which a graph cannot"});
}

/// A copy of a face on the device; null: nothing lies there.
Neighbours upload(const Neighbours& face, std::int64_t columns, std::int32_t label,
                  Transfer& transfer) {
  Neighbours copy;
  if (face.coordinate == nullptr) return copy;
  copy.coordinate = transfer.upload(face.coordinate, columns);
  if (face.labels != nullptr && label > 0)
    copy.labels = transfer.upload(face.labels, columns * label);
  return copy;
}

Slab upload(Slab slab, std::int64_t columns, std::int32_t label, Transfer& transfer) {
  slab.above = upload(slab.above, columns, label, transfer);
  slab.below = upload(slab.below, columns, label, transfer);
  return slab;
}

}  // namespace

void search_slab(const CudaSession& session, const Problem& problem, const SlabMaps& slab,
                 const SlabFaces& own, const Job& job, Scratch::Frame& device) {
  const bool boundary = problem.distance_to == DistanceTo::boundary;
  Job map = job;
  if (boundary) {
    map.out.distance = {};
    map.out.squared = nullptr;
  }
  if (wants_distances(map.out) || wants_sites(map.out))
    run_maps(session, problem, slab, own, map, device);
  if (boundary && wants_distances(job.out)) {
    const lines::BoundaryBeyond beyond{
        slabs::find_other_values(session, problem, slab.boundary, End::first, job, device),
        slabs::find_other_values(session, problem, slab.boundary, End::last, job, device)};
    lines::run_boundary(session, alone(problem, slab.boundary), job, beyond, device);
  }
  if (job.domain) mark_outside(session, job);
}

void summarise_slab(ContextState& state, const Problem& problem, const Slab& slab,
                    const View<const void>& sites, SlabFaces& faces) {
  CudaSession& session = session_of(state);
  const CudaSession::DeviceGuard guard(session);
  refuse_capture(session);
  ProblemViews views;
  views.sites = sites;
  Transfer transfer(state, views);
  Job job = make_slab_job(session, alone(problem, slab), sites, transfer);
  const bool numbered = problem.rule.type == ElementType::boolean;
  job.labels = job.sites;
  if (numbered) {
    constexpr std::int32_t kNumber = sizeof(std::int64_t);
    const Cells<std::byte> numbers{transfer.device().array<std::byte>(job.cells() * kNumber),
                                   kNumber};
    number_sites(session, job, numbers, transfer.device());
    job.labels = {numbers.bytes, numbers.element};
  }
  const SlabFaces found =
      slabs::allocate_faces(problem,
                            {.label = job.labels.element,
                             .others = faces.others.first.coordinate != nullptr,
                             .boundary = faces.boundary.first.coordinate != nullptr},
                            transfer.device());
  slabs::find_faces(session, problem, slab, job, found);
  const auto download = [&](void* to, const void* from, std::int64_t bytes) {
    if (to != nullptr)
      check(cudaMemcpyAsync(to, from, static_cast<std::size_t>(bytes), cudaMemcpyDeviceToHost,
                            session.stream()),
            "face of a slab");
  };
  const std::int64_t columns = slab_columns(problem);
  const auto download_ends = [&](const SlabFaces::Ends& to, const SlabFaces::Ends& from,
                                 std::int64_t label) {
    for (const auto& [own, face] :
         {std::pair(to.first, from.first), std::pair(to.last, from.last)}) {
      download(own.coordinate, face.coordinate, columns * std::int64_t{sizeof *face.coordinate});
      download(own.labels, face.labels, columns * label);
    }
  };
  download_ends(faces.sites, found.sites, job.labels.element);
  download_ends(faces.others, found.others, 0);
  download_ends(faces.boundary, found.boundary, job.sites.element);
  if (numbered)
    download(&faces.number, job.labels.bytes + (job.cells() - 1) * job.labels.element,
             job.labels.element);
  session.synchronize();
  transfer.finish();
}

void finish_slab(ContextState& state, const Problem& problem, const SlabMaps& slab,
                 const ProblemViews& views) {
  CudaSession& session = session_of(state);
  const CudaSession::DeviceGuard guard(session);
  refuse_capture(session);
  Transfer transfer(state, views);
  const Job job = make_job(session, alone(problem, slab.sites), views, transfer);
  if (job.labels && problem.rule.type == ElementType::boolean)
    slabs::add_to_numbers(session, job.labels, job.cells(), slab.numbers_before);
  const std::int64_t columns = slab_columns(problem);
  const SlabMaps on_device{
      .sites = upload(slab.sites, columns, job.out.labels.element, transfer),
      .others = upload(slab.others, columns, 0, transfer),
      .boundary = upload(slab.boundary, columns, job.sites.element, transfer),
  };
  const SlabFaces own =
      slabs::allocate_faces(problem, {.others = problem.signed_distance}, transfer.device());
  slabs::find_faces(session, problem, slab.sites, job, own);
  search_slab(session, problem, on_device, own, job, transfer.device());
  transfer.finish();
}

}  // namespace thiessen::cuda
