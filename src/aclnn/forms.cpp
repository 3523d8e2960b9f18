// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "aclnn/forms.h"

#include <pthread.h>

#include "aclnn/call.h"
#include "aclnn/mapping.h"
#include "base/error.h"

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
  pthread_atfork(&LockForFork, &UnlockAfterFork, &ForgetInChild);
}

void Forms::LockForFork() {
  Get().asked_.LockForFork();
  Get().forgotten_.LockForFork();
  Get().forms_.LockForFork();
}

void Forms::UnlockAfterFork() {
  Get().forms_.UnlockAfterFork();
  Get().forgotten_.UnlockAfterFork();
  Get().asked_.UnlockAfterFork();
}

void Forms::ForgetInChild() {
  UnlockAfterFork();
  Get().forms_.Abandon();
}

// What was forgotten too early makes room for as many again.
void Forms::Keep(const FormKey& key, const std::shared_ptr<Form>& form) {
  prepared_.fetch_add(1, std::memory_order_relaxed);
  form->hash = HashOf(key);
  std::size_t limit = limit_.load(std::memory_order_relaxed);
  if (limit < kMost && forgotten_.Take(form->hash)) limit_.compare_exchange_strong(limit, limit * 2);
  for (const auto& gone : forms_.Put(key, form, limit_.load(std::memory_order_relaxed)))
    forgotten_.Add(gone->hash);
}

std::shared_ptr<Form> Forms::FindOrPrepare(const Arguments& arguments) {
  const AskedList& known = asked_.Of(arguments.function());
  const FormKey key(arguments, known);
  if (auto found = forms_.Find(key)) return found;
  AskedList asked;
  auto form = Prepare(arguments, asked);
  asked_.Add(arguments.function(), asked);
  const FormKey full(arguments, asked_.Of(arguments.function()));
  // A run may have told the size of a tensor meanwhile: then the form is for another call than the key.
  if (FormKey(arguments, known).bytes() != key.bytes()) return FindOrPrepare(arguments);
  Keep(full, form);
  return form;
}

}  // namespace foothold::aclnn
