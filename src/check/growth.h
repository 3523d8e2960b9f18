// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Objects of one place in the program that only become more (ACL-LEAK-007). Any thread.
#pragma once

#include "base/handle_pool.h"
#include "check/stacks.h"

namespace foothold::check {

void CountMade(HandleKind kind, const Site& site);
void CountGone(HandleKind kind, const Site& site);

}  // namespace foothold::check
