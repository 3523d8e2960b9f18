// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Names of numbers in hcom.h.
#ifndef FOOTHOLD_HCCL_BASE_H_
#define FOOTHOLD_HCCL_BASE_H_

#ifdef __cplusplus
extern "C" {
#endif

typedef unsigned int u32;
typedef unsigned long long u64;

#ifdef __cplusplus
}
#endif

#endif  // FOOTHOLD_HCCL_BASE_H_
