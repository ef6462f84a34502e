// SPDX-License-Identifier: Apache-2.0
//
// What does the work of a NearestSiteSolver on CUDA. Everything goes onto the stream; only what is
// copied to the host is waited for.
#include "cuda/solvers/nearest_solver.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "backend/changed_list.hpp"
#include "core/base/refuse.hpp"
#include "cuda/device/lanes.hpp"
#include "cuda/job/outputs.hpp"
#include "cuda/solvers/device_array.hpp"
#include "cuda/solvers/kernels.hpp"
#include "cuda/solvers/limits.hpp"
#include "cuda/transfer/copy_cells.hpp"
#include "cuda/transfer/domain.hpp"
#include "cuda/transfer/host_copies.hpp"
#include "cuda/transfer/inputs.hpp"
#include "cuda/transfer/make_job.hpp"
#include "thiessen/error.hpp"

namespace thiessen::cuda::solvers {
namespace {

/// Tallies and bits of sites in one piece, so that one copy brings both.
constexpr std::int64_t kTallyBytes = 64;
static_assert(sizeof(Tally) <= kTallyBytes);

void check_integers(const Problem& problem) {
  if (problem.wide)
    throw Error(ErrorCode::unsupported,
                "NearestSiteSolver on cuda: distances of this spacing, and of points so far away, "
                "need more than 64 bits; the cpu has them");
}

/// Copies elements of the host, in the order of the stream.
template <class T>
void upload(HostCopies& copies, const T* from, std::int64_t count, T* to) {
  copies.upload(
      View<const void>(from, ElementType::u8, {count * static_cast<std::int64_t>(sizeof(T))}),
      reinterpret_cast<std::byte*>(to));
}

/// The tiles of a raster and the levels above them.
void set_levels(SolverMap& map, const Problem& problem) {
  const bool is_flat = problem.rank == 2;
  const std::int32_t tile[kAxes] = {is_flat ? 1 : 4, is_flat ? 8 : 4, is_flat ? 32 : 16};
  std::int32_t first = 0;
  for (int axis = 0; axis < kAxes; ++axis) {
    const std::int64_t extent = problem.extent[static_cast<std::size_t>(axis)];
    map.tile[axis] = tile[axis];
    map.shift[axis] = is_flat ? (axis == 0 ? 0 : 2) : 1;
    map.level[0].count[axis] = static_cast<std::int32_t>((extent + tile[axis] - 1) / tile[axis]);
  }
  for (map.top = 0;; ++map.top) {
    SolverMap::Level& own = map.level[map.top];
    own.first = first;
    const std::int64_t nodes = std::int64_t{own.count[0]} * own.count[1] * own.count[2];
    first += static_cast<std::int32_t>(nodes);
    if (nodes <= SolverLimits::kTopNodes) return;
    for (int axis = 0; axis < kAxes; ++axis) {
      const std::int32_t size = 1 << map.shift[axis];
      map.level[map.top + 1].count[axis] = (own.count[axis] + size - 1) / size;
    }
  }
}

/// An output in device memory without gaps.
class OutputMemory {
 public:
  explicit OutputMemory(const View<void>& view) : view_(view) {
    if (!view || is_direct()) return;
    own_ = DeviceArray<std::byte>(
        view.extents().count() * static_cast<std::int64_t>(size_of(view.element_type())),
        "an output of a solver");
  }

  std::byte* bytes() const { return own_.get() != nullptr ? own_.get() : view_.bytes(); }
  const View<void>& view() const { return view_; }
  std::size_t held() const { return own_.bytes(); }
  bool has_copy() const { return own_.get() != nullptr; }

 private:
  bool is_direct() const {
    return view_.space() == MemorySpace::cuda && is_packed(view_) && is_aligned(view_);
  }

  View<void> view_;
  DeviceArray<std::byte> own_;
};

class Engine final : public NearestSolverEngine {
 public:
  Engine(ContextState& state, const NearestSolverData& data, ExactSearch search);
  ~Engine() override;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  void check(const Problem& problem) const override { check_integers(problem); }
  void change_integers() override {}
  void solve(const SiteEdits& edits, bool is_stale) override;
  const Changes& changes() override;
  ChangedCells changed_cells() override;
  std::size_t bytes() const override;

 private:
  const Problem& problem() const { return data_.problem; }
  std::int64_t element() const { return static_cast<std::int64_t>(data_.element()); }

  void allocate_memory();
  bool has_room() const { return !data_.is_list() || data_.points <= capacity_; }
  std::int64_t touched_words() const { return (data_.positions() + kLanes - 1) / kLanes; }
  static std::int64_t tally_bytes(std::int64_t words) {
    return kTallyBytes + words * std::int64_t{sizeof(std::uint32_t)};
  }
  void make_room();
  void make_tally(std::int64_t sites);
  SolverMap solver_map() const;
  Job make_job() const;
  Outputs outputs() const;

  std::vector<Edit> merged(const SiteEdits& edits) const;
  Edit edit_of(std::int64_t site) const;
  void repair(const std::vector<Edit>& edits);
  void solve_anew();
  std::int64_t most_edits() const;
  void swap_places();
  void go_to_spare_places();
  void upload_sites(const std::vector<std::int32_t>& present, std::int32_t* to);
  void search_sites(const SolverMap& map, const std::int32_t* present, std::int64_t count,
                    std::int64_t* found, Scratch::Frame& device);
  void copy_outputs();

  ContextState& state_;
  CudaSession& session_;
  const NearestSolverData& data_;
  ExactSearch search_;
  std::int64_t capacity_ = -1;  ///< points for which there is room; -1 before the first

  DeviceArray<std::int32_t> map_;
  DeviceArray<std::int32_t> before_;
  DeviceArray<std::uint32_t> changed_;
  DeviceArray<std::int64_t> greatest_;
  DeviceArray<std::int32_t> counts_;
  DeviceArray<std::uint32_t> bits_;  ///< of a raster
  DeviceArray<std::int32_t> head_;   ///< of a list
  DeviceArray<std::int32_t> next_;
  DeviceArray<Axes> places_;
  DeviceArray<Axes> spare_places_;  ///< of the answer before, when one is made anew
  std::int64_t places_capacity_ = 0;
  std::int64_t spare_capacity_ = 0;
  std::int64_t placed_points_ = 0;  ///< those of the answer
  DeviceArray<std::byte> values_;
  DeviceArray<std::uint8_t> domain_;
  DeviceArray<LabelBits> rule_values_;
  DeviceArray<Edit> edits_;
  DeviceArray<std::int32_t> listed_;
  DeviceArray<std::byte> tally_;  ///< and bits of sites
  PinnedArray tally_on_host_;
  std::map<std::string_view, OutputMemory> outputs_;  ///< by their names in the table

  bool in_all_ = true;           ///< whether the last solve() was anew
  std::int64_t told_words_ = 0;  ///< of bits of sites, when that was
  bool is_told_ = false;
  bool is_listed_on_host_ = false;
  Changes changes_;
  ChangedList changed_cells_;
};

Engine::Engine(ContextState& state, const NearestSolverData& data, ExactSearch search)
    : state_(state), session_(session_of(state)), data_(data), search_(search) {
  check_integers(problem());
  const CudaSession::DeviceGuard guard(session_);
  if (session_.is_capturing())
    throw Error(ErrorCode::unsupported,
                {"stream", {}, "is being captured; a solver must be made before the capture"});
  outputs_in_memory(data.out, [&](const Output& row, const View<void>& view) {
    return outputs_.try_emplace(row.name, view).first->second.bytes();
  });
  allocate_memory();
}

Engine::~Engine() {
  const CudaSession::DeviceGuard guard(session_);
  cudaStreamSynchronize(session_.stream());
}

void Engine::allocate_memory() {
  constexpr const char* kPurpose = "the map of a solver";
  SolverMap shape{};
  set_levels(shape, problem());
  const std::int64_t cells = problem().cells();
  const std::int64_t tiles = shape.tiles();
  const SolverMap::Level& top = shape.level[shape.top];
  const std::int64_t nodes = top.first + std::int64_t{top.count[0]} * top.count[1] * top.count[2];
  map_ = DeviceArray<std::int32_t>(cells, kPurpose);
  before_ = DeviceArray<std::int32_t>(cells, kPurpose);
  changed_ = DeviceArray<std::uint32_t>(tiles * kTileWords, kPurpose);
  greatest_ = DeviceArray<std::int64_t>(tiles, kPurpose);
  counts_ = DeviceArray<std::int32_t>(nodes, kPurpose);
  edits_ = DeviceArray<Edit>(kMostEdits, kPurpose);
  listed_ = DeviceArray<std::int32_t>(tiles, kPurpose);
  constexpr int kUnreachedByte = 0xFF;
  thiessen::cuda::check(
      cudaMemsetAsync(map_.get(), kUnreachedByte,
                      static_cast<std::size_t>(cells) * sizeof(std::int32_t), session_.stream()),
      kPurpose);
  HostCopies copies(state_, session_);
  state_.progress.begin(1);
  if (!data_.domain.empty()) {
    domain_ = DeviceArray<std::uint8_t>(cells, kPurpose);
    upload(copies, data_.domain.data(), cells, domain_.get());
  }
  const std::vector<LabelBits>& values = problem().rule.values;
  if (!values.empty()) {
    rule_values_ = DeviceArray<LabelBits>(std::ssize(values), kPurpose);
    put_values(session_, values.data(), std::ssize(values), rule_values_.get());
  }
  if (data_.is_list()) {
    head_ = DeviceArray<std::int32_t>(tiles, kPurpose);
    return;
  }
  bits_ = DeviceArray<std::uint32_t>(tiles * kTileWords, kPurpose);
  values_ = DeviceArray<std::byte>(cells * element(), kPurpose);
  make_tally(cells);
}

void Engine::make_tally(std::int64_t sites) {
  const std::int64_t bytes = tally_bytes((sites + kLanes - 1) / kLanes);
  tally_ = DeviceArray<std::byte>(bytes, "the tally of a solver");
  tally_on_host_ = PinnedArray(bytes, "the tally of a solver");
}

/// Makes room for more points than now, so that many additions take linear time. What the arrays
/// held is lost, but for places.
void Engine::make_room() {
  constexpr std::int64_t kFew = 64;
  constexpr const char* kPurpose = "the points of a solver";
  const std::int64_t capacity = std::max({data_.points, 2 * capacity_, kFew});
  next_ = DeviceArray<std::int32_t>(capacity, kPurpose);
  if (data_.out.labels) values_ = DeviceArray<std::byte>(capacity * element(), kPurpose);
  make_tally(capacity);
  capacity_ = capacity;
}

Outputs Engine::outputs() const {
  return outputs_in_memory(data_.out, [&](const Output& row, const View<void>&) {
    return outputs_.at(row.name).bytes();
  });
}

Job Engine::make_job() const {
  Job job{.rank = problem().rank,
          .metric = problem().metric,
          .extent = problem().extent,
          .period = problem().period,
          .fraction_bits = problem().fraction_bits,
          .factor = problem().weights.factor,
          .unit = problem().weights.unit,
          .spacing = problem().spacing,
          .limited = problem().limited,
          .limit = problem().limit,
          .unreached = problem().unreached};
  const SiteRule& rule = problem().rule;
  job.rule = {.type = rule.type,
              .selection = rule.selection,
              .has_nodata = rule.nodata.has_value(),
              .nodata = rule.nodata.value_or(LabelBits{}),
              .values = rule_values_.get(),
              .value_count = static_cast<std::int32_t>(rule.values.size())};
  job.nodata_label = problem().nodata_label;
  const Cells<const std::byte> values{values_.get(), static_cast<std::int32_t>(element())};
  job.labels = values;
  if (data_.is_list())
    job.points = places_.get();
  else
    job.sites = values;
  job.domain = {reinterpret_cast<const std::byte*>(domain_.get()), 1};
  job.out = outputs();
  return job;
}

SolverMap Engine::solver_map() const {
  SolverMap map{};
  set_levels(map, problem());
  map.job = make_job();
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    map.factor[axis] = static_cast<std::int64_t>(problem().weights.factor[axis]);
  map.limit = static_cast<std::int64_t>(problem().limit);
  map.site = map_.get();
  map.before = before_.get();
  map.changed = changed_.get();
  map.greatest = greatest_.get();
  map.sites_of_node = counts_.get();
  map.sites_of_tile = bits_.get();
  map.head = head_.get();
  map.next = next_.get();
  map.places = places_.get();
  map.values = values_.get();
  map.value_bytes = static_cast<std::int32_t>(element());
  map.domain = domain_.get();
  map.edits = edits_.get();
  map.listed = listed_.get();
  map.tally = reinterpret_cast<Tally*>(tally_.get());
  map.touched = reinterpret_cast<std::uint32_t*>(tally_.get() + kTallyBytes);
  map.touched_words = touched_words();
  return map;
}

// ---- a repair ----

/// The edit of a site that stays where it is.
Edit Engine::edit_of(std::int64_t site) const {
  Edit edit{.site = site, .before = data_.place(site), .now = data_.place(site)};
  const std::vector<std::byte>& values = data_.is_list() ? data_.labels : data_.cells;
  if (!values.empty())
    std::memcpy(edit.value.bytes.data(), values.data() + site * element(), data_.element());
  return edit;
}

/// One edit for each site.
std::vector<Edit> Engine::merged(const SiteEdits& edits) const {
  std::vector<Edit> all;
  const auto add = [&](std::int64_t site, EditKind kind) {
    all.push_back(edit_of(site));
    all.back().kinds = kind;
  };
  for (const SiteEdits::Place& each : edits.went) {
    add(each.site, kWent);
    all.back().before = each.place;
  }
  const auto add_all = [&](const std::vector<std::int64_t>& sites, EditKind kind) {
    for (const std::int64_t site : sites) add(site, kind);
  };
  add_all(edits.came, kCame);
  add_all(edits.relabelled, kRelabelled);
  add_all(edits.to_nodata, kToNodata);
  add_all(edits.from_nodata, kFromNodata);
  // That of a former place comes first.
  std::stable_sort(all.begin(), all.end(),
                   [](const Edit& a, const Edit& b) { return a.site < b.site; });
  std::vector<Edit> merged;
  for (const Edit& each : all)
    if (!merged.empty() && merged.back().site == each.site)
      merged.back().kinds |= each.kinds;
    else
      merged.push_back(each);
  return merged;
}

void Engine::repair(const std::vector<Edit>& edits) {
  const PhaseTimer phase(state_, "repair");
  state_.progress.commit();
  const SolverMap map = solver_map();
  EditBatch batch;
  std::size_t taken = 0;
  do {
    batch.first = static_cast<std::int32_t>(taken);
    batch.count =
        static_cast<std::int32_t>(std::min<std::size_t>(kEditsPerLaunch, edits.size() - taken));
    std::copy_n(edits.begin() + batch.first, batch.count, batch.edit);
    apply_edits(session_, map, batch);
    taken += static_cast<std::size_t>(batch.count);
  } while (taken < edits.size());
  repair_map(session_, map, static_cast<std::int32_t>(edits.size()));
  placed_points_ = data_.points;
  in_all_ = false;
}

// ---- a fresh answer ----

void Engine::swap_places() {
  std::swap(places_, spare_places_);
  std::swap(places_capacity_, spare_capacity_);
}

/// Goes on with other memory for places, so that those of the answer before stay.
void Engine::go_to_spare_places() {
  if (spare_capacity_ < capacity_) {
    spare_places_ = DeviceArray<Axes>(capacity_, "the points of a solver");
    spare_capacity_ = capacity_;
  }
  swap_places();
}

/// Copies all sites to the device.
void Engine::upload_sites(const std::vector<std::int32_t>& present, std::int32_t* to) {
  HostCopies copies(state_, session_);
  const std::vector<std::byte>& values = data_.is_list() ? data_.labels : data_.cells;
  state_.progress.begin(std::ssize(values) + data_.points * std::int64_t{sizeof(Axes)} +
                        std::ssize(present) * std::int64_t{sizeof(std::int32_t)} + 1);
  if (!values.empty()) upload(copies, values.data(), std::ssize(values), values_.get());
  if (!data_.is_list()) return;
  upload(copies, data_.places.data(), data_.points, places_.get());
  upload(copies, present.data(), std::ssize(present), to);
}

/// The nearest sites as a fresh call finds them; it writes no output.
void Engine::search_sites(const SolverMap& map, const std::int32_t* present, std::int64_t count,
                          std::int64_t* found, Scratch::Frame& device) {
  Job job = map.job;
  job.out = {};
  job.out.site_index = found;
  if (data_.is_list()) {
    auto* const places = device.array<Axes>(count);
    gather_places(session_, map, present, count, places);
    job.points = places;
    job.point_count = count;
  }
  ProblemViews views = data_.views;
  views.points.count = count;
  fill_outputs(
      session_, problem(), job,
      [&](const CudaSession& session, const Job& own, Scratch::Frame& scratch) {
        search_(session, problem(), views, own, scratch);
      },
      device);
}

void Engine::solve_anew() {
  const PhaseTimer phase(state_, "compare");
  Scratch::Frame device(session_.scratch);
  std::vector<std::int32_t> present;
  for (std::int64_t site = 0; site < data_.points; ++site)
    if (data_.is_present[static_cast<std::size_t>(site)] != 0)
      present.push_back(static_cast<std::int32_t>(site));
  const std::int64_t count = std::ssize(present);
  auto* const found = device.array<std::int64_t>(problem().cells());
  auto* const positions = device.array<std::int32_t>(count);
  if (!has_room()) make_room();
  if (data_.is_list()) go_to_spare_places();
  try {
    upload_sites(present, positions);
    const SolverMap map = solver_map();
    search_sites(map, positions, count, found, device);
    state_.progress.commit();
    build_sites(session_, map, positions, count);
    replace_map(session_, map,
                {.found = found,
                 .present = data_.is_list() ? positions : nullptr,
                 .former = spare_places_.get(),
                 .former_points = placed_points_});
    if (map.job.domain) mark_outside(session_, map.job);
  } catch (...) {
    if (data_.is_list()) swap_places();
    throw;
  }
  placed_points_ = data_.points;
  in_all_ = true;
}

/// Copies outputs that are not as kernels write them to their views. Waits if any is on the host.
void Engine::copy_outputs() {
  HostCopies copies(state_, session_);
  bool on_host = false;
  std::int64_t bytes = 1;
  for (const auto& [name, output] : outputs_) {
    if (!output.has_copy()) continue;
    const View<void>& view = output.view();
    if (view.space() == MemorySpace::cuda) {
      const View<const void> packed(output.bytes(), view.element_type(), view.extents(),
                                    MemorySpace::cuda);
      copy_cells(session_, packed, view);
      continue;
    }
    copies.add_download(output.bytes(), view);
    bytes += view.extents().count() * element_bytes(view);
    on_host = true;
  }
  if (!on_host) return;
  state_.progress.begin(bytes);
  copies.download_all();
  session_.synchronize();
}

/// A repair after more edits takes longer than a fresh answer.
std::int64_t Engine::most_edits() const {
  constexpr std::int64_t kAlways = 8;
  constexpr std::int64_t kPointsPerEdit = 16;
  if (!data_.is_list()) return SolverLimits::kEdits;
  return std::min(SolverLimits::kEdits, kAlways + data_.points / kPointsPerEdit);
}

void Engine::solve(const SiteEdits& edits, bool is_stale) {
  const CudaSession::DeviceGuard guard(session_);
  if (session_.is_capturing())
    throw Error(ErrorCode::unsupported, {"stream",
                                         {},
                                         "is being captured; updates of a solver come from the "
                                         "host, and a graph would enter the same ones again"});
  state_.phases.clear();
  state_.warnings.clear();
  state_.progress.check();
  is_told_ = false;
  is_listed_on_host_ = false;
  told_words_ = touched_words();
  const std::vector<Edit> all = is_stale || !has_room() ? std::vector<Edit>{} : merged(edits);
  if (is_stale || !has_room() || std::ssize(all) > most_edits())
    solve_anew();
  else
    repair(all);
  copy_outputs();
}

// ---- what changed ----

const Changes& Engine::changes() {
  if (is_told_) return changes_;
  const CudaSession::DeviceGuard guard(session_);
  const std::int64_t words = told_words_;
  thiessen::cuda::check(cudaMemcpyAsync(tally_on_host_.get(), tally_.get(),
                                        static_cast<std::size_t>(tally_bytes(words)),
                                        cudaMemcpyDeviceToHost, session_.stream()),
                        "what changed");
  session_.synchronize();
  Tally tally;
  std::memcpy(&tally, tally_on_host_.get(), sizeof tally);
  changes_.cells = static_cast<std::int64_t>(tally.cells);
  changes_.first.clear();
  changes_.last.clear();
  changes_.sites.clear();
  for (int axis = kAxes - data_.rank(); axis < kAxes && tally.cells > 0; ++axis) {
    changes_.first.push_back(tally.low[axis]);
    changes_.last.push_back(tally.high[axis]);
  }
  const auto* const touched =
      reinterpret_cast<const std::uint32_t*>(tally_on_host_.get() + kTallyBytes);
  for (std::int64_t word = 0; word < words; ++word)
    for (std::uint32_t left = touched[word]; left != 0; left &= left - 1)
      changes_.sites.push_back(word * kLanes + lowest_bit(left));
  is_told_ = true;
  return changes_;
}

ChangedCells Engine::changed_cells() {
  if (is_listed_on_host_) return changed_cells_.view();
  const std::int64_t cells = changes().cells;
  const CudaSession::DeviceGuard guard(session_);
  const DeviceArray<ChangedCell> list(cells, "the changed cells of a solver");
  const DeviceArray<unsigned long long> count(1, "the changed cells of a solver");
  const auto ask = [&](cudaError_t status) { thiessen::cuda::check(status, "changed cells"); };
  ask(cudaMemsetAsync(count.get(), 0, sizeof(unsigned long long), session_.stream()));
  list_changed(session_, solver_map(), in_all_, count.get(), list.get());
  std::vector<ChangedCell> found(static_cast<std::size_t>(cells));
  ask(cudaMemcpyAsync(found.data(), list.get(), found.size() * sizeof(ChangedCell),
                      cudaMemcpyDeviceToHost, session_.stream()));
  session_.wait();
  std::sort(found.begin(), found.end(),
            [](const ChangedCell& a, const ChangedCell& b) { return a.cell < b.cell; });
  changed_cells_.clear();
  for (const ChangedCell& each : found) changed_cells_.add(each.cell, each.before);
  is_listed_on_host_ = true;
  return changed_cells_.view();
}

std::size_t Engine::bytes() const {
  std::size_t sum = map_.bytes() + before_.bytes() + changed_.bytes() + greatest_.bytes() +
                    counts_.bytes() + bits_.bytes() + head_.bytes() + next_.bytes() +
                    places_.bytes() + spare_places_.bytes() + values_.bytes() + domain_.bytes() +
                    rule_values_.bytes() + edits_.bytes() + listed_.bytes() + tally_.bytes() +
                    changed_cells_.bytes();
  for (const auto& [name, memory] : outputs_) sum += memory.held();
  return sum;
}

}  // namespace

std::unique_ptr<NearestSolverEngine> make_nearest_solver(ContextState& state,
                                                         const NearestSolverData& data,
                                                         ExactSearch search) {
  return std::make_unique<Engine>(state, data, search);
}

}  // namespace thiessen::cuda::solvers
