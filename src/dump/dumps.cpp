// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "dump/dumps.h"

#include "base/environment.h"
#include "base/error.h"
#include "base/failure_text.h"
#include "base/log.h"
#include "base/per_process.h"
#include "dump/dump_codes.h"
#include "dump/exception_dump.h"

namespace foothold {
namespace {

// ASCEND_DUMP_SCENE, with the names of "dump_scene" that are about exceptions.
std::optional<DumpConfig> SceneOfEnvironment() {
  const std::string scene = GetEnv("ASCEND_DUMP_SCENE").value_or("");
  DumpConfig config;
  if (scene.empty()) return std::nullopt;
  if (scene == "lite_exception" || scene == "aic_err_brief_dump") {
    config.scene = DumpScene::kBriefException;
  } else if (scene == "aic_err_norm_dump") {
    config.scene = DumpScene::kNormException;
  } else if (scene == "aic_err_detail_dump") {
    config.scene = DumpScene::kDetailException;
  } else {
    Log(LogLevel::kWarning,
        "ASCEND_DUMP_SCENE is \"{}\" and is ignored; it may be lite_exception, aic_err_brief_dump, "
        "aic_err_norm_dump or aic_err_detail_dump",
        scene);
    return std::nullopt;
  }
  return config;
}

// Without a file to say more: all outputs of all models, for whoever is registered.
DumpConfig Everything() {
  DumpConfig config;
  config.selections.emplace_back();
  return config;
}

bool IsOf(const DumpConfig& config, DumpKind kind) {
  switch (kind) {
    case DumpKind::kBriefException:
      return config.scene == DumpScene::kBriefException || config.scene == DumpScene::kLiteException;
    case DumpKind::kNormException:
      return config.scene == DumpScene::kNormException;
    case DumpKind::kDetailException:
      return config.scene == DumpScene::kDetailException;
    case DumpKind::kData:
      return !config.overflow_only && (config.single_operators || !config.selections.empty());
    case DumpKind::kOverflow:
      return config.overflow_only;
  }
  return false;
}

}  // namespace

Dumps& Dumps::Get() {
  return PerProcess<Dumps>::Get();  // models may be loaded while the process ends
}

void Dumps::Start(std::optional<DumpConfig> config) {
  if (!config) config = SceneOfEnvironment();
  std::lock_guard<std::mutex> lock(mutex_);
  if (config) from_start_ = std::make_shared<DumpSettings>(std::move(*config));
  NoteOperators();
}

void Dumps::Stop() {
  std::lock_guard<std::mutex> lock(mutex_);
  if (from_start_) from_start_->ended = true;
  for (const auto& settings : of_round_)
    settings->ended = true;
  from_start_ = nullptr;
  of_round_.clear();
  round_ = false;
  NoteOperators();
}

void Dumps::CheckNotFromStart(const char* api) const {
  if (!from_start_ || from_start_->config.ForExceptions()) return;
  throw Error(
      kDumpAlreadyRun,
      fmt::format("{}: the configuration given to aclInit has a dump section, which stays in force", api),
      kTextDumpCallOrder);
}

void Dumps::CheckRound(const char* api) const {
  CheckNotFromStart(api);
  if (!round_)
    throw Error(kDumpNotRun, fmt::format("{}: aclmdlInitDump has to be called first", api),
                kTextDumpCallOrder);
}

void Dumps::Use(DumpConfig config) {
  of_round_.push_back(std::make_shared<DumpSettings>(std::move(config)));
  NoteOperators();
}

void Dumps::InitDump() {
  std::lock_guard<std::mutex> lock(mutex_);
  CheckNotFromStart("aclmdlInitDump");
  if (round_)
    throw Error(kDumpAlreadyRun,
                "aclmdlInitDump was called already; aclmdlFinalizeDump comes before the next",
                kTextDumpCallOrder);
  round_ = true;
  Use(Everything());
}

void Dumps::SetDump(const char* path) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    CheckRound("aclmdlSetDump");
  }
  DumpConfig config = LoadDumpConfig(path);
  std::lock_guard<std::mutex> lock(mutex_);
  CheckRound("aclmdlSetDump");
  Use(std::move(config));
}

void Dumps::FinalizeDump() {
  std::lock_guard<std::mutex> lock(mutex_);
  CheckRound("aclmdlFinalizeDump");
  for (const auto& settings : of_round_)
    settings->ended = true;
  of_round_.clear();
  round_ = false;
  NoteOperators();
}

void Dumps::NoteOperators() {
  const auto& settings = of_round_.empty() ? from_start_ : of_round_.back();
  of_operators_.clear();
  operators_ = settings && settings->config.single_operators;
}

std::shared_ptr<ModelDump> Dumps::Operators(int device) {
  if (!operators_.load(std::memory_order_relaxed)) return nullptr;
  std::lock_guard<std::mutex> lock(mutex_);
  const auto& settings = of_round_.empty() ? from_start_ : of_round_.back();
  if (!settings || !settings->config.single_operators) return nullptr;
  std::shared_ptr<ModelDump>& dump = of_operators_[device];
  if (!dump) dump = ModelDump::MakeForOperators(settings, device);
  return dump;
}

std::shared_ptr<const DumpSettings> Dumps::current() {
  std::lock_guard<std::mutex> lock(mutex_);
  return of_round_.empty() ? from_start_ : of_round_.back();
}

std::shared_ptr<const DumpSettings> Dumps::exceptions() {
  std::lock_guard<std::mutex> lock(mutex_);
  if (!of_round_.empty() && of_round_.back()->config.ForExceptions()) return of_round_.back();
  return from_start_ && from_start_->config.ForExceptions() ? from_start_ : nullptr;
}

const char* Dumps::Path(DumpKind kind) {
  std::lock_guard<std::mutex> lock(mutex_);
  for (const auto& settings : {of_round_.empty() ? nullptr : of_round_.back(), from_start_}) {
    if (!settings || !IsOf(settings->config, kind)) continue;
    const std::string path =
        settings->config.ForExceptions() ? ExceptionPath(settings->config) : settings->config.path;
    return path.empty() ? nullptr : paths_.insert(path).first->c_str();
  }
  return nullptr;
}

}  // namespace foothold
