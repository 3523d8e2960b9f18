// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Base of what operators that share a resource keep about it between shape inferences; see InferenceContext.
#ifndef FOOTHOLD_GRAPH_RESOURCE_CONTEXT_H_
#define FOOTHOLD_GRAPH_RESOURCE_CONTEXT_H_

namespace ge {

struct ResourceContext {
  virtual ~ResourceContext() {}
};

}  // namespace ge

#endif  // FOOTHOLD_GRAPH_RESOURCE_CONTEXT_H_
