// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Stream tasks that work on memory: reduction, random numbers, overflow status.
#include <cstring>

#include "acl/acl_rt.h"
#include "api/guard.h"
#include "api/status.h"
#include "check/late_settings.h"
#include "device/current.h"
#include "device/overflow.h"
#include "device/random.h"
#include "device/reduce.h"
#include "device/runtime.h"

using namespace foothold;

namespace {

ReduceOperation OperationOf(aclrtReduceKind kind) {
  switch (kind) {
    case ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM:
      return ReduceOperation::kSum;
    case ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX:
      return ReduceOperation::kMax;
    case ACL_RT_MEMCPY_SDMA_AUTOMATIC_MIN:
      return ReduceOperation::kMin;
    case ACL_RT_MEMCPY_SDMA_AUTOMATIC_EQUAL:
      Fail(kRtFeatureNotSupport, "reduction by equality is not supported");
    default:
      Fail(kRtParamInvalid, "reduction kind {} does not exist", static_cast<int>(kind));
  }
}

ReduceType ReduceTypeOf(aclDataType type) {
  switch (type) {
    case ACL_INT8:
      return ReduceType::kInt8;
    case ACL_INT16:
      return ReduceType::kInt16;
    case ACL_INT32:
      return ReduceType::kInt32;
    case ACL_FLOAT16:
      return ReduceType::kFloat16;
    case ACL_BF16:
      return ReduceType::kBFloat16;
    case ACL_FLOAT:
      return ReduceType::kFloat32;
    default:
      Fail(kRtParamInvalid, "data type {} cannot be reduced", static_cast<int>(type));
  }
}

RandomType RandomTypeOf(aclDataType type) {
  switch (type) {
    case ACL_FLOAT:
      return RandomType::kFloat32;
    case ACL_FLOAT16:
      return RandomType::kFloat16;
    case ACL_BF16:
      return RandomType::kBFloat16;
    case ACL_INT32:
      return RandomType::kInt32;
    case ACL_INT64:
      return RandomType::kInt64;
    case ACL_UINT32:
      return RandomType::kUint32;
    case ACL_UINT64:
      return RandomType::kUint64;
    default:
      Fail(kRtParamInvalid, "random numbers of data type {} do not exist", static_cast<int>(type));
  }
}

RandomParameter ParameterOf(const aclrtRandomParaInfo& info) {
  RandomParameter out;
  out.by_address = info.isAddr != 0;
  out.bytes = info.size;
  std::memcpy(&out.bits, info.valueOrAddr, sizeof(out.bits));
  if (out.by_address) std::memcpy(&out.address, info.valueOrAddr, sizeof(out.address));
  return out;
}

void ReadDistribution(const aclrtRandomNumTaskInfo& info, RandomRequest& out) {
  const auto& function = info.randomNumFuncParaInfo;
  const auto& parameters = function.paramInfo;
  switch (function.funcType) {
    case ACL_RT_RANDOM_NUM_FUNC_TYPE_DROPOUT_BITMASK:
      out.distribution = Distribution::kDropoutMask;
      out.type = info.dataType == ACL_BF16 ? RandomType::kBFloat16 : RandomType::kFloat16;
      out.parameters[0] = ParameterOf(parameters.dropoutBitmaskInfo.dropoutRation);
      return;
    case ACL_RT_RANDOM_NUM_FUNC_TYPE_UNIFORM_DIS:
      out.distribution = Distribution::kUniform;
      out.parameters[0] = ParameterOf(parameters.uniformDisInfo.min);
      out.parameters[1] = ParameterOf(parameters.uniformDisInfo.max);
      break;
    case ACL_RT_RANDOM_NUM_FUNC_TYPE_NORMAL_DIS:
    case ACL_RT_RANDOM_NUM_FUNC_TYPE_TRUNCATED_NORMAL_DIS:
      out.distribution = function.funcType == ACL_RT_RANDOM_NUM_FUNC_TYPE_NORMAL_DIS
                             ? Distribution::kNormal
                             : Distribution::kTruncatedNormal;
      out.parameters[0] = ParameterOf(parameters.normalDisInfo.mean);
      out.parameters[1] = ParameterOf(parameters.normalDisInfo.stddev);
      break;
    default:
      Fail(kRtParamInvalid, "random function {} does not exist", static_cast<int>(function.funcType));
  }
  out.type = RandomTypeOf(info.dataType);
}

RandomRequest RequestOf(const aclrtRandomNumTaskInfo& info) {
  RandomRequest out{};
  ReadDistribution(info, out);
  out.seed = ParameterOf(info.randomSeed);
  out.count = ParameterOf(info.randomNum);
  out.out = info.randomResultAddr;
  out.counter = info.randomCounterAddr;
  return out;
}

void CheckReserved(const void* reserve) {
  if (reserve != nullptr) Fail(kRtParamInvalid, "reserve must be null");
}

// Without a context the call is about every device: programs also set modes from threads that have none.
template <typename Visit>
void ForDevicesMeant(Visit visit) {
  if (Context* const context = CurrentContextOrNull()) return visit(context->device());
  for (int id = 0; id < Runtime::Get().device_count(); ++id)
    visit(Runtime::Get().device(id));
}

}  // namespace

aclError aclrtReduceAsync(void* dst, const void* src, uint64_t count, aclrtReduceKind kind, aclDataType type,
                          aclrtStream stream, void* reserve) {
  const auto call = FOOTHOLD_CALL(dst, src, count, kind, type, stream, reserve);
  return Guard(call, [&] {
    CheckReserved(reserve);
    PushReduce(FindStream(stream), call.name, dst, src, count, OperationOf(kind), ReduceTypeOf(type));
  });
}

aclError aclrtRandomNumAsync(const aclrtRandomNumTaskInfo* taskInfo, const aclrtStream stream,
                             void* reserve) {
  const auto call = FOOTHOLD_CALL(taskInfo, stream, reserve);
  return Guard(call, [&] {
    FOOTHOLD_NOT_NULL(taskInfo);
    CheckReserved(reserve);
    PushRandom(FindStream(stream), call.name, RequestOf(*taskInfo));
  });
}

aclError aclrtGetOverflowStatus(void* outputAddr, size_t outputSize, aclrtStream stream) {
  const auto call = FOOTHOLD_CALL(outputAddr, outputSize, stream);
  return Guard(call, [&] { PushReadOverflow(FindStream(stream), call.name, outputAddr, outputSize); });
}

aclError aclrtResetOverflowStatus(aclrtStream stream) {
  const auto call = FOOTHOLD_CALL(stream);
  return Guard(call, [&] { PushClearOverflow(FindStream(stream), call.name); });
}

// The same two by other names.
aclError aclrtGetFloatOverflowStatus(void* outputAddr, uint64_t outputSize, aclrtStream stream) {
  const auto call = FOOTHOLD_CALL(outputAddr, outputSize, stream);
  return Guard(call, [&] { PushReadOverflow(FindStream(stream), call.name, outputAddr, outputSize); });
}

aclError aclrtResetFloatOverflowStatus(aclrtStream stream) {
  const auto call = FOOTHOLD_CALL(stream);
  return Guard(call, [&] { PushClearOverflow(FindStream(stream), call.name); });
}

FOOTHOLD_PART_WITHOUT_EFFECT(aclrtNpuGetFloatOverFlowStatus, checkMode);
aclError aclrtNpuGetFloatOverFlowStatus(void* outputAddr, uint64_t outputSize, uint32_t checkMode,
                                        aclrtStream stream) {
  const auto call = FOOTHOLD_CALL(outputAddr, outputSize, checkMode, stream);
  return Guard(call, [&] { PushReadOverflow(FindStream(stream), call.name, outputAddr, outputSize); });
}

FOOTHOLD_PART_WITHOUT_EFFECT(aclrtNpuClearFloatOverFlowStatus, checkMode);
aclError aclrtNpuClearFloatOverFlowStatus(uint32_t checkMode, aclrtStream stream) {
  const auto call = FOOTHOLD_CALL(checkMode, stream);
  return Guard(call, [&] { PushClearOverflow(FindStream(stream), call.name); });
}

aclError aclrtSetDeviceSatMode(aclrtFloatOverflowMode mode) {
  return Guard(FOOTHOLD_CALL(mode), [&] {
    if (mode != ACL_RT_OVERFLOW_MODE_SATURATION && mode != ACL_RT_OVERFLOW_MODE_INFNAN) {
      Fail(kRtParamInvalid, "overflow mode {} does not exist", static_cast<int>(mode));
    }
    ForDevicesMeant([&](Device& device) { device.overflow_mode.store(mode); });
    // Going back to the default is no wish for what comes.
    if (mode != ACL_RT_OVERFLOW_MODE_SATURATION) check::SettingMade(check::Setting::kSaturation);
  });
}

aclError aclrtGetDeviceSatMode(aclrtFloatOverflowMode* mode) {
  return Guard(FOOTHOLD_QUERY(mode), [&] {
    FOOTHOLD_NOT_NULL(mode);
    const Context* const context = CurrentContextOrNull();
    const Device& device = context == nullptr ? Runtime::Get().device(0) : context->device();
    *mode = static_cast<aclrtFloatOverflowMode>(device.overflow_mode.load());
  });
}
