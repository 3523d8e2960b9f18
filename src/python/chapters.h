// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The chapters of the module: tables of functions, each in a file of its own. module.cpp puts them together.
#pragma once

#include <span>

#include "python/function.h"

namespace foothold {

// acl
std::span<const Function> InitFunctions();
std::span<const Function> DataBufferFunctions();
std::span<const Function> TensorFunctions();
// acl.rt
std::span<const Function> DeviceFunctions();
std::span<const Function> ContextFunctions();
std::span<const Function> StreamFunctions();
std::span<const Function> EventFunctions();
std::span<const Function> MemoryFunctions();
std::span<const Function> VirtualMemoryFunctions();
std::span<const Function> CallbackFunctions();
std::span<const Function> KernelFunctions();
// acl.mdl
std::span<const Function> ModelFunctions();
std::span<const Function> ModelDescFunctions();
std::span<const Function> AippFunctions();
std::span<const Function> DumpFunctions();
// acl.op, acl.blas, acl.prof
std::span<const Function> OperatorFunctions();
std::span<const Function> BlasFunctions();
std::span<const Function> ProfilingFunctions();
// acl.util
std::span<const Function> PointerFunctions();
std::span<const Function> ThreadFunctions();
// acl.media
std::span<const Function> MediaFunctions();
std::span<const Function> VideoFunctions();

}  // namespace foothold
