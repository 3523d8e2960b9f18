// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "aclnn/forms.h"

#include "aclnn/call.h"
#include "aclnn/mapping.h"
#include "base/error.h"
#include "base/process_events.h"

namespace foothold::aclnn {
namespace {

std::shared_ptr<Form> Prepare(const Arguments& arguments) {
  const Mapping mapping = FindMapping(arguments.function().name);
  if (mapping == nullptr)
    Fail(kFindKernel, "{} is declared, and has no kernel here", arguments.function().name);
  Call call(arguments.function(), &arguments.argument(0));
  mapping(call);
  return call.Finish();
}

}  // namespace

Forms& Forms::Get() {
  static auto* const forms = new Forms;
  return *forms;
}

Forms::Forms() {
  static const AtFork at_fork(ForkStage::kTables, {LockForFork, UnlockAfterFork, ForgetInChild});
}

void Forms::LockForFork() {
  Get().forms_.LockForFork();
}

void Forms::UnlockAfterFork() {
  Get().forms_.UnlockAfterFork();
}

void Forms::ForgetInChild() {
  UnlockAfterFork();
  Get().forms_.Abandon();
}

std::shared_ptr<Form> Forms::FindOrPrepare(const Arguments& arguments) {
  FormKey key;
  AppendArguments(key, arguments);
  if (auto found = forms_.Find(key)) return found;
  auto form = Prepare(arguments);
  // A run may have told the size of a tensor meanwhile: then the form is for another call than the key.
  FormKey now;
  AppendArguments(now, arguments);
  if (now.bytes() != key.bytes()) return FindOrPrepare(arguments);
  forms_.Put(key, form, kMost);
  return form;
}

}  // namespace foothold::aclnn
