// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/data_buffer.h"

namespace foothold {
namespace {

// Before there are threads, so that no fork finds it half made.
[[maybe_unused]] const DataBuffers& made_at_load = DataBuffers::Get();

}  // namespace
}  // namespace foothold
