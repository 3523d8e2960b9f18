// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The prepared forms of an API, by the calls they serve. How many are kept follows from what comes back: a
// loop whose tensors grow with every step never asks for a form again and holds few, a network that goes
// through more than there is room for gets more room. Any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "calls/call_cache.h"
#include "calls/call_key.h"
#include "calls/forgotten_forms.h"

namespace foothold {

// A form costs some kilobytes. A large language model needs some hundreds.
constexpr std::size_t kFirstForms = 256, kMostForms = 16384;

// `Form` is a CallForm.
template <typename Form>
class KeptForms {
 public:
  // Used now; null if there is none.
  std::shared_ptr<Form> Find(const CallKey& key) { return forms_.Find(key); }

  // What was forgotten too early makes room for as many again.
  void Keep(const CallKey& key, const std::shared_ptr<Form>& form) {
    prepared_.fetch_add(1, std::memory_order_relaxed);
    form->hash = HashOf(key);
    std::size_t limit = limit_.load(std::memory_order_relaxed);
    if (limit < kMostForms && forgotten_.Take(form->hash)) limit_.compare_exchange_strong(limit, limit * 2);
    for (const auto& gone : forms_.Put(key, form, limit_.load(std::memory_order_relaxed)))
      forgotten_.Add(gone->hash);
  }
  // So far, those that are gone included.
  std::uint64_t prepared() const { return prepared_.load(std::memory_order_relaxed); }

  // A forked child gets them whole. It prepares for itself, since a thread of its parent may hold a lock of a
  // form for ever.
  void LockForFork() {
    forgotten_.LockForFork();
    forms_.LockForFork();
  }
  void UnlockAfterFork() {
    forms_.UnlockAfterFork();
    forgotten_.UnlockAfterFork();
  }
  void Abandon() { forms_.Abandon(); }

 private:
  CallCache<Form, CallKey> forms_;
  ForgottenForms forgotten_;
  std::atomic<std::size_t> limit_{kFirstForms};
  std::atomic<std::uint64_t> prepared_{0};
};

}  // namespace foothold
