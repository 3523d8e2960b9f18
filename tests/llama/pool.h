// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Memory of a device as llama.cpp takes it: all free memory is reserved as one range of addresses, pages are
// mapped behind each other as they are needed, and what was taken last is given back first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "acl/acl.h"

namespace llama {

// Throws what the last error of the library says.
void Check(aclError code, const char* what);

class Pool {
 public:
  explicit Pool(std::int32_t device);
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  void Release();  // all pages; llama.cpp does it behind the reset of the device

  char* Take(std::size_t bytes);
  void GiveBack(std::size_t bytes);
  std::size_t pages() const { return pages_.size(); }

 private:
  struct Page {
    aclrtDrvMemHandle handle;
    char* address;
  };
  void Grow(std::size_t bytes);

  aclrtPhysicalMemProp properties_ = {};
  std::size_t granularity_ = 0;
  char* start_ = nullptr;
  std::size_t reserved_ = 0, mapped_ = 0, used_ = 0;
  std::vector<Page> pages_;
};

// Memory of a pool for a while.
class Buffer {
 public:
  Buffer(Pool& pool, std::size_t bytes);
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  char* data() const { return data_; }

 private:
  Pool& pool_;
  std::size_t bytes_;
  char* data_;
};

}  // namespace llama
