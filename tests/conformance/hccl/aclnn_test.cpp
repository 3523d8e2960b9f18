// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Operators of aclnn that several ranks share, on communicators found by name.
#include <gmock/gmock.h>

#include <cstring>

#include "aclnnop/aclnn_matmul_all_reduce.h"
#include "aclnnop/aclnn_matmul_reduce_scatter.h"
#include "aclnnop/aclnn_matmul_reduce_scatter_v2.h"
#include "aclnnop/aclnn_moe_distribute_combine_v2.h"
#include "aclnnop/aclnn_moe_distribute_dispatch_v2.h"
#include "conformance/hccl/processes.h"

namespace {

using ::testing::HasSubstr;
using Floats = std::vector<float>;
using Sizes = std::vector<int64_t>;

// A tensor in memory of the current device.
template <typename T>
class NnTensor {
 public:
  NnTensor(const Sizes& sizes, const std::vector<T>& values, aclDataType type)
      : memory_(BytesOf(values)),
        tensor_(aclCreateTensor(sizes.data(), sizes.size(), type, nullptr, 0, ACL_FORMAT_ND, sizes.data(),
                                sizes.size(), memory_.at())) {}
  ~NnTensor() { aclDestroyTensor(tensor_); }
  NnTensor(const NnTensor&) = delete;
  NnTensor& operator=(const NnTensor&) = delete;

  operator aclTensor*() const { return tensor_; }
  std::vector<T> Read() const {
    const Bytes bytes = memory_.Read();
    std::vector<T> values(bytes.size() / sizeof(T));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }

 private:
  static Bytes BytesOf(const std::vector<T>& values) {
    Bytes bytes(values.size() * sizeof(T));
    if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
  }

  const DeviceBytes memory_;
  aclTensor* const tensor_;
};

struct FloatTensor : NnTensor<float> {
  FloatTensor(const Sizes& sizes, const Floats& values) : NnTensor(sizes, values, ACL_FLOAT) {}
};
struct IntTensor : NnTensor<int32_t> {
  IntTensor(const Sizes& sizes, const std::vector<int32_t>& values) : NnTensor(sizes, values, ACL_INT32) {}
};
struct LongTensor : NnTensor<int64_t> {
  LongTensor(const Sizes& sizes, const std::vector<int64_t>& values) : NnTensor(sizes, values, ACL_INT64) {}
};

std::string GroupOf(const Ranks& ranks) {
  for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
    char name[COMM_NAME_MAX_LENGTH] = {};
    if (ranks.Has(rank) && HcclGetCommName(ranks.comm(rank), name) == HCCL_SUCCESS) return name;
  }
  return {};
}

// Both phases; `First` takes the arguments, then where to put the two results.
template <typename First, typename Second>
void CallNn(const First& first, const Second& second, aclrtStream stream) {
  uint64_t bytes = 0;
  aclOpExecutor* executor = nullptr;
  ASSERT_EQ(first(&bytes, &executor), ACL_SUCCESS) << RecentError();
  void* workspace = nullptr;
  if (bytes > 0) {
    ASSERT_EQ(aclrtMalloc(&workspace, bytes, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  }
  ASSERT_EQ(second(workspace, bytes, executor, stream), ACL_SUCCESS) << RecentError();
  if (bytes == 0) return;
  const auto free = [](void* memory) { EXPECT_EQ(aclrtFree(memory), ACL_SUCCESS); };
  ASSERT_EQ(aclrtLaunchHostFunc(stream, free, workspace), ACL_SUCCESS) << RecentError();
}

// x1 is [4, 2] and of another value for each rank, x2 [2, 3] of ones: each element of the product is twice
// it.
void RunProducts(const Ranks& ranks) {
  const std::string group = GroupOf(ranks);
  std::vector<std::unique_ptr<FloatTensor>> kept, sums, parts, same_parts;
  float all = 0;
  for (std::uint32_t rank = 0; rank < ranks.size(); ++rank)
    all += 2 * static_cast<float>(rank + 1) + 1;
  for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
    if (!ranks.Has(rank)) continue;
    ranks.Use(rank);
    const auto keep = [&](const Sizes& sizes, const Floats& values) -> aclTensor* {
      return *kept.emplace_back(std::make_unique<FloatTensor>(sizes, values));
    };
    aclTensor* const x1 = keep({4, 2}, Floats(8, static_cast<float>(rank + 1)));
    aclTensor* const x2 = keep({2, 3}, Floats(6, 1));
    aclTensor* const bias = keep({3}, Floats(3, 1));
    const auto rows = static_cast<int64_t>(4 / ranks.size());
    const auto elements = static_cast<std::size_t>(rows * 3);
    sums.push_back(std::make_unique<FloatTensor>(Sizes{4, 3}, Floats(12, 0)));
    parts.push_back(std::make_unique<FloatTensor>(Sizes{rows, 3}, Floats(elements, 0)));
    same_parts.push_back(std::make_unique<FloatTensor>(Sizes{rows, 3}, Floats(elements, 0)));
    CallNn(
        [&](auto... out) {
          return aclnnMatmulAllReduceGetWorkspaceSize(x1, x2, bias, group.c_str(), "sum", 0, 1, *sums.back(),
                                                      out...);
        },
        aclnnMatmulAllReduce, ranks.stream(rank));
    CallNn(
        [&](auto... out) {
          return aclnnMatmulReduceScatterGetWorkspaceSize(x1, x2, bias, group.c_str(), "sum", 0, 1,
                                                          *parts.back(), out...);
        },
        aclnnMatmulReduceScatter, ranks.stream(rank));
    CallNn(
        [&](auto... out) {
          return aclnnMatmulReduceScatterV2GetWorkspaceSize(x1, x2, bias, nullptr, nullptr, nullptr, 0,
                                                            group.c_str(), "sum", 0, 1, 0, "",
                                                            *same_parts.back(), nullptr, out...);
        },
        aclnnMatmulReduceScatterV2, ranks.stream(rank));
  }
  ranks.Synchronize();
  for (const auto* results : {&sums, &parts, &same_parts})
    for (const auto& result : *results)
      EXPECT_THAT(result->Read(), ::testing::Each(all));
}

TEST(HcclNn, MultiplyAndReduceInOneProcess) {
  InChild({{"FOOTHOLD_DEVICES", "8"}, {"FOOTHOLD_THREADS", "1"}}, [] {
    EXPECT_OK(aclInit(nullptr));
    for (const std::uint32_t count : {1u, 2u, 4u}) {
      const Ranks ranks(count);
      RunProducts(ranks);
    }
    EXPECT_OK(aclFinalize());
  });
}

TEST(HcclNn, MultiplyAndReduceAcrossProcesses) {
  AsRanks(2, RunProducts);
}

TEST(HcclNn, MultiplyQuantisedMatrices) {
  AsRanks(2, [](const Ranks& ranks) {
    const std::uint32_t rank = ranks.Has(0) ? 0 : 1;
    const std::string group = GroupOf(ranks);
    const NnTensor<int8_t> x1({4, 32}, std::vector<int8_t>(128, static_cast<int8_t>(rank + 1)), ACL_INT8);
    const NnTensor<int8_t> x2({32, 8}, std::vector<int8_t>(256, 1), ACL_INT8);
    const FloatTensor x1_scale({4}, Floats(4, 0.5f)), x2_scale({8}, Floats(8, 0.25f));
    const NnTensor<uint16_t> out({2, 8}, std::vector<uint16_t>(16, 0), ACL_BF16);
    CallNn(
        [&](auto... rest) {
          return aclnnMatmulReduceScatterV2GetWorkspaceSize(x1, x2, nullptr, x1_scale, x2_scale, nullptr, 0,
                                                            group.c_str(), "sum", 0, 1, 0, "", out, nullptr,
                                                            rest...);
        },
        aclnnMatmulReduceScatterV2, ranks.stream(rank));
    ranks.Synchronize();
    EXPECT_THAT(out.Read(), ::testing::Each(0x4140)) << "(32 + 64) / 8 = 12";
  });
}

// Four experts on two ranks; rank r has tokens of the values 10 r + 1 and 10 r + 2, and two experts for each.
TEST(HcclNn, TokensGoToExpertsOfOtherRanksAndBack) {
  AsRanks(2, [](const Ranks& ranks) {
    const std::uint32_t rank = ranks.Has(0) ? 0 : 1;
    const std::string name = GroupOf(ranks);
    const char* const group = name.c_str();
    const float own = 10 * static_cast<float>(rank);
    const FloatTensor x({2, 2}, {own + 1, own + 1, own + 2, own + 2});
    // The first token wants experts 3 and 0, the second 1 and 3 on rank 0, and 1 and 2 on rank 1.
    const IntTensor experts({2, 2},
                            rank == 0 ? std::vector<int32_t>{3, 0, 1, 3} : std::vector<int32_t>{3, 0, 1, 2});
    const FloatTensor weights({2, 2}, {1, 2, 3, 4});
    const FloatTensor rows({8, 2}, Floats(16, -1)), scales({8}, Floats(8, 0)), row_weights({8}, Floats(8, 0));
    const IntTensor info({8 * 128}, std::vector<int32_t>(1024)), ends({4}, std::vector<int32_t>(4)),
        tp({1}, {0});
    const LongTensor numbers({2}, {0, 0});
    CallNn(
        [&](auto... rest) {
          return aclnnMoeDistributeDispatchV2GetWorkspaceSize(
              x, experts, nullptr, nullptr, weights, group, 2, rank, 4, "", 0, 0, 0, 0, 0, 0, 0, 1, "", rows,
              scales, info, numbers, ends, tp, row_weights, rest...);
        },
        aclnnMoeDistributeDispatchV2, ranks.stream(rank));
    ranks.Synchronize();
    const Floats arrived = rows.Read();
    if (rank == 0) {  // experts 0 and 1, of each the tokens of rank 0 first
      EXPECT_EQ(Floats(arrived.begin(), arrived.begin() + 8), (Floats{1, 1, 11, 11, 2, 2, 12, 12}));
      EXPECT_THAT(numbers.Read(), ::testing::ElementsAre(2, 2));
      EXPECT_THAT(ends.Read(), ::testing::ElementsAre(1, 2, 3, 4));
      EXPECT_EQ(info.Read()[128], 1) << "the second row is of rank 1";
      EXPECT_EQ(row_weights.Read()[1], 2) << "the second expert of its first token";
    } else {  // experts 2 and 3
      EXPECT_EQ(Floats(arrived.begin(), arrived.begin() + 8), (Floats{12, 12, 1, 1, 2, 2, 11, 11}));
      EXPECT_THAT(numbers.Read(), ::testing::ElementsAre(1, 3));
      EXPECT_THAT(ends.Read(), ::testing::ElementsAre(0, 1, 3, 4));
    }
    const FloatTensor y({2, 2}, Floats(4, -1)), shared({2, 2}, Floats(4, 0.5f));
    CallNn(
        [&](auto... rest) {
          return aclnnMoeDistributeCombineV2GetWorkspaceSize(
              rows, experts, info, ends, weights, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
              shared, group, 2, rank, 4, "", 0, 0, 0, 0, 0, 0, 0, 0, 0, "", y, rest...);
        },
        aclnnMoeDistributeCombineV2, ranks.stream(rank));
    ranks.Synchronize();
    EXPECT_THAT(y.Read(), ::testing::ElementsAre(3 * (own + 1) + 0.5f, 3 * (own + 1) + 0.5f,
                                                 7 * (own + 2) + 0.5f, 7 * (own + 2) + 0.5f));
  });
}

TEST(HcclNn, TokensMayTravelAsBytes) {
  AsRanks(2, [](const Ranks& ranks) {
    const std::uint32_t rank = ranks.Has(0) ? 0 : 1;
    const std::string name = GroupOf(ranks);
    const FloatTensor x({1, 2}, {static_cast<float>(rank + 1), -2 * static_cast<float>(rank + 1)});
    const IntTensor experts({1, 1}, {1});  // both tokens go to the expert of rank 1
    const NnTensor<int8_t> rows({2, 2}, std::vector<int8_t>(4, 0), ACL_INT8);
    const FloatTensor scales({2}, {0, 0}), weights({2}, {0, 0});
    const IntTensor info({256}, std::vector<int32_t>(256)), ends({2}, {9, 9}), tp({1}, {0});
    const LongTensor numbers({1}, {9});
    CallNn(
        [&](auto... rest) {
          return aclnnMoeDistributeDispatchV2GetWorkspaceSize(
              x, experts, nullptr, nullptr, nullptr, name.c_str(), 2, rank, 2, "", 0, 0, 0, 0, 0, 2, 0, 0, "",
              rows, scales, info, numbers, ends, tp, weights, rest...);
        },
        aclnnMoeDistributeDispatchV2, ranks.stream(rank));
    ranks.Synchronize();
    EXPECT_THAT(numbers.Read(), ::testing::ElementsAre(rank == 0 ? 0 : 2));
    if (rank == 0) return;
    EXPECT_THAT(rows.Read(), ::testing::ElementsAre(64, -127, 64, -127));
    EXPECT_THAT(scales.Read(), ::testing::ElementsAre(2 / 127.0f, 4 / 127.0f));
  });
}

TEST(HcclNn, NameTheGroupThatIsMissing) {
  WithDevices([] {
    const Ranks ranks(1);
    ranks.Use(0);
    const FloatTensor x1({1, 1}, {1}), x2({1, 1}, {1}), y({1, 1}, {0});
    uint64_t bytes = 0;
    aclOpExecutor* executor = nullptr;
    EXPECT_NE(
        aclnnMatmulAllReduceGetWorkspaceSize(x1, x2, nullptr, "nobody", "prod", 0, 1, y, &bytes, &executor),
        ACL_SUCCESS);
    EXPECT_THAT(RecentError(), HasSubstr("prod"));
    CallNn(
        [&](auto... rest) {
          return aclnnMatmulAllReduceGetWorkspaceSize(x1, x2, nullptr, "nobody", "sum", 0, 1, y, rest...);
        },
        aclnnMatmulAllReduce, ranks.stream(0));
    EXPECT_NE(aclrtSynchronizeStream(ranks.stream(0)), ACL_SUCCESS);
    EXPECT_THAT(RecentError(), HasSubstr("nobody"));
  });
}

}  // namespace
