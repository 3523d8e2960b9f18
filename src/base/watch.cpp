// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/watch.h"

namespace foothold::watch {

constinit std::atomic<std::uint32_t> watching{0};

}  // namespace foothold::watch
