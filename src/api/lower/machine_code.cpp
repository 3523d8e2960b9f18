// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Launching of kernels as generated launchers do it: a binary, functions under numbers the caller invents,
// arguments as one block. A binary is what aclrtBinaryLoadFromData takes; machine code of an NPU cannot run
// here. No header has these; prebuilt programs import them or find them by name.
#include <map>
#include <mutex>

#include "acl/acl_base.h"
#include "api/guard.h"
#include "api/status.h"
#include "binaries/kernel_launch.h"
#include "binaries/registry.h"
#include "device/current.h"

extern "C" {

struct rtDevBinary_t {
  uint32_t magic;
  uint32_t version;
  const void* data;
  uint64_t length;
};

ACL_FUNC_VISIBILITY int rtGetC2cCtrlAddr(uint64_t* addr, uint32_t* len);
ACL_FUNC_VISIBILITY int rtDevBinaryRegister(const rtDevBinary_t* bin, void** handle);
ACL_FUNC_VISIBILITY int rtDevBinaryUnRegister(void* handle);
ACL_FUNC_VISIBILITY int rtFunctionRegister(void* binHandle, const void* stubFunc, const char* stubName,
                                           const void* devFunc, uint32_t funcMode);
ACL_FUNC_VISIBILITY int rtKernelLaunch(const void* stubFunc, uint32_t blockDim, void* args, uint32_t argsSize,
                                       void* smDesc, void* stream);
ACL_FUNC_VISIBILITY int rtLaunch(const void* stubFunc);

}  // extern "C"

namespace foothold {
namespace {

// What kernels of an NPU tell each other where they are by. Programs only hand its address on.
constexpr std::size_t kControlBytes = 512;

enum Magic : std::uint32_t {
  kElfOfCores = 0x43554245,
  kElfOfVectorCores = 0x41415246,
  kElfOfCpus = 0x41415243,
  kPlainFirst = 0xabceed50,
  kPlainLast = 0xabceed52
};

void CheckMagic(std::uint32_t magic) {
  if (magic == kElfOfCores || magic == kElfOfVectorCores || magic == kElfOfCpus) return;
  if (magic >= kPlainFirst && magic <= kPlainLast) {
    Fail(kRtFeatureNotSupport,
         "bin->magic {:#x} is machine code of an NPU, which a CPU cannot run; build the kernels as a shared "
         "object "
         "for this CPU, as foothold/kernel.h says",
         magic);
  }
  Fail(kRtParamInvalid, "bin->magic {:#x} is no kind of binary", magic);
}

// From the numbers programs invent to kernels.
class RegisteredFunctions {
 public:
  static RegisteredFunctions& Get() {
    static auto* const functions = new RegisteredFunctions;
    return *functions;
  }

  void Add(const void* number, std::shared_ptr<KernelFunction> function) {
    const std::lock_guard lock(mutex_);
    functions_[number] = std::move(function);
  }
  std::shared_ptr<KernelFunction> Find(const void* number) const {
    const std::lock_guard lock(mutex_);
    const auto found = functions_.find(number);
    if (found == functions_.end())
      Fail(kRtParamInvalid, "stubFunc {} was not given to rtFunctionRegister", number);
    return found->second;
  }
  void Forget(const Binary& binary) {
    const std::lock_guard lock(mutex_);
    std::erase_if(functions_, [&](const auto& entry) { return &entry.second->binary() == &binary; });
  }

 private:
  mutable std::mutex mutex_;  // guards the functions
  std::map<const void*, std::shared_ptr<KernelFunction>> functions_;
};

}  // namespace
}  // namespace foothold

using namespace foothold;

int rtGetC2cCtrlAddr(uint64_t* addr, uint32_t* len) {
  return Guard(FOOTHOLD_CALL(addr, len), [&] {
    alignas(64) static std::byte block[kControlBytes];
    FOOTHOLD_NOT_NULL(addr);
    FOOTHOLD_NOT_NULL(len);
    *addr = reinterpret_cast<std::uintptr_t>(block);
    *len = kControlBytes;
  });
}

int rtDevBinaryRegister(const rtDevBinary_t* bin, void** handle) {
  return Guard(FOOTHOLD_CALL(bin, handle), [&] {
    FOOTHOLD_NOT_NULL(bin);
    FOOTHOLD_NOT_NULL(handle);
    CheckNotNull(bin->data, "bin->data");
    CheckMagic(bin->magic);
    *handle = BinaryRegistry::Get().LoadData(bin->data, bin->length, {});
  });
}

int rtDevBinaryUnRegister(void* handle) {
  return Guard(FOOTHOLD_CALL(handle), [&] {
    BinaryRegistry& registry = BinaryRegistry::Get();
    RegisteredFunctions::Get().Forget(*registry.FindBinary(FOOTHOLD_NOT_NULL(handle)));
    registry.Unload(handle);
  });
}

int rtFunctionRegister(void* binHandle, const void* stubFunc, const char* stubName, const void* devFunc,
                       uint32_t funcMode) {
  return Guard(FOOTHOLD_CALL(binHandle, stubFunc, stubName, devFunc, funcMode), [&] {
    BinaryRegistry& registry = BinaryRegistry::Get();
    const auto binary = registry.FindBinary(FOOTHOLD_NOT_NULL(binHandle));
    FOOTHOLD_NOT_NULL(stubFunc);
    const char* const name = static_cast<const char*>(FOOTHOLD_NOT_NULL(devFunc));
    if (funcMode != 0)
      Fail(kRtFeatureNotSupport, "funcMode is {}; only 0, a function by its name, is supported", funcMode);
    void* const found = registry.FunctionOf(binary, name, name, KernelFunction::Kind::kVector);
    RegisteredFunctions::Get().Add(stubFunc, registry.FindFunction(found));
  });
}

int rtKernelLaunch(const void* stubFunc, uint32_t blockDim, void* args, uint32_t argsSize, void* smDesc,
                   void* stream) {
  return Guard(FOOTHOLD_CALL(stubFunc, blockDim, args, argsSize, smDesc, stream), [&, api = __func__] {
    const StreamRef found = FindStream(stream);
    auto function = RegisteredFunctions::Get().Find(FOOTHOLD_NOT_NULL(stubFunc));
    if (blockDim == 0) Fail(kRtParamInvalid, "a kernel is launched on at least one block, not on 0");
    if (argsSize != 0) FOOTHOLD_NOT_NULL(args);
    Queue(found, MakeLaunchFrom(std::move(function), {blockDim}, api, args, argsSize));
  });
}

// The other half of it, which says how many blocks and which stream, is in no library a program could have
// been linked with here.
FOOTHOLD_ALWAYS_REFUSED(rtLaunch);
int rtLaunch(const void* stubFunc) {
  return Guard(FOOTHOLD_CALL(stubFunc), [] {
    Fail(kRtFeatureNotSupport,
         "rtLaunch is not supported: it knows neither blocks nor stream; use rtKernelLaunch");
  });
}
