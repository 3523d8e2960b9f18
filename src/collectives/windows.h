// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Memory that programs register with a communicator in advance. Collectives need no such thing and use any
// memory, so it is only kept to be asked for. A forked child has none. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

namespace foothold::collectives {

class Windows {
 public:
  struct Place {
    void* handle;
    std::size_t offset;
  };

  static Windows& Get();

  // A handle for it.
  void* Add(const void* communicator, const void* address, std::uint64_t bytes);
  // False if there is none.
  bool Remove(const void* handle);
  bool Has(const void* handle, const void* communicator) const;
  // The window of the communicator that has all of these bytes.
  std::optional<Place> Find(const void* communicator, const void* address, std::uint64_t bytes) const;

 private:
  struct Window {
    const void* communicator;
    std::uintptr_t address;
    std::uint64_t bytes;
  };
  mutable std::mutex mutex_;  // guards all below
  std::map<std::uintptr_t, Window> windows_;
  std::uintptr_t next_ = 1;
};

}  // namespace foothold::collectives
