// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The binaries of the process and what programs reach them by. A forked child starts with none. No lock is
// held while code is loaded or unloaded. Any thread.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/handled_state.h"
#include "binaries/argument_list.h"
#include "binaries/binary.h"

namespace foothold {

struct BinaryOptions {
  SharedObject::Binding binding = SharedObject::Binding::kNow;
  bool for_cpu_kernels = false;
};

class BinaryRegistry {
 public:
  static BinaryRegistry& Get();

  // Bytes of a binary that is not loaded, copied.
  void* Keep(const void* data, std::size_t size);
  std::shared_ptr<const std::vector<std::byte>> FindKept(const void* handle) const;
  void Drop(const void* handle);

  // Each answers a handle. Throws what SharedObject::Load throws.
  void* LoadFile(const std::string& path, const BinaryOptions& options);
  void* LoadData(const void* data, std::size_t size, const BinaryOptions& options);
  void Unload(const void* handle);
  std::shared_ptr<Binary> FindBinary(const void* handle) const;

  // The kernel of this name; the same handle every time. Throws 107000 if the binary does not export it.
  void* FunctionOf(const std::shared_ptr<Binary>& binary, const std::string& symbol, const std::string& name,
                   KernelFunction::Kind kind);
  // The kernel whose name ends in "_<entry>".
  void* FunctionByEntry(const std::shared_ptr<Binary>& binary, std::uint64_t entry);
  // The kernel at this address, in a loaded binary or in the program itself.
  void* FunctionAt(const void* address);
  std::shared_ptr<KernelFunction> FindFunction(const void* handle) const;
  // The binary whose code or data the address is in, or null.
  std::shared_ptr<Binary> BinaryAt(const void* address) const;

  // Lists of arguments have no end in the API: they end with their binary, and long after they were launched.
  void* AddArguments(std::shared_ptr<KernelFunction> function);
  std::shared_ptr<OwnedArguments> FindArguments(const void* handle) const;
  void NoteLaunched(const void* handle);

 private:
  void* Publish(std::shared_ptr<Binary> binary);
  void* PublishFunction(const std::shared_ptr<Binary>& binary, const std::string& key,
                        KernelFunction::Parts parts);
  KernelFunction::Parts PartsOf(const Binary& binary, const std::string& symbol) const;
  void EndFunctionsOf(const Binary& binary);

  mutable HandlePool<HandledState<const std::vector<std::byte>>> kept_{HandleKind::kBinaryData};
  mutable HandlePool<HandledState<Binary>> binaries_{HandleKind::kBinary};
  mutable HandlePool<HandledState<KernelFunction>> functions_{HandleKind::kKernelFunction};
  mutable HandlePool<HandledState<OwnedArguments>> arguments_{HandleKind::kKernelArguments};
  const std::shared_ptr<Binary> program_ = std::make_shared<Binary>(nullptr, false);
  std::mutex mutex_;                  // guards the next one
  std::deque<const void*> launched_;  // lists of arguments, the oldest first
};

}  // namespace foothold
