// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "binaries/kernel_launch.h"

#include "acl/acl_rt.h"
#include "api/guard.h"
#include "api/status.h"
#include "base/first_time.h"
#include "binaries/argument_list.h"
#include "binaries/registry.h"
#include "device/current.h"

namespace foothold {
namespace {

void WarnOfAttribute(const char* name, const char* why) {
  WarnOnce(name, "{} has no effect here: {}", name, why);
}

void Apply(const aclrtLaunchKernelAttr& attribute, LaunchSettings& settings) {
  switch (attribute.id) {
    case ACL_RT_LAUNCH_KERNEL_ATTR_DYN_UBUF_SIZE:
      if (attribute.value.dynUBufSize > kMostLocalBytes) {
        Fail(kRtParamInvalid, "a block has at most {} bytes of local memory, not {}", kMostLocalBytes,
             attribute.value.dynUBufSize);
      }
      settings.local_bytes = attribute.value.dynUBufSize;
      break;
    case ACL_RT_LAUNCH_KERNEL_ATTR_BLOCKDIM_OFFSET:
      settings.first_block = attribute.value.blockDimOffset;
      break;
    case ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE:
      WarnOfAttribute("ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE", "blocks are begun as cores come free");
      break;
    case ACL_RT_LAUNCH_KERNEL_ATTR_ENGINE_TYPE:
      WarnOfAttribute("ACL_RT_LAUNCH_KERNEL_ATTR_ENGINE_TYPE", "all cores of this CPU are alike");
      break;
    case ACL_RT_LAUNCH_KERNEL_ATTR_BLOCK_TASK_PREFETCH:
      WarnOfAttribute("ACL_RT_LAUNCH_KERNEL_ATTR_BLOCK_TASK_PREFETCH", "kernels are not fetched ahead");
      break;
    case ACL_RT_LAUNCH_KERNEL_ATTR_DATA_DUMP:
      WarnOfAttribute("ACL_RT_LAUNCH_KERNEL_ATTR_DATA_DUMP",
                      "what kernels of the program touch is not dumped");
      break;
    case ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT:
    case ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT_US:
      WarnOfAttribute("ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT", "no kernel is interrupted");
      break;
    case ACL_RT_LAUNCH_KERNEL_ATTR_ENABLE_PROFILING:
      WarnOfAttribute("ACL_RT_LAUNCH_KERNEL_ATTR_ENABLE_PROFILING", "the timeline shows every kernel");
      break;
    default:
      Fail(kRtParamInvalid, "cfg->attrs has an attribute with id {}; known are 1 to 9",
           static_cast<int>(attribute.id));
  }
}

LaunchSettings SettingsOf(std::uint32_t blocks, const aclrtLaunchKernelCfg* cfg) {
  if (blocks == 0) Fail(kRtParamInvalid, "a kernel is launched on at least one block, not on 0");
  LaunchSettings settings{blocks};
  if (cfg == nullptr || cfg->numAttrs == 0) return settings;
  CheckNotNull(cfg->attrs, "cfg->attrs");
  for (std::size_t i = 0; i < cfg->numAttrs; ++i)
    Apply(cfg->attrs[i], settings);
  if (settings.first_block > UINT32_MAX - blocks)
    Fail(kRtParamInvalid, "{} blocks from offset {} have no numbers", blocks, settings.first_block);
  return settings;
}

std::shared_ptr<KernelFunction> FunctionOf(const void* handle) {
  return BinaryRegistry::Get().FindFunction(handle);
}

// A parameter is its number, counted from 1, as an address.
aclrtParamHandle HandleOf(std::uint32_t parameter) {
  return reinterpret_cast<aclrtParamHandle>(std::uintptr_t{parameter} + 1);
}

std::uint32_t ParameterOf(aclrtParamHandle handle) {
  const auto number = reinterpret_cast<std::uintptr_t>(CheckNotNull(handle, "paramHandle")) - 1;
  return number < ArgumentList::kMost ? static_cast<std::uint32_t>(number) : UINT32_MAX;
}

void LaunchFrom(const char* api, aclrtFuncHandle funcHandle, std::uint32_t blocks, const void* argsData,
                std::size_t argsSize, const aclrtLaunchKernelCfg* cfg, aclrtStream stream) {
  const StreamRef found = FindStream(stream);
  auto function = FunctionOf(CheckNotNull(funcHandle, "funcHandle"));
  if (argsSize != 0) CheckNotNull(argsData, "argsData");
  Queue(found, MakeLaunchFrom(std::move(function), SettingsOf(blocks, cfg), api, argsData, argsSize));
}

}  // namespace
}  // namespace foothold

using namespace foothold;

aclError aclrtKernelArgsInit(aclrtFuncHandle funcHandle, aclrtArgsHandle* argsHandle) {
  return Guard(FOOTHOLD_CALL(funcHandle, argsHandle), [&] {
    FOOTHOLD_NOT_NULL(argsHandle);
    *argsHandle = BinaryRegistry::Get().AddArguments(FunctionOf(FOOTHOLD_NOT_NULL(funcHandle)));
  });
}

aclError aclrtKernelArgsInitByUserMem(aclrtFuncHandle funcHandle, aclrtArgsHandle argsHandle,
                                      void* userHostMem, size_t actualArgsSize) {
  return Guard(FOOTHOLD_CALL(funcHandle, argsHandle, userHostMem, actualArgsSize), [&] {
    FOOTHOLD_NOT_NULL(argsHandle);
    FOOTHOLD_NOT_NULL(userHostMem);
    FunctionOf(FOOTHOLD_NOT_NULL(funcHandle));
    ArgumentsRef::Begin(argsHandle, funcHandle, userHostMem, actualArgsSize);
  });
}

aclError aclrtKernelArgsGetMemSize(aclrtFuncHandle funcHandle, size_t userArgsSize, size_t* actualArgsSize) {
  return Guard(FOOTHOLD_CALL(funcHandle, userArgsSize, actualArgsSize), [&] {
    FOOTHOLD_NOT_NULL(actualArgsSize);
    FunctionOf(FOOTHOLD_NOT_NULL(funcHandle));
    *actualArgsSize = ArgumentMemoryFor(userArgsSize);
  });
}

aclError aclrtKernelArgsGetHandleMemSize(aclrtFuncHandle funcHandle, size_t* memSize) {
  return Guard(FOOTHOLD_CALL(funcHandle, memSize), [&] {
    FOOTHOLD_NOT_NULL(memSize);
    FunctionOf(FOOTHOLD_NOT_NULL(funcHandle));
    *memSize = sizeof(ArgumentList);
  });
}

aclError aclrtKernelArgsAppend(aclrtArgsHandle argsHandle, void* param, size_t paramSize,
                               aclrtParamHandle* paramHandle) {
  return Guard(FOOTHOLD_CALL(argsHandle, param, paramSize, paramHandle), [&] {
    FOOTHOLD_NOT_NULL(param);
    FOOTHOLD_NOT_NULL(paramHandle);
    *paramHandle = HandleOf(ArgumentsRef(argsHandle).Append(param, paramSize));
  });
}

aclError aclrtKernelArgsAppendPlaceHolder(aclrtArgsHandle argsHandle, aclrtParamHandle* paramHandle) {
  return Guard(FOOTHOLD_CALL(argsHandle, paramHandle), [&] {
    FOOTHOLD_NOT_NULL(paramHandle);
    *paramHandle = HandleOf(ArgumentsRef(argsHandle).AppendDataPointer());
  });
}

aclError aclrtKernelArgsGetPlaceHolderBuffer(aclrtArgsHandle argsHandle, aclrtParamHandle paramHandle,
                                             size_t dataSize, void** bufferAddr) {
  return Guard(FOOTHOLD_CALL(argsHandle, paramHandle, dataSize, bufferAddr), [&] {
    FOOTHOLD_NOT_NULL(bufferAddr);
    *bufferAddr = ArgumentsRef(argsHandle).DataOf(ParameterOf(paramHandle), dataSize);
  });
}

aclError aclrtKernelArgsParaUpdate(aclrtArgsHandle argsHandle, aclrtParamHandle paramHandle, void* param,
                                   size_t paramSize) {
  return Guard(FOOTHOLD_CALL(argsHandle, paramHandle, param, paramSize), [&] {
    FOOTHOLD_NOT_NULL(param);
    ArgumentsRef(argsHandle).Update(ParameterOf(paramHandle), param, paramSize);
  });
}

FOOTHOLD_WITHOUT_EFFECT(aclrtKernelArgsFinalize);
aclError aclrtKernelArgsFinalize(aclrtArgsHandle argsHandle) {
  return Guard(FOOTHOLD_CALL(argsHandle), [&] { ArgumentsRef{argsHandle}; });
}

aclError aclrtLaunchKernel(aclrtFuncHandle funcHandle, uint32_t blockDim, const void* argsData,
                           size_t argsSize, aclrtStream stream) {
  return Guard(FOOTHOLD_CALL(funcHandle, blockDim, argsData, argsSize, stream), [&, api = __func__] {
    LaunchFrom(api, funcHandle, blockDim, argsData, argsSize, nullptr, stream);
  });
}

FOOTHOLD_PART_WITHOUT_EFFECT(aclrtLaunchKernelV2, ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT);
aclError aclrtLaunchKernelV2(aclrtFuncHandle funcHandle, uint32_t numBlocks, const void* argsData,
                             size_t argsSize, aclrtLaunchKernelCfg* cfg, aclrtStream stream) {
  return Guard(FOOTHOLD_CALL(funcHandle, numBlocks, argsData, argsSize, cfg, stream), [&, api = __func__] {
    LaunchFrom(api, funcHandle, numBlocks, argsData, argsSize, cfg, stream);
  });
}

FOOTHOLD_PART_WITHOUT_EFFECT(aclrtLaunchKernelWithConfig, ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT);
aclError aclrtLaunchKernelWithConfig(aclrtFuncHandle funcHandle, uint32_t numBlocks, aclrtStream stream,
                                     aclrtLaunchKernelCfg* cfg, aclrtArgsHandle argsHandle, void* reserve) {
  return Guard(FOOTHOLD_CALL(funcHandle, numBlocks, stream, cfg, argsHandle, reserve), [&, api = __func__] {
    const StreamRef found = FindStream(stream);
    auto function = FunctionOf(FOOTHOLD_NOT_NULL(funcHandle));
    ArgumentsRef arguments(argsHandle);
    auto launch = MakeLaunch(std::move(function), SettingsOf(numBlocks, cfg), api, arguments.list());
    arguments.NoteLaunched();
    Queue(found, std::move(launch));
  });
}

FOOTHOLD_PART_WITHOUT_EFFECT(aclrtLaunchKernelWithHostArgs, ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT);
aclError aclrtLaunchKernelWithHostArgs(aclrtFuncHandle funcHandle, uint32_t numBlocks, aclrtStream stream,
                                       aclrtLaunchKernelCfg* cfg, void* hostArgs, size_t argsSize,
                                       aclrtPlaceHolderInfo* placeHolderArray, size_t placeHolderNum) {
  return Guard(
      FOOTHOLD_CALL(funcHandle, numBlocks, stream, cfg, hostArgs, argsSize, placeHolderArray, placeHolderNum),
      [&, api = __func__] {
        const StreamRef found = FindStream(stream);
        auto function = FunctionOf(FOOTHOLD_NOT_NULL(funcHandle));
        if (argsSize != 0) FOOTHOLD_NOT_NULL(hostArgs);
        if (placeHolderNum != 0) FOOTHOLD_NOT_NULL(placeHolderArray);
        std::vector<DataPointer> pointers;
        for (std::size_t i = 0; i < placeHolderNum; ++i)
          pointers.push_back({placeHolderArray[i].addrOffset, placeHolderArray[i].dataOffset});
        Queue(found,
              MakeLaunch(std::move(function), SettingsOf(numBlocks, cfg), api, hostArgs, argsSize, pointers));
      });
}

FOOTHOLD_PART_WITHOUT_EFFECT(aclrtLaunchKernelWithArgsArray, ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT);
aclError aclrtLaunchKernelWithArgsArray(void* func, uint32_t numBlocks, aclrtStream stream,
                                        aclrtLaunchKernelCfg* cfg, void** args) {
  return Guard(FOOTHOLD_CALL(func, numBlocks, stream, cfg, args), [&, api = __func__] {
    const StreamRef found = FindStream(stream);
    auto function = FunctionOf(FOOTHOLD_NOT_NULL(func));
    FOOTHOLD_NOT_NULL(args);
    Queue(found, MakeLaunchOf(std::move(function), SettingsOf(numBlocks, cfg), api, args));
  });
}
