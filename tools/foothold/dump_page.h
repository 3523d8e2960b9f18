// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A comparison of dumps as one page: the graph, coloured by error, and the numbers. Needs nothing but a
// browser. One thread at a time.
#pragma once

#include <string>
#include <vector>

#include "foothold/dump_difference.h"
#include "ir/graph.h"

namespace foothold::dump {

// Without a graph the nodes are drawn one after the other, as they ran.
std::string DifferencePage(const DifferenceReport& report, const std::string& title, const Graph* graph);

}  // namespace foothold::dump
