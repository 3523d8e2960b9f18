// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
/* An operator of our own: ScaledAdd(x, y, scale) = x + scale * y. */
#include <foothold/operator.h>
#include <stdint.h>

/* ACL_FLOAT */
static const int32_t kTypes[] = {0};

static const FootholdPort kInputs[] = {{"x", FOOTHOLD_REQUIRED, kTypes, 1},
                                       {"y", FOOTHOLD_REQUIRED, kTypes, 1}};
static const FootholdPort kOutputs[] = {{"z", FOOTHOLD_REQUIRED, kTypes, 1}};
static const FootholdAttribute kAttributes[] = {{"scale", FOOTHOLD_FLOAT, 0, 0, 1.0f, 0, 0, 0, 0}};

static size_t Elements(const FootholdTensor* tensor) {
  size_t count = 1;
  for (size_t i = 0; i < tensor->rank; ++i)
    count *= (size_t)tensor->dims[i];
  return count;
}

/* The rule for shapes: both inputs have the same, and so has the output. */
static int Infer(FootholdNode* node) {
  const FootholdTensor *x = node->inputs[0], *y = node->inputs[1];
  if (x->rank != y->rank) return node->fail(node, "x and y have different numbers of dimensions");
  for (size_t i = 0; i < x->rank; ++i)
    if (x->dims[i] != y->dims[i]) return node->fail(node, "x and y have different shapes");
  node->set_output(node, 0, x->data_type, x->dims, x->rank);
  return FOOTHOLD_DONE;
}

/* The kernel: each block computes its share of the elements. */
static void ScaledAdd(const FootholdBlock* block, const void* args) {
  const FootholdCall* call = (const FootholdCall*)args;
  const float* x = (const float*)call->inputs[0]->data;
  const float* y = (const float*)call->inputs[1]->data;
  float* z = (float*)call->outputs[0]->data;
  const size_t count = Elements(call->inputs[0]);
  float scale = 1;
  call->node->get_float(call->node, "scale", &scale);
  for (size_t i = count * block->index / block->count; i < count * (block->index + 1) / block->count; ++i)
    z[i] = x[i] + scale * y[i];
}

static const FootholdOperator kScaledAdd = {
    sizeof(FootholdOperator), "ScaledAdd", kInputs, 2, kOutputs, 1, kAttributes, 1, Infer, ScaledAdd, 0};

FOOTHOLD_OPERATORS() {
  (void)version;
  return index == 0 ? &kScaledAdd : 0;
}
