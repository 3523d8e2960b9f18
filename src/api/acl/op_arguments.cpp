// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "api/acl/op_arguments.h"

#include "api/guard.h"

namespace foothold {
namespace {

template <typename Objects, typename Handle, typename Pointer>
void ReadAll(int count, const Handle* handles, const char* what, std::pmr::vector<Pointer>& all) {
  if (count < 0) Fail(kInvalidParam, "the number of {}s is {}", what, count);
  if (count > 0) CheckNotNull(handles, what, kInvalidParam);
  all.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i)
    try {
      all.push_back(&Objects::Get().Find(handles[i]));
    } catch (const Error& error) {
      Fail(error.code(), "{} {}: {}", what, i, error.message());
    }
}

}  // namespace

OpCall ReadOpCall(const char* type, int inputs, const aclTensorDesc* const* input_desc, int outputs,
                  const aclTensorDesc* const* output_desc, const aclopAttr* attributes,
                  std::pmr::memory_resource* room) {
  OpCall call(room);
  call.type = CheckNotNull(type, "opType", kInvalidParam);
  ReadAll<TensorDescs>(inputs, input_desc, "inputDesc", call.inputs);
  ReadAll<TensorDescs>(outputs, output_desc, "outputDesc", call.outputs);
  if (attributes != nullptr) call.attributes = &OpAttributeSets::Get().Find(attributes);
  return call;
}

OpTensors ReadOpBuffers(int inputs, const aclDataBuffer* const* input, int outputs,
                        const aclDataBuffer* const* output, std::pmr::memory_resource* room) {
  OpTensors tensors(room);
  ReadAll<DataBuffers>(inputs, input, "inputs", tensors.inputs);
  ReadAll<DataBuffers>(outputs, output, "outputs", tensors.outputs);
  return tensors;
}

void ReadTold(int count, aclTensorDesc* const* desc, std::pmr::vector<TensorDesc*>& told) {
  ReadAll<TensorDescs>(count, desc, "outputDesc", told);
}

void CheckCompileArguments(aclopEngineType engine, aclopCompileType kind, const char* path) {
  if (engine < ACL_ENGINE_SYS || engine > ACL_ENGINE_VECTOR)
    Fail(kInvalidParam, "engineType is {}; expected 0 to 2", static_cast<int>(engine));
  if (kind != ACL_COMPILE_SYS && kind != ACL_COMPILE_UNREGISTERED)
    Fail(kInvalidParam, "compileFlag is {}; expected 0 or 1", static_cast<int>(kind));
  if (kind == ACL_COMPILE_UNREGISTERED)
    Fail(kFeatureUnsupported,
         "ACL_COMPILE_UNREGISTERED: operators are not built from scripts here; ASCEND_CUSTOM_OPP_PATH brings "
         "those "
         "of the program");
  if (path != nullptr && *path != '\0')
    Fail(kInvalidParam, "opPath is '{}'; it has to be null for operators of the library", path);
}

}  // namespace foothold
