// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The first of the published samples: initialise with a file, choose a device, make a context and a stream,
// and take everything back in reverse order. Argument: the configuration file; without one the path is empty,
// as in some samples.
#include "acl/acl.h"
#include "clients/check.h"

int main(int argc, char** argv) {
  REQUIRE(aclInit(argc == 2 ? argv[1] : "") == ACL_SUCCESS);
  REQUIRE(aclrtSetDevice(0) == ACL_SUCCESS);
  aclrtContext context = nullptr;
  REQUIRE(aclrtCreateContext(&context, 0) == ACL_SUCCESS);
  aclrtStream stream = nullptr;
  REQUIRE(aclrtCreateStream(&stream) == ACL_SUCCESS);
  aclrtRunMode mode = ACL_DEVICE;
  REQUIRE(aclrtGetRunMode(&mode) == ACL_SUCCESS && mode == ACL_HOST);
  REQUIRE(aclrtDestroyStream(stream) == ACL_SUCCESS);
  REQUIRE(aclrtDestroyContext(context) == ACL_SUCCESS);
  REQUIRE(aclrtResetDevice(0) == ACL_SUCCESS);
  REQUIRE(aclFinalize() == ACL_SUCCESS);
  return 0;
}
