// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "api/op_arguments.h"

#include "api/guard.h"

namespace foothold {
namespace {

template <typename Objects, typename Handle>
auto ReadAll(int count, const Handle* handles, const char* what) {
  if (count < 0) Fail(kInvalidParam, "the number of {}s is {}", what, count);
  if (count > 0) CheckNotNull(handles, what, kInvalidParam);
  std::vector<decltype(&Objects::Get().Find(nullptr))> all;
  all.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i)
    try {
      all.push_back(&Objects::Get().Find(handles[i]));
    } catch (const Error& error) {
      Fail(error.code(), "{} {}: {}", what, i, error.message());
    }
  return all;
}

template <typename T>
std::vector<const T*> Const(const std::vector<T*>& all) {
  return {all.begin(), all.end()};
}

}  // namespace

OpCall ReadOpCall(const char* type, int inputs, const aclTensorDesc* const* input_desc, int outputs,
                  const aclTensorDesc* const* output_desc, const aclopAttr* attributes) {
  OpCall call;
  call.type = CheckNotNull(type, "opType", kInvalidParam);
  call.inputs = Const(ReadAll<TensorDescs>(inputs, input_desc, "inputDesc"));
  call.outputs = Const(ReadAll<TensorDescs>(outputs, output_desc, "outputDesc"));
  if (attributes != nullptr) call.attributes = &OpAttributeSets::Get().Find(attributes);
  return call;
}

OpTensors ReadOpBuffers(int inputs, const aclDataBuffer* const* input, int outputs,
                        const aclDataBuffer* const* output) {
  return {Const(ReadAll<DataBuffers>(inputs, input, "inputs")),
          Const(ReadAll<DataBuffers>(outputs, output, "outputs"))};
}

std::vector<TensorDesc*> ReadTold(int count, aclTensorDesc* const* desc) {
  return ReadAll<TensorDescs>(count, desc, "outputDesc");
}

void CheckCompileArguments(aclopEngineType engine, aclopCompileType kind, const char* path) {
  if (engine < ACL_ENGINE_SYS || engine > ACL_ENGINE_VECTOR)
    Fail(kInvalidParam, "engineType is {}; expected 0 to 2", static_cast<int>(engine));
  if (kind != ACL_COMPILE_SYS && kind != ACL_COMPILE_UNREGISTERED)
    Fail(kInvalidParam, "compileFlag is {}; expected 0 or 1", static_cast<int>(kind));
  if (kind == ACL_COMPILE_UNREGISTERED)
    Fail(kFeatureUnsupported, "ACL_COMPILE_UNREGISTERED: operators that a program brings are not supported");
  if (path != nullptr && *path != '\0')
    Fail(kInvalidParam, "opPath is '{}'; it has to be null for operators of the library", path);
}

}  // namespace foothold
