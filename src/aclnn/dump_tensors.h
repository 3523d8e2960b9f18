// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Tensors of the program shown in a dump as if an operator of this type and name had just run on them
// (aclDumpOpTensors), as a task of a stream. Any thread.
#pragma once

#include <string>
#include <vector>

#include "aclnn/objects.h"

namespace foothold {

struct StreamRef;

namespace aclnn {

struct ShownTensors {
  std::string type, name;
  std::vector<Tensor> inputs, outputs;
};

// Nothing happens unless operators are dumped now. Throws kParamNull and kParamInvalid for addresses that are
// none. `api` is a literal.
void QueueDump(ShownTensors shown, const StreamRef& stream, const char* api);

}  // namespace aclnn
}  // namespace foothold
