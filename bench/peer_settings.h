// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Which settings of ONNX Runtime are its fastest for a network, found by measuring them.
#pragma once

#include <filesystem>
#include <string>

#include "onnx_runtime.h"

namespace bench {

struct PeerWay {
  PeerSettings settings;
  bool bound = false;  // outputs are bound once; else every run allocates them

  void Run(OnnxRuntime::Model& model) const { bound ? model.RunBound() : model.Run(); }
};
// What differs from the defaults, in words; "defaults" if nothing does.
std::string Describe(const PeerWay& way);

// The fastest way to run the network with so many threads. Measured once for each name of a network and
// number of threads, then read from build/peer_settings.
PeerWay FastestWay(OnnxRuntime& peer, const std::filesystem::path& network, int threads);

}  // namespace bench
