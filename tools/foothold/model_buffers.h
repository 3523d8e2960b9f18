// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A data set with buffers in device memory, and what failed calls of the public API become. For
// `foothold run`; one thread.
#pragma once

#include <acl/acl.h>

#include <cstddef>
#include <string>
#include <vector>

#include "ir/tensor_value.h"

namespace foothold::run {

// Throws the text the library has for a failed call; `call` is for where it has none.
void Check(aclError code, const char* call);
#define RUN_CHECK(call) ::foothold::run::Check((call), #call)

class ModelBuffers {
 public:
  ModelBuffers();
  ~ModelBuffers();
  ModelBuffers(ModelBuffers&& other) noexcept;
  ModelBuffers& operator=(ModelBuffers&&) = delete;

  aclmdlDataset* set() const { return set_; }
  std::size_t size() const;
  // `bytes` of memory; with 0 the run allocates.
  void Add(std::size_t bytes);
  // Frees what a run has allocated, which is to be done before the next one.
  void GiveBack();
  // Copies to the device, and says the shape.
  void AddCopy(const TensorValue& value);
  // Copies back, with the type the run has described.
  TensorValue Read(std::size_t index) const;

 private:
  aclmdlDataset* set_ = nullptr;
  std::vector<std::size_t> by_runs_;  // buffers whose memory runs allocate
};

}  // namespace foothold::run
