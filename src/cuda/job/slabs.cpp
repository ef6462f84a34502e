// SPDX-License-Identifier: Apache-2.0
#include "cuda/job/slabs.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "cuda/job/farthest.hpp"
#include "cuda/job/inputs.hpp"
#include "cuda/job/limits.hpp"
#include "cuda/job/make_cells.hpp"
#include "cuda/job/make_job.hpp"

namespace thiessen::cuda {
namespace {

/// Calls visit(view, bytes on the device) for the outputs that are wanted, the components of the
/// offset one by one; `cells` are those of the outputs on the device.
template <class Visit>
void for_each_output(const NearestSiteOutputs& views, const Outputs& device, std::int64_t cells,
                     const Visit& visit) {
  const auto one = [&](const View<void>& view, void* bytes) {
    if (view) visit(view, static_cast<std::byte*>(bytes));
  };
  one(views.labels, device.labels.bytes);
  one(views.site_index, device.site_index);
  one(views.distance, device.distance.bytes);
  one(views.squared, device.squared);
  one(views.direction, device.direction);
  const View<void>& offset = views.offset;
  if (!offset) return;
  View<void>::Strides strides{};
  std::copy_n(offset.strides().begin() + 1, kAxes, strides.begin());
  for (std::int64_t i = 0; i < offset.extent(0); ++i)
    one({offset.bytes() + i * offset.stride(0),
         offset.element_type(),
         {offset.extent(1), offset.extent(2), offset.extent(3)},
         strides},
        device.offset + i * cells);
}

/// Whether all arrays that a call reads and writes cell by cell are on the host.
bool is_on_host(const ProblemViews& views) {
  bool on_host = views.sites.space() == MemorySpace::host &&
                 (!views.domain || views.domain.space() == MemorySpace::host);
  for (const View<const void>& view :
       {View<const void>(views.out.labels), View<const void>(views.out.site_index),
        View<const void>(views.out.distance), View<const void>(views.out.squared),
        View<const void>(views.out.offset), View<const void>(views.out.direction)})
    on_host = on_host && (!view || view.space() == MemorySpace::host);
  return on_host;
}

/// The bytes of a row in the array that has most of them.
std::int64_t bytes_of_row(const ProblemViews& views, std::int64_t cells) {
  std::int64_t most = element_bytes(views.sites);
  for_each_output(views.out, {}, 0, [&](const View<void>& view, std::byte*) {
    most = std::max(most, element_bytes(view));
  });
  return most * cells;
}

/// Words for the bits of so many cells.
std::int64_t words_of(std::int64_t cells) { return (cells + 31) / 32; }

/// A call by slabs.
class SlabRun {
 public:
  SlabRun(ContextState& state, const Problem& problem, const ProblemViews& views,
          const SlabPlan& plan, const SlabSearch& search)
      : phase_(state, "slabs"),
        session_(session_of(state)),
        problem_(problem),
        views_(views),
        plan_(plan),
        search_(search),
        transfer_(state, views),
        copies_(transfer_.host_copies()) {}

  void run() {
    take_memory();
    for (std::int64_t slab = 0; slab < plan_.slabs(); ++slab) {
      add_uploads(std::min(plan_.rows, end_of(slab) + plan_.halo));
      if (slab >= kLag) add_if_worth(slab - kLag);
      copies_.run();
      transfer_.order(up(), session_.stream());
      search_slab(slab);
      // The next slab writes where that one did whose results are on their way.
      transfer_.order(down(), session_.stream());
    }
    for (std::int64_t slab = std::max<std::int64_t>(0, plan_.slabs() - kLag); slab < plan_.slabs();
         ++slab)
      add_if_worth(slab);
    finish_downloads();
    search_rest();
    transfer_.finish();
  }

 private:
  /// While a slab is packed, the one before is searched, and results of the one before that come.
  static constexpr std::int64_t kLag = 2;
  static_assert(kLag + 1 < Staging::kEvents);

  struct Rows {
    std::int64_t first;
    std::int64_t end;
  };

  cudaStream_t up() const { return session_.staging().stream(CopyWay::up); }
  cudaStream_t down() const { return session_.staging().stream(CopyWay::down); }
  bool needs_proof() const { return plan_.reach < std::numeric_limits<double>::infinity(); }
  std::int64_t end_of(std::int64_t slab) const {
    return std::min(plan_.rows, (slab + 1) * plan_.slab);
  }
  /// The rows of a slab with its halo.
  Rows rows_of(std::int64_t slab) const {
    return {std::max<std::int64_t>(0, slab * plan_.slab - plan_.halo),
            std::min(plan_.rows, end_of(slab) + plan_.halo)};
  }
  std::int64_t most_rows() const { return std::min(plan_.rows, plan_.slab + 2 * plan_.halo); }
  const Outputs& outputs_of(std::int64_t slab) const {
    return outputs_[static_cast<std::size_t>(slab) % outputs_.size()];
  }
  /// When a slab is searched.
  cudaEvent_t searched(std::int64_t slab) const {
    return session_.staging().event(1 + static_cast<std::size_t>(slab) % outputs_.size());
  }
  Proof proof_of(std::int64_t slab) const {
    if (!needs_proof()) return {};
    return {session_.staging().words() + slab, static_cast<float>(plan_.reach)};
  }

  /// Whether sites come as bits: nobody asks for the values of cells.
  bool has_bits() const { return !problem_.rule.nodata && (!views_.out.labels || !views_.labels); }

  /// Whether pieces may come as sparse cells: their values are labels, and zeros are not.
  bool may_be_sparse() const {
    const SiteRule& rule = problem_.rule;
    const std::int64_t rows = plan_.slab + plan_.halo;
    return views_.out.labels && views_.labels && rule.selection == SiteSelection::nonzero &&
           !rule.nodata && sites_.element >= 4 &&
           rows * plan_.row_cells <= kMostPieces * sparse_piece();
  }

  /// Cells of a piece of sites.
  std::int64_t sparse_piece() const {
    constexpr std::int64_t kGroup = SparseCells::kGroup;
    constexpr std::int64_t kPiecesOfASlab = 16;
    const std::int64_t most = TransferLimits::kPieceBytes / sites_.element;
    const std::int64_t cells = std::min(most, plan_.slab * plan_.row_cells / kPiecesOfASlab);
    return std::max(kGroup, cells / kGroup * kGroup);
  }

  void take_memory() {
    transfer_.use_streams();
    whole_ = start_job(session_, problem_, transfer_);
    Scratch::Frame& device = transfer_.device();
    const bool as_bits = has_bits();
    sites_ =
        take_cells(whole_.cells(), as_bits ? ElementType::boolean : problem_.rule.type, device);
    if (as_bits) {
      coming_ = device.array<std::uint32_t>(words_of(whole_.cells()) + plan_.slabs());
      whole_.rule = {.type = ElementType::boolean};
    }
    if (may_be_sparse()) {
      sparse_ = {sparse_piece(), sites_.element};
      slots_ = device.array<std::byte>((whole_.cells() / sparse_.cells + plan_.slabs()) *
                                       sparse_.bytes());
    }
    whole_.sites = {sites_.bytes, sites_.element};
    if (views_.domain) {
      domain_ = take_cells(whole_.cells(), views_.domain.element_type(), device);
      whole_.domain = {domain_.bytes, domain_.element};
    }
    if (views_.out.labels) {
      whole_.labels = whole_.sites;
      if (!views_.labels) {
        numbers_ = take_cells(whole_.cells(), views_.out.labels.element_type(), device);
        whole_.labels = {numbers_.bytes, numbers_.element};
      }
    }
    for (std::int64_t slab = 0; slab < std::min(plan_.slabs(), kLag + 1); ++slab)
      outputs_[static_cast<std::size_t>(slab)] =
          take_outputs(most_rows() * plan_.row_cells, needs_proof(), device);
    farthest_ = device.array<float>(plan_.slabs());
    check(cudaMemsetAsync(farthest_, 0, static_cast<std::size_t>(plan_.slabs()) * sizeof(float),
                          session_.stream()),
          "state of slabs");
    std::fill_n(session_.staging().words(), plan_.slabs(), 0.0F);  // they hold until it is known
    transfer_.order(session_.stream(), up());  // former work may still use the memory
  }

  Outputs take_outputs(std::int64_t cells, bool needs_distance, Scratch::Frame& device) const {
    const NearestSiteOutputs& out = views_.out;
    Outputs outputs;
    if (out.labels) outputs.labels = take_cells(cells, out.labels.element_type(), device);
    if (out.site_index) outputs.site_index = device.array<std::int64_t>(cells);
    if (out.distance || needs_distance)
      outputs.distance =
          take_cells(cells, out.distance ? out.distance.element_type() : ElementType::f32, device);
    if (out.squared) outputs.squared = device.array<std::int64_t>(cells);
    if (out.offset) outputs.offset = device.array<std::int32_t>(cells * out.offset.extent(0));
    if (out.direction) outputs.direction = device.array<float>(cells);
    return outputs;
  }

  /// Adds the inputs of the rows up to `end` that are not on their way yet.
  void add_uploads(std::int64_t end) {
    const std::int64_t first = uploaded_ * plan_.row_cells;
    const std::int64_t count = (end - uploaded_) * plan_.row_cells;
    if (coming_ != nullptr)
      copies_.add_sites(problem_.rule, views_.sites, first, count, coming_, up());
    else if (slots_ != nullptr)
      add_sparse(first, count);
    else
      copies_.add_upload(views_.sites, first, count, sites_.bytes + first * sites_.element, up());
    if (views_.domain)
      copies_.add_upload(views_.domain, first, count, domain_.bytes + first * domain_.element,
                         up());
    uploaded_ = end;
  }

  void add_sparse(std::int64_t first, std::int64_t count) {
    is_sparse_.assign(static_cast<std::size_t>((count + sparse_.cells - 1) / sparse_.cells), 0);
    const SparseTarget to{&sparse_, sites_.bytes + first * sites_.element, slots_,
                          is_sparse_.data()};
    copies_.add_sparse(to, views_.sites, first, count, up());
  }

  /// Adds the outputs of a slab, of which `outputs` hold the rows from `first` on.
  void add_downloads(std::int64_t slab, const Outputs& outputs, std::int64_t first,
                     bool proved = false) {
    const std::int64_t begin = slab * plan_.slab;
    const std::int64_t count = (end_of(slab) - begin) * plan_.row_cells;
    const std::int64_t cells = proved ? whole_.cells() : cells_of(rows_of(slab));
    for_each_output(views_.out, outputs, cells, [&](const View<void>& view, std::byte* bytes) {
      copies_.add_download(bytes + (begin - first) * plan_.row_cells * element_bytes(view), view,
                           begin * plan_.row_cells, count, down(),
                           proved ? Proof{} : proof_of(slab));
    });
  }

  /// Adds the outputs of a slab that may hold. It waits for the proof if the slab before does not
  /// hold: where sites are far apart, results that do not hold would be in the way of all others.
  void add_if_worth(std::int64_t slab) {
    check(cudaStreamWaitEvent(down(), searched(slab), 0), "order of streams");
    if (needs_proof())
      check(cudaMemcpyAsync(session_.staging().words() + slab, farthest_ + slab, sizeof(float),
                            cudaMemcpyDeviceToHost, down()),
            "state of slabs");
    if (slab > 0 && !proof_of(slab - 1).holds()) {
      check(cudaStreamSynchronize(down()), "wait for a proof");
      if (!proof_of(slab).holds()) return;
    }
    add_downloads(slab, outputs_of(slab), rows_of(slab).first);
  }

  void finish_downloads() {
    copies_.run();
    copies_.finish();
    check(cudaStreamSynchronize(down()), "wait for copies");
  }

  std::int64_t cells_of(const Rows& rows) const {
    return (rows.end - rows.first) * plan_.row_cells;
  }

  /// Makes cells of what has come, and numbers their sites.
  void take_sites(Scratch::Frame& device) {
    const std::int64_t first = taken_ * plan_.row_cells;
    const std::int64_t count = (uploaded_ - taken_) * plan_.row_cells;
    taken_ = uploaded_;
    if (count == 0) return;
    if (coming_ != nullptr) {
      make_cells(session_, coming_, count, sites_.bytes + first);
      coming_ += words_of(count);
    }
    if (slots_ != nullptr) {
      make_cells(session_, sparse_, slots_, is_sparse_, count,
                 sites_.bytes + first * sites_.element);
      slots_ += std::ssize(is_sparse_) * sparse_.bytes();
    }
    if (numbers_) number_sites(session_, whole_, numbers_, first, count, device);
  }

  void search_slab(std::int64_t slab) {
    Scratch::Frame device(session_.scratch);
    take_sites(device);
    const Rows rows = rows_of(slab);
    const std::int64_t first = rows.first * plan_.row_cells;
    Job job = whole_;
    job.extent[plan_.axis] = rows.end - rows.first;
    job.first_cell = first;
    job.sites.bytes += first * job.sites.element;
    if (job.labels) job.labels.bytes += first * job.labels.element;
    if (job.domain) job.domain.bytes += first * job.domain.element;
    job.out = outputs_of(slab);
    Problem part = problem_;
    (job.layered ? part.layers : part.extent[plan_.axis]) = rows.end - rows.first;
    part.signed_distance = part.signed_distance && views_.out.distance;
    fill(part, job, device);
    if (needs_proof()) {
      const std::int64_t begin = slab * plan_.slab;
      find_farthest(session_, job.out.distance, (begin - rows.first) * plan_.row_cells,
                    (end_of(slab) - begin) * plan_.row_cells, farthest_ + slab);
    }
    check(cudaEventRecord(searched(slab), session_.stream()), "event");
  }

  void fill(const Problem& problem, const Job& job, Scratch::Frame& device) const {
    fill_outputs(
        session_, problem, job,
        [&](const CudaSession& session, const Job& whole, Scratch::Frame& memory) {
          search_(session, problem, whole, memory);
        },
        device);
  }

  /// Searches the whole raster, if some slabs do not hold, and takes these.
  void search_rest() {
    std::vector<std::int64_t> rest;
    for (std::int64_t slab = 0; slab < plan_.slabs(); ++slab)
      if (!proof_of(slab).holds()) rest.push_back(slab);
    phase_.note(std::to_string(plan_.slabs()) + ", " + std::to_string(rest.size()) + " again");
    if (rest.empty()) return;
    Scratch::Frame device(session_.scratch);
    whole_.out = take_outputs(whole_.cells(), false, device);
    fill(problem_, whole_, device);
    transfer_.order(session_.stream(), down());
    for (const std::int64_t slab : rest) add_downloads(slab, whole_.out, 0, true);
    finish_downloads();
  }

  PhaseTimer phase_;
  CudaSession& session_;
  const Problem& problem_;
  const ProblemViews& views_;
  const SlabPlan& plan_;
  const SlabSearch& search_;
  Transfer transfer_;
  HostCopies& copies_;
  Job whole_;
  Cells<std::byte> sites_ = {};
  Cells<std::byte> domain_ = {};
  Cells<std::byte> numbers_ = {};
  std::array<Outputs, kLag + 1> outputs_ = {};  ///< of slabs, by turns
  float* farthest_ = nullptr;                   ///< of each slab
  std::uint32_t* coming_ = nullptr;             ///< where the next bits go, if sites come as bits
  SparseCells sparse_ = {};
  std::byte* slots_ = nullptr;           ///< where the next pieces go, if they may be sparse
  std::vector<std::uint8_t> is_sparse_;  ///< of the pieces that have come last
  std::int64_t uploaded_ = 0;            ///< rows
  std::int64_t taken_ = 0;               ///< rows that take_sites() has seen
};

}  // namespace

std::optional<SlabPlan> plan_slabs(const Problem& problem, const ProblemViews& views) {
  constexpr std::int64_t kSlabs = 8;
  constexpr std::int64_t kFewestSlabs = 4;
  constexpr double kMargin = 1 - 1e-6;  // for what is rounded
  const bool layered = problem.layers > 1;
  SlabPlan plan;
  plan.axis = layered || problem.rank == 3 ? 0 : 1;
  plan.rows = layered ? problem.layers : problem.extent[plan.axis];
  const std::int64_t cells = problem.cells() * problem.layers;
  if (problem.point_sites || problem.distance_to != DistanceTo::site || cells == 0 ||
      !is_on_host(views) || (views.labels && views.labels.bytes() != views.sites.bytes()) ||
      (!layered && problem.period[plan.axis] != kNoPeriod))
    return {};
  plan.row_cells = cells / plan.rows;
  const std::int64_t row_bytes = bytes_of_row(views, plan.row_cells);
  if (row_bytes * plan.rows < TransferLimits::kLeastBytes) return {};
  const std::int64_t least = TransferLimits::kLeastSlabBytes;
  const std::int64_t most = TransferLimits::kMostSlabBytes;
  const std::int64_t bytes = std::min(std::max(row_bytes * plan.rows / kSlabs, least), most);
  constexpr auto kMostSlabs = static_cast<std::int64_t>(Staging::kWords);
  plan.slab = std::max(bytes / row_bytes, (plan.rows + kMostSlabs - 1) / kMostSlabs);
  plan.slab = std::max<std::int64_t>(plan.slab, 1);
  if (plan.slabs() < kFewestSlabs || element_bytes(views.sites) < TransferLimits::kLeastElement)
    plan.slab = plan.rows;
  plan.reach = std::numeric_limits<double>::infinity();
  if (layered) return plan;
  const std::int64_t quarters =
      problem.rank == 2 ? TransferLimits::kHalo2d : TransferLimits::kHalo3d;
  plan.halo = plan.slabs() == 1 ? 0 : (plan.slab * quarters + 3) / 4;
  const double reach = problem.spacing[plan.axis] * static_cast<double>(plan.halo + 1) * kMargin;
  const bool holds =
      plan.slabs() == 1 || plan.halo >= plan.rows ||
      (problem.limited && to_distance(problem.weights, problem.metric, problem.limit) < reach);
  if (!holds) plan.reach = reach;
  return plan;
}

void run_slabs(ContextState& state, const Problem& problem, const ProblemViews& views,
               const SlabPlan& plan, const SlabSearch& search) {
  const CudaSession::Current current(session_of(state));
  SlabRun(state, problem, views, plan, search).run();
}

}  // namespace thiessen::cuda
