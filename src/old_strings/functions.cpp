// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Compiled with the older kind of string and with all inline functions kept: what prebuilt programs import.
#include <string>

#include "ge/ge_api.h"
#include "ge/ge_api_error_codes.h"
#include "ge/ge_ir_build.h"
#include "graph/graph.h"
#include "graph/operator.h"
#include "graph/operator_factory.h"
#include "graph/tensor.h"

static_assert(_GLIBCXX_USE_CXX11_ABI == 0);
