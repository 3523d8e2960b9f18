// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "media/codec_library.h"

#include <dlfcn.h>

#include "base/error.h"
#include "base/log.h"

namespace foothold::media {

void* CodecLibrary::TryLoad(std::string* problem) {
  for (const char* const name : names_) {
    if (name == nullptr) break;
    // Two threads that come here at once load the same library: the loader counts.
    if (void* const handle = dlopen(name, RTLD_NOW | RTLD_LOCAL)) {
      loaded_name_.store(name);
      handle_.store(handle, std::memory_order_release);
      return handle;
    }
    const char* const said = dlerror();
    if (problem->empty() && said != nullptr) *problem = said;
  }
  return nullptr;
}

void CodecLibrary::Load() {
  if (handle_.load(std::memory_order_acquire) != nullptr) return;
  std::string problem;
  if (TryLoad(&problem) == nullptr)
    Fail(kApiNotSupport, "{} need the library {}, which cannot be loaded ({}): install the package {}",
         purpose_, names_[0], problem, package_);
}

bool CodecLibrary::IsThere() noexcept {
  try {
    Load();
    return true;
  } catch (const Error&) {
    return false;  // the question's answer
  }
}

void* CodecLibrary::Address(const char* symbol) const {
  if (void* const address = dlsym(handle_.load(std::memory_order_acquire), symbol)) return address;
  Fail(kApiNotSupport, "{} need the function {}, which {} does not have: install another version of {}",
       purpose_, symbol, name(), package_);
}

}  // namespace foothold::media
