// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What a file of samples includes: the language of tables, all functions of aclnn, helpers of references.
#pragma once

#include "all_functions.h"
#include "samples/blocks.h"
#include "samples/sample.h"
