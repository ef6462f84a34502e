// SPDX-License-Identifier: Apache-2.0
//
// The raster is cut into a slab for each device, and each device has a thread of the host:
//
//   1. It copies its slab to the device and finds the slab's faces.
//   2. It takes from the faces of the other devices what lies above and below its slab (peer
//      copies), finishes the slab, and copies the outputs back.
//
// So copies and searches of all devices run at the same time; the threads meet once in between. If
// the sites are points, every device has the whole list, and there is nothing to exchange.
#include "cuda/several_devices.hpp"

#include <algorithm>
#include <exception>
#include <optional>
#include <system_error>
#include <thread>

#include "core/slabs/slab.hpp"
#include "cuda/device/session.hpp"
#include "cuda/exact.hpp"
#include "cuda/exact_slab.hpp"
#include "cuda/slabs/faces.hpp"
#include "cuda/transfer/make_job.hpp"
#include "threads/parallel.hpp"

namespace thiessen::cuda {
namespace {

/// Lets the devices copy from each other without the host, where the machine can; elsewhere, and
/// beyond the number of peers that a device may have, copies go over the host.
void enable_peers(std::span<const std::unique_ptr<ContextState>> states) {
  for (const auto& own : states) {
    const CudaSession::DeviceGuard guard(session_of(*own));
    for (const auto& other : states) {
      const int from = session_of(*own).device();
      const int to = session_of(*other).device();
      int can = 0;
      if (from != to) check(cudaDeviceCanAccessPeer(&can, from, to), "access to another device");
      if (can == 0) continue;
      if (cudaDeviceEnablePeerAccess(to, 0) != cudaSuccess) cudaGetLastError();  // or it has it
    }
  }
}

/// The slab of one device, from its upload to the last copy of its outputs.
struct DeviceSlab {
  DeviceSlab(ContextState& of, const Problem& whole, const Slab& place, const ProblemViews& all)
      : state(of), session(session_of(of)), slab(place), problem(alone(whole, place)) {
    const int axis = whole.first_axis();
    const auto rows = [&](const View<const void>& view) {
      return rows_of(view, axis, place.first, place.count);
    };
    if (!whole.point_sites) views.sites = rows(all.sites);
    views.labels = whole.point_sites ? all.labels : rows(all.labels);
    views.domain = rows(all.domain);
    views.weights = all.weights;
    views.out = rows_of(all.out, axis, place.first, place.count);
  }
  ~DeviceSlab() {
    if (found != nullptr) cudaEventDestroy(found);
  }
  DeviceSlab(const DeviceSlab&) = delete;
  DeviceSlab& operator=(const DeviceSlab&) = delete;

  ContextState& state;
  CudaSession& session;
  Slab slab;
  Problem problem;  ///< of the slab alone
  ProblemViews views;
  std::optional<Transfer> transfer;
  Job job;
  SlabFaces faces;
  cudaEvent_t found = nullptr;  ///< when the faces are there
};

using DeviceSlabs = std::vector<std::unique_ptr<DeviceSlab>>;

/// Runs work(number of the slab) for all slabs at once, each on a thread of its own, and waits for
/// all of them. Rethrows the first exception.
template <class Work>
void on_all(const DeviceSlabs& slabs, const Work& work) {
  std::vector<std::exception_ptr> failures(slabs.size());
  const auto run = [&](std::size_t i) {
    try {
      const CudaSession::DeviceGuard guard(slabs[i]->session);
      work(i);
    } catch (...) {
      failures[i] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> threads;
    threads.reserve(slabs.size());
    try {
      for (std::size_t i = 1; i < slabs.size(); ++i) threads.emplace_back(run, i);
    } catch (const std::system_error&) {
      throw Error(ErrorCode::out_of_memory, "no thread for each of the devices");
    }
    run(0);
  }
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

/// A slab for each device, the first ones a row longer if need be; none for those without rows.
DeviceSlabs cut(std::span<const std::unique_ptr<ContextState>> states, const Problem& problem,
                const ProblemViews& views) {
  const std::int64_t rows = whole_raster(problem).count;
  const auto count = static_cast<std::int64_t>(states.size());
  DeviceSlabs slabs;
  std::int64_t first = 0;
  for (std::int64_t i = 0; i < count && first < rows; ++i) {
    const std::int64_t own = rows / count + (i < rows % count ? 1 : 0);
    slabs.push_back(std::make_unique<DeviceSlab>(*states[static_cast<std::size_t>(i)], problem,
                                                 Slab{first, own, {}, {}}, views));
    first += own;
  }
  return slabs;
}

bool has_numbers(const Problem& problem, const Job& job) {
  return job.labels && problem.rule.type == ElementType::boolean;
}

void start(const Problem& whole, DeviceSlab& own) {
  own.transfer.emplace(own.state, own.views);
  own.job = make_job(own.session, own.problem, own.views, *own.transfer);
  own.faces = slabs::allocate_faces(whole,
                                    {.label = own.job.out.labels.element,
                                     .others = whole.signed_distance,
                                     .boundary = whole.distance_to == DistanceTo::boundary},
                                    own.transfer->device());
  slabs::find_faces(own.session, whole, own.slab, own.job, own.faces);
  check(cudaEventCreateWithFlags(&own.found, cudaEventDisableTiming), "event");
  check(cudaEventRecord(own.found, own.session.stream()), "event");
  if (!has_numbers(whole, own.job)) return;
  const std::int32_t element = own.job.labels.element;
  check(cudaMemcpyAsync(&own.faces.number, own.job.labels.bytes + (own.job.cells() - 1) * element,
                        static_cast<std::size_t>(element), cudaMemcpyDeviceToHost,
                        own.session.stream()),
        "number of the sites");
  own.session.wait();
}

/// What lies on one side of a slab, taken from the faces of others, the nearest one first.
class Side {
 public:
  Side(const Problem& whole, DeviceSlab& own, End end)
      : whole_(whole),
        own_(own),
        columns_(slab_columns(whole)),
        above_(end == End::first),
        faces_(slabs::allocate_faces(whole,
                                     {.label = own.job.out.labels.element,
                                      .others = whole.signed_distance,
                                      .boundary = whole.distance_to == DistanceTo::boundary},
                                     own.transfer->device())) {
    for (const Face& face : {sites(), others(), boundary()})
      if (face.coordinate != nullptr) slabs::clear_face(own.session, columns_, face);
  }

  /// Takes what is still lacking from another slab, or from an image of it `rows` away; `numbers`
  /// are the sites before that one.
  void take(const DeviceSlab& other, std::int64_t rows, std::int64_t numbers) {
    const auto end = [&](const SlabFaces::Ends& ends) { return above_ ? ends.last : ends.first; };
    const std::int32_t label = own_.job.out.labels.element;
    const bool numbered = has_numbers(whole_, own_.job);
    slabs::fill_face(own_.session, columns_, sites(), fetch(other, end(other.faces.sites), label),
                     {.rows = rows, .numbers = numbered ? numbers : 0, .label = label});
    if (others().coordinate != nullptr)
      slabs::fill_face(own_.session, columns_, others(), fetch(other, end(other.faces.others), 0),
                       {.rows = rows});
    if (boundary().coordinate != nullptr) take_changes(other, end(other.faces.boundary), rows);
  }

  /// Tells the maps of the slab what lies there.
  void put(SlabMaps& maps) const {
    const auto put = [&](Slab& slab, const Face& face) {
      (above_ ? slab.above : slab.below) = {face.coordinate, face.labels};
    };
    put(maps.sites, sites());
    put(maps.others, others());
    if (has_row_) put(maps.boundary, boundary());
  }

 private:
  const Face& sites() const { return faces_.sites.first; }
  const Face& others() const { return faces_.others.first; }
  const Face& boundary() const { return faces_.boundary.first; }

  void copy(const DeviceSlab& from, void* to, const void* bytes, std::int64_t count) const {
    check(cudaMemcpyPeerAsync(to, own_.session.device(), bytes, from.session.device(),
                              static_cast<std::size_t>(count), own_.session.stream()),
          "copy from another device");
  }

  /// A copy of a face of another device.
  Face fetch(const DeviceSlab& from, const Face& face, std::int32_t label) const {
    Face own{own_.transfer->device().array<std::int32_t>(columns_), nullptr};
    copy(from, own.coordinate, face.coordinate, columns_ * std::int64_t{sizeof *own.coordinate});
    if (label == 0) return own;
    own.labels = own_.transfer->device().array<std::byte>(columns_ * label);
    copy(from, own.labels, face.labels, columns_ * label);
    return own;
  }

  void take_changes(const DeviceSlab& other, const Face& face, std::int64_t rows) {
    const Slab& slab = other.slab;
    const Face copy = fetch(other, face, own_.job.sites.element);
    if (!has_row_) {
      slabs::fill_face(own_.session, columns_, boundary(), copy, {.rows = rows});
      copy_values(copy);
      has_row_ = true;
      return;
    }
    const std::int64_t row = above_ ? slab.first + slab.count - 1 : slab.first;
    slabs::fill_changes(own_.session, columns_, own_.job.rule.type, {boundary()},
                        {copy, static_cast<std::int32_t>(row)}, rows);
  }

  void copy_values(const Face& face) const {
    check(cudaMemcpyAsync(boundary().labels, face.labels,
                          static_cast<std::size_t>(columns_ * own_.job.sites.element),
                          cudaMemcpyDeviceToDevice, own_.session.stream()),
          "values of a face");
  }

  const Problem& whole_;
  DeviceSlab& own_;
  std::int64_t columns_;
  bool above_;
  SlabFaces faces_;  ///< the first of each pair
  bool has_row_ = false;
};

/// Finishes a slab whose neighbours have found their faces.
void finish(const Problem& whole, const DeviceSlabs& slabs, std::size_t k) {
  DeviceSlab& own = *slabs[k];
  std::vector<std::int64_t> before(slabs.size(), 0);
  for (std::size_t i = 0; i < slabs.size(); ++i) {
    if (i > 0) before[i] = before[i - 1] + slabs[i - 1]->faces.number;
    check(cudaStreamWaitEvent(own.session.stream(), slabs[i]->found, 0), "wait for a device");
  }
  const std::int64_t period = whole.period[static_cast<std::size_t>(whole.first_axis())];
  const bool is_periodic = period != kNoPeriod;
  Side above(whole, own, End::first);
  for (std::size_t i = k; i-- > 0;) above.take(*slabs[i], 0, before[i]);
  for (std::size_t i = slabs.size(); is_periodic && i-- > 0;)
    above.take(*slabs[i], -period, before[i]);
  Side below(whole, own, End::last);
  for (std::size_t i = k + 1; i < slabs.size(); ++i) below.take(*slabs[i], 0, before[i]);
  for (std::size_t i = 0; is_periodic && i < slabs.size(); ++i)
    below.take(*slabs[i], period, before[i]);
  SlabMaps maps{own.slab, own.slab, own.slab};
  above.put(maps);
  below.put(maps);
  if (has_numbers(whole, own.job))
    slabs::add_to_numbers(own.session, own.job.labels, own.job.cells(), before[k]);
  search_slab(own.session, whole, maps, own.faces, own.job, own.transfer->device());
  own.transfer->finish();
}

/// A slab of the grid for points: all of them, seen from its first row.
void run_points(const Problem& whole, const ProblemViews& all, DeviceSlab& own) {
  const auto axis = static_cast<std::size_t>(whole.first_axis());
  Scratch::Frame scratch(own.state.scratch);
  own.problem.first_site = 0;
  own.views.points = all.points;
  own.views.points.at = scratch.array<Axes>(all.points.count);
  for (std::int64_t i = 0; i < all.points.count; ++i) {
    own.views.points.at[i] = all.points.at[i];
    own.views.points.at[i][axis] -= own.slab.first << whole.fraction_bits;
  }
  run_exact(own.state, own.problem, own.views);
}

/// What the phases of the devices were, with the name of each.
void report_phases(ContextState& state, const DeviceSlabs& slabs) {
  for (const auto& slab : slabs)
    for (Phase& phase : slab->state.phases) {
      const std::string space = phase.detail.empty() ? "" : " ";
      state.phases.push_back(
          {phase.name, phase.milliseconds, slab->state.device + space + phase.detail});
    }
}

}  // namespace

SeveralDevices::SeveralDevices(ContextState& whole, std::span<const int> devices,
                               const ContextOptions& options) {
  const auto count = static_cast<int>(devices.size());
  states_.reserve(devices.size());
  for (const int device : devices) {
    auto& state = states_.emplace_back(std::make_unique<ContextState>());
    state->device = "cuda:" + std::to_string(device);
    state->session = std::make_unique<CudaSession>(device, options);
    state->progress.share(whole.progress);
    open_threads(*state, std::max(whole.threads / count, 1));
  }
  enable_peers(states_);
}

void SeveralDevices::synchronize() {
  for (const auto& state : states_) state->session->synchronize();
}

std::size_t SeveralDevices::scratch_bytes() const noexcept {
  std::size_t bytes = 0;
  for (const auto& state : states_)
    bytes += state->scratch.bytes() + state->session->scratch_bytes();
  return bytes;
}

void SeveralDevices::release_scratch() noexcept {
  for (const auto& state : states_) {
    state->scratch.release();
    state->session->release_scratch();
  }
}

Support supports_exact_on_several(const ContextState&, const Problem& problem) {
  const bool is_periodic =
      problem.period[static_cast<std::size_t>(problem.first_axis())] != kNoPeriod;
  if (problem.metric != Metric::euclidean && problem.metric != Metric::manhattan)
    return {"several devices have the metrics euclidean and manhattan, not " +
            std::string(name_of(problem.metric))};
  if (problem.has_weights() && !problem.point_sites)
    return {"several devices take weights of points, not of a raster"};
  if (problem.point_sites && is_periodic)
    return {"several devices take no points where the first axis is periodic"};
  return {};
}

void run_exact_on_several(ContextState& state, const Problem& problem, const ProblemViews& views) {
  const auto& session = static_cast<const SeveralDevices&>(*state.session);
  const DeviceSlabs slabs = cut(session.states(), problem, views);
  std::int64_t bytes = 0;
  for (const auto& slab : slabs) {
    slab->state.phases.clear();
    bytes += host_bytes(slab->views) + views.points.count * static_cast<std::int64_t>(sizeof(Axes));
  }
  state.progress.begin(std::max<std::int64_t>(bytes, 1));
  if (problem.point_sites) {
    on_all(slabs, [&](std::size_t i) { run_points(problem, views, *slabs[i]); });
  } else {
    on_all(slabs, [&](std::size_t i) { start(problem, *slabs[i]); });
    on_all(slabs, [&](std::size_t i) { finish(problem, slabs, i); });
  }
  report_phases(state, slabs);
}

}  // namespace thiessen::cuda
