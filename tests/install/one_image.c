// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Loads every library named on the command line and compares where aclInit is: all names have to be one
// image. The program itself is linked to some of them.
#include <dlfcn.h>
#include <stdio.h>

#include "acl/acl.h"

int main(int argc, char** argv) {
  aclError (*const linked)(const char*) = aclInit;
  int wrong = 0;
  for (int i = 1; i < argc; ++i) {
    void* library = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);
    aclError (*loaded)(const char*) = NULL;
    if (library != NULL) *(void**)&loaded = dlsym(library, "aclInit");
    if (loaded == linked) continue;
    printf("%s: %s\n", argv[i], library == NULL ? dlerror() : "another image");
    ++wrong;
  }
  return argc > 1 && wrong == 0 ? 0 : 1;
}
