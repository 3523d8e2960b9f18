// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Another name of exe_graph/runtime/tensor.h.
#ifndef FOOTHOLD_EXE_GRAPH_RUNTIME_RUNTIME_TENSOR_H_
#define FOOTHOLD_EXE_GRAPH_RUNTIME_RUNTIME_TENSOR_H_

#include "exe_graph/runtime/tensor.h"

#endif  // FOOTHOLD_EXE_GRAPH_RUNTIME_RUNTIME_TENSOR_H_
