// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "aclnn/forms.h"

#include "aclnn/call.h"
#include "aclnn/form_key.h"
#include "aclnn/mapping.h"
#include "base/error.h"
#include "base/process_events.h"

namespace foothold::aclnn {
namespace {

std::shared_ptr<Form> Prepare(const Arguments& arguments, AskedList& asked) {
  const Mapping mapping = FindMapping(arguments.function().name);
  if (mapping == nullptr)
    Fail(kFindKernel, "{} is declared, and has no kernel here", arguments.function().name);
  Call call(arguments.function(), &arguments.argument(0));
  mapping(call);
  asked = call.asked();
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
  Get().asked_.LockForFork();
  Get().forms_.LockForFork();
}

void Forms::UnlockAfterFork() {
  Get().forms_.UnlockAfterFork();
  Get().asked_.UnlockAfterFork();
}

void Forms::ForgetInChild() {
  UnlockAfterFork();
  Get().forms_.Abandon();
}

std::shared_ptr<Form> Forms::FindOrPrepare(const Arguments& arguments) {
  const AskedList& known = asked_.Of(arguments.function());
  CallKey key;
  AppendArguments(key, arguments, known);
  if (auto found = forms_.Find(key)) return found;
  AskedList asked;
  auto form = Prepare(arguments, asked);
  asked_.Add(arguments.function(), asked);
  CallKey full, again;
  AppendArguments(full, arguments, asked_.Of(arguments.function()));
  AppendArguments(again, arguments, known);
  // A run may have told the size of a tensor meanwhile: then the form is for another call than the key.
  if (again.bytes() != key.bytes()) return FindOrPrepare(arguments);
  forms_.Keep(full, form);
  return form;
}

}  // namespace foothold::aclnn
