// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Kernels that tests load. Their arguments are device memory unless a comment says otherwise.
#include <foothold/kernel.h>

#include <atomic>
#include <cstring>
#include <stdexcept>
#include <thread>

namespace {

struct AddArguments {
  const float* x;
  const float* y;
  float* z;
  std::int64_t count;
  float factor;
};

}  // namespace

// z = x + factor * y.
FOOTHOLD_KERNEL_PARAMETERS(add, sizeof(float*), sizeof(float*), sizeof(float*), sizeof(std::int64_t),
                           sizeof(float));
FOOTHOLD_KERNEL(add) {
  const auto& a = *static_cast<const AddArguments*>(args);
  const std::int64_t begin = a.count * block->index / block->count;
  const std::int64_t end = a.count * (block->index + 1) / block->count;
  for (std::int64_t i = begin; i < end; ++i)
    a.z[i] = a.x[i] + a.factor * a.y[i];
}

// The same, and says what it touches.
FOOTHOLD_KERNEL_PARAMETERS(careful_add, sizeof(float*), sizeof(float*), sizeof(float*), sizeof(std::int64_t),
                           sizeof(float));
FOOTHOLD_KERNEL(careful_add) {
  add(block, args);
}
FOOTHOLD_KERNEL_ACCESSES(careful_add) {
  (void)block;
  const auto& a = *static_cast<const AddArguments*>(args);
  const std::size_t bytes = static_cast<std::size_t>(a.count) * sizeof(float);
  const FootholdAccess all[] = {
      {a.x, bytes, FOOTHOLD_READS, 0}, {a.y, bytes, FOOTHOLD_READS, 0}, {a.z, bytes, FOOTHOLD_WRITES, 0}};
  for (std::size_t i = 0; i < 3 && i < room; ++i)
    list[i] = all[i];
  return 3;
}

// The same with the arguments that a program chose: inputs, output, workspace, and how many.
FOOTHOLD_KERNEL(add_tiled) {
  struct Tiling {
    std::int64_t count;
    float factor;
  };
  struct Arguments {
    const float *x, *y;
    float* z;
    float* workspace;
    const Tiling* tiling;
  };
  const auto& a = *static_cast<const Arguments*>(args);
  if (block->index == 0) a.workspace[63] = 1;
  for (std::int64_t i = block->index; i < a.tiling->count; i += block->count)
    a.z[i] = a.tiling->factor * (a.x[i] + a.y[i]);
}

// Adds 1 to the cell with the block's number, and 1000 times the number of blocks.
FOOTHOLD_KERNEL(count_blocks) {
  std::uint64_t* cells;
  std::memcpy(&cells, args, sizeof cells);
  cells[block->index] += 1 + 1000 * std::uint64_t{block->count};
}

FOOTHOLD_KERNEL(empty) {
  (void)block;
  (void)args;
}

// cell = the sum of `count` numbers that come along.
FOOTHOLD_KERNEL(sum_along) {
  struct Arguments {
    std::uint64_t* cell;
    const std::uint64_t* numbers;
    std::uint32_t count;
  };
  const auto& a = *static_cast<const Arguments*>(args);
  if (block->index != 0) return;
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < a.count; ++i)
    sum += a.numbers[i];
  *a.cell = sum;
}

// cell = the bytes of local memory, if all can be written.
FOOTHOLD_KERNEL(use_local) {
  std::uint64_t* cell;
  std::memcpy(&cell, args, sizeof cell);
  if (block->local != nullptr) std::memset(block->local, 1, block->local_size);
  *cell = block->local_size;
}

FOOTHOLD_KERNEL(throw_exception) {
  (void)args;
  if (block->index == block->count - 1) throw std::runtime_error("as the test wants");
}

FOOTHOLD_KERNEL(throw_number) {
  (void)block;
  (void)args;
  throw 7;
}

FOOTHOLD_KERNEL(fail_with_text) {
  (void)args;
  block->fail(block, "the third value is odd");
}

FOOTHOLD_KERNEL(crash) {
  (void)args;
  if (block->index == 1) *static_cast<volatile int*>(nullptr) = 1;
}

// Its argument is an atomic<int> of the host: 1 when it has begun; it ends when that is 2.
FOOTHOLD_KERNEL(hold) {
  if (block->index != 0) return;
  std::atomic<int>* state;
  std::memcpy(&state, args, sizeof state);
  int none = 0;
  state->compare_exchange_strong(none, 1);
  while (state->load() != 2)
    std::this_thread::yield();
}

FOOTHOLD_EXPORT std::uint64_t kernel_variable;
std::uint64_t kernel_variable = 5;

// cell = kernel_variable.
FOOTHOLD_KERNEL(read_variable) {
  (void)block;
  std::uint64_t* cell;
  std::memcpy(&cell, args, sizeof cell);
  *cell = kernel_variable;
}

FOOTHOLD_KERNEL(variant_7) {
  empty(block, args);
}
FOOTHOLD_KERNEL(one_8) {
  empty(block, args);
}
FOOTHOLD_KERNEL(other_8) {
  empty(block, args);
}

__attribute__((visibility("default"))) void plain_cpp(const FootholdBlock* block, const void* args) {
  empty(block, args);
}

// Declares a parameter that no memory has room for.
FOOTHOLD_KERNEL_PARAMETERS(too_large, SIZE_MAX);
FOOTHOLD_KERNEL(too_large) {
  (void)block;
  (void)args;
}
