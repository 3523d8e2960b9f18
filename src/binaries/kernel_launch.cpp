// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "binaries/kernel_launch.h"

#include <cstring>
#include <utility>

#include "base/error.h"
#include "base/held_locks.h"
#include "binaries/argument_list.h"
#include "binaries/kernel_task.h"
#include "device/current.h"
#include "device/memory/hidden_addresses.h"
#include "device/memory_map.h"

namespace foothold {
namespace {

constexpr std::size_t kFirstRoom = 16;
constexpr std::size_t kMostAccesses = 1 << 20;

std::size_t RoundUp(std::size_t bytes) {
  return (bytes + ArgumentBlock::kAlignment - 1) / ArgumentBlock::kAlignment * ArgumentBlock::kAlignment;
}

std::vector<KernelAccess> AskFor(const KernelLaunch& launch) {
  std::vector<KernelAccess> list(kFirstRoom);
  const KernelBlock block{sizeof block, 0, launch.settings.blocks, launch.block.size(),
                          nullptr,      0, &IgnoreKernelFailure,   nullptr};
  for (;;) {
    EnterProgram("the accesses of a kernel");
    const std::size_t count =
        launch.function->parts().accesses(&block, launch.block.data(), list.data(), list.size());
    if (count > kMostAccesses) {
      Fail(kRtParamInvalid, "{}_accesses of {} answers {} ranges, more than {}", launch.function->name(),
           launch.function->binary().name(), count, kMostAccesses);
    }
    const bool fits = count <= list.size();
    list.resize(count);
    if (fits) return list;
  }
}

Access Checked(const KernelAccess& access, Use use, const KernelLaunch& launch) {
  const std::string name = fmt::format("what kernel \"{}\" declares to {}", launch.function->name(),
                                       use == Use::kWrite ? "write" : "read");
  const MemoryUse found =
      access.bytes == 0 ? MemoryUse{} : CheckRange(access.address, access.bytes, use, name.c_str());
  return {access.address, access.bytes, use, access.partial != 0 ? Extent::kPartial : Extent::kExact,
          found.serial};
}

// Reads first, as every task lists them.
void KeepAccesses(KernelLaunch& launch) {
  if (launch.function->parts().accesses == nullptr || launch.given != nullptr) return;
  const std::vector<KernelAccess> list = AskFor(launch);
  for (const KernelAccess& access : list)
    if (access.use & kKernelReads) launch.accesses.push_back(Checked(access, Use::kRead, launch));
  for (const KernelAccess& access : list)
    if (access.use & kKernelWrites) launch.accesses.push_back(Checked(access, Use::kWrite, launch));
}

// Called with the arguments as the program knows them; from then on they are as a kernel can follow them.
std::shared_ptr<const KernelLaunch> Finish(std::shared_ptr<KernelLaunch> launch) {
  KeepAccesses(*launch);
  if (!GivenAddressesAreFollowed()) FollowAddresses(launch->block.data(), launch->block.size());
  return launch;
}

void CheckBytes(std::size_t size) {
  if (size <= ArgumentBlock::kMostBytes) return;
  Fail(kRtParamInvalid, "the arguments of a kernel have at most {} bytes, not {}", ArgumentBlock::kMostBytes,
       size);
}

void CheckDeclared(const KernelFunction& function) {
  for (const std::size_t size : function.parts().parameters) {
    if (size <= ArgumentBlock::kMostBytes) continue;
    Fail(kRtParamInvalid, "{}_parameters of {} declares a parameter of {} bytes, more than {}",
         function.name(), function.binary().name(), size, ArgumentBlock::kMostBytes);
  }
}

void CheckPointer(const DataPointer& pointer, std::size_t size) {
  if (pointer.slot > size || size - pointer.slot < sizeof(void*) || pointer.offset > size) {
    Fail(kRtParamInvalid,
         "a placeholder with addrOffset {} and dataOffset {} does not lie in the {} bytes of the arguments",
         pointer.slot, pointer.offset, size);
  }
}

}  // namespace

void ArgumentBlock::Point(std::size_t slot, std::size_t offset) {
  const std::byte* const target = data() + offset;
  std::memcpy(data() + slot, &target, sizeof target);
}

std::shared_ptr<const KernelLaunch> MakeLaunch(std::shared_ptr<KernelFunction> function,
                                               const LaunchSettings& settings, const char* api,
                                               const void* bytes, std::size_t size,
                                               const std::vector<DataPointer>& pointers,
                                               std::vector<Access> known) {
  CheckBytes(size);
  auto launch = std::make_shared<KernelLaunch>(std::move(function), settings, api, size);
  launch->accesses = std::move(known);
  if (size != 0) std::memcpy(launch->block.data(), bytes, size);
  for (const DataPointer& pointer : pointers) {
    CheckPointer(pointer, size);
    launch->block.Point(pointer.slot, pointer.offset);
  }
  return Finish(std::move(launch));
}

std::shared_ptr<const KernelLaunch> MakeLaunch(std::shared_ptr<KernelFunction> function,
                                               const LaunchSettings& settings, const char* api,
                                               const ArgumentList& list) {
  std::size_t size = list.used;
  for (std::uint32_t i = 0; i < list.count; ++i)
    if (list.parameters[i].data != nullptr) size = RoundUp(size) + list.parameters[i].data_size;
  auto launch = std::make_shared<KernelLaunch>(std::move(function), settings, api, size);
  if (list.used != 0) std::memcpy(launch->block.data(), list.memory, list.used);
  std::size_t end = list.used;
  for (std::uint32_t i = 0; i < list.count; ++i) {
    const ArgumentList::Parameter& parameter = list.parameters[i];
    if (parameter.data == nullptr) continue;
    const std::size_t begin = RoundUp(end);
    std::memset(launch->block.data() + end, 0, begin - end);
    std::memcpy(launch->block.data() + begin, parameter.data, parameter.data_size);
    launch->block.Point(parameter.offset, begin);
    end = begin + parameter.data_size;
  }
  return Finish(std::move(launch));
}

std::shared_ptr<const KernelLaunch> MakeLaunchFrom(std::shared_ptr<KernelFunction> function,
                                                   const LaunchSettings& settings, const char* api,
                                                   const void* arguments, std::size_t size) {
  if (size == 0) return MakeLaunch(std::move(function), settings, api, nullptr, 0, {});
  const MemoryUse found = CheckRange(arguments, size, Use::kRead, "argsData");
  if (!found.on_device()) return MakeLaunch(std::move(function), settings, api, arguments, size, {});
  auto launch = std::make_shared<KernelLaunch>(std::move(function), settings, api, 0);
  launch->given = arguments;
  launch->given_size = size;
  launch->given_serial = found.serial;
  return launch;
}

std::shared_ptr<const KernelLaunch> MakeLaunchOf(std::shared_ptr<KernelFunction> function,
                                                 const LaunchSettings& settings, const char* api,
                                                 void* const* values) {
  const std::vector<std::size_t>& sizes = function->parts().parameters;
  if (sizes.empty()) {
    Fail(kRtParamInvalid,
         "kernel \"{}\" of {} does not say what its parameters are; declare them with "
         "FOOTHOLD_KERNEL_PARAMETERS, or launch it with aclrtLaunchKernelWithHostArgs",
         function->name(), function->binary().name());
  }
  CheckDeclared(*function);
  const std::size_t last = sizes.size() - 1;
  auto launch =
      std::make_shared<KernelLaunch>(function, settings, api, function->OffsetOf(last) + sizes[last]);
  std::memset(launch->block.data(), 0, launch->block.size());
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (values[i] == nullptr) Fail(kRtParamInvalid, "args[{}] must not be null", i);
    std::memcpy(launch->block.data() + function->OffsetOf(i), values[i], sizes[i]);
  }
  return Finish(std::move(launch));
}

void Queue(const StreamRef& stream, std::shared_ptr<const KernelLaunch> launch) {
  const char* const api = launch->api;
  stream.Push(api, KernelTask(std::move(launch)));
}

}  // namespace foothold
