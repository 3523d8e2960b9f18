// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// All prepared forms of aclnn. Any thread.
#pragma once

#include <cstdint>
#include <memory>

#include "aclnn/arguments.h"
#include "aclnn/form.h"
#include "calls/kept_forms.h"

namespace foothold::aclnn {

class Forms {
 public:
  static Forms& Get();

  // Finds the form, or prepares it. Throws what is wrong with the arguments, and kFindKernel if nobody has
  // mapped the function.
  std::shared_ptr<Form> FindOrPrepare(const Arguments& arguments);
  // Compiled so far, those that are gone included.
  std::uint64_t prepared() const { return forms_.prepared(); }

 private:
  Forms();
  static void LockForFork();
  static void UnlockAfterFork();
  static void ForgetInChild();

  AllAsked asked_;
  KeptForms<Form> forms_;
};

}  // namespace foothold::aclnn
