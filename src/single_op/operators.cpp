// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "single_op/operators.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>

#include "base/error.h"
#include "base/process_events.h"
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
  auto program = op->Prepare(call, *binding);
  return std::make_shared<const ReadyOp>(std::move(op), std::move(*binding), std::move(program));
}

}  // namespace

std::string ReadyOp::Describe() const {
  return fmt::format("opType={}", op->type());
}

std::string ReadyOp::InputName(std::size_t index) const {
  return fmt::format("input {}", binding.inputs[index]);
}

std::string ReadyOp::OutputName(std::size_t index) const {
  return fmt::format("output {}", binding.outputs[index]);
}

std::shared_ptr<const ReadyOp> OfThisProcess(std::shared_ptr<const ReadyOp> ready) {
  if (ready->IsOfThisProcess()) return ready;
  return std::make_shared<const ReadyOp>(ready->op, ready->binding,
                                         std::make_shared<PreparedProgram>(ready->program->plan(), nullptr));
}

Operators& Operators::Get() {
  static auto* const operators = new Operators;
  return *operators;
}

Operators::Operators() : limit_(Initialization::Get().config().max_operator_models) {
  static const AtFork at_fork(ForkStage::kTables, {LockForFork, UnlockAfterFork, UnlockAfterFork});
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

void Operators::LockForFork() {
  Operators& all = Get();
  all.compiled_.LockForFork();
  all.open_.LockForFork();
  all.matched_.LockForFork();
  all.mutex_.lock();
}

void Operators::UnlockAfterFork() {
  Operators& all = Get();
  all.mutex_.unlock();
  all.matched_.UnlockAfterFork();
  all.open_.UnlockAfterFork();
  all.compiled_.UnlockAfterFork();
}

void Operators::Forget() {
  compiled_.Clear();
  open_.Clear();
  matched_.Clear();
  std::lock_guard<std::mutex> lock(mutex_);
  loaded_.clear();
}

void Operators::SetLimit(std::uint64_t limit) {
  limit_ = limit;
  compiled_.Shrink(limit);
  matched_.Shrink(limit);
  Drop(open_.Shrink(limit));
}

// Calls that one of these served are not served by it any more.
void Operators::Drop(const std::vector<std::shared_ptr<SingleOp>>& open) {
  for (const auto& op : open)
    matched_.RemoveIf([&](const ReadyOp& ready) { return ready.op == op; });
}

std::shared_ptr<const ReadyOp> Operators::FindIn(OpCache<const ReadyOp>& cache, const OpCall& call) {
  auto found = cache.Find(call);
  if (!found || found->IsOfThisProcess()) return found;
  auto own = OfThisProcess(found);
  cache.Put(call, own, limit_);
  std::lock_guard<std::mutex> lock(mutex_);
  of_parent_.push_back(std::move(found));
  return own;
}

std::shared_ptr<const ReadyOp> Operators::FindReady(const OpCall& call) {
  if (auto found = FindIn(compiled_, call)) return found;
  auto found = FindIn(matched_, call);
  if (found) found->op->used.Touch();
  return found;
}

std::shared_ptr<const ReadyOp> Operators::CompileClosed(const OpCall& call) {
  auto ready = CompileNow(call);
  compiled_.Put(call, ready, limit_);
  return ready;
}

std::shared_ptr<const ReadyOp> Operators::FindOrCompile(const OpCall& call) {
  if (auto found = FindReady(call)) return found;
  if (HasOpenInputs(call))
    Fail(kOpInputNotMatch, "{} cannot run: sizes of its inputs are not known", ToString(call));
  return CompileClosed(call);
}

void Operators::Compile(const OpCall& call) {
  if (HasOpenInputs(call)) {
    const auto before = open_.Find(call);
    Drop(open_.Put(call, std::make_shared<SingleOp>(call), limit_));
    if (before) Drop({before});  // calls find the new one, so that its uses count
  } else {
    CompileClosed(call);
  }
}

// Those from files in the order of loading, then those that calls compiled, the latest first.
std::vector<std::shared_ptr<SingleOp>> Operators::Candidates(const OpCall& call) {
  const auto compiled = open_.LatestFirst([&](const SingleOp& op) { return op.type() == call.type; });
  std::vector<std::shared_ptr<SingleOp>> candidates;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (const auto found = loaded_.find(call.type); found != loaded_.end()) candidates = found->second;
  }
  candidates.insert(candidates.end(), compiled.begin(), compiled.end());
  return candidates;
}

std::shared_ptr<const ReadyOp> Operators::Find(const OpCall& call) {
  if (auto found = FindReady(call)) return found;
  for (const auto& op : Candidates(call)) {
    auto binding = op->Match(call);
    if (!binding) continue;
    auto program = op->Prepare(call, *binding);
    auto ready = std::make_shared<const ReadyOp>(op, std::move(*binding), std::move(program));
    op->used.Touch();
    matched_.Put(call, ready, limit_);
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
