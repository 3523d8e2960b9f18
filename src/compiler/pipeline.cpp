// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "compiler/pipeline.h"

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <set>
#include <string>
#include <string_view>

#include "compiler/passes/block_channels.h"
#include "compiler/passes/fold_batch_norm.h"
#include "compiler/passes/fold_late.h"
#include "compiler/passes/fold_views.h"
#include "compiler/passes/fuse_aipp.h"
#include "compiler/passes/fuse_attention.h"
#include "compiler/passes/fuse_convolutions.h"
#include "compiler/passes/fuse_elementwise.h"
#include "compiler/passes/fuse_expansions.h"
#include "compiler/passes/fuse_gelu.h"
#include "compiler/passes/fuse_layer_norm.h"
#include "compiler/passes/fuse_products.h"
#include "compiler/passes/remove_dead_nodes.h"
#include "compiler/passes/scale_integer_products.h"
#include "compiler/passes/use_integers.h"
#include "ir/node_walk.h"
#include "ir/stored_weight.h"

namespace foothold {
namespace {

struct Pass {
  bool (*run)(Graph&);                                       // true: has changed something
  std::initializer_list<std::string_view> begins_with = {};  // one of these types; none: with any node
  bool after_changes = false;                                // of others since the first
};

const Pass kPasses[] = {
    {RemoveDeadNodes},                      // what folding has left
    {UseIntegers, {"OnnxQuantizeLinear"}},  // where floats are quantised again
    {ScaleIntegerProducts, {"OnnxMatMulInteger", "MatMul", "MatMulV2"}},
    {FoldLate, {"OnnxQuantizeLinear", "OnnxDequantizeLinear"}},  // what integers have left
    {FoldBatchNorm, {"BatchNorm", "BNInfer"}},                   // into the convolutions before
    {BlockChannels, {"Conv2D"}},                                 // the layout convolutions are fastest in
    {FuseAipp, {"BlockChannels"}},                               // pictures are prepared in that layout
    {FuseConvolutions, {"BlockedConv2D"}},  // activations and sums into the convolutions before them
    {FuseExpansions, {"BlockedConv2D"}},    // 1x1 convolutions into the depthwise ones behind them
    {FuseLayerNorm, {"Div"}},               // the parts exporters write it in become one node
    {FuseGelu, {"Erf", "Tanh"}},            // the same
    {FuseAttention, {"SoftmaxV2"}},         // with the transpositions and splits around it
    {FuseProducts,                          // biases, residuals and activations into the products before them
     {"MatMul", "MatMulV2", "BatchMatMul", "BatchMatMulV2", "ScaledMatMulInteger"}},
    {RemoveDeadNodes, {}, true},  // as what attention reads through
    {FuseElementwise},            // what is left to it: passes that know better come before
    {FoldViews},                  // no pass after it knows of views
};

// The types of nodes there are: passes that find nothing to begin with need not walk through the graph.
class TypesOfNodes {
 public:
  explicit TypesOfNodes(const Graph& graph) { Look(graph); }

  void Look(const Graph& graph) {
    types_.clear();
    for (const Node* node : TypeWalk(graph.nodes()))
      if (types_.find(node->type()) == types_.end()) types_.insert(node->type());
  }
  bool HasAny(std::initializer_list<std::string_view> types) const {
    return types.size() == 0 || std::any_of(types.begin(), types.end(), [&](std::string_view type) {
             return types_.find(type) != types_.end();
           });
  }

 private:
  std::set<std::string, std::less<>> types_;
};

}  // namespace

void RunPasses(Graph& graph) {
  TypesOfNodes types(graph);
  bool any_change = false;
  for (const Pass& pass : kPasses) {
    if (!types.HasAny(pass.begins_with) || (pass.after_changes && !any_change)) continue;
    const WeightUses uses;  // passes keep no addresses
    const bool changed = pass.run(graph);
    if (changed) types.Look(graph);
    any_change |= changed;
  }
}

}  // namespace foothold
