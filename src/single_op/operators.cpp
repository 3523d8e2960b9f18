// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "single_op/operators.h"

#include <pthread.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>

#include "base/error.h"
#include "device/initialization.h"
#include "model/model_codes.h"
#include "model/offline_model.h"
#include "single_op/op_codes.h"

namespace foothold {
namespace {

// Any number will do: callbacks are told apart by their functions.
constexpr int kCallbackType = 0;
constexpr int kLevelsBelow = 2;

void FindModels(const std::filesystem::path& directory, int levels_below,
                std::vector<std::filesystem::path>& found) {
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    if (entry.is_directory() && levels_below > 0) FindModels(entry.path(), levels_below - 1, found);
    if (entry.is_regular_file() && entry.path().extension() == ".om") found.push_back(entry.path());
  }
}

std::vector<std::filesystem::path> ModelsIn(const std::string& directory) try {
  std::vector<std::filesystem::path> found;
  FindModels(directory, kLevelsBelow, found);
  std::sort(found.begin(), found.end());
  return found;
} catch (const std::filesystem::filesystem_error& error) {
  Fail(kReadModelFailure, "cannot read the directory '{}': {}", directory, error.code().message());
}

std::shared_ptr<const ReadyOp> CompileNow(const OpCall& call) {
  auto op = std::make_shared<SingleOp>(call);
  auto binding = op->Match(call);
  FOOTHOLD_CHECK(binding.has_value());
  auto form = op->FormFor(call, *binding);
  return std::make_shared<const ReadyOp>(ReadyOp{std::move(op), std::move(*binding), std::move(form)});
}

}  // namespace

Operators& Operators::Get() {
  static auto* const operators = new Operators;
  return *operators;
}

Operators::Operators() : limit_(Initialization::Get().config().max_operator_models) {
  pthread_atfork(&LockForFork, &UnlockAfterFork, &UnlockAfterFork);
  Initialization::Get().AddCallback(kCallbackType, &OnInitialize, this);
  Initialization::Get().AddCallback(kCallbackType, &OnFinalize, this);
}

int Operators::OnInitialize(const char*, std::size_t, void* operators) {
  static_cast<Operators*>(operators)->SetLimit(Initialization::Get().config().max_operator_models);
  return kSuccess;
}

int Operators::OnFinalize(void* operators) {
  static_cast<Operators*>(operators)->Forget();
  return kSuccess;
}

void Operators::Forget() {
  std::lock_guard<std::mutex> lock(mutex_);
  compiled_.Clear();
  open_.Clear();
  matched_.Clear();
  loaded_.clear();
}

void Operators::SetLimit(std::uint64_t limit) {
  std::lock_guard<std::mutex> lock(mutex_);
  limit_ = limit;
  compiled_.Shrink(limit);
  matched_.Shrink(limit);
  if (open_.Shrink(limit)) matched_.Clear();
}

std::shared_ptr<const ReadyOp> Operators::FindReady(const std::string& key) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (const auto* found = compiled_.Find(key)) return *found;
  const auto* found = matched_.Find(key);
  if (found == nullptr) return nullptr;
  open_.Find((*found)->open_key);  // it was used now
  return *found;
}

std::shared_ptr<const ReadyOp> Operators::CompileClosed(const OpCall& call, std::string key) {
  auto ready = CompileNow(call);
  std::lock_guard<std::mutex> lock(mutex_);
  compiled_.Put(std::move(key), ready, limit_);
  return ready;
}

std::shared_ptr<const ReadyOp> Operators::FindOrCompile(const OpCall& call) {
  std::string key = KeyOf(call);
  if (auto found = FindReady(key)) return found;
  if (HasOpenInputs(call))
    Fail(kOpInputNotMatch, "{} cannot run: sizes of its inputs are not known", ToString(call));
  return CompileClosed(call, std::move(key));
}

void Operators::Compile(const OpCall& call) {
  std::string key = KeyOf(call);
  if (!HasOpenInputs(call)) {
    CompileClosed(call, std::move(key));
    return;
  }
  auto op = std::make_shared<SingleOp>(call);
  std::lock_guard<std::mutex> lock(mutex_);
  if (open_.Put(std::move(key), std::move(op), limit_)) matched_.Clear();
}

std::vector<Operators::Candidate> Operators::Candidates(const OpCall& call) {
  std::lock_guard<std::mutex> lock(mutex_);
  std::vector<Candidate> candidates;
  if (const auto found = loaded_.find(call.type); found != loaded_.end())
    for (const auto& op : found->second)
      candidates.push_back({op, {}});
  for (const auto& [key, op] : open_)
    if (op->type() == call.type) candidates.push_back({op, key});
  return candidates;
}

std::shared_ptr<const ReadyOp> Operators::Find(const OpCall& call) {
  std::string key = KeyOf(call);
  if (auto found = FindReady(key)) return found;
  for (const auto& [op, open_key] : Candidates(call)) {
    auto binding = op->Match(call);
    if (!binding) continue;
    auto form = op->FormFor(call, *binding);
    auto ready = std::make_shared<const ReadyOp>(ReadyOp{op, std::move(*binding), std::move(form), open_key});
    std::lock_guard<std::mutex> lock(mutex_);
    open_.Find(open_key);  // it was used now
    matched_.Put(std::move(key), ready, limit_);
    return ready;
  }
  Fail(kOpNotFound,
       "{} was neither compiled (aclopCompile, aclopCompileAndExecute) nor loaded (aclopSetModelDir, "
       "aclopLoad) for these tensors and attributes",
       ToString(call));
}

void Operators::Load(const std::shared_ptr<const OmFile>& file) {
  const auto model = OfflineModel::Load(file);
  std::shared_ptr<SingleOp> op;
  try {
    op = std::make_shared<SingleOp>(*model);
  } catch (const Error& error) {
    Fail(kOpLoadFailed, "the model {} is no single operator: {}", file->origin(), error.message());
  }
  std::lock_guard<std::mutex> lock(mutex_);
  loaded_[op->type()].push_back(std::move(op));
}

void Operators::LoadDirectory(const std::string& path) {
  for (const std::filesystem::path& file : ModelsIn(path))
    Load(OmFile::Open(file.string(), SIZE_MAX));  // compared with every call, long after the file may be gone
}

}  // namespace foothold
