// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The way onnxruntime uses a provider: a library loaded at run time, used, and unloaded, which finalises;
// then loaded again. At the end it stays loaded, and the process exits with it.
#include <dlfcn.h>

#include "clients/check.h"

namespace {

void* Load(const char* path) {
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) std::fprintf(stderr, "%s\n", dlerror());
  REQUIRE(library != nullptr);
  return library;
}

int Run(void* library) {
  const auto run = reinterpret_cast<int (*)()>(dlsym(library, "RunProvider"));
  REQUIRE(run != nullptr);
  return run();
}

}  // namespace

int main(int argc, char** argv) {
  REQUIRE(argc == 2);
  for (int round = 0; round < 3; ++round) {
    void* const provider = Load(argv[1]);
    REQUIRE(Run(provider) == 42);
    REQUIRE(Run(provider) == 42);
    REQUIRE(dlclose(provider) == 0);
  }
  REQUIRE(Run(Load(argv[1])) == 42);
  return 0;
}
