// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Another name of graph/ge_error_codes.h.
#ifndef FOOTHOLD_GRAPH_ERROR_CODES_H_
#define FOOTHOLD_GRAPH_ERROR_CODES_H_

#include "graph/ge_error_codes.h"

#endif  // FOOTHOLD_GRAPH_ERROR_CODES_H_
