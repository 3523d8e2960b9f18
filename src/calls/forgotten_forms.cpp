// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "calls/forgotten_forms.h"

namespace foothold {

void ForgottenForms::Add(std::uint64_t hash) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (in_order_.size() < kMost) {
    next_ = in_order_.size();
    in_order_.push_back(hash);
  } else {
    const auto before = at_.find(in_order_[next_]);
    if (before != at_.end() && before->second == next_) at_.erase(before);
    in_order_[next_] = hash;
  }
  at_[hash] = next_;
  next_ = (next_ + 1) % kMost;
}

bool ForgottenForms::Take(std::uint64_t hash) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return at_.erase(hash) > 0;
}

}  // namespace foothold
