// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What programs ask about single operators without running one: options, sizes of outputs, the graph.
#include <fmt/format.h>

#include <cstring>
#include <fstream>

#include "api/acl/op_arguments.h"
#include "api/guard.h"
#include "api/status.h"
#include "base/first_time.h"
#include "device/memory_map.h"
#include "formats/graph_model.h"
#include "model/model_codes.h"
#include "single_op/compile_options.h"
#include "single_op/infer_shape.h"
#include "single_op/op_graph.h"

namespace foothold {
namespace {

struct GraphDumpOption {};
using GraphDumpOptions = HostObjects<GraphDumpOption, HandleKind::kGraphDumpOption>;
// Before there are threads, so that no fork finds it half made.
[[maybe_unused]] const GraphDumpOptions& made_at_load = GraphDumpOptions::Get();

// Inputs are on the host; one without data has a value that is not known.
std::vector<TensorValue> ReadHostValues(const OpCall& call, int count, aclDataBuffer* const* inputs) {
  std::vector<TensorValue> values(call.inputs.size());
  if (inputs == nullptr) return values;
  const OpTensors tensors = ReadOpBuffers(count, inputs, 0, nullptr);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const DataBuffer& buffer = *tensors.inputs[i];
    const TensorDesc& desc = *call.inputs[i];
    if (IsAbsent(desc) || buffer.data == nullptr || !IsStatic(desc.shape().dims())) continue;
    const std::string name = fmt::format("input {}", i);
    const std::size_t bytes = ByteSize(TypeOf(desc));
    if (bytes == 0 || buffer.size < bytes) continue;
    const MemoryUse use = CheckRange(buffer.data, bytes, Use::kRead, name.c_str(), kInvalidParam);
    values[i] = TensorValue(TypeOf(desc));
    std::memcpy(values[i].mutable_data(), use.kernel, bytes);
  }
  return values;
}

void Describe(TensorDesc& desc, const InferredOutput& output) {
  const Dims& dims = output.type.dims;
  TensorDesc made(output.type.type, desc.format, Shape(static_cast<int>(dims.size()), dims.data()));
  made.name = desc.name;
  if (!output.ranges.empty()) made.SetShapeRanges(output.ranges);
  desc = std::move(made);
}

void WriteGraph(const OpCall& call, const char* path) {
  std::ofstream file(CheckNotNull(path, "graphDumpPath", kInvalidParam), std::ios::trunc);
  file << GraphModelText({MakeOpGraph(call), {}});
  file.close();
  if (!file) Fail(kWriteFile, "cannot write '{}'", path);
}

}  // namespace
}  // namespace foothold

using namespace foothold;

FOOTHOLD_WITHOUT_EFFECT(aclSetCompileopt);
aclError aclSetCompileopt(aclCompileOpt opt, const char* value) {
  return Guard(FOOTHOLD_CALL(opt, value), [&] {
    CompileOptions::Get().Set(static_cast<int>(opt), CheckNotNull(value, "value", kInvalidParam));
  });
}

aclError aclGetCompileopt(aclCompileOpt opt, char* value, size_t length) {
  return Guard(FOOTHOLD_QUERY(opt, length), [&] {
    CheckNotNull(value, "value", kInvalidParam);
    const std::string text = CompileOptions::Get().Value(static_cast<int>(opt));
    if (length < text.size() + 1)
      Fail(kInvalidParam, "length is {}; the value takes {} bytes with its end", length, text.size() + 1);
    std::memcpy(value, text.c_str(), text.size() + 1);
  });
}

size_t aclGetCompileoptSize(aclCompileOpt opt) {
  return GuardValue(FOOTHOLD_QUERY(opt), size_t{0},
                    [&] { return CompileOptions::Get().Value(static_cast<int>(opt)).size() + 1; });
}

// Every operator serves one set of sizes or all, as its description says, so there is nothing to choose.
FOOTHOLD_WITHOUT_EFFECT(aclopSetCompileFlag);
aclError aclopSetCompileFlag(aclOpCompileFlag flag) {
  return Guard(FOOTHOLD_CALL(flag), [&] {
    if (flag != ACL_OP_COMPILE_DEFAULT && flag != ACL_OP_COMPILE_FUZZ)
      Fail(kInvalidParam, "flag is {}; expected 0 or 1", static_cast<int>(flag));
    if (flag == ACL_OP_COMPILE_FUZZ)
      WarnOnce(
          "aclopSetCompileFlag",
          "aclopSetCompileFlag has no effect here: operators are compiled for one set of sizes or for all, "
          "as their descriptions say");
  });
}

aclError aclopInferShape(const char* opType, int numInputs, aclTensorDesc** inputDesc, aclDataBuffer** inputs,
                         int numOutputs, aclTensorDesc** outputDesc, aclopAttr* attr) {
  return Guard(FOOTHOLD_CALL(opType, numInputs, numOutputs, attr), [&] {
    const OpCall call = ReadOpCall(opType, numInputs, inputDesc, numOutputs, outputDesc, attr);
    const std::vector<InferredOutput> outputs = InferOutputs(call, ReadHostValues(call, numInputs, inputs));
    std::pmr::vector<TensorDesc*> told;
    ReadTold(numOutputs, outputDesc, told);
    for (std::size_t i = 0; i < told.size(); ++i)
      if (!IsAbsent(*told[i])) Describe(*told[i], outputs[i]);
  });
}

aclGraphDumpOption* aclCreateGraphDumpOpt() {
  return GuardValue(FOOTHOLD_CALL(), static_cast<aclGraphDumpOption*>(nullptr),
                    [&] { return static_cast<aclGraphDumpOption*>(GraphDumpOptions::Get().Add({})); });
}

aclError aclDestroyGraphDumpOpt(const aclGraphDumpOption* graphDumpOpt) {
  return Guard(FOOTHOLD_RELEASE(graphDumpOpt), [&] { GraphDumpOptions::Get().Remove(graphDumpOpt); });
}

aclError aclGenGraphAndDumpForOp(const char* opType, int numInputs, const aclTensorDesc* const* inputDesc,
                                 const aclDataBuffer* const* inputs, int numOutputs,
                                 const aclTensorDesc* const* outputDesc, aclDataBuffer* const* outputs,
                                 const aclopAttr* attr, aclopEngineType engineType, const char* graphDumpPath,
                                 const aclGraphDumpOption* graphDumpOpt) {
  return Guard(
      FOOTHOLD_CALL(opType, numInputs, numOutputs, attr, engineType, graphDumpPath, graphDumpOpt), [&] {
        CheckCompileArguments(engineType, ACL_COMPILE_SYS, nullptr);
        if (graphDumpOpt != nullptr) GraphDumpOptions::Get().Find(graphDumpOpt);
        ReadOpBuffers(numInputs, inputs, numOutputs, outputs);
        WriteGraph(ReadOpCall(opType, numInputs, inputDesc, numOutputs, outputDesc, attr), graphDumpPath);
      });
}
