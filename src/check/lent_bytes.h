// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Bytes that a function of the program may see only while it runs: they are on pages of their own, which lose
// their access when it has returned (ACL-DUMP-001). The last ones stay so, for whoever kept the pointer.
// Precondition: check::On(). Any thread.
#pragma once

#include <cstddef>

namespace foothold::check {

class LentBytes {
 public:
  // A copy. Where the system has no pages to give, the bytes themselves.
  LentBytes(const void* bytes, std::size_t count) noexcept;
  ~LentBytes();
  LentBytes(const LentBytes&) = delete;
  LentBytes& operator=(const LentBytes&) = delete;

  const void* data() const { return data_; }

 private:
  const void* data_;
  void* pages_ = nullptr;
  std::size_t size_;
};

}  // namespace foothold::check
