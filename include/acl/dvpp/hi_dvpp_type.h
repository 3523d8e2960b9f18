// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Basic types of the hi_mpi interface.
#ifndef FOOTHOLD_ACL_DVPP_HI_DVPP_TYPE_H
#define FOOTHOLD_ACL_DVPP_HI_DVPP_TYPE_H

#ifdef __cplusplus
extern "C" {
#endif

#define hi_void        void
#define HI_NULL        0L
#define ALIGN_UP(x, a) ((((x) + ((a)-1)) / (a)) * (a))
#ifndef HI_FUNC_VISIBILITY
#define HI_FUNC_VISIBILITY __attribute__((visibility("default")))
#endif

typedef unsigned char hi_u8;
typedef signed char hi_s8;
typedef unsigned short hi_u16;
typedef short hi_s16;
typedef unsigned int hi_u32;
typedef int hi_s32;
typedef unsigned long long hi_u64;
typedef long long hi_s64;
typedef char hi_char;
typedef float hi_float;
typedef double hi_double;

#define HI_SUCCESS    0
#define HI_FAILURE    (-1)
#define DEFAULT_ALIGN 32
#define MAX_ALIGN     1024

typedef enum hi_bool {
  HI_FALSE = 0,
  HI_TRUE  = 1,
} hi_bool;

#ifdef __cplusplus
}
#endif

#endif
