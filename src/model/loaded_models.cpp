// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "model/loaded_models.h"

#include <algorithm>

#include "base/error.h"
#include "base/process_events.h"
#include "device/current.h"
#include "model/bundle.h"
#include "model/dumped_model.h"
#include "model/model_codes.h"

namespace foothold {

LoadedModels& LoadedModels::Get() {
  static auto* const models = new LoadedModels;
  return *models;
}

LoadedModels::LoadedModels() {
  static const AtFork at_fork(ForkStage::kTables, {LockForFork, UnlockAfterFork, UnlockAfterFork});
}

std::uint32_t LoadedModels::Add(const std::shared_ptr<const OmFile>& file, const LentMemory& memory,
                                std::shared_ptr<Variables> variables) {
  Device& device = CurrentDevice();
  std::uint32_t id = 0;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    id = ++last_id_;
  }
  std::shared_ptr<ModelDump> dump = DumpOf(*file, id, device.id());
  auto model = OfflineModel::Load(file, KeptNodes(dump));
  auto loaded = std::make_shared<LoadedModel>(id, std::move(model), device, memory, std::move(variables));
  loaded->set_dump(std::move(dump));
  std::lock_guard<std::mutex> lock(mutex_);
  models_.emplace(id, std::move(loaded));
  return id;
}

std::uint32_t LoadedModels::Load(const std::shared_ptr<const OmFile>& file, const LentMemory& memory) {
  return Add(file, memory, std::make_shared<Variables>());
}

std::shared_ptr<LoadedModel> LoadedModels::Find(std::uint32_t id) const {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found = models_.find(id);
  if (found != models_.end()) return found->second;
  if (bundles_.count(id) != 0)
    Fail(kGeModelIdInvalid, "{} is a bundle of models; aclmdlBundleGetModelId gives the ids of its models",
         id);
  Fail(kGeModelIdInvalid, "there is no model {}{}", id,
       id != 0 && id <= last_id_ ? ": it was unloaded" : ": no load has given this id");
}

void LoadedModels::Unload(std::uint32_t id) {
  const std::shared_ptr<LoadedModel> model = Find(id);  // ends after the lock
  std::lock_guard<std::mutex> lock(mutex_);
  if (models_.erase(id) == 0) Fail(kGeModelIdInvalid, "model {} was unloaded by another thread", id);
  for (auto& [key, bundle] : bundles_)
    std::erase(bundle.models, id);
}

std::uint32_t LoadedModels::AddBundle(const std::shared_ptr<const OmFile>& file) {
  CurrentDevice();
  Bundle bundle{file, BundleSize(*file), std::make_shared<Variables>(), {}};
  std::lock_guard<std::mutex> lock(mutex_);
  const std::uint32_t id = ++last_id_;
  bundles_.emplace(id, std::move(bundle));
  return id;
}

LoadedModels::Bundle& LoadedModels::FindBundle(std::uint32_t id) {
  const auto found = bundles_.find(id);
  if (found != bundles_.end()) return found->second;
  if (models_.count(id) != 0) Fail(kInvalidBundleModelId, "{} is a model and not a bundle", id);
  Fail(kInvalidBundleModelId, "there is no bundle {}", id);
}

const LoadedModels::Bundle& LoadedModels::FindBundle(std::uint32_t id) const {
  return const_cast<LoadedModels*>(this)->FindBundle(id);
}

std::uint32_t LoadedModels::LoadFromBundle(std::uint32_t bundle, std::size_t index,
                                           const LentMemory& memory) {
  Bundle source;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    source = FindBundle(bundle);
  }
  if (index >= source.count)
    Fail(kInvalidParam, "bundle {} has {} models, and index {} is none of them", bundle, source.count, index);
  const std::uint32_t id = Add(BundledModel(*source.file, index), memory, source.variables);
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found = bundles_.find(bundle);
  if (found == bundles_.end()) {
    models_.erase(id);
    Fail(kInvalidBundleModelId, "bundle {} was unloaded while one of its models was being loaded", bundle);
  }
  found->second.models.push_back(id);
  return id;
}

std::vector<std::uint32_t> LoadedModels::ModelsOf(std::uint32_t bundle) const {
  std::lock_guard<std::mutex> lock(mutex_);
  return FindBundle(bundle).models;
}

std::size_t LoadedModels::ModelCount(std::uint32_t bundle) const {
  std::lock_guard<std::mutex> lock(mutex_);
  return FindBundle(bundle).count;
}

void LoadedModels::UnloadFromBundle(std::uint32_t bundle, std::uint32_t id) {
  const std::vector<std::uint32_t> models = ModelsOf(bundle);
  if (std::find(models.begin(), models.end(), id) == models.end())
    Fail(kGeModelIdInvalid, "{} is no loaded model of bundle {}", id, bundle);
  Unload(id);
}

void LoadedModels::UnloadBundle(std::uint32_t bundle) {
  std::vector<std::shared_ptr<LoadedModel>> ended;  // after the lock
  std::lock_guard<std::mutex> lock(mutex_);
  for (const std::uint32_t id : FindBundle(bundle).models) {
    ended.push_back(std::move(models_[id]));
    models_.erase(id);
  }
  bundles_.erase(bundle);
}

}  // namespace foothold
