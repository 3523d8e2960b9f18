// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The peer of graphs and networks.
#pragma once

#include "onnx_runtime/onnx_runtime.h"

namespace bench {

using peer::OnnxRuntime;
using peer::PeerSettings;
using peer::PeerTensor;

}  // namespace bench
