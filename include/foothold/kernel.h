// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
/*
 * Kernels for this CPU. A shared object that exports functions of the form below is loaded with
 * aclrtBinaryLoadFromFile or aclrtBinaryLoadFromData; aclrtBinaryGetFunction finds each by its name, and the
 * aclrtLaunchKernel functions run it over blocks. It needs no library of Foothold:
 *
 *   cc -O2 -shared -fPIC -I"$ASCEND_HOME_PATH/include" add.c -o add.so
 *
 * C and C++. The structures may grow at their ends; struct_size says how much of one the library filled in.
 */
#ifndef FOOTHOLD_KERNEL_H_
#define FOOTHOLD_KERNEL_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define FOOTHOLD_EXPORT extern "C" __attribute__((visibility("default")))
extern "C" {
#else
#define FOOTHOLD_EXPORT extern __attribute__((visibility("default")))
#endif

/* The call of a kernel for one block of a launch. */
typedef struct FootholdBlock {
  size_t struct_size;
  uint32_t index; /* of this block: 0 to count - 1, more where the launch asked for an offset */
  uint32_t count; /* the blocks of the launch */
  size_t args_size;
  void*
      local; /* memory of this block alone, with any content: ACL_RT_LAUNCH_KERNEL_ATTR_DYN_UBUF_SIZE bytes */
  size_t local_size;
  /* Makes the task fail with this text (copied). The kernel goes on until it returns; further blocks are not
   * begun. An exception of C++ that leaves a kernel does the same. */
  void (*fail)(const struct FootholdBlock* block, const char* text);
  void* library; /* not the kernel's */
} FootholdBlock;

/*
 * `args` is the argument block of the launch: what aclrtKernelArgsAppend appended, in order, each at the next
 * multiple of its alignment (the largest power of two that divides its size, 8 at most), as the members of a
 * C structure are; or the bytes of aclrtLaunchKernelWithHostArgs; or those behind the pointer that
 * aclrtLaunchKernel got. Pointers in it can be followed.
 *
 * Blocks run in any order, several at a time on different threads, or one after the other on one thread: a
 * block never waits for another one. A kernel calls no function of acl/.
 */
typedef void (*FootholdKernel)(const FootholdBlock* block, const void* args);
#define FOOTHOLD_KERNEL(name) FOOTHOLD_EXPORT void name(const FootholdBlock* block, const void* args)

/*
 * Optional, exported as NAME_parameters: the sizes of the parameters of kernel NAME, 0 at the end. With it
 * aclrtFunctionGetParamCount, aclrtFunctionGetParamInfo and aclrtLaunchKernelWithArgsArray know them:
 *
 *   FOOTHOLD_KERNEL_PARAMETERS(add, sizeof(float*), sizeof(float*), sizeof(int64_t));
 */
#define FOOTHOLD_KERNEL_PARAMETERS(name, ...)       \
  FOOTHOLD_EXPORT const size_t name##_parameters[]; \
  const size_t name##_parameters[] = {__VA_ARGS__, 0}

/* A range of memory that a launch touches. */
typedef struct FootholdAccess {
  const void* address;
  size_t bytes;
  uint32_t use;     /* FOOTHOLD_READS, FOOTHOLD_WRITES or both */
  uint32_t partial; /* 1: may touch less than all of it */
} FootholdAccess;
enum { FOOTHOLD_READS = 1, FOOTHOLD_WRITES = 2 };

/*
 * Optional, exported as NAME_accesses: what a launch of kernel NAME touches of the program's memory. Called
 * when the kernel is launched, with `block->count` blocks. Puts at most `room` entries into `list` and
 * answers how many there are; it is called again where there was not room enough. The ranges are checked
 * when the kernel is launched and before it runs, so that freed or too little memory is an error and no
 * crash.
 */
typedef size_t (*FootholdKernelAccesses)(const FootholdBlock* block, const void* args, FootholdAccess* list,
                                         size_t room);
#define FOOTHOLD_KERNEL_ACCESSES(name)                                                                       \
  FOOTHOLD_EXPORT size_t name##_accesses(const FootholdBlock* block, const void* args, FootholdAccess* list, \
                                         size_t room)

#ifdef __cplusplus
}
#endif

#endif
