// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// All models and bundles of the process that are loaded, by their ids. Ids are never used twice, and models
// and bundles never have the same one. Survives aclFinalize; a forked child sees what its parent had loaded,
// but the device memory is gone. Any thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "model/loaded_model.h"

namespace foothold {

class LoadedModels {
 public:
  static LoadedModels& Get();

  // On the device of the current context.
  std::uint32_t Load(const std::shared_ptr<const OmFile>& file, const LentMemory& memory);
  // Throws kGeModelIdInvalid.
  std::shared_ptr<LoadedModel> Find(std::uint32_t id) const;
  void Unload(std::uint32_t id);

  // A bundle, none of its models loaded.
  std::uint32_t AddBundle(const std::shared_ptr<const OmFile>& file);
  // All below throw kInvalidBundleModelId for an id that is no bundle.
  std::uint32_t LoadFromBundle(std::uint32_t bundle, std::size_t index, const LentMemory& memory);
  // In the order of loading.
  std::vector<std::uint32_t> ModelsOf(std::uint32_t bundle) const;
  std::size_t ModelCount(std::uint32_t bundle) const;
  void UnloadFromBundle(std::uint32_t bundle, std::uint32_t id);
  // With all its models.
  void UnloadBundle(std::uint32_t bundle);

 private:
  struct Bundle {
    std::shared_ptr<const OmFile> file;
    std::size_t count = 0;
    std::shared_ptr<Variables> variables;  // of all its models
    std::vector<std::uint32_t> models;
  };

  LoadedModels();
  std::uint32_t Add(const std::shared_ptr<const OmFile>& file, const LentMemory& memory,
                    std::shared_ptr<Variables> variables);
  Bundle& FindBundle(std::uint32_t id);
  const Bundle& FindBundle(std::uint32_t id) const;
  static void LockForFork() { Get().mutex_.lock(); }
  static void UnlockAfterFork() { Get().mutex_.unlock(); }

  mutable std::mutex mutex_;  // guards all below
  std::uint32_t last_id_ = 0;
  std::map<std::uint32_t, std::shared_ptr<LoadedModel>> models_;
  std::map<std::uint32_t, Bundle> bundles_;
};

}  // namespace foothold
