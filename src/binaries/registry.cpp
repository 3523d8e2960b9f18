// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "binaries/registry.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/edit_distance.h"
#include "base/error.h"
#include "base/per_process.h"

namespace foothold {
namespace {

// So many lists of arguments stay usable after they were launched.
constexpr std::size_t kLaunchedLists = 16384;

template <typename Pool, typename Slot>
void End(Pool& pool, Slot& slot, const void* handle) {
  if (!pool.Retire(slot, handle)) return;
  slot.set_state(nullptr);
  pool.Recycle(slot);
}

template <typename State>
void* Add(HandlePool<HandledState<State>>& pool, std::shared_ptr<State> state) {
  HandledState<State>& slot = pool.Take();
  slot.set_state(std::move(state));
  return pool.Publish(slot);
}

template <typename State>
std::shared_ptr<State> Find(const HandlePool<HandledState<State>>& pool, const void* handle,
                            HandleKind kind) {
  if (HandledState<State>* const slot = pool.Find(handle))
    if (std::shared_ptr<State> state = slot->state(); state && slot->IsCurrent(handle)) return state;
  const char* const name = HandleKindName(kind);
  if (handle == nullptr) Fail(kRtParamInvalid, "the handle of a {} must not be null", name);
  if (IsHandleOf(kind, handle)) Fail(kRtInvalidHandle, "{} {} does not exist any more", name, handle);
  Fail(kRtInvalidHandle, "{} is not a {}", DescribeHandle(handle), name);
}

bool EndsIn(const char* name, const std::string& ending) {
  const std::size_t length = std::strlen(name);
  return length > ending.size() && ending == name + length - ending.size();
}

// Exported functions that a wrong name may have meant.
std::string Suggestion(const SharedObject& code, const std::string& wanted) {
  std::string nearest;
  std::size_t best = std::max<std::size_t>(2, wanted.size() / 3) + 1;
  code.ForEachFunction([&](const char* name) {
    // A name of C++ holds the plain one behind its length.
    const bool mangled = std::strncmp(name, "_Z", 2) == 0 &&
                         std::strstr(name, (std::to_string(wanted.size()) + wanted).c_str()) != nullptr;
    const std::size_t distance = mangled ? 0 : EditDistance(wanted, name, best);
    if (distance >= best) return;
    best = distance;
    nearest = mangled ? fmt::format(
                            "; it has one with the C++ name {}, so declare it with FOOTHOLD_KERNEL or "
                            "extern \"C\"",
                            name)
                      : fmt::format("; did you mean \"{}\"?", name);
  });
  return nearest;
}

std::vector<std::size_t> SizesAt(const SharedObject::Found& table) {
  std::vector<std::size_t> sizes;
  const auto* const all = static_cast<const std::size_t*>(table.address);
  for (std::size_t i = 0; i < table.size / sizeof(std::size_t) && all[i] != 0; ++i)
    sizes.push_back(all[i]);
  return sizes;
}

}  // namespace

BinaryRegistry& BinaryRegistry::Get() {
  return PerProcess<BinaryRegistry>::Get();
}

void* BinaryRegistry::Keep(const void* data, std::size_t size) {
  const auto* const bytes = static_cast<const std::byte*>(data);
  return Add<const std::vector<std::byte>>(
      kept_, std::make_shared<const std::vector<std::byte>>(bytes, bytes + size));
}

std::shared_ptr<const std::vector<std::byte>> BinaryRegistry::FindKept(const void* handle) const {
  return Find(kept_, handle, HandleKind::kBinaryData);
}

void BinaryRegistry::Drop(const void* handle) {
  FindKept(handle);
  if (auto* const slot = kept_.Find(handle)) End(kept_, *slot, handle);
}

void* BinaryRegistry::Publish(std::shared_ptr<Binary> binary) {
  void* const handle = Add(binaries_, binary);
  binary->handle.store(handle);
  return handle;
}

void* BinaryRegistry::LoadFile(const std::string& path, const BinaryOptions& options) {
  return Publish(
      std::make_shared<Binary>(SharedObject::Load(path, options.binding), options.for_cpu_kernels));
}

void* BinaryRegistry::LoadData(const void* data, std::size_t size, const BinaryOptions& options) {
  return Publish(
      std::make_shared<Binary>(SharedObject::Load(data, size, options.binding), options.for_cpu_kernels));
}

std::shared_ptr<Binary> BinaryRegistry::FindBinary(const void* handle) const {
  return Find(binaries_, handle, HandleKind::kBinary);
}

void BinaryRegistry::Unload(const void* handle) {
  {
    const std::shared_ptr<Binary> binary = FindBinary(handle);
    auto* const slot = binaries_.Find(handle);
    if (slot == nullptr || !binaries_.Retire(*slot, handle)) FindBinary(handle);
    slot->set_state(nullptr);
    binaries_.Recycle(*slot);
    binary->handle.store(nullptr);
    EndFunctionsOf(*binary);
  }
  SharedObject::CloseUnused();
}

void BinaryRegistry::EndFunctionsOf(const Binary& binary) {
  arguments_.ForEach([&](HandledState<OwnedArguments>& slot) {
    const void* const handle = slot.handle();
    if (const auto list = slot.state(); list && &list->function().binary() == &binary)
      End(arguments_, slot, handle);
  });
  functions_.ForEach([&](HandledState<KernelFunction>& slot) {
    const void* const handle = slot.handle();
    const auto function = slot.state();
    if (!function || &function->binary() != &binary) return;
    function->handle.store(nullptr);
    End(functions_, slot, handle);
  });
}

void* BinaryRegistry::FunctionOf(const std::shared_ptr<Binary>& binary, const std::string& symbol,
                                 const std::string& name, KernelFunction::Kind kind) {
  KernelFunction::Parts parts = PartsOf(*binary, symbol);
  parts.name = name;
  parts.kind = kind;
  return PublishFunction(binary,
                         (kind == KernelFunction::Kind::kCpu ? "cpu:" : "kernel:") + name + ":" + symbol,
                         std::move(parts));
}

void* BinaryRegistry::PublishFunction(const std::shared_ptr<Binary>& binary, const std::string& key,
                                      KernelFunction::Parts parts) {
  std::lock_guard<std::mutex> lock(binary->mutex_);
  void*& known = binary->functions_[key];
  if (known != nullptr && functions_.Find(known) != nullptr) return known;
  const auto function = std::make_shared<KernelFunction>(std::move(parts), binary);
  known = Add(functions_, function);
  function->handle.store(known);
  if (binary->code() == nullptr || binary->handle.load() != nullptr) return known;
  if (auto* const slot = functions_.Find(known)) End(functions_, *slot, known);
  Fail(kRtInvalidHandle, "{} was unloaded by another thread during this call", binary->name());
}

KernelFunction::Parts BinaryRegistry::PartsOf(const Binary& binary, const std::string& symbol) const {
  const SharedObject& code = *binary.code();
  const SharedObject::Found found = code.Find(symbol.c_str());
  if (found.kind == SharedObject::Symbol::kVariable)
    Fail(kRtParamInvalid, "\"{}\" of {} is a variable, not a function", symbol, code.name());
  if (found.kind != SharedObject::Symbol::kFunction) {
    Fail(kRtParamInvalid, "{} exports no function \"{}\"{}", code.name(), symbol, Suggestion(code, symbol));
  }
  KernelFunction::Parts parts{symbol, reinterpret_cast<KernelEntry>(found.address), found.size};
  const SharedObject::Found accesses = code.Find((symbol + "_accesses").c_str());
  if (accesses.kind == SharedObject::Symbol::kFunction)
    parts.accesses = reinterpret_cast<KernelAccesses>(accesses.address);
  const SharedObject::Found parameters = code.Find((symbol + "_parameters").c_str());
  if (parameters.kind == SharedObject::Symbol::kVariable) parts.parameters = SizesAt(parameters);
  return parts;
}

void* BinaryRegistry::FunctionByEntry(const std::shared_ptr<Binary>& binary, std::uint64_t entry) {
  const std::string ending = "_" + std::to_string(entry);
  std::vector<std::string> names;
  binary->code()->ForEachFunction([&](const char* name) {
    if (EndsIn(name, ending)) names.emplace_back(name);
  });
  if (names.empty())
    Fail(kRtParamInvalid, "{} exports no function whose name ends in \"{}\"", binary->name(), ending);
  if (names.size() > 1) {
    Fail(kRtParamInvalid, "the names of several functions of {} end in \"{}\": \"{}\" and \"{}\"",
         binary->name(), ending, names[0], names[1]);
  }
  return FunctionOf(binary, names[0], names[0], KernelFunction::Kind::kVector);
}

std::shared_ptr<Binary> BinaryRegistry::BinaryAt(const void* address) const {
  std::shared_ptr<Binary> found;
  const auto number = reinterpret_cast<std::uintptr_t>(address);
  binaries_.ForEach([&](HandledState<Binary>& slot) {
    const std::shared_ptr<Binary> binary = slot.state();
    if (binary && number - reinterpret_cast<std::uintptr_t>(binary->code()->base()) < binary->code()->span())
      found = binary;
  });
  return found;
}

void* BinaryRegistry::FunctionAt(const void* address) {
  SymbolAt symbol;
  if (!FindSymbolAt(address, &symbol))
    Fail(kRtParamInvalid, "{} is in no loaded code, so no kernel can be there", address);
  if (const std::shared_ptr<Binary> binary = BinaryAt(address); binary && symbol.address == address)
    return FunctionOf(binary, symbol.name, symbol.name, KernelFunction::Kind::kVector);
  const bool is_known = symbol.address == address;
  const std::string name = is_known ? symbol.name : fmt::format("{}", address);
  return PublishFunction(
      program_, fmt::format("{}", address),
      {name, reinterpret_cast<KernelEntry>(const_cast<void*>(address)), is_known ? symbol.size : 0});
}

std::shared_ptr<KernelFunction> BinaryRegistry::FindFunction(const void* handle) const {
  return Find(functions_, handle, HandleKind::kKernelFunction);
}

void* BinaryRegistry::AddArguments(std::shared_ptr<KernelFunction> function) {
  return Add(arguments_, std::make_shared<OwnedArguments>(std::move(function)));
}

std::shared_ptr<OwnedArguments> BinaryRegistry::FindArguments(const void* handle) const {
  return Find(arguments_, handle, HandleKind::kKernelArguments);
}

void BinaryRegistry::NoteLaunched(const void* handle) {
  const void* oldest = nullptr;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    launched_.push_back(handle);
    if (launched_.size() <= kLaunchedLists) return;
    oldest = launched_.front();
    launched_.pop_front();
  }
  if (auto* const slot = arguments_.Find(oldest)) End(arguments_, *slot, oldest);
}

}  // namespace foothold
