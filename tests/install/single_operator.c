// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Runs an operator that only a file made by atc --singleop has made known: the largest of each row, along an
// axis that is an attribute.
//   single_operator FOLDER
#include <acl/acl.h>
#include <stdio.h>

#define CHECK(call)                                                      \
  do {                                                                   \
    aclError code = (call);                                              \
    if (code != ACL_SUCCESS) {                                           \
      printf("%s returned %d\n%s\n", #call, code, aclGetRecentErrMsg()); \
      return 1;                                                          \
    }                                                                    \
  } while (0)

static int run(void) {
  const int64_t in[] = {2, 3}, out[] = {2};
  const float values[] = {1, 5, 2, 9, 3, 4};
  float result[2] = {0, 0};
  const int64_t axes[] = {1};
  void *x = NULL, *y = NULL;
  aclTensorDesc* input = aclCreateTensorDesc(ACL_FLOAT, 2, in, ACL_FORMAT_ND);
  aclTensorDesc* output = aclCreateTensorDesc(ACL_FLOAT, 1, out, ACL_FORMAT_ND);
  aclopAttr* attributes = aclopCreateAttr();
  CHECK(aclopSetAttrListInt(attributes, "axes", 1, axes));
  CHECK(aclrtMalloc(&x, sizeof values, ACL_MEM_MALLOC_NORMAL_ONLY));
  CHECK(aclrtMalloc(&y, sizeof result, ACL_MEM_MALLOC_NORMAL_ONLY));
  CHECK(aclrtMemcpy(x, sizeof values, values, sizeof values, ACL_MEMCPY_HOST_TO_DEVICE));
  aclDataBuffer* from = aclCreateDataBuffer(x, sizeof values);
  aclDataBuffer* to = aclCreateDataBuffer(y, sizeof result);
  CHECK(aclopExecuteV2("ReduceMaxD", 1, &input, &from, 1, &output, &to, attributes, NULL));
  CHECK(aclrtSynchronizeStream(NULL));
  CHECK(aclrtMemcpy(result, sizeof result, y, sizeof result, ACL_MEMCPY_DEVICE_TO_HOST));
  printf("%g %g\n", result[0], result[1]);
  return result[0] == 5 && result[1] == 9 ? 0 : 1;
}

int main(int argc, char** argv) {
  CHECK(aclInit(NULL));
  CHECK(aclrtSetDevice(0));
  CHECK(aclopSetModelDir(argc > 1 ? argv[1] : "op_models"));
  if (run() != 0) return 1;
  CHECK(aclrtResetDevice(0));
  CHECK(aclFinalize());
  return 0;
}
