// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <foothold/kernel.h>

typedef struct {
  const float* x;
  const float* y;
  float* sum;
  int64_t count;
} AddArguments;

/* Each block adds its share of the elements. */
FOOTHOLD_KERNEL(add) {
  const AddArguments* a = (const AddArguments*)args;
  const int64_t begin = a->count * block->index / block->count;
  const int64_t end = a->count * (block->index + 1) / block->count;
  for (int64_t i = begin; i < end; ++i)
    a->sum[i] = a->x[i] + a->y[i];
}

/* Optional: what a launch touches is checked before it runs. */
FOOTHOLD_KERNEL_ACCESSES(add) {
  const AddArguments* a = (const AddArguments*)args;
  const size_t bytes = (size_t)a->count * sizeof(float);
  const FootholdAccess all[] = {{a->x, bytes, FOOTHOLD_READS, 0},
                                {a->y, bytes, FOOTHOLD_READS, 0},
                                {a->sum, bytes, FOOTHOLD_WRITES, 0}};
  (void)block;
  for (size_t i = 0; i < 3 && i < room; ++i)
    list[i] = all[i];
  return 3;
}
