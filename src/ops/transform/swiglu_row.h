// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// x * sigmoid(x) of one row times another, for kernels that gate what they computed. Any thread.
#pragma once

#include "kernels/element_function.h"

namespace foothold {

class SwiGluRow {
 public:
  SwiGluRow() : activate_(FindElementFunction("Swish")), multiply_(FindElementFunction("Mul")) {}

  // out may be `activated`, not `factor`.
  void Run(const float* activated, const float* factor, float* out, std::size_t count) const {
    constexpr float kParams[kMaxElementParams] = {1.0f};
    activate_->loop(activated, nullptr, nullptr, out, count, kParams);
    multiply_->loop(out, factor, nullptr, out, count, kParams);
  }

 private:
  const ElementFunction* activate_;
  const ElementFunction* multiply_;
};

}  // namespace foothold
