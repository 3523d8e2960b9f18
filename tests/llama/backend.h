// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// One device with one stream, as a program registers and frees it.
#pragma once

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "llama/pool.h"

namespace llama {

class Backend {
 public:
  explicit Backend(std::int32_t device);
  // Waits and resets the device first; streams, memory and pages end behind that.
  ~Backend();
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;

  Pool& pool() { return pool_; }
  aclrtStream stream() const { return stream_; }
  void Synchronize();

  // Memory for as long as the backend lives.
  char* Allocate(std::size_t bytes);
  void FreeAll();  // what Allocate gave
  // So many numbers, each the same, written by an operator once and kept.
  char* Constant(aclDataType type, std::int64_t count, float value);
  // Numbers of the host, copied once behind what is queued; the host's are gone before that has run.
  char* Table(const std::vector<float>& values);

 private:
  std::int32_t device_;
  Pool pool_;
  aclrtStream stream_ = nullptr;
  aclrtEvent event_ = nullptr;
  std::vector<void*> memory_;
  struct Kept {
    char* data = nullptr;
    std::int64_t count = 0;
  };
  std::map<std::pair<aclDataType, float>, Kept> constants_;
  std::map<std::vector<float>, char*> tables_;
};

// aclInit, again without a look at the answer, and all devices.
std::int32_t RegisterDevices();

}  // namespace llama
