// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Methods of sessions that are declared and not supported: each answers with the status for that and one
// message that names it.
#include "api/ge/session_guard.h"
#include "base/graph_codes.h"
#include "ge/ge_api.h"
#include "ge/ge_api_v2.h"

namespace ge {
namespace {

Status NotSupported(const char* method) {
  return foothold::GuardSession(
      method, [&] { foothold::Fail(foothold::kGeUnsupported, "{} is not supported", method); });
}

}  // namespace

Status Session::FeedDataFlowGraph(uint32_t, const std::vector<Tensor>&, const DataFlowInfo&, int32_t) {
  return NotSupported("Session::FeedDataFlowGraph");
}
Status Session::FeedDataFlowGraph(uint32_t, const std::vector<uint32_t>&, const std::vector<Tensor>&,
                                  const DataFlowInfo&, int32_t) {
  return NotSupported("Session::FeedDataFlowGraph");
}
Status Session::FetchDataFlowGraph(uint32_t, std::vector<Tensor>&, DataFlowInfo&, int32_t) {
  return NotSupported("Session::FetchDataFlowGraph");
}
Status Session::FetchDataFlowGraph(uint32_t, const std::vector<uint32_t>&, std::vector<Tensor>&,
                                   DataFlowInfo&, int32_t) {
  return NotSupported("Session::FetchDataFlowGraph");
}
Status Session::ShardGraphs() const {
  return NotSupported("Session::ShardGraphs");
}
Status Session::ShardGraphsToFile(const char_t*) const {
  return NotSupported("Session::ShardGraphsToFile");
}

}  // namespace ge
