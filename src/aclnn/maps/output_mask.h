// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Gradients of which a program chooses some: those whose entry of 'outputMask' is true, all if it is null,
// and whose tensor is not null. One thread at a time.
#pragma once

#include <string_view>

#include "aclnn/call.h"

namespace foothold::aclnn {

class OutputMask {
 public:
  // `names` are the outputs, in the order of the mask.
  OutputMask(Call& call, std::vector<std::string_view> names)
      : call_(call),
        names_(std::move(names)),
        mask_(call.Has("outputMask") ? call.GetBools("outputMask") : std::vector<bool>(names_.size(), true)) {
    if (mask_.size() != names_.size())
      call.Refuse("'outputMask' has {} entries; {} are expected", mask_.size(), names_.size());
  }

  bool Wants(std::size_t index) const { return mask_[index] && call_.Has(names_[index]); }
  void Out(std::size_t index, Value value) {
    if (Wants(index)) call_.OutElements(names_[index], value);
  }

 private:
  Call& call_;
  std::vector<std::string_view> names_;
  std::vector<bool> mask_;
};

}  // namespace foothold::aclnn
