// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A user's program in C++11: what a call answers is a label of a switch, and a misuse leaves a message.
#include <cstdio>
#include <string>

#include "acl/acl.h"

namespace {

const char* Name(aclError code) {
  switch (code) {
    case ACL_SUCCESS:
      return "success";
    case ACL_ERROR_REPEAT_INITIALIZE:
      return "initialized twice";
    default:
      return "failure";
  }
}

}  // namespace

int main() {
  const std::string first = Name(aclInit(nullptr));
  const std::string second = Name(aclInit(nullptr));
  const bool refused = aclrtGetRunMode(nullptr) != ACL_SUCCESS;
  const bool explained = aclGetRecentErrMsg() != nullptr;
  aclFinalize();
  std::printf("%s, %s, %d %d\n", first.c_str(), second.c_str(), refused, explained);
  return first == "success" && second == "initialized twice" && refused && explained ? 0 : 1;
}
