// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Operators that tests bring, found through ASCEND_CUSTOM_OPP_PATH.
#include <foothold/operator.h>

#include <cstring>
#include <stdexcept>

namespace {

constexpr int32_t kFloat = 0, kInt32 = 3, kInt64 = 9;

size_t Elements(const FootholdTensor& tensor) {
  size_t count = 1;
  for (size_t i = 0; i < tensor.rank; ++i)
    count *= static_cast<size_t>(tensor.dims[i]);
  return count;
}

// y = scale * x + bias + offset, where bias is optional; a wrong mode is refused.
const int32_t kFloats[] = {kFloat};
const FootholdPort kAffineInputs[] = {{"x", FOOTHOLD_REQUIRED, kFloats, 1},
                                      {"bias", FOOTHOLD_OPTIONAL, kFloats, 1}};
const FootholdPort kAffineOutputs[] = {{"y", FOOTHOLD_REQUIRED, nullptr, 0}};
const float kShifts[] = {1, 2};
const FootholdAttribute kAffineAttributes[] = {
    {"scale", FOOTHOLD_FLOAT, 1, 0, 0, nullptr, nullptr, nullptr, 0},
    {"shifts", FOOTHOLD_FLOATS, 0, 0, 0, nullptr, nullptr, kShifts, 2},
    {"mode", FOOTHOLD_STRING, 0, 0, 0, "plain", nullptr, nullptr, 0},
    {"negate", FOOTHOLD_BOOL, 0, 0, 0, nullptr, nullptr, nullptr, 0}};

int InferAffine(FootholdNode* node) {
  const char* mode = nullptr;
  if (node->get_string(node, "mode", &mode) != 1) return node->fail(node, "there is no mode");
  if (std::strcmp(mode, "throw") == 0) throw std::runtime_error("as the test wants");
  if (std::strcmp(mode, "null dims") == 0) node->set_output(node, 0, kFloat, nullptr, 3);
  if (std::strcmp(mode, "many dims") == 0) node->set_output(node, 0, kFloat, node->inputs[0]->dims, SIZE_MAX);
  if (std::strcmp(mode, "ask again") == 0) return FOOTHOLD_NEEDS_INPUT(0);
  if (std::strcmp(mode, "ask for nothing") == 0) return FOOTHOLD_NEEDS_INPUT(1);
  if (std::strstr(mode, " dims") != nullptr) return FOOTHOLD_DONE;
  if (std::strcmp(mode, "plain") != 0 && std::strcmp(mode, "fail in the kernel") != 0 &&
      std::strcmp(mode, "all memory") != 0)
    return node->fail(node, "mode must be 'plain'");
  node->set_output(node, 0, kFloat, node->inputs[0]->dims, node->inputs[0]->rank);
  return FOOTHOLD_DONE;
}

void RunAffine(const FootholdBlock* block, const void* args) {
  const auto& call = *static_cast<const FootholdCall*>(args);
  const char* mode = nullptr;
  call.node->get_string(call.node, "mode", &mode);
  if (std::strcmp(mode, "plain") != 0) return block->fail(block, "as the test wants");
  float scale = 0;
  int64_t negate = 0;
  const float* shifts = nullptr;
  size_t shift_count = 0;
  call.node->get_float(call.node, "scale", &scale);
  call.node->get_int(call.node, "negate", &negate);
  call.node->get_floats(call.node, "shifts", &shifts, &shift_count);
  float offset = 0;
  for (size_t i = 0; i < shift_count; ++i)
    offset += shifts[i];
  const FootholdTensor* const bias = call.inputs[1];
  const size_t count = Elements(*call.inputs[0]);
  const auto* const x = static_cast<const float*>(call.inputs[0]->data);
  for (size_t i = count * block->index / block->count; i < count * (block->index + 1) / block->count; ++i) {
    const float b = bias == nullptr ? 0 : *static_cast<const float*>(bias->data);
    const float y = scale * x[i] + b + offset;
    static_cast<float*>(call.outputs[0]->data)[i] = negate != 0 ? -y : y;
  }
}

int PlanAffine(FootholdNode* node, FootholdPlan* plan) {
  const char* mode = nullptr;
  node->get_string(node, "mode", &mode);
  plan->blocks = 3;
  plan->workspace_size = std::strcmp(mode, "all memory") == 0 ? SIZE_MAX : 64;
  return FOOTHOLD_DONE;
}

// The first `count` elements of x, where count is the value of an input; shapes depend on it.
const int32_t kInts[] = {kInt32, kInt64};
const FootholdPort kHeadInputs[] = {{"x", FOOTHOLD_REQUIRED, kFloats, 1},
                                    {"count", FOOTHOLD_REQUIRED, kInts, 2}};
const FootholdPort kHeadOutputs[] = {{"y", FOOTHOLD_REQUIRED, nullptr, 0}};

int InferHead(FootholdNode* node) {
  const FootholdTensor* const count = node->inputs[1];
  if (count->data == nullptr) return FOOTHOLD_NEEDS_INPUT(1);
  const int64_t wanted = count->data_type == kInt32 ? *static_cast<const int32_t*>(count->data)
                                                    : *static_cast<const int64_t*>(count->data);
  if (wanted < 0 || static_cast<size_t>(wanted) > Elements(*node->inputs[0]))
    return node->fail(node, "there are not so many elements");
  node->set_output(node, 0, kFloat, &wanted, 1);
  return FOOTHOLD_DONE;
}

void RunHead(const FootholdBlock* block, const void* args) {
  if (block->index != 0) return;
  const auto& call = *static_cast<const FootholdCall*>(args);
  std::memcpy(call.outputs[0]->data, call.inputs[0]->data, Elements(*call.outputs[0]) * sizeof(float));
}

// The sum of a list of tensors, like the first.
const FootholdPort kSumInputs[] = {{"x", FOOTHOLD_LIST, kFloats, 1}};

void RunSum(const FootholdBlock* block, const void* args) {
  const auto& call = *static_cast<const FootholdCall*>(args);
  auto* const y = static_cast<float*>(call.outputs[0]->data);
  for (size_t i = block->index; i < Elements(*call.outputs[0]); i += block->count) {
    y[i] = 0;
    for (size_t t = 0; t < call.node->input_count; ++t)
      y[i] += static_cast<const float*>(call.inputs[t]->data)[i];
  }
}

const FootholdOperator kAll[] = {
    {sizeof(FootholdOperator), "TestAffine", kAffineInputs, 2, kAffineOutputs, 1, kAffineAttributes, 4,
     InferAffine, RunAffine, PlanAffine},
    {sizeof(FootholdOperator), "TestHead", kHeadInputs, 2, kHeadOutputs, 1, nullptr, 0, InferHead, RunHead,
     nullptr},
    {sizeof(FootholdOperator), "TestSum", kSumInputs, 1, kHeadOutputs, 1, nullptr, 0, nullptr, RunSum,
     nullptr},
    // What makes no sense is left out and told.
    {sizeof(FootholdOperator), "Add", kHeadInputs, 2, kHeadOutputs, 1, nullptr, 0, nullptr, RunHead, nullptr},
    {sizeof(FootholdOperator), "TestNoKernel", kHeadInputs, 2, kHeadOutputs, 1, nullptr, 0, nullptr, nullptr,
     nullptr},
    {8, "TestOldSize", kHeadInputs, 2, kHeadOutputs, 1, nullptr, 0, nullptr, RunHead, nullptr}};

}  // namespace

FOOTHOLD_OPERATORS() {
  if (version < 1) return nullptr;
  return index < sizeof kAll / sizeof *kAll ? &kAll[index] : nullptr;
}
