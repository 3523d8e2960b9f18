// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "api/acl/op_kernels.h"

#include <fmt/format.h>

#include <atomic>
#include <cstring>
#include <map>
#include <mutex>

#include "api/acl/op_arguments.h"
#include "api/guard.h"
#include "api/status.h"
#include "base/held_locks.h"
#include "base/per_process.h"
#include "binaries/kernel_launch.h"
#include "binaries/registry.h"
#include "single_op/op_codes.h"

// What a function of the program fills in.
struct aclopKernelDesc {
  std::string kernel;
  std::uint32_t blocks = 0;
  std::vector<std::byte> arguments;
  std::vector<std::size_t> workspaces;
};

namespace foothold {
namespace {

using Choice = std::shared_ptr<const aclopKernelDesc>;
constexpr std::size_t kMostChoices = 1000;
constexpr std::size_t kWorkspaceAlignment = 64;
constexpr std::size_t kMostWorkspace = std::size_t{1} << 40;

struct ProgramOperator {
  aclopCompileFunc choose = nullptr;
  std::map<std::string, void*, std::less<>> kernels;   // handles, by id
  std::map<std::string, Choice, std::less<>> choices;  // of aclopUpdateParams, by call
};

struct ProgramOperators {
  std::mutex mutex;  // guards all below
  std::map<std::string, ProgramOperator, std::less<>> by_type;
};

// In a forked child there are none: its handles are not the parent's.
ProgramOperators& All() {
  return PerProcess<ProgramOperators>::Get();
}
std::atomic<int> types_chosen{0};

std::string KeyOf(const OpCall& call) {
  std::string key = ToString(call);
  for (const auto& [name, value] : call.attribute_values())
    key += fmt::format(";{}={}", name, ToString(value));
  return key;
}

aclopCompileFunc FunctionOf(std::string_view type) {
  std::lock_guard<std::mutex> lock(All().mutex);
  const auto found = All().by_type.find(type);
  return found == All().by_type.end() ? nullptr : found->second.choose;
}

Choice Choose(const KernelCall& made, const OpCall& call) {
  const aclopCompileFunc function = FunctionOf(call.type);
  if (function == nullptr) {
    Fail(kOpNotFound, "no function chooses kernels for operator {}; aclopRegisterCompileFunc registers one",
         call.type);
  }
  const auto choice = std::make_shared<aclopKernelDesc>();
  EnterProgram("a compile function");
  const aclError answer =
      function(made.inputs, made.input_desc, made.outputs, made.output_desc, made.attributes, choice.get());
  if (answer != ACL_SUCCESS) {
    Fail(static_cast<Code>(answer), "the function that chooses kernels for operator {} answered {}",
         call.type, answer);
  }
  if (choice->blocks == 0) {
    Fail(kOpNotFound, "the function that chooses kernels for operator {} chose none with aclopSetKernelArgs",
         call.type);
  }
  return choice;
}

Choice ChoiceOf(const KernelCall& made, const OpCall& call) {
  {
    std::lock_guard<std::mutex> lock(All().mutex);
    const auto type = All().by_type.find(call.type);
    if (type != All().by_type.end() && !type->second.choices.empty()) {
      const auto found = type->second.choices.find(KeyOf(call));
      if (found != type->second.choices.end()) return found->second;
    }
  }
  return Choose(made, call);
}

void* KernelOf(std::string_view type, const std::string& id) {
  std::lock_guard<std::mutex> lock(All().mutex);
  const auto found = All().by_type.find(type);
  if (found != All().by_type.end())
    if (const auto kernel = found->second.kernels.find(id); kernel != found->second.kernels.end())
      return kernel->second;
  Fail(kOpNotFound, "operator {} has no kernel \"{}\"; aclopCreateKernel creates it", type, id);
}

// Addresses, then what comes along: the arguments, and memory for workspaces.
class KernelArguments {
 public:
  void AddMemory(const DataBuffer& buffer, const TensorDesc& desc, Use use, const char* name,
                 std::size_t index) {
    if (IsAbsent(desc) || buffer.size == 0) return AddWord(nullptr);
    const std::string text = fmt::format("{}[{}]", name, index);
    const MemoryUse found = CheckDeviceRange(buffer.data, buffer.size, kInvalidParam, text.c_str(), use);
    accesses.push_back({buffer.data, buffer.size, use, Extent::kPartial, found.serial});
    AddWord(buffer.data);
  }
  void AddAlong(const aclopKernelDesc& choice) {
    const std::size_t first = bytes.size();
    for (std::size_t i = 0; i < choice.workspaces.size() + (choice.arguments.empty() ? 0 : 1); ++i)
      AddWord(nullptr);
    std::size_t slot = first;
    for (const std::size_t size : choice.workspaces) {
      Point(slot, size);
      slot += sizeof(void*);
    }
    if (choice.arguments.empty()) return;
    Point(slot, choice.arguments.size());
    std::memcpy(bytes.data() + pointers.back().offset, choice.arguments.data(), choice.arguments.size());
  }

  std::vector<std::byte> bytes;
  std::vector<DataPointer> pointers;
  std::vector<Access> accesses;

 private:
  void AddWord(const void* word) {
    bytes.resize(bytes.size() + sizeof word);
    std::memcpy(bytes.data() + bytes.size() - sizeof word, &word, sizeof word);
  }
  void Point(std::size_t slot, std::size_t size) {
    const std::size_t offset =
        (bytes.size() + kWorkspaceAlignment - 1) / kWorkspaceAlignment * kWorkspaceAlignment;
    if (size > kMostWorkspace) Fail(kInvalidParam, "a workspace of {} bytes is too large", size);
    bytes.resize(offset + size);
    pointers.push_back({slot, offset});
  }
};

void CheckCounts(const OpCall& call, const OpTensors& tensors) {
  if (tensors.inputs.size() != call.inputs.size() || tensors.outputs.size() != call.outputs.size())
    Fail(kInvalidParam, "operator {} has other numbers of buffers than of descriptions", call.type);
}

}  // namespace

bool ProgramChoosesKernel(const char* type) noexcept {
  return types_chosen.load(std::memory_order_relaxed) != 0 && type != nullptr && FunctionOf(type) != nullptr;
}

void RunChosenKernel(const KernelCall& made, const OpCall& call, const OpTensors& tensors,
                     const StreamRef& stream, const char* api) {
  CheckCounts(call, tensors);
  const Choice choice = ChoiceOf(made, call);
  auto function = BinaryRegistry::Get().FindFunction(KernelOf(call.type, choice->kernel));
  KernelArguments arguments;
  for (std::size_t i = 0; i < tensors.inputs.size(); ++i)
    arguments.AddMemory(*tensors.inputs[i], *call.inputs[i], Use::kRead, "inputs", i);
  for (std::size_t i = 0; i < tensors.outputs.size(); ++i)
    arguments.AddMemory(*tensors.outputs[i], *call.outputs[i], Use::kWrite, "outputs", i);
  arguments.AddAlong(*choice);
  Queue(stream, MakeLaunch(std::move(function), {choice->blocks}, api, arguments.bytes.data(),
                           arguments.bytes.size(), arguments.pointers, std::move(arguments.accesses)));
}

}  // namespace foothold

using namespace foothold;

aclError aclopRegisterCompileFunc(const char* opType, aclopCompileFunc func) {
  return Guard(FOOTHOLD_CALL(opType), [&] {
    CheckNotNull(opType, "opType", kInvalidParam);
    CheckNotNull(func, "func", kInvalidParam);
    std::lock_guard<std::mutex> lock(All().mutex);
    ProgramOperator& op = All().by_type[opType];
    if (op.choose != nullptr)
      Fail(kInvalidParam, "a function chooses kernels for operator {} already; unregister it first", opType);
    op.choose = func;
    types_chosen.fetch_add(1);
  });
}

aclError aclopUnregisterCompileFunc(const char* opType) {
  return Guard(FOOTHOLD_CALL(opType), [&] {
    CheckNotNull(opType, "opType", kInvalidParam);
    std::lock_guard<std::mutex> lock(All().mutex);
    const auto found = All().by_type.find(opType);
    if (found == All().by_type.end() || found->second.choose == nullptr)
      Fail(kInvalidParam, "no function chooses kernels for operator {}", opType);
    found->second.choose = nullptr;
    found->second.choices.clear();
    types_chosen.fetch_sub(1);
  });
}

FOOTHOLD_PART_WITHOUT_EFFECT(aclopCreateKernel, enginetype);
aclError aclopCreateKernel(const char* opType, const char* kernelId, const char* kernelName, void* binData,
                           int binSize, aclopEngineType enginetype, aclDataDeallocator deallocator) {
  return Guard(FOOTHOLD_CALL(opType, kernelId, kernelName, binData, binSize, enginetype), [&] {
    CheckNotNull(opType, "opType", kInvalidParam);
    CheckNotNull(kernelId, "kernelId", kInvalidParam);
    CheckNotNull(kernelName, "kernelName", kInvalidParam);
    CheckNotNull(binData, "binData", kInvalidParam);
    if (binSize <= 0) Fail(kInvalidParam, "binSize must be more than 0, not {}", binSize);
    BinaryRegistry& registry = BinaryRegistry::Get();
    void* const binary = registry.LoadData(binData, static_cast<std::size_t>(binSize), {});
    void* function = nullptr;
    try {
      function = registry.FunctionOf(registry.FindBinary(binary), kernelName, kernelName,
                                     KernelFunction::Kind::kVector);
      std::lock_guard<std::mutex> lock(All().mutex);
      All().by_type[opType].kernels[kernelId] = function;
    } catch (...) {
      registry.Unload(binary);
      throw;
    }
    // The library has a copy.
    if (deallocator != nullptr) {
      EnterProgram("a deallocator");
      deallocator(binData, static_cast<std::size_t>(binSize));
    }
  });
}

aclError aclopSetKernelArgs(aclopKernelDesc* kernelDesc, const char* kernelId, uint32_t blockDim,
                            const void* args, uint32_t argSize) {
  return Guard(FOOTHOLD_CALL(kernelDesc, kernelId, blockDim, args, argSize), [&] {
    CheckNotNull(kernelDesc, "kernelDesc", kInvalidParam);
    CheckNotNull(kernelId, "kernelId", kInvalidParam);
    if (blockDim == 0) Fail(kInvalidParam, "blockDim must not be 0");
    if (argSize != 0) CheckNotNull(args, "args", kInvalidParam);
    const auto* const bytes = static_cast<const std::byte*>(args);
    std::vector<std::byte> copy(bytes, bytes + argSize);
    kernelDesc->kernel = kernelId;
    kernelDesc->blocks = blockDim;
    kernelDesc->arguments = std::move(copy);
  });
}

aclError aclopSetKernelWorkspaceSizes(aclopKernelDesc* kernelDesc, int numWorkspaces,
                                      size_t* workspaceSizes) {
  return Guard(FOOTHOLD_CALL(kernelDesc, numWorkspaces, workspaceSizes), [&] {
    CheckNotNull(kernelDesc, "kernelDesc", kInvalidParam);
    if (numWorkspaces < 0) Fail(kInvalidParam, "numWorkspaces must not be {}", numWorkspaces);
    if (numWorkspaces != 0) CheckNotNull(workspaceSizes, "workspaceSizes", kInvalidParam);
    kernelDesc->workspaces.assign(workspaceSizes, workspaceSizes + numWorkspaces);
  });
}

aclError aclopUpdateParams(const char* opType, int numInputs, const aclTensorDesc* const* inputDesc,
                           int numOutputs, const aclTensorDesc* const* outputDesc, const aclopAttr* attr) {
  return Guard(FOOTHOLD_CALL(opType, numInputs, numOutputs, attr), [&] {
    CallRoom room;
    const OpCall call = ReadOpCall(opType, numInputs, inputDesc, numOutputs, outputDesc, attr, room);
    Choice choice = Choose({numInputs, inputDesc, numOutputs, outputDesc, attr}, call);
    const std::string key = KeyOf(call);
    std::lock_guard<std::mutex> lock(All().mutex);
    auto& choices = All().by_type[opType].choices;
    if (choices.size() >= kMostChoices) choices.clear();
    choices[key] = std::move(choice);
  });
}
