// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// All prepared forms of the process, by the calls they serve, so many at most. Any thread; a forked child
// prepares for itself, since a thread of its parent may hold a lock of a form for ever.
#pragma once

#include <memory>

#include "aclnn/arguments.h"
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
  static constexpr std::size_t kMost = 16384;

 private:
  Forms();
  static void LockForFork();
  static void UnlockAfterFork();
  static void ForgetInChild();

  AllAsked asked_;
  CallCache<Form, FormKey> forms_;
};

}  // namespace foothold::aclnn
