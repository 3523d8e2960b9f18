// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "aclnn/cached_executors.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <system_error>
#include <utility>

#include "base/environment.h"
#include "check/check.h"

namespace foothold::aclnn {
namespace {

constexpr std::int64_t kUsualLimit = 10000;

using FunctionsByName = std::unordered_map<std::string_view, const Function*>;

const FunctionsByName& AllByName() {
  static const auto* const by_name = [] {
    auto* const all = new FunctionsByName;
    for (const Function* function = AllFunctions(); function != AllFunctions() + FunctionCount(); ++function)
      all->emplace(function->name, function);
    return all;
  }();
  return *by_name;
}

bool DrawsNumbers(const Function& function) {
  return std::any_of(function.parameters, function.parameters + function.count,
                     [](const Parameter& parameter) { return parameter.kind == Kind::kSeed; });
}

// By function: calls of it do not come again as they are.
std::atomic<bool>* ChangingFunctions() {
  static auto* const changing = [] {
    auto* const all = new std::atomic<bool>[FunctionCount()]();
    for (std::size_t i = 0; i < FunctionCount(); ++i)
      all[AllFunctions()[i].id].store(DrawsNumbers(AllFunctions()[i]));
    return all;
  }();
  return changing;
}

bool HasArray(const Form& form) {
  return std::any_of(form.values.begin(), form.values.end(), [&](const FormValue& value) {
    return form.function->parameters[value.number.first.parameter].kind == Kind::kInts;
  });
}

// The tensors that are there are those whose addresses were listed.
bool AreAt(const Executor& executor, const std::vector<void*>& addresses) {
  std::size_t next = 0;
  for (const BoundTensor& tensor : executor.call.tensors)
    if (tensor.given && (next == addresses.size() || addresses[next++] != tensor.data)) return false;
  return next == addresses.size();
}

// As many as there are.
void Place(Executor& executor, const std::vector<void*>& addresses) {
  std::size_t next = 0;
  for (BoundTensor& tensor : executor.call.tensors)
    if (tensor.given) tensor.data = addresses[next++];
}

}  // namespace

std::atomic<bool> CachedExecutors::any_call_{false};

// No thread-local variable: there is little room for those in libraries that are loaded late.
CachedExecutors& CachedExecutors::OfThisThread() {
  static const pthread_key_t key = [] {
    pthread_key_t made = 0;
    const int code = pthread_key_create(&made, [](void* own) { delete static_cast<CachedExecutors*>(own); });
    if (code != 0) throw std::system_error(code, std::generic_category());
    return made;
  }();
  auto* own = static_cast<CachedExecutors*>(pthread_getspecific(key));
  if (own != nullptr) return *own;
  auto fresh = std::make_unique<CachedExecutors>();
  const int code = pthread_setspecific(key, fresh.get());
  if (code != 0) throw std::system_error(code, std::generic_category());
  return *fresh.release();
}

bool CachedExecutors::TakeCallOfThisThread() {
  CachedExecutors& own = OfThisThread();
  return std::exchange(own.is_in_call_, false) && !own.key_.empty();
}

std::size_t CachedExecutors::Limit() {
  static const auto limit =
      static_cast<std::size_t>(GetEnvInt("ACLNN_CACHE_LIMIT", kUsualLimit, 0, 100'000'000));
  return limit;
}

bool CachedExecutors::MayServe(const char* function) {
  if (function == nullptr || Limit() == 0 || check::On()) return false;
  const auto found = AllByName().find(function);
  return found != AllByName().end() &&
         !ChangingFunctions()[found->second->id].load(std::memory_order_relaxed);
}

void CachedExecutors::BeginCall() {
  any_call_.store(true, std::memory_order_relaxed);
  is_in_call_ = true;
  key_.clear();
  addresses_.clear();
}

void CachedExecutors::AddAddress(void* address) {
  addresses_.push_back(address);
}

void CachedExecutors::SetKey(std::string_view key) {
  key_.assign(key);
}

// Those of the process that forked this one are not ended here: its threads may have left them half changed.
void CachedExecutors::ForgetParents() {
  if (process_ == ProcessNumber::Now()) return;
  new auto(std::move(recent_));
  recent_.clear();
  by_key_.clear();
  process_ = ProcessNumber::Now();
}

aclOpExecutor* CachedExecutors::Find(std::string_view key) {
  ForgetParents();
  const auto found = by_key_.find(key);
  if (key.empty() || found == by_key_.end() || check::On()) return nullptr;
  recent_.splice(recent_.begin(), recent_, found->second);
  const Entry& known = *found->second;
  if (known.tensors != addresses_.size()) return nullptr;
  is_in_call_ = false;
  return static_cast<aclOpExecutor*>(Executors::Get().Make([&](Executor& made) {
    made = known.executor;
    Place(made, addresses_);
  }));
}

void CachedExecutors::Keep(const Executor& executor) {
  const Form& form = *executor.form;
  if (!form.is_placed() || HasArray(form)) {
    ChangingFunctions()[form.function->id].store(true, std::memory_order_relaxed);
    return;
  }
  if (Limit() == 0 || !AreAt(executor, addresses_)) return;
  ForgetParents();
  if (const auto before = by_key_.find(key_); before != by_key_.end()) {
    const auto entry = before->second;
    by_key_.erase(before);
    recent_.erase(entry);
  }
  if (recent_.size() >= Limit()) {
    by_key_.erase(recent_.back().key);
    recent_.pop_back();
  }
  recent_.push_front({key_, executor, addresses_.size()});
  by_key_.emplace(recent_.front().key, recent_.begin());
}

}  // namespace foothold::aclnn
