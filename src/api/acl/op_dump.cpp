// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "acl/acl_op.h"
#include "api/guard.h"
#include "check/open_things.h"
#include "dump/operator_arguments.h"

namespace foothold {
namespace {

void CheckType(std::uint32_t type) {
  if (type != ACL_OP_DUMP_OP_AICORE_ARGS)
    Fail(kInvalidParam, "dumpType is {}; there is {}", type, ACL_OP_DUMP_OP_AICORE_ARGS);
}

}  // namespace
}  // namespace foothold

using namespace foothold;

aclError aclopStartDumpArgs(uint32_t dumpType, const char* path) {
  return Guard(FOOTHOLD_CALL(dumpType, path), [&] {
    CheckType(dumpType);
    const std::string directory = CheckNotNull(path, "path", kInvalidParam);
    if (directory.empty()) Fail(kInvalidParam, "path is empty; expected a directory");
    OperatorArguments::Get().Start(directory);
    check::Opened(check::Thing::kArgumentDump, 0);
  });
}

aclError aclopStopDumpArgs(uint32_t dumpType) {
  return Guard(FOOTHOLD_CALL(dumpType), [&] {
    CheckType(dumpType);
    OperatorArguments::Get().Stop();
    check::Closed(check::Thing::kArgumentDump, 0);
  });
}
