// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Ways to the first result of a network, each as its users write it. Inputs are zeros. All give the seconds
// from the beginning of loading to the result; the program ends if something fails.
#pragma once

#include <string>

namespace bench {

void Convert(const std::string& onnx, const std::string& om);
double LoadOffline(const std::string& om);
double LoadOnnx(const std::string& onnx);
double LoadInPeer(const std::string& onnx);

}  // namespace bench
