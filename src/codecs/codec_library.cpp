// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "codecs/codec_library.h"

#include <dlfcn.h>

#include "base/error.h"

namespace foothold {

void* LoadCodec(const CodecLibrary& library) {
  void* loaded = dlopen(library.file, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (loaded != nullptr) return loaded;
  const char* why = dlerror();
  Fail(kApiNotSupport,
       "{} cannot be loaded, without which this video cannot be processed; install the package {} ({})",
       library.file, library.package, why == nullptr ? "no reason given" : why);
}

void* FindInCodec(void* loaded, const CodecLibrary& library, const char* symbol) {
  if (void* found = dlsym(loaded, symbol)) return found;
  Fail(kApiNotSupport, "{} has no {}: it is not the library of the package {}", library.file, symbol,
       library.package);
}

}  // namespace foothold
