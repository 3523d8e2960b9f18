// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// All prepared forms of the process, by the calls they serve. How many are kept follows from what comes back:
// a loop whose tensors grow with every step never asks for a form again and holds few, a network that goes
// through more than there is room for gets more room. Any thread; a forked child prepares for itself, since a
// thread of its parent may hold a lock of a form for ever.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "aclnn/arguments.h"
#include "aclnn/forgotten_forms.h"
#include "aclnn/form.h"
#include "aclnn/form_key.h"

namespace foothold::aclnn {

class Forms {
 public:
  static Forms& Get();

  // Finds the form, or prepares it. Throws what is wrong with the arguments, and kFindKernel if nobody has
  // mapped the function.
  std::shared_ptr<Form> FindOrPrepare(const Arguments& arguments);
  // False for one that is of the parent.
  static bool IsOfThisProcess(const Form& form) { return form.process == ProcessNumber::Now(); }

  // A form costs some kilobytes. A large language model needs some hundreds.
  static constexpr std::size_t kFirst = 1024, kMost = 16384;
  // Compiled so far, those that are gone included.
  std::uint64_t prepared() const { return prepared_.load(std::memory_order_relaxed); }

 private:
  Forms();
  static void LockForFork();
  static void UnlockAfterFork();
  static void ForgetInChild();

  void Keep(const FormKey& key, const std::shared_ptr<Form>& form);

  AllAsked asked_;
  ForgottenForms forgotten_;
  std::atomic<std::size_t> limit_{kFirst};
  std::atomic<std::uint64_t> prepared_{0};
  CallCache<Form, FormKey> forms_;
};

}  // namespace foothold::aclnn
