// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What one call gives to its form: where tensors are, and the values that come with it. One thread at a time.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "base/short_list.h"
#include "calls/view.h"

namespace foothold {

struct BoundTensor {
  bool given = false;  // not null
  void* data = nullptr;
  std::ptrdiff_t offset = 0;  // bytes
  const void* address() const { return static_cast<const std::byte*>(data) + offset; }
};

struct BoundCall {
  static constexpr std::size_t kValueAlignment = 16;

  ShortList<BoundTensor, 6> tensors;                  // by their numbers in the call
  ShortList<std::byte, 64> values;                    // all of them, one after the other
  std::vector<std::shared_ptr<ToldShape>> told = {};  // by output of the form; null where nothing is told
};

}  // namespace foothold
