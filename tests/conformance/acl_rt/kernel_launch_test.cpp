// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Launches of kernels: blocks, arguments, attributes, failures.
#include <cstring>

#include "conformance/in_fork.h"
#include "conformance/kernel_binary.h"

namespace {

constexpr std::int64_t kCount = 1000;

struct AddArguments {
  const void* x;
  const void* y;
  void* z;
  std::int64_t count;
  float factor;
};

// Vectors on the device: x[i] = i, y[i] = 2i.
class Vectors {
 public:
  Vectors() {
    for (void*& vector : memory_)
      EXPECT_OK(aclrtMalloc(&vector, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
    float x[kCount], y[kCount];
    for (std::int64_t i = 0; i < kCount; ++i) {
      x[i] = static_cast<float>(i);
      y[i] = static_cast<float>(2 * i);
    }
    EXPECT_OK(aclrtMemcpy(memory_[0], kBytes, x, kBytes, ACL_MEMCPY_HOST_TO_DEVICE));
    EXPECT_OK(aclrtMemcpy(memory_[1], kBytes, y, kBytes, ACL_MEMCPY_HOST_TO_DEVICE));
    EXPECT_OK(aclrtMemset(memory_[2], kBytes, 0, kBytes));
  }
  ~Vectors() {
    for (void* const vector : memory_) {
      if (vector != nullptr) {
        EXPECT_OK(aclrtFree(vector));
      }
    }
  }
  Vectors(const Vectors&) = delete;
  Vectors& operator=(const Vectors&) = delete;

  AddArguments Arguments(float factor) const { return {memory_[0], memory_[1], memory_[2], kCount, factor}; }
  void FreeX() {
    EXPECT_OK(aclrtFree(memory_[0]));
    memory_[0] = nullptr;
  }
  void ExpectSum(float factor) const {
    float z[kCount] = {};
    EXPECT_OK(aclrtMemcpy(z, kBytes, memory_[2], kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
    for (std::int64_t i = 0; i < kCount; ++i)
      ASSERT_EQ(z[i], static_cast<float>(i) + factor * static_cast<float>(2 * i)) << i;
  }

 private:
  static constexpr size_t kBytes = kCount * sizeof(float);
  void* memory_[3] = {};
};

class Launching : public testing::Test {
 protected:
  const Session session;
  const aclrtStream stream = session.Stream();
  const KernelBinary binary;

  aclError LaunchAdd(const char* name, AddArguments arguments, uint32_t blocks = 7) {
    return aclrtLaunchKernelWithHostArgs(binary.Function(name), blocks, stream, nullptr, &arguments,
                                         sizeof arguments, nullptr, 0);
  }
};

TEST_F(Launching, RunsEachBlockOnce) {
  for (uint32_t blocks : {1u, 2u, 3u, 64u, 1000u}) {
    std::vector<std::uint64_t> counts(blocks);
    void* cells = nullptr;
    ASSERT_OK(aclrtMalloc(&cells, blocks * 8, ACL_MEM_MALLOC_HUGE_FIRST));
    ASSERT_OK(aclrtMemset(cells, blocks * 8, 0, blocks * 8));
    for (int i = 0; i < 40; ++i)  // blocks become known to be brief
      ASSERT_OK(LaunchOn(binary.Function("count_blocks"), blocks, cells, stream));
    ASSERT_OK(aclrtSynchronizeStream(stream));
    ASSERT_OK(aclrtMemcpy(counts.data(), blocks * 8, cells, blocks * 8, ACL_MEMCPY_DEVICE_TO_HOST));
    for (const std::uint64_t count : counts)
      ASSERT_EQ(count, 40 * (1 + 1000 * std::uint64_t{blocks}));
    ASSERT_OK(aclrtFree(cells));
  }
}

TEST_F(Launching, ReadsArgumentsInDeviceMemoryWhenItRuns) {
  std::uint64_t* const first = session.Cell(0);
  std::uint64_t* const second = session.Cell(0);
  void* arguments = nullptr;
  ASSERT_OK(aclrtMalloc(&arguments, 8, ACL_MEM_MALLOC_HUGE_FIRST));
  ASSERT_OK(aclrtMemcpy(arguments, 8, &first, 8, ACL_MEMCPY_HOST_TO_DEVICE));
  Gate gate;
  gate.Hold(stream);
  ASSERT_OK(aclrtLaunchKernel(binary.Function("count_blocks"), 1, arguments, 8, stream));
  ASSERT_OK(aclrtLaunchKernelV2(binary.Function("count_blocks"), 1, arguments, 8, nullptr, stream));
  ASSERT_OK(aclrtMemcpy(arguments, 8, &second, 8, ACL_MEMCPY_HOST_TO_DEVICE));
  gate.Open();
  ASSERT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(session.Read(first), 0u);
  EXPECT_EQ(session.Read(second), 2002u);
}

TEST_F(Launching, CopiesArgumentsInHostMemoryAtOnce) {
  std::uint64_t* cell = session.Cell(0);
  std::uint64_t* argument = cell;
  Gate gate;
  gate.Hold(stream);
  ASSERT_OK(aclrtLaunchKernel(binary.Function("count_blocks"), 1, &argument, 8, stream));
  argument = nullptr;
  gate.Open();
  ASSERT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(session.Read(cell), 1001u);
}

TEST_F(Launching, FailsWhereArgumentsWereFreed) {
  void* arguments = nullptr;
  ASSERT_OK(aclrtMalloc(&arguments, 8, ACL_MEM_MALLOC_HUGE_FIRST));
  Gate gate;
  gate.Hold(stream);
  ASSERT_OK(aclrtLaunchKernel(binary.Function("empty"), 1, arguments, 8, stream));
  ASSERT_OK(aclrtFree(arguments));
  gate.Open();
  EXPECT_FAILS(ACL_ERROR_RT_SYS_DMA, aclrtSynchronizeStream(stream));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtLaunchKernel(binary.Function("empty"), 1, arguments, 8, stream));
}

TEST_F(Launching, RefusesWhatMakesNoSense) {
  const aclrtFuncHandle empty = binary.Function("empty");
  int argument = 0;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtLaunchKernel(nullptr, 1, nullptr, 0, stream));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtLaunchKernel(empty, 0, nullptr, 0, stream));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtLaunchKernel(empty, 1, nullptr, 8, stream));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclrtLaunchKernel(stream, 1, nullptr, 0, stream));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclrtLaunchKernel(empty, 1, nullptr, 0, empty));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtLaunchKernelWithHostArgs(empty, 1, stream, nullptr, nullptr, 4, nullptr, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtLaunchKernelWithHostArgs(empty, 1, stream, nullptr, &argument, 4, nullptr, 1));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtLaunchKernelWithHostArgs(empty, 1, stream, nullptr, &argument, SIZE_MAX, nullptr, 0));
  void* arguments[] = {&argument};
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtLaunchKernelWithArgsArray(binary.Function("too_large"), 1, stream, nullptr, arguments));
  EXPECT_OK(aclrtLaunchKernel(empty, 1, nullptr, 0, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
}

TEST_F(Launching, KeepsTheOrderOfTheStream) {
  const Vectors vectors;
  for (int i = 0; i < 20; ++i) {
    const float factor = static_cast<float>(i);
    ASSERT_OK(LaunchAdd("add", vectors.Arguments(factor)));
  }
  ASSERT_OK(aclrtSynchronizeStream(stream));
  vectors.ExpectSum(19);
}

TEST_F(Launching, PointsPlaceholdersOfHostArgumentsAtTheirData) {
  struct {
    void* cell;
    const void* numbers;
    std::uint64_t count;
    std::uint64_t data[3];
  } arguments = {session.Cell(0), nullptr, 3, {10, 20, 30}};
  aclrtPlaceHolderInfo place = {8, 24};
  const aclrtFuncHandle sum = binary.Function("sum_along");
  ASSERT_OK(aclrtLaunchKernelWithHostArgs(sum, 1, stream, nullptr, &arguments, sizeof arguments, &place, 1));
  arguments.data[0] = 0;
  ASSERT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(session.Read(static_cast<std::uint64_t*>(arguments.cell)), 60u);
  for (const aclrtPlaceHolderInfo& wrong :
       {aclrtPlaceHolderInfo{44, 24}, {UINT32_MAX, 24}, {8, 1000}, {8, UINT32_MAX}}) {
    place = wrong;
    EXPECT_FAILS(
        ACL_ERROR_RT_PARAM_INVALID,
        aclrtLaunchKernelWithHostArgs(sum, 1, stream, nullptr, &arguments, sizeof arguments, &place, 1));
  }
}

void Append(aclrtArgsHandle list, const void* value, size_t size, aclrtParamHandle* handle = nullptr) {
  aclrtParamHandle parameter = nullptr;
  EXPECT_OK(aclrtKernelArgsAppend(list, const_cast<void*>(value), size, &parameter));
  if (handle != nullptr) *handle = parameter;
}

void AppendAll(aclrtArgsHandle list, const AddArguments& values, aclrtParamHandle* factor) {
  Append(list, &values.x, sizeof values.x);
  Append(list, &values.y, sizeof values.y);
  Append(list, &values.z, sizeof values.z);
  Append(list, &values.count, sizeof values.count);
  Append(list, &values.factor, sizeof values.factor, factor);
}

TEST_F(Launching, TakesListsOfArguments) {
  const Vectors vectors;
  const aclrtFuncHandle add = binary.Function("add");
  aclrtArgsHandle list = nullptr;
  aclrtParamHandle factor = nullptr;
  ASSERT_OK(aclrtKernelArgsInit(add, &list));
  AppendAll(list, vectors.Arguments(3), &factor);
  ASSERT_OK(aclrtKernelArgsFinalize(list));
  ASSERT_OK(aclrtLaunchKernelWithConfig(add, 2, stream, nullptr, list, nullptr));
  ASSERT_OK(aclrtSynchronizeStream(stream));
  vectors.ExpectSum(3);
  float other = 5;
  ASSERT_OK(aclrtKernelArgsParaUpdate(list, factor, &other, sizeof other));
  ASSERT_OK(aclrtLaunchKernelWithConfig(add, 2, stream, nullptr, list, nullptr));
  ASSERT_OK(aclrtSynchronizeStream(stream));
  vectors.ExpectSum(5);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtKernelArgsParaUpdate(list, factor, &other, 3));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtKernelArgsParaUpdate(list, nullptr, &other, 4));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtKernelArgsParaUpdate(list, &other, &other, 4));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtKernelArgsParaUpdate(list, factor, nullptr, 4));
}

TEST_F(Launching, TakesListsInMemoryOfTheProgram) {
  const Vectors vectors;
  const aclrtFuncHandle add = binary.Function("add");
  size_t list_size = 0, memory_size = 0;
  ASSERT_OK(aclrtKernelArgsGetHandleMemSize(add, &list_size));
  ASSERT_OK(aclrtKernelArgsGetMemSize(add, sizeof(AddArguments), &memory_size));
  EXPECT_GE(memory_size, sizeof(AddArguments));
  std::vector<std::uint64_t> list(list_size / 8 + 1), memory(memory_size / 8 + 1);
  ASSERT_OK(aclrtKernelArgsInitByUserMem(add, list.data(), memory.data(), memory_size));
  AppendAll(list.data(), vectors.Arguments(4), nullptr);
  ASSERT_OK(aclrtKernelArgsFinalize(list.data()));
  ASSERT_OK(aclrtLaunchKernelWithConfig(add, 2, stream, nullptr, list.data(), nullptr));
  std::fill(memory.begin(), memory.end(), 0);
  ASSERT_OK(aclrtSynchronizeStream(stream));
  vectors.ExpectSum(4);
  aclrtParamHandle parameter = nullptr;
  std::vector<char> large(memory_size + 8);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtKernelArgsAppend(list.data(), large.data(), large.size(), &parameter));
  ASSERT_OK(aclrtKernelArgsAppendPlaceHolder(list.data(), &parameter));
  void* data = nullptr;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtKernelArgsGetPlaceHolderBuffer(list.data(), parameter, large.size(), &data));
  ASSERT_OK(aclrtKernelArgsGetPlaceHolderBuffer(list.data(), parameter, 24, &data));
  EXPECT_GE(data, static_cast<void*>(memory.data()));
  std::vector<std::uint64_t> copy = list;
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclrtKernelArgsFinalize(copy.data()));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtKernelArgsInitByUserMem(add, nullptr, memory.data(), memory_size));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtKernelArgsInitByUserMem(add, list.data(), nullptr, memory_size));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtKernelArgsGetHandleMemSize(add, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtKernelArgsGetMemSize(add, 8, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtKernelArgsGetMemSize(nullptr, 8, &memory_size));
}

TEST_F(Launching, BringsDataAlong) {
  const aclrtFuncHandle sum = binary.Function("sum_along");
  std::uint64_t* const cell = session.Cell(0);
  aclrtArgsHandle list = nullptr;
  aclrtParamHandle place = nullptr, value = nullptr;
  void* buffer = nullptr;
  ASSERT_OK(aclrtKernelArgsInit(sum, &list));
  Append(list, &cell, sizeof cell, &value);
  ASSERT_OK(aclrtKernelArgsAppendPlaceHolder(list, &place));
  const std::uint32_t count = 100;
  Append(list, &count, sizeof count);
  ASSERT_OK(aclrtKernelArgsGetPlaceHolderBuffer(list, place, count * 8, &buffer));
  for (std::uint64_t i = 0; i < count; ++i)
    static_cast<std::uint64_t*>(buffer)[i] = i;
  ASSERT_OK(aclrtKernelArgsFinalize(list));
  ASSERT_OK(aclrtLaunchKernelWithConfig(sum, 2, stream, nullptr, list, nullptr));
  std::memset(buffer, 0, count * 8);
  ASSERT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(session.Read(cell), 4950u);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtKernelArgsGetPlaceHolderBuffer(list, value, 8, &buffer));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtKernelArgsGetPlaceHolderBuffer(list, place, 0, &buffer));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtKernelArgsGetPlaceHolderBuffer(list, place, 8, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtKernelArgsParaUpdate(list, place, &buffer, 8));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtKernelArgsAppendPlaceHolder(list, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtKernelArgsAppendPlaceHolder(nullptr, &place));
}

TEST_F(Launching, ListsHaveAtMost128Arguments) {
  aclrtArgsHandle list = nullptr;
  ASSERT_OK(aclrtKernelArgsInit(binary.Function("empty"), &list));
  aclrtParamHandle parameter = nullptr;
  char value = 0;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtKernelArgsAppend(list, &value, 0, &parameter));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtKernelArgsAppend(list, nullptr, 1, &parameter));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtKernelArgsAppend(list, &value, 1, nullptr));
  for (int i = 0; i < 128; ++i)
    Append(list, &value, 1);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtKernelArgsAppend(list, &value, 1, &parameter));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtKernelArgsInit(binary.Function("empty"), nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtKernelArgsInit(nullptr, &list));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtLaunchKernelWithConfig(binary.Function("empty"), 1, stream, nullptr, nullptr, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtKernelArgsFinalize(nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclrtKernelArgsFinalize(stream));
}

TEST_F(Launching, ListsThatWereLaunchedLongAgoEnd) {
  const aclrtFuncHandle empty = binary.Function("empty");
  aclrtArgsHandle first = nullptr;
  for (int i = 0; i < 20000; ++i) {
    aclrtArgsHandle list = nullptr;
    ASSERT_OK(aclrtKernelArgsInit(empty, &list));
    if (i == 0) first = list;
    ASSERT_OK(aclrtLaunchKernelWithConfig(empty, 1, stream, nullptr, list, nullptr));
  }
  ASSERT_OK(aclrtSynchronizeStream(stream));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclrtKernelArgsFinalize(first));
}

TEST_F(Launching, TakesArraysOfPointersToDeclaredParameters) {
  const Vectors vectors;
  AddArguments values = vectors.Arguments(6);
  void* pointers[] = {&values.x, &values.y, &values.z, &values.count, &values.factor};
  ASSERT_OK(aclrtLaunchKernelWithArgsArray(binary.Function("add"), 3, stream, nullptr, pointers));
  ASSERT_OK(aclrtSynchronizeStream(stream));
  vectors.ExpectSum(6);
  pointers[2] = nullptr;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtLaunchKernelWithArgsArray(binary.Function("add"), 3, stream, nullptr, pointers));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtLaunchKernelWithArgsArray(binary.Function("add"), 3, stream, nullptr, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtLaunchKernelWithArgsArray(binary.Function("empty"), 3, stream, nullptr, pointers));
}

TEST_F(Launching, KnowsTheAttributesOfLaunches) {
  std::uint64_t* const cell = session.Cell(0);
  aclrtLaunchKernelAttr attributes[9] = {};
  for (int id = 1; id <= 9; ++id)
    attributes[id - 1].id = static_cast<aclrtLaunchKernelAttrId>(id);
  attributes[1].value.dynUBufSize = 4096;
  aclrtLaunchKernelCfg cfg = {attributes, 9};
  ASSERT_OK(LaunchOn(binary.Function("use_local"), 1, cell, stream, &cfg));
  ASSERT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(session.Read(cell), 4096u);
  attributes[1].value.dynUBufSize = UINT32_MAX;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, LaunchOn(binary.Function("use_local"), 1, cell, stream, &cfg));
  attributes[1].value.dynUBufSize = 0;
  attributes[3].value.blockDimOffset = UINT32_MAX;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, LaunchOn(binary.Function("use_local"), 1, cell, stream, &cfg));
  attributes[3].value.blockDimOffset = 0;
  attributes[8].id = static_cast<aclrtLaunchKernelAttrId>(99);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, LaunchOn(binary.Function("use_local"), 1, cell, stream, &cfg));
  cfg.attrs = nullptr;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, LaunchOn(binary.Function("use_local"), 1, cell, stream, &cfg));
}

TEST_F(Launching, NumbersBlocksFromTheOffset) {
  std::uint64_t counts[3] = {};
  void* cells = nullptr;
  ASSERT_OK(aclrtMalloc(&cells, sizeof counts, ACL_MEM_MALLOC_HUGE_FIRST));
  ASSERT_OK(aclrtMemset(cells, sizeof counts, 0, sizeof counts));
  aclrtLaunchKernelAttr offset = {};
  offset.id = ACL_RT_LAUNCH_KERNEL_ATTR_BLOCKDIM_OFFSET;
  offset.value.blockDimOffset = 1;
  aclrtLaunchKernelCfg cfg = {&offset, 1};
  ASSERT_OK(LaunchOn(binary.Function("count_blocks"), 2, cells, stream, &cfg));
  ASSERT_OK(aclrtSynchronizeStream(stream));
  ASSERT_OK(aclrtMemcpy(counts, sizeof counts, cells, sizeof counts, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_EQ(counts[0], 0u);
  EXPECT_EQ(counts[1], 2001u);
  EXPECT_EQ(counts[2], 2001u);
}

TEST_F(Launching, ChecksWhatAKernelDeclaresToTouch) {
  Vectors vectors;
  ASSERT_OK(LaunchAdd("careful_add", vectors.Arguments(2)));
  ASSERT_OK(aclrtSynchronizeStream(stream));
  vectors.ExpectSum(2);
  AddArguments too_long = vectors.Arguments(2);
  too_long.count = std::int64_t{1} << 40;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, LaunchAdd("careful_add", too_long));
  const AddArguments freed = vectors.Arguments(2);
  Gate gate;
  gate.Hold(stream);
  ASSERT_OK(LaunchAdd("careful_add", freed));
  vectors.FreeX();
  gate.Open();
  EXPECT_FAILS(ACL_ERROR_RT_SYS_DMA, aclrtSynchronizeStream(stream));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, LaunchAdd("careful_add", freed));
}

TEST_F(Launching, FailsWithTheTextOfTheKernel) {
  const struct {
    const char* kernel;
    const char* text;
  } cases[] = {{"throw_exception", "it threw an exception: as the test wants"},
               {"throw_number", "it threw an exception"},
               {"fail_with_text", "the third value is odd"}};
  for (const auto& [kernel, text] : cases) {
    for (int again = 0; again < 2; ++again) {
      RecentError();
      ASSERT_OK(aclrtLaunchKernel(binary.Function(kernel), 2, nullptr, 0, stream));
      EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
      const std::string error = RecentError();
      EXPECT_NE(error.find(text), std::string::npos) << error;
      EXPECT_NE(error.find(kernel), std::string::npos) << error;
    }
  }
  EXPECT_OK(aclrtSynchronizeStream(stream));
}

struct Told {
  aclrtFuncHandle function;
  std::string arguments;
  uint32_t code;
  int callbacks;
};
Told told;

void Keep(aclrtExceptionInfo* info) {
  void* arguments = nullptr;
  uint32_t length = 0;
  EXPECT_OK(aclrtGetFuncHandleFromExceptionInfo(info, &told.function));
  EXPECT_OK(aclrtGetArgsFromExceptionInfo(info, &arguments, &length));
  told.arguments.assign(static_cast<const char*>(arguments), length);
  told.code = aclrtGetErrorCodeFromExceptionInfo(info);
  ++told.callbacks;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtGetArgsFromExceptionInfo(nullptr, &arguments, &length));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtGetArgsFromExceptionInfo(info, nullptr, &length));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtGetFuncHandleFromExceptionInfo(info, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtGetFuncHandleFromExceptionInfo(nullptr, &told.function));
}

TEST_F(Launching, TellsExceptionCallbacksOfTheKernel) {
  told = {};
  char arguments[] = "1234567";
  ASSERT_OK(aclrtSetExceptionInfoCallback(Keep));
  const aclrtFuncHandle function = binary.Function("throw_number");
  ASSERT_OK(aclrtLaunchKernelWithHostArgs(function, 1, stream, nullptr, arguments, 8, nullptr, 0));
  EXPECT_FAILS(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION, aclrtSynchronizeStream(stream));
  ASSERT_OK(aclrtSetExceptionInfoCallback(nullptr));
  EXPECT_EQ(told.function, function);
  EXPECT_EQ(told.arguments, std::string("1234567\0", 8));
  EXPECT_EQ(told.code, static_cast<uint32_t>(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION));
  ASSERT_OK(aclrtSetExceptionInfoCallback(Keep));
  ASSERT_OK(aclrtLaunchHostFunc(
      stream, [](void*) { throw 1; }, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_AICPU_EXCEPTION, aclrtSynchronizeStream(stream));
  ASSERT_OK(aclrtSetExceptionInfoCallback(nullptr));
  EXPECT_EQ(told.function, nullptr) << "no kernel, so none is named";
  EXPECT_EQ(told.arguments, "");
}

TEST_F(Launching, TellsTheCallbackOfTheBinary) {
  std::pair<int, void*> seen = {0, nullptr};
  const auto count = [](aclrtExceptionInfo* info, void* data) {
    auto& pair = *static_cast<std::pair<int, void*>*>(data);
    ++pair.first;
    EXPECT_OK(aclrtGetFuncHandleFromExceptionInfo(info, &pair.second));
  };
  ASSERT_OK(aclrtBinarySetExceptionCallback(binary.handle(), count, &seen));
  const KernelBinary other(true);
  ASSERT_OK(aclrtLaunchKernel(other.Function("throw_number"), 1, nullptr, 0, stream));
  EXPECT_FAILS(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION, aclrtSynchronizeStream(stream));
  EXPECT_EQ(seen.first, 0);
  for (int launches = 1; launches <= 2; ++launches) {
    ASSERT_OK(aclrtLaunchKernel(binary.Function("throw_number"), 1, nullptr, 0, stream));
    EXPECT_FAILS(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION, aclrtSynchronizeStream(stream));
    EXPECT_EQ(seen.first, 1);
    EXPECT_EQ(seen.second, binary.Function("throw_number"));
    ASSERT_OK(aclrtBinarySetExceptionCallback(binary.handle(), nullptr, nullptr));
  }
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtBinarySetExceptionCallback(nullptr, count, &seen));
}

TEST_F(Launching, DoesNotMakeItsCallerWait) {
  std::atomic<int> state{0};
  ASSERT_OK(LaunchOn(binary.Function("hold"), 2, &state, stream));
  while (state.load() == 0)
    std::this_thread::yield();
  const aclrtStream other = session.Stream();
  std::uint64_t* const cell = session.Cell(0);
  ASSERT_OK(LaunchOn(binary.Function("count_blocks"), 1, cell, other));
  ASSERT_OK(aclrtSynchronizeStream(other));
  EXPECT_EQ(session.Read(cell), 1001u);
  state = 2;
  ASSERT_OK(aclrtSynchronizeStream(stream));
}

TEST_F(Launching, WorksFromManyThreads) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      EXPECT_OK(aclrtSetCurrentContext(session.context()));
      const aclrtStream own = session.Stream();
      std::uint64_t* const cell = session.Cell(0);
      for (int i = 0; i < 100; ++i) {
        const KernelBinary mine(i % 25 == 0);
        EXPECT_OK(LaunchOn(mine.Function("count_blocks"), 1, cell, own));
      }
      EXPECT_OK(aclrtSynchronizeStream(own));
      EXPECT_EQ(session.Read(cell), 100u * 1001);
      EXPECT_OK(aclrtDestroyStream(own));
    });
  }
  for (std::thread& thread : threads)
    thread.join();
}

TEST_F(Launching, IsCapturedAndReplayed) {
  std::uint64_t* const cell = session.Cell(0);
  aclmdlRI instance = nullptr;
  ASSERT_OK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
  ASSERT_OK(LaunchOn(binary.Function("count_blocks"), 1, cell, stream));
  ASSERT_OK(aclmdlRICaptureEnd(stream, &instance));
  EXPECT_EQ(session.Read(cell), 0u);
  for (int i = 0; i < 3; ++i)
    ASSERT_OK(aclmdlRIExecuteAsync(instance, stream));
  ASSERT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(session.Read(cell), 3 * 1001u);
  ASSERT_OK(aclmdlRIDestroy(instance));
}

TEST_F(Launching, ObeysTheCoresOfItsStream) {
  ASSERT_OK(aclrtSetStreamResLimit(stream, ACL_RT_DEV_RES_VECTOR_CORE, 1));
  const Vectors vectors;
  ASSERT_OK(LaunchAdd("add", vectors.Arguments(2), 64));
  ASSERT_OK(aclrtSynchronizeStream(stream));
  vectors.ExpectSum(2);
}

}  // namespace
