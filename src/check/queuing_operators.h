// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Threads that are about to queue a single operator: two of them on one stream at the same time work here and
// are documented as wrong (ACL-RACE-009). Nothing happens unless the program is being checked for that. Any
// thread.
#pragma once

#include "base/watch.h"

namespace foothold::check {

// This thread is, as long as it lives. `stream` is what the stream is known by.
class QueuingOperator {
 public:
  explicit QueuingOperator(const void* stream, int id) noexcept : stream_(stream) {
    if (watch::Is(watch::kCheck)) Begin(id);
  }
  ~QueuingOperator() {
    if (begun_) End();
  }
  QueuingOperator(const QueuingOperator&) = delete;
  QueuingOperator& operator=(const QueuingOperator&) = delete;

 private:
  void Begin(int id) noexcept;
  void End() noexcept;

  const void* const stream_;
  bool begun_ = false;
};

}  // namespace foothold::check
