// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/system_library.h"

#include <dlfcn.h>

#include "base/error.h"

namespace foothold {

// Two threads that come here at once load the same library: the loader counts.
void* SystemLibrary::Load() {
  if (void* const loaded = handle_.load(std::memory_order_acquire)) return loaded;
  void* const loaded = dlopen(file_, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (loaded == nullptr) {
    const char* const why = dlerror();
    Fail(kApiNotSupport, "{} need the library {}, which cannot be loaded ({}): install the package {}",
         purpose_, file_, why == nullptr ? "no reason given" : why, package_);
  }
  handle_.store(loaded, std::memory_order_release);
  return loaded;
}

void* SystemLibrary::Address(const char* symbol) {
  if (void* const address = dlsym(Load(), symbol)) return address;
  Fail(kApiNotSupport, "{} need the function {}, which {} does not have: install another version of {}",
       purpose_, symbol, file_, package_);
}

}  // namespace foothold
