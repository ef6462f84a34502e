// SPDX-License-Identifier: Apache-2.0
//
// Calls on arrays of the host, on the emulated device, against the CPU. Pieces have a few cells,
// and small rasters are packed like large ones.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/draw.hpp"
#include "support/guarded_array.hpp"
#include "support/small_cuda_limits.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

using testing::Draw;
using testing::GuardedArray;
using testing::Layout;

/// Pieces of so many bytes.
class SmallPieces : testing::CudaLimits {
 public:
  explicit SmallPieces(std::int64_t bytes) {
    set(cuda::TransferLimits::kLeastBytes, 0);
    set(cuda::TransferLimits::kPieceBytes, bytes);
  }
};

/// Where sites are.
enum class Sites {
  everywhere,  ///< near every cell
  above,       ///< in the first third of the rows
  mixed,       ///< in the first half of the rows everywhere, then here and there
  nowhere,
};

struct Setting {
  Extents extents;
  ElementType type = ElementType::i32;
  Sites sites = Sites::everywhere;
  NearestSiteOptions options = {};
  Layout in = Layout::contiguous;
  Layout out = Layout::contiguous;
  bool has_domain = false;
  std::int64_t batch = 0;  ///< rasters, the first axis
};

std::vector<std::byte> draw_cells(const Setting& setting) {
  Draw draw(23);
  const auto count = setting.extents.count();
  const std::size_t element = size_of(setting.type);
  std::vector<std::byte> cells(static_cast<std::size_t>(count) * element);
  const std::int64_t end = setting.sites == Sites::nowhere ? 0
                           : setting.sites == Sites::above ? count / 3
                                                           : count;
  for (std::int64_t cell = 0; cell < end; ++cell) {
    const bool is_dense = setting.sites == Sites::mixed && cell < count / 2;
    if (!draw.once_in(is_dense ? 2 : 9)) continue;
    // A number above 0 in every type: the lowest byte, or that of the exponent.
    const bool is_float = setting.type == ElementType::f32 || setting.type == ElementType::f64;
    const auto value = static_cast<std::byte>(1 + draw.below(60));
    cells[static_cast<std::size_t>(cell) * element + (is_float ? element - 1 : 0)] = value;
  }
  return cells;
}

ElementType label_type(ElementType sites) {
  return sites == ElementType::boolean ? ElementType::i32 : sites;
}

/// Which outputs a call has.
struct Wanted {
  bool labels = true;
  bool distance = true;
  bool others = true;
  ElementType distance_type = ElementType::f32;
};

std::vector<std::vector<std::byte>> run(Context& context, const Setting& setting,
                                        const Wanted& wanted) {
  const Extents& extents = setting.extents;
  GuardedArray sites(setting.type, extents, setting.in);
  sites.assign(draw_cells(setting).data());
  std::vector<std::uint8_t> inside(static_cast<std::size_t>(extents.count()));
  for (std::size_t i = 0; i < inside.size(); ++i) inside[i] = i / 5 % 4 != 0 ? 1 : 0;
  std::vector<std::int64_t> sizes;
  for (int axis = 0; axis < extents.rank(); ++axis) sizes.push_back(extents[axis]);
  const int rank = extents.rank() - (setting.batch > 0 ? 1 : 0);
  std::vector<std::int64_t> with_components = sizes;
  with_components.insert(with_components.begin(), rank);
  GuardedArray labels(label_type(setting.type), extents, setting.out);
  GuardedArray distance(wanted.distance_type, extents, setting.out);
  GuardedArray index(ElementType::i64, extents, setting.out);
  GuardedArray squared(ElementType::i64, extents, setting.out);
  GuardedArray offset(ElementType::i32, Extents(with_components), setting.out);
  GuardedArray direction(ElementType::f32, extents, setting.out);
  NearestSiteOutputs out;
  if (wanted.labels) out.labels = labels.view();
  if (wanted.distance) out.distance = distance.view();
  if (wanted.others) {
    out.site_index = index.view<std::int64_t>();
    out.offset = offset.view<std::int32_t>();
    if (setting.options.metric == Metric::euclidean && setting.options.spacing.empty())
      out.squared = squared.view<std::int64_t>();
    if (rank == 2) out.direction = direction.view<float>();
  }
  View<const void> domain;
  if (setting.has_domain) domain = View<const std::uint8_t>(inside.data(), extents);
  if (setting.batch > 0)
    nearest_site_batch(context, sites.view(), setting.options, out, domain);
  else
    nearest_site(context, sites.view(), setting.options, out, domain);
  std::vector<std::vector<std::byte>> found;
  for (GuardedArray* const array : {&labels, &distance, &index, &squared, &offset, &direction}) {
    EXPECT_TRUE(array->intact());
    found.push_back(array->elements());
  }
  return found;
}

void expect_like_cpu(const Setting& setting, const Wanted& wanted) {
  Context cpu({.device = "cpu", .threads = 2});
  const auto truth = run(cpu, setting, wanted);
  Context context({.device = "cuda", .threads = 3});
  EXPECT_TRUE(run(context, setting, wanted) == truth);
  const std::size_t scratch = context.scratch_bytes();
  EXPECT_TRUE(run(context, setting, wanted) == truth);
  EXPECT_EQ(context.scratch_bytes(), scratch);
}

TEST(TransfersCuda, AllElementsEqualTheCpu) {
  for (int type = 0; type <= static_cast<int>(ElementType::f64); ++type)
    for (const Extents& extents : {Extents{70, 45}, Extents{23, 9, 11}}) {
      const SmallPieces limits(700);
      Setting setting{extents, static_cast<ElementType>(type)};
      SCOPED_TRACE(std::string(name_of(setting.type)) + ", rank " + std::to_string(extents.rank()));
      expect_like_cpu(setting, {});
      setting.sites = Sites::above;
      expect_like_cpu(setting, {});
    }
}

TEST(TransfersCuda, EveryOutputAloneEqualsTheCpu) {
  const SmallPieces limits(700);
  for (const Sites sites : {Sites::everywhere, Sites::above, Sites::nowhere})
    for (const Wanted& wanted :
         {Wanted{true, false, false}, Wanted{false, true, false}, Wanted{false, false, true},
          Wanted{false, true, false, ElementType::f64}, Wanted{true, true, false}})
      for (const ElementType type : {ElementType::boolean, ElementType::i32})
        expect_like_cpu({{90, 64}, type, sites}, wanted);
}

TEST(TransfersCuda, AnyStridesEqualTheCpu) {
  for (const std::int64_t piece : {1, 100, 100000}) {
    const SmallPieces limits(piece);
    for (const Layout in : {Layout::contiguous, Layout::padded, Layout::reversed})
      for (const Layout out : {Layout::contiguous, Layout::padded, Layout::reversed}) {
        expect_like_cpu({{60, 31}, ElementType::i16, Sites::above, {}, in, out}, {});
        expect_like_cpu({{19, 8, 13}, ElementType::boolean, Sites::everywhere, {}, in, out}, {});
      }
  }
}

TEST(TransfersCuda, OptionsEqualTheCpu) {
  const SmallPieces limits(700);
  const std::vector<NearestSiteOptions> all = {
      {.metric = Metric::manhattan},
      {.metric = Metric::chessboard},
      {.spacing = {3, 1}},
      {.spacing = {0.325, 1.5}},
      {.max_distance = 2},
      {.max_distance = 30},
      {.values = {std::int64_t{7}, std::int64_t{9}}},
      {.zero_is_site = true, .nodata = std::int64_t{0}},
      {.nodata = std::int64_t{5}},
      {.free_nodata = true, .nodata = std::int64_t{0}},
      {.free_nodata = true, .nodata = std::int64_t{5}, .signed_distance = true},
      {.max_distance = 3, .unreached = std::int64_t{77}},
      {.signed_distance = true},
      {.max_distance = 1, .nodata = std::int64_t{5}, .signed_distance = true},
      {.periodic = {false, true}},
      {.periodic = {true, true}}};
  for (const NearestSiteOptions& options : all)
    for (const Sites sites : {Sites::everywhere, Sites::above})
      for (const bool has_domain : {false, true}) {
        Setting setting{{80, 50}, ElementType::i32, sites, options};
        setting.has_domain = has_domain;
        if (has_domain) setting.options.nodata_label = std::int64_t{-3};
        expect_like_cpu(setting, {});
      }
}

TEST(TransfersCuda, RastersOfAllWidthsEqualTheCpu) {
  for (const std::int64_t piece : {4000, 20000}) {
    const SmallPieces limits(piece);
    for (const ElementType type : {ElementType::f32, ElementType::u32, ElementType::i64})
      for (const Extents& extents : {Extents{251, 300}, Extents{40, 41, 43}})
        expect_like_cpu({extents, type, Sites::mixed}, {});
  }
}

TEST(TransfersCuda, BatchesEqualTheCpu) {
  const SmallPieces limits(700);
  for (const ElementType type : {ElementType::boolean, ElementType::u8, ElementType::f32})
    for (const Sites sites : {Sites::everywhere, Sites::above}) {
      Setting setting{{13, 40, 35}, type, sites};
      setting.batch = 13;
      expect_like_cpu(setting, {});
    }
}

/// An array that the device itself can read and write.
struct PinnedCells {
  explicit PinnedCells(std::size_t count) {
    void* memory = nullptr;
    EXPECT_EQ(cudaHostAlloc(&memory, count * sizeof(std::int32_t), cudaHostAllocDefault),
              cudaSuccess);
    cells = static_cast<std::int32_t*>(memory);
  }
  ~PinnedCells() { cudaFreeHost(cells); }
  PinnedCells(const PinnedCells&) = delete;
  PinnedCells& operator=(const PinnedCells&) = delete;

  std::int32_t* cells;
};

TEST(TransfersCuda, PinnedArraysEqualTheCpu) {
  const SmallPieces limits(700);
  for (const Sites where : {Sites::everywhere, Sites::above}) {
    const Setting setting{{90, 64}, ElementType::i32, where};
    const auto count = static_cast<std::size_t>(setting.extents.count());
    const std::vector<std::byte> drawn = draw_cells(setting);
    std::vector<std::int32_t> truth(count);
    const PinnedCells sites(count);
    const PinnedCells labels(count);
    std::memcpy(sites.cells, drawn.data(), drawn.size());
    const View<const std::int32_t> in(sites.cells, setting.extents);
    Context cpu({.device = "cpu"});
    nearest_site(cpu, in, {}, {.labels = View<std::int32_t>(truth.data(), setting.extents)});
    // Nodata sends all cells up, as they are.
    for (const std::optional<LabelValue>& nodata :
         {std::optional<LabelValue>(), std::optional<LabelValue>(std::int64_t{-1})}) {
      Context context({.device = "cuda", .threads = 2});
      nearest_site(context, in, {.nodata = nodata},
                   {.labels = View<std::int32_t>(labels.cells, setting.extents)});
      EXPECT_EQ(std::memcmp(labels.cells, truth.data(), drawn.size()), 0);
    }
  }
}

/// A call ends soon, leaves nothing running, and the next one is as good as ever.
TEST(TransfersCuda, CanBeCancelledAnywhere) {
  const SmallPieces limits(700);
  for (const Sites sites : {Sites::everywhere, Sites::above}) {
    const Setting setting{{90, 64}, ElementType::i32, sites};
    Context cpu({.device = "cpu"});
    const auto truth = run(cpu, setting, {});
    for (const int threads : {1, 3}) {
      Context context({.device = "cuda", .threads = threads});
      for (const double until : {0.0, 0.1, 0.4, 0.7, 0.95}) {
        double last = 0;
        context.on_progress([&](double fraction) {
          EXPECT_GE(fraction, last);
          last = fraction;
          if (fraction >= until && fraction < 1) context.cancel();
        });
        EXPECT_THROW(run(context, setting, {}), Error);
        EXPECT_GE(last, until);
        context.on_progress({});
        EXPECT_TRUE(run(context, setting, {}) == truth);
      }
      double last = 0;
      context.on_progress([&](double fraction) { last = fraction; });
      run(context, setting, {});
      EXPECT_EQ(last, 1);
    }
  }
}

}  // namespace
}  // namespace thiessen
