// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Ways to the first result of a network, each as its users write it. Inputs are zeros. The program ends if
// something fails.
#pragma once

#include <string>

namespace bench {

struct LoadCost {
  double seconds = 0;    // from the beginning of loading to the result
  double megabytes = 0;  // resident then, with all that another run needs
};

void Convert(const std::string& onnx, const std::string& om);
LoadCost LoadOffline(const std::string& om);
LoadCost LoadOnnx(const std::string& onnx);
LoadCost LoadInPeer(const std::string& onnx);
// "VmRSS:" or "VmHWM:" of this process, in megabytes.
double MemoryOf(const std::string& row);

}  // namespace bench
