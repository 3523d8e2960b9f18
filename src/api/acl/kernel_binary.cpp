// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <cstring>

#include "acl/acl_rt.h"
#include "api/guard.h"
#include "api/status.h"
#include "base/first_time.h"
#include "binaries/kernel_launch.h"
#include "binaries/registry.h"

namespace foothold {
namespace {

using Kind = KernelFunction::Kind;

void Apply(const aclrtBinaryLoadOption& option, BinaryOptions& options) {
  switch (option.type) {
    case ACL_RT_BINARY_LOAD_OPT_LAZY_LOAD:
      if (option.value.isLazyLoad != 0) options.binding = SharedObject::Binding::kLazy;
      break;
    case ACL_RT_BINARY_LOAD_OPT_MAGIC:
      WarnOnce("ACL_RT_BINARY_LOAD_OPT_MAGIC",
               "ACL_RT_BINARY_LOAD_OPT_MAGIC has no effect here: kernels run on all cores of this CPU");
      break;
    case ACL_RT_BINARY_LOAD_OPT_CPU_KERNEL_MODE:
      options.for_cpu_kernels = true;
      break;
    default:
      Fail(kRtParamInvalid, "options->options has an option of type {}; known are 1 to 3",
           static_cast<int>(option.type));
  }
}

BinaryOptions OptionsOf(const aclrtBinaryLoadOptions* given) {
  BinaryOptions options;
  if (given == nullptr || given->numOpt == 0) return options;
  CheckNotNull(given->options, "options->options");
  for (std::size_t i = 0; i < given->numOpt; ++i)
    Apply(given->options[i], options);
  return options;
}

std::shared_ptr<KernelFunction> FunctionOf(const void* handle) {
  return BinaryRegistry::Get().FindFunction(handle);
}

}  // namespace
}  // namespace foothold

using namespace foothold;

aclrtBinary aclrtCreateBinary(const void* data, size_t dataLen) {
  return GuardValue(FOOTHOLD_CALL(data, dataLen), aclrtBinary{nullptr}, [&] {
    FOOTHOLD_NOT_NULL(data);
    if (dataLen == 0) Fail(kRtParamInvalid, "dataLen must not be 0");
    return BinaryRegistry::Get().Keep(data, dataLen);
  });
}

aclError aclrtDestroyBinary(aclrtBinary binary) {
  return Guard(FOOTHOLD_CALL(binary), [&] { BinaryRegistry::Get().Drop(FOOTHOLD_NOT_NULL(binary)); });
}

aclError aclrtBinaryLoad(const aclrtBinary binary, aclrtBinHandle* binHandle) {
  return Guard(FOOTHOLD_CALL(binary, binHandle), [&] {
    FOOTHOLD_NOT_NULL(binHandle);
    const auto bytes = BinaryRegistry::Get().FindKept(FOOTHOLD_NOT_NULL(binary));
    *binHandle = BinaryRegistry::Get().LoadData(bytes->data(), bytes->size(), {});
  });
}

FOOTHOLD_PART_WITHOUT_EFFECT(aclrtBinaryLoadFromFile, ACL_RT_BINARY_LOAD_OPT_MAGIC);
aclError aclrtBinaryLoadFromFile(const char* binPath, aclrtBinaryLoadOptions* options,
                                 aclrtBinHandle* binHandle) {
  return Guard(FOOTHOLD_CALL(binPath, options, binHandle), [&] {
    FOOTHOLD_NOT_NULL(binPath);
    FOOTHOLD_NOT_NULL(binHandle);
    *binHandle = BinaryRegistry::Get().LoadFile(binPath, OptionsOf(options));
  });
}

FOOTHOLD_PART_WITHOUT_EFFECT(aclrtBinaryLoadFromData, ACL_RT_BINARY_LOAD_OPT_MAGIC);
aclError aclrtBinaryLoadFromData(const void* data, size_t length, const aclrtBinaryLoadOptions* options,
                                 aclrtBinHandle* binHandle) {
  return Guard(FOOTHOLD_CALL(data, length, options, binHandle), [&] {
    FOOTHOLD_NOT_NULL(data);
    FOOTHOLD_NOT_NULL(binHandle);
    *binHandle = BinaryRegistry::Get().LoadData(data, length, OptionsOf(options));
  });
}

aclError aclrtBinaryUnLoad(aclrtBinHandle binHandle) {
  return Guard(FOOTHOLD_CALL(binHandle), [&] { BinaryRegistry::Get().Unload(FOOTHOLD_NOT_NULL(binHandle)); });
}

aclError aclrtBinarySetExceptionCallback(aclrtBinHandle binHandle, aclrtOpExceptionCallback callback,
                                         void* userData) {
  return Guard(FOOTHOLD_CALL(binHandle, userData), [&] {
    BinaryRegistry::Get().FindBinary(FOOTHOLD_NOT_NULL(binHandle))->SetExceptionCallback(callback, userData);
  });
}

aclError aclrtBinaryGetFunction(const aclrtBinHandle binHandle, const char* kernelName,
                                aclrtFuncHandle* funcHandle) {
  return Guard(FOOTHOLD_CALL(binHandle, kernelName, funcHandle), [&] {
    FOOTHOLD_NOT_NULL(kernelName);
    FOOTHOLD_NOT_NULL(funcHandle);
    BinaryRegistry& registry = BinaryRegistry::Get();
    *funcHandle = registry.FunctionOf(registry.FindBinary(FOOTHOLD_NOT_NULL(binHandle)), kernelName,
                                      kernelName, Kind::kVector);
  });
}

aclError aclrtBinaryGetFunctionByEntry(aclrtBinHandle binHandle, uint64_t funcEntry,
                                       aclrtFuncHandle* funcHandle) {
  return Guard(FOOTHOLD_CALL(binHandle, funcEntry, funcHandle), [&] {
    FOOTHOLD_NOT_NULL(funcHandle);
    BinaryRegistry& registry = BinaryRegistry::Get();
    *funcHandle = registry.FunctionByEntry(registry.FindBinary(FOOTHOLD_NOT_NULL(binHandle)), funcEntry);
  });
}

aclError aclrtBinaryGetDevAddress(const aclrtBinHandle binHandle, void** binAddr, size_t* binSize) {
  return Guard(FOOTHOLD_CALL(binHandle, binAddr, binSize), [&] {
    FOOTHOLD_NOT_NULL(binAddr);
    FOOTHOLD_NOT_NULL(binSize);
    const auto binary = BinaryRegistry::Get().FindBinary(FOOTHOLD_NOT_NULL(binHandle));
    *binAddr = binary->code()->base();
    *binSize = binary->code()->span();
  });
}

aclError aclrtBinaryGetGlobal(aclrtBinHandle binHandle, const char* name, void** dptr, size_t* size) {
  return Guard(FOOTHOLD_CALL(binHandle, name, dptr, size), [&] {
    FOOTHOLD_NOT_NULL(name);
    if (dptr == nullptr && size == nullptr) Fail(kRtParamInvalid, "dptr and size must not both be null");
    const auto binary = BinaryRegistry::Get().FindBinary(FOOTHOLD_NOT_NULL(binHandle));
    const SharedObject::Found found = binary->code()->Find(name);
    if (found.kind != SharedObject::Symbol::kVariable)
      Fail(kRtParamInvalid, "{} exports no variable \"{}\"", binary->name(), name);
    if (dptr != nullptr) *dptr = found.address;
    if (size != nullptr) *size = found.size;
  });
}

aclError aclrtRegisterCpuFunc(const aclrtBinHandle handle, const char* funcName, const char* kernelName,
                              aclrtFuncHandle* funcHandle) {
  return Guard(FOOTHOLD_CALL(handle, funcName, kernelName, funcHandle), [&] {
    FOOTHOLD_NOT_NULL(funcName);
    FOOTHOLD_NOT_NULL(kernelName);
    FOOTHOLD_NOT_NULL(funcHandle);
    BinaryRegistry& registry = BinaryRegistry::Get();
    const auto binary = registry.FindBinary(FOOTHOLD_NOT_NULL(handle));
    if (!binary->for_cpu_kernels()) {
      Fail(kRtParamInvalid, "{} was not loaded with the option ACL_RT_BINARY_LOAD_OPT_CPU_KERNEL_MODE",
           binary->name());
    }
    *funcHandle = registry.FunctionOf(binary, funcName, kernelName, Kind::kCpu);
  });
}

aclError aclrtGetFuncBySymbol(const void* symbol, aclrtFuncHandle* funcHandle) {
  return Guard(FOOTHOLD_CALL(symbol, funcHandle), [&] {
    FOOTHOLD_NOT_NULL(symbol);
    FOOTHOLD_NOT_NULL(funcHandle);
    *funcHandle = BinaryRegistry::Get().FunctionAt(symbol);
  });
}

aclError aclrtGetFunctionName(aclrtFuncHandle funcHandle, uint32_t maxLen, char* name) {
  return Guard(FOOTHOLD_CALL(funcHandle, maxLen), [&] {
    FOOTHOLD_NOT_NULL(name);
    const auto function = FunctionOf(FOOTHOLD_NOT_NULL(funcHandle));
    const std::size_t needed = function->name().size() + 1;
    if (needed > maxLen)
      Fail(kRtParamInvalid, "the name \"{}\" needs {} bytes, not {}", function->name(), needed, maxLen);
    std::memcpy(name, function->name().c_str(), needed);
  });
}

aclError aclrtGetFunctionAddr(aclrtFuncHandle funcHandle, void** aicAddr, void** aivAddr) {
  return Guard(FOOTHOLD_CALL(funcHandle, aicAddr, aivAddr), [&] {
    if (aicAddr == nullptr && aivAddr == nullptr)
      Fail(kRtParamInvalid, "aicAddr and aivAddr must not both be null");
    // A core here is both.
    void* const address = reinterpret_cast<void*>(FunctionOf(FOOTHOLD_NOT_NULL(funcHandle))->parts().entry);
    if (aicAddr != nullptr) *aicAddr = address;
    if (aivAddr != nullptr) *aivAddr = address;
  });
}

aclError aclrtGetFunctionSize(aclrtFuncHandle funcHandle, size_t* aicSize, size_t* aivSize) {
  return Guard(FOOTHOLD_CALL(funcHandle, aicSize, aivSize), [&] {
    if (aicSize == nullptr && aivSize == nullptr)
      Fail(kRtParamInvalid, "aicSize and aivSize must not both be null");
    const std::size_t size = FunctionOf(FOOTHOLD_NOT_NULL(funcHandle))->parts().size;
    if (aicSize != nullptr) *aicSize = size;
    if (aivSize != nullptr) *aivSize = size;
  });
}

aclError aclrtGetFunctionAttribute(aclrtFuncHandle funcHandle, aclrtFuncAttribute attrType,
                                   int64_t* attrValue) {
  return Guard(FOOTHOLD_CALL(funcHandle, attrType, attrValue), [&] {
    FOOTHOLD_NOT_NULL(attrValue);
    const auto function = FunctionOf(FOOTHOLD_NOT_NULL(funcHandle));
    switch (attrType) {
      case ACL_FUNC_ATTR_KERNEL_TYPE:
        *attrValue = function->parts().kind == Kind::kCpu ? ACL_KERNEL_TYPE_AICPU : ACL_KERNEL_TYPE_VECTOR;
        break;
      case ACL_FUNC_ATTR_KERNEL_RATIO:
        Fail(kRtFeatureNotSupport,
             "only kernels of type ACL_KERNEL_TYPE_MIX have a ratio of cores, and \"{}\" "
             "is none",
             function->name());
      case ACL_FUNC_ATTR_KERNEL_SCHED_MODE:
        *attrValue = 0;  // blocks are begun as cores come free
        break;
      default:
        Fail(kRtParamInvalid, "attrType {} is none of 1 to 3", static_cast<int>(attrType));
    }
  });
}

aclError aclrtFunctionGetBinary(const aclrtFuncHandle funcHandle, aclrtBinHandle* binHandle) {
  return Guard(FOOTHOLD_CALL(funcHandle, binHandle), [&] {
    FOOTHOLD_NOT_NULL(binHandle);
    const auto function = FunctionOf(FOOTHOLD_NOT_NULL(funcHandle));
    void* const binary = function->binary().handle.load();
    if (binary == nullptr)
      Fail(kRtParamInvalid, "kernel \"{}\" is part of {}, not of a binary", function->name(),
           function->binary().name());
    *binHandle = binary;
  });
}

aclError aclrtFunctionGetParamCount(const void* func, size_t* paramCount) {
  return Guard(FOOTHOLD_CALL(func, paramCount), [&] {
    FOOTHOLD_NOT_NULL(paramCount);
    const auto function = FunctionOf(FOOTHOLD_NOT_NULL(func));
    if (function->parts().parameters.empty()) {
      Fail(kRtFeatureNotSupport,
           "kernel \"{}\" does not say what its parameters are; declare them with "
           "FOOTHOLD_KERNEL_PARAMETERS",
           function->name());
    }
    *paramCount = function->parts().parameters.size();
  });
}

aclError aclrtFunctionGetParamInfo(const void* func, size_t paramIndex, size_t* paramOffset,
                                   size_t* paramSize) {
  return Guard(FOOTHOLD_CALL(func, paramIndex, paramOffset, paramSize), [&] {
    if (paramOffset == nullptr && paramSize == nullptr)
      Fail(kRtParamInvalid, "paramOffset and paramSize must not both be null");
    const auto function = FunctionOf(FOOTHOLD_NOT_NULL(func));
    const auto& sizes = function->parts().parameters;
    if (paramIndex >= sizes.size()) {
      Fail(kRtParamInvalid, "paramIndex {} is not one of the {} parameters that kernel \"{}\" declares",
           paramIndex, sizes.size(), function->name());
    }
    if (paramOffset != nullptr) *paramOffset = function->OffsetOf(paramIndex);
    if (paramSize != nullptr) *paramSize = sizes[paramIndex];
  });
}

aclError aclrtFunctionGetAvailDynUbufPerBlock(void* func, uint32_t flags, size_t* dynamicUbufSize) {
  return Guard(FOOTHOLD_CALL(func, flags, dynamicUbufSize), [&] {
    FOOTHOLD_NOT_NULL(dynamicUbufSize);
    FunctionOf(FOOTHOLD_NOT_NULL(func));
    *dynamicUbufSize = kMostLocalBytes;
  });
}
