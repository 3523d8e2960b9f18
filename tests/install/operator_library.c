// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Linked against one library of the aclnn operators. Each library named in the arguments has the operators of
// all of them and the functions for tensors, by their names: the very functions the program is linked to.
//   operator_library LIBRARY...
#include <dlfcn.h>
#include <stdio.h>

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_grid_sampler2d.h"
#include "aclnnop/aclnn_relu.h"
#include "aclnnop/aclnn_rotary_position_embedding.h"

#define LINKED(name) \
  { #name, (void*)&name }

static const struct {
  const char* name;
  void* address;
} functions[] = {
    LINKED(aclnnAddGetWorkspaceSize),
    LINKED(aclnnAdd),
    LINKED(aclnnGridSampler2D),
    LINKED(aclnnRelu),
    LINKED(aclCreateTensor),
    LINKED(aclDestroyAclOpExecutor),
    LINKED(aclnnInit),
    LINKED(aclGetRawTensorAddr),
    LINKED(aclnnRotaryPositionEmbedding),
};

static int wrong_in(const char* library) {
  int wrong = 0;
  void* handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) return printf("%s\n", dlerror());
  for (size_t i = 0; i < sizeof functions / sizeof functions[0]; ++i) {
    if (dlsym(handle, functions[i].name) == functions[i].address) continue;
    wrong += printf("%s has another %s\n", library, functions[i].name);
  }
  if (dlsym(handle, "InitHugeMemThreadLocal") == NULL || dlsym(handle, "ReleaseHugeMem") == NULL ||
      dlsym(handle, "UnInitHugeMemThreadLocal") == NULL) {
    wrong += printf("%s lacks what programs call around operators\n", library);
  }
  return wrong;
}

int main(int argc, char** argv) {
  int wrong = argc > 1 ? 0 : 1;
  for (int i = 1; i < argc; ++i)
    wrong += wrong_in(argv[i]);
  return wrong == 0 ? 0 : 1;
}
