// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Programs look these up by name, no header has them: frameworks that know a call from an earlier one skip
// its descriptions and its first phase (aclnn/cached_executors.h). None of them can say what is wrong, so
// whatever is answers that there is nothing.
#include <exception>

#include "acl/acl_base.h"
#include "aclnn/acl_meta.h"
#include "aclnn/cached_executors.h"
#include "api/status.h"
#include "base/log.h"

using foothold::aclnn::CachedExecutors;

extern "C" {

ACL_FUNC_VISIBILITY void InitPTACacheThreadLocal();
ACL_FUNC_VISIBILITY void UnInitPTACacheThreadLocal();
ACL_FUNC_VISIBILITY bool CanUsePTACache(const char* name);
ACL_FUNC_VISIBILITY void AddTensorAddrToCachedList(void* address);
ACL_FUNC_VISIBILITY void SetPTAHashKey(uint64_t hash);
ACL_FUNC_VISIBILITY aclOpExecutor* PTAGetExecCache(uint64_t hash, uint64_t* workspaceSize);
ACL_FUNC_VISIBILITY void SetPTACacheHashKey(uint8_t* key, size_t length);
ACL_FUNC_VISIBILITY aclOpExecutor* PTAFindExecCache(uint8_t* key, size_t length, uint64_t* workspaceSize);

}  // extern "C"

namespace {

// Longer ones are how clients say that there is no key; there are no bytes then.
constexpr size_t kLongestKey = 8192;

// Hashes and whole keys are told apart by their length, which no whole key has: it names the operator.
std::string_view BytesOf(const uint64_t& hash) {
  return hash == 0 ? std::string_view() : std::string_view(reinterpret_cast<const char*>(&hash), sizeof hash);
}
std::string_view BytesOf(const uint8_t* key, size_t length) {
  if (key == nullptr || length == 0 || length > kLongestKey) return {};
  return {reinterpret_cast<const char*>(key), length};
}

// Without memory for it, a call is made in full.
template <typename Body>
auto Quietly(const Body& body) noexcept -> decltype(body()) {
  try {
    return body();
  } catch (const std::exception& error) {
    foothold::Log(foothold::LogLevel::kWarning, "an executor is not kept: {}", error.what());
    return decltype(body())();
  }
}

aclOpExecutor* Found(std::string_view key, uint64_t* workspace_size) {
  return Quietly([&] {
    aclOpExecutor* const executor = CachedExecutors::OfThisThread().Find(key);
    if (executor != nullptr && workspace_size != nullptr) *workspace_size = 0;
    return executor;
  });
}

}  // namespace

void InitPTACacheThreadLocal() {
  Quietly([] { CachedExecutors::OfThisThread().BeginCall(); });
}

void UnInitPTACacheThreadLocal() {
  Quietly([] { CachedExecutors::OfThisThread().EndCall(); });
}

bool CanUsePTACache(const char* name) {
  return Quietly([&] { return CachedExecutors::MayServe(name); });
}

void AddTensorAddrToCachedList(void* address) {
  Quietly([&] { CachedExecutors::OfThisThread().AddAddress(address); });
}

void SetPTAHashKey(uint64_t hash) {
  Quietly([&] { CachedExecutors::OfThisThread().SetKey(BytesOf(hash)); });
}

aclOpExecutor* PTAGetExecCache(uint64_t hash, uint64_t* workspaceSize) {
  return Found(BytesOf(hash), workspaceSize);
}

void SetPTACacheHashKey(uint8_t* key, size_t length) {
  Quietly([&] { CachedExecutors::OfThisThread().SetKey(BytesOf(key, length)); });
}

aclOpExecutor* PTAFindExecCache(uint8_t* key, size_t length, uint64_t* workspaceSize) {
  return Found(BytesOf(key, length), workspaceSize);
}
