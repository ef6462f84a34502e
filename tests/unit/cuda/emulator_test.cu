// SPDX-License-Identifier: Apache-2.0
//
// The device that the CPU emulates does what CUDA defines, and ends a program where CUDA's
// behaviour is undefined.
#include <cooperative_groups.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <vector>

namespace {

constexpr int kLanes = 32;

/// An array of the device, whose contents are fetched when it is destroyed.
template <class T>
class OnDevice {
 public:
  explicit OnDevice(std::vector<T>& host) : host_(host) {
    void* bytes = nullptr;
    EXPECT_EQ(cudaMalloc(&bytes, host.size() * sizeof(T)), cudaSuccess);
    at_ = static_cast<T*>(bytes);
    EXPECT_EQ(cudaMemcpy(at_, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice),
              cudaSuccess);
  }
  ~OnDevice() {
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(host_.data(), at_, host_.size() * sizeof(T), cudaMemcpyDeviceToHost),
              cudaSuccess);
    EXPECT_EQ(cudaFree(at_), cudaSuccess);
  }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;
  T* get() const { return at_; }

 private:
  std::vector<T>& host_;
  T* at_ = nullptr;
};

struct Shape {
  unsigned blocks = 1;
  unsigned threads = kLanes;
  std::size_t shared_bytes = 0;
  bool together = false;
  cudaStream_t stream = nullptr;
};

template <class... Parameters>
cudaError_t start(const Shape& shape, void (*kernel)(Parameters...),
                  const std::type_identity_t<Parameters>&... values) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(shape.blocks);
  config.blockDim = dim3(shape.threads);
  config.dynamicSmemBytes = shape.shared_bytes;
  config.stream = shape.stream;
  config.attrs = &attribute;
  config.numAttrs = shape.together ? 1 : 0;
  return cudaLaunchKernelEx(&config, kernel, values...);
}

__device__ std::int64_t number() { return std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; }

__global__ void shuffle(int* up, int* down, int* turned, int* third) {
  const auto own = static_cast<int>(threadIdx.x) * 10;
  up[threadIdx.x] = __shfl_up_sync(~0u, own, 1);
  down[threadIdx.x] = __shfl_down_sync(~0u, own, 2);
  turned[threadIdx.x] = __shfl_xor_sync(~0u, own, 31);
  third[threadIdx.x] = __shfl_sync(~0u, own, 3);
}

TEST(Emulator, LanesReadFromEachOther) {
  std::vector<int> up(kLanes), down(kLanes), turned(kLanes), third(kLanes);
  {
    const OnDevice a(up), b(down), c(turned), d(third);
    ASSERT_EQ(start({}, shuffle, a.get(), b.get(), c.get(), d.get()), cudaSuccess);
  }
  for (int lane = 0; lane < kLanes; ++lane) {
    const auto i = static_cast<std::size_t>(lane);
    EXPECT_EQ(up[i], (lane == 0 ? 0 : lane - 1) * 10);
    EXPECT_EQ(down[i], (lane + 2 < kLanes ? lane + 2 : lane) * 10);
    EXPECT_EQ(turned[i], (31 - lane) * 10);
    EXPECT_EQ(third[i], 30);
  }
}

__global__ void vote(unsigned* bits, int* verdicts) {
  bits[threadIdx.x] = __ballot_sync(~0u, threadIdx.x % 3 == 0);
  verdicts[threadIdx.x] = __any_sync(~0u, threadIdx.x == 5) + 2 * __all_sync(~0u, 1) +
                          4 * __syncthreads_or(threadIdx.x == 40) +
                          8 * __syncthreads_and(threadIdx.x != 40);
}

/// Votes of a warp and of a block count the right threads.
TEST(Emulator, ThreadsVote) {
  std::vector<unsigned> bits(64);
  std::vector<int> verdicts(64);
  {
    const OnDevice a(bits);
    const OnDevice b(verdicts);
    ASSERT_EQ(start({.threads = 64}, vote, a.get(), b.get()), cudaSuccess);
  }
  EXPECT_EQ(bits[0], 0x49249249u);
  EXPECT_EQ(bits[32], 0x92492492u);
  EXPECT_EQ(verdicts[0], 1 + 2 + 4);
  EXPECT_EQ(verdicts[32], 2 + 4);
}

/// Each block adds the values of its threads, through shared memory; threads beyond the array end
/// early.
__global__ void add_up(const int* from, std::int64_t count, int* sum, std::int64_t* threads) {
  __shared__ int of_block[96];
  of_block[threadIdx.x] = number() < count ? from[number()] : 0;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half >= 3; half /= 2) {
    if (threadIdx.x < half) of_block[threadIdx.x] += of_block[threadIdx.x + half];
    __syncthreads();
  }
  atomicAdd(threads, 1);
  if (threadIdx.x >= 3) return;
  atomicAdd(sum, of_block[threadIdx.x]);
}

TEST(Emulator, BlocksShareMemoryAndAllThreadsRun) {
  std::vector<int> from(5000);
  std::iota(from.begin(), from.end(), 1);
  std::vector<int> sum(1);
  std::vector<std::int64_t> threads(1);
  {
    const OnDevice a(from);
    const OnDevice b(sum);
    const OnDevice c(threads);
    ASSERT_EQ(start({.blocks = 60, .threads = 96}, add_up, a.get(), 5000, b.get(), c.get()),
              cudaSuccess);
  }
  EXPECT_EQ(sum[0], 5000 * 5001 / 2);
  EXPECT_EQ(threads[0], 60 * 96);
}

/// In every round each block reads what the next one wrote in the round before.
__global__ void pass_on(volatile int* value, int rounds) {
  const auto grid = cooperative_groups::this_grid();
  for (int round = 0; round < rounds; ++round) {
    const int next = value[(blockIdx.x + 1) % gridDim.x];
    grid.sync();
    if (threadIdx.x == 0) value[blockIdx.x] = next + 1;
    grid.sync();
  }
}

TEST(Emulator, BlocksOfAGridWaitForEachOther) {
  std::vector<int> value{0, 100, 200};
  {
    const OnDevice a(value);
    ASSERT_EQ(start({.blocks = 3, .threads = 64, .together = true}, pass_on, a.get(), 30),
              cudaSuccess);
  }
  EXPECT_EQ(value, (std::vector<int>{30, 130, 230}));
}

__global__ void put(int* to, int value) { to[number()] = value; }

TEST(Emulator, LaunchesAreChecked) {
  std::vector<int> value(32);
  const OnDevice a(value);
  EXPECT_EQ(start({.blocks = 0}, put, a.get(), 1), cudaErrorInvalidConfiguration);
  EXPECT_EQ(start({.threads = 1025}, put, a.get(), 1), cudaErrorInvalidConfiguration);
  EXPECT_EQ(start({.blocks = 4, .together = true}, put, a.get(), 1),
            cudaErrorCooperativeLaunchTooLarge);
  constexpr std::size_t kMuch = 100 * 1024;
  EXPECT_EQ(start({.shared_bytes = kMuch}, put, a.get(), 1), cudaErrorInvalidValue);
  ASSERT_EQ(cudaFuncSetAttribute(put, cudaFuncAttributeMaxDynamicSharedMemorySize, kMuch),
            cudaSuccess);
  EXPECT_EQ(start({.shared_bytes = kMuch}, put, a.get(), 1), cudaSuccess);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST(Emulator, WorkIsDoneWhenSomebodyWaits) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  void* pinned = nullptr;
  ASSERT_EQ(cudaHostAlloc(&pinned, 32 * sizeof(int), cudaHostAllocDefault), cudaSuccess);
  auto* const seen = static_cast<int*>(pinned);
  seen[0] = -1;
  std::vector<int> value(32);
  {
    const OnDevice a(value);
    ASSERT_EQ(start({.stream = stream}, put, a.get(), 7), cudaSuccess);
    ASSERT_EQ(cudaMemcpyAsync(seen, a.get(), 32 * sizeof(int), cudaMemcpyDeviceToHost, stream),
              cudaSuccess);
    EXPECT_EQ(seen[0], -1);
    ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    EXPECT_EQ(seen[0], 7);
  }
  ASSERT_EQ(cudaFreeHost(pinned), cudaSuccess);
  ASSERT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

TEST(Emulator, GraphsDoAgainWhatWasPutIntoThem) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  std::vector<int> sum{0};
  std::vector<std::int64_t> threads{0};
  std::vector<int> from(96, 1);
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  {
    const OnDevice a(from);
    const OnDevice b(sum);
    const OnDevice c(threads);
    ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    ASSERT_EQ(start({.threads = 96, .stream = stream}, add_up, a.get(), 96, b.get(), c.get()),
              cudaSuccess);
    EXPECT_NE(cudaStreamSynchronize(stream), cudaSuccess);
    ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    ASSERT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
    for (int i = 0; i < 3; ++i) ASSERT_EQ(cudaGraphLaunch(executable, stream), cudaSuccess);
  }
  EXPECT_EQ(sum[0], 3 * 96);
  cudaGetLastError();
  ASSERT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  ASSERT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  ASSERT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

TEST(Emulator, CopiesStayWithinTheirArrays) {
  std::vector<int> value(8);
  {
    const OnDevice a(value);
    EXPECT_EQ(cudaMemcpy(a.get() + 1, value.data(), 32, cudaMemcpyHostToDevice),
              cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemcpy(value.data(), a.get(), 32, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  }
  void* much = nullptr;
  EXPECT_EQ(cudaMalloc(&much, std::size_t{1} << 45), cudaErrorMemoryAllocation);
  cudaGetLastError();
}

// ---- errors that end the program

class EmulatorDeathTest : public testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }

  /// Runs a kernel in one block.
  static void run(void (*kernel)(), unsigned threads) {
    start({.threads = threads}, kernel);
    cudaDeviceSynchronize();
  }
};

__global__ void wait_in_half() {
  if (threadIdx.x < 16)
    __syncthreads();
  else
    __shfl_sync(~0u, 0, 0);
}
TEST_F(EmulatorDeathTest, WhoWaitsForWhoNeverComes) {
  EXPECT_DEATH(run(wait_in_half, 32), "wait for each other");
}

__global__ void meet_for_two_things() {
  if (threadIdx.x < 16)
    __syncwarp();
  else
    __ballot_sync(~0u, 1);
}
TEST_F(EmulatorDeathTest, LanesThatMeetForDifferentThings) {
  EXPECT_DEATH(run(meet_for_two_things, 32), "different operations");
}

__global__ void meet_as_a_stranger() { __shfl_sync(0xfffffffe, 1, 1); }
TEST_F(EmulatorDeathTest, ALaneThatIsNotInItsMask) {
  EXPECT_DEATH(run(meet_as_a_stranger, 32), "mask in which it is not");
}

__global__ void read_from_nobody() { __shfl_sync(~0u, 1, 30); }
TEST_F(EmulatorDeathTest, ReadingFromALaneThatIsNotThere) {
  EXPECT_DEATH(run(read_from_nobody, 20), "did not meet it");
}

#if defined(__SANITIZE_ADDRESS__)
TEST_F(EmulatorDeathTest, WritingBehindAnArrayOfTheDevice) {
  std::vector<int> value(31);
  const OnDevice a(value);
  EXPECT_DEATH(start({.threads = 32}, put, a.get(), 1);
               cudaDeviceSynchronize(), "heap-buffer-overflow");
}
#endif

#if defined(__SANITIZE_THREAD__)
__global__ void read_too_early() {
  __shared__ volatile unsigned result;
  __shared__ unsigned of_thread[64];
  of_thread[threadIdx.x] = threadIdx.x;
  result = of_thread[(threadIdx.x + 32) % 64];
}
TEST_F(EmulatorDeathTest, ThreadsThatDoNotWaitForEachOther) {
  EXPECT_DEATH(run(read_too_early, 64), "data race");
}

__global__ void read_in_time() {
  __shared__ volatile unsigned result;
  __shared__ unsigned of_thread[64];
  of_thread[threadIdx.x] = threadIdx.x;
  __syncthreads();
  result = of_thread[(threadIdx.x + 32) % 64];
}
TEST_F(EmulatorDeathTest, AndNotThoseThatDo) { run(read_in_time, 64); }
#endif

}  // namespace
