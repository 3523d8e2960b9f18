// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Which of the instruction sets the kernels were compiled for this machine runs. Any thread.
#pragma once

namespace foothold {

// "AVX2", "AVX3", "NEON" ...
const char* CpuTarget();

}  // namespace foothold
