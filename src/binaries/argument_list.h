// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Arguments of a kernel as a program puts them together: values, and data that comes along, of which the
// kernel gets the address. In memory of our own, or in memory the program gives for it. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "binaries/binary.h"

namespace foothold {

// Plain, so that it can live in memory of the program.
struct ArgumentList {
  static constexpr std::uint32_t kMost = 128;
  static constexpr std::uint64_t kMark = 0x666f6f74686f6c64;  // "foothold"

  struct Parameter {
    std::size_t offset;
    std::size_t size;
    bool has_data;    // a pointer to data that comes along
    std::byte* data;  // null until there is some
    std::size_t data_size;
  };

  std::uint64_t mark;
  ArgumentList* self;  // tells it from a copy of its bytes
  void* function;      // the handle
  std::byte* memory;
  std::size_t capacity;
  std::size_t used;       // from the front: values
  std::size_t used_back;  // from the end: data, in memory of the program
  std::uint32_t count;
  Parameter parameters[kMost];
};

// For a list in memory of the program: how much it needs for the list, and for arguments of so many bytes.
std::size_t ArgumentMemoryFor(std::size_t bytes);

// A list of our own. Grows.
class OwnedArguments {
 public:
  explicit OwnedArguments(std::shared_ptr<KernelFunction> function);

  ArgumentList& list() { return list_; }
  const KernelFunction& function() const { return *function_; }
  // True the first time.
  bool NoteLaunched() { return !std::exchange(launched_, true); }

  void Grow(std::size_t bytes);
  std::byte* NewData(std::size_t bytes);

 private:
  const std::shared_ptr<KernelFunction> function_;
  std::vector<std::unique_ptr<std::byte[]>> data_;
  std::unique_ptr<std::byte[]> memory_;
  ArgumentList list_{};
  bool launched_ = false;
};

// The functions of the API on either kind. `handle` is what the program calls the list by.
class ArgumentsRef {
 public:
  // Throws 107000 or 107017 for what is no list.
  explicit ArgumentsRef(void* handle);
  // Begins a list in memory of the program.
  static void Begin(void* list_memory, void* function, void* memory, std::size_t capacity);

  // Each answers the number of the parameter, from 0.
  std::uint32_t Append(const void* value, std::size_t size);
  std::uint32_t AppendDataPointer();
  // Where the program puts the data.
  void* DataOf(std::uint32_t parameter, std::size_t size);
  void Update(std::uint32_t parameter, const void* value, std::size_t size);

  const ArgumentList& list() const { return *list_; }
  void NoteLaunched();

 private:
  ArgumentList::Parameter& Add(std::size_t size);
  ArgumentList::Parameter& At(std::uint32_t parameter);
  void MakeRoom(std::size_t bytes);

  void* const handle_;
  std::shared_ptr<OwnedArguments> owned_;
  ArgumentList* list_;
};

}  // namespace foothold
