// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The networks of tools/training/networks.py, each as a step of training.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "training_tape.h"

namespace bench {

struct TrainingStep {
  ge::Graph graph;
  std::unique_ptr<Tape> tape;
  Optimizer optimizer;
};

const std::vector<std::string>& TrainingNetworks();
// Keeps a reference to the arrays.
TrainingStep MakeTrainingStep(const std::string& network, const TrainingArrays& arrays);

}  // namespace bench
