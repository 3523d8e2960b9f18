// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "compiler/pipeline.h"

#include "compiler/passes/block_channels.h"
#include "compiler/passes/fold_batch_norm.h"
#include "compiler/passes/fold_late.h"
#include "compiler/passes/fuse_aipp.h"
#include "compiler/passes/fuse_attention.h"
#include "compiler/passes/fuse_convolutions.h"
#include "compiler/passes/fuse_elementwise.h"
#include "compiler/passes/fuse_gelu.h"
#include "compiler/passes/fuse_layer_norm.h"
#include "compiler/passes/fuse_products.h"
#include "compiler/passes/remove_dead_nodes.h"
#include "compiler/passes/scale_integer_products.h"
#include "compiler/passes/use_integers.h"
#include "ir/stored_weight.h"

namespace foothold {
namespace {

using Pass = bool (*)(Graph&);

constexpr Pass kPasses[] = {
    RemoveDeadNodes,  // what folding has left
    UseIntegers,      // where floats are quantised again
    ScaleIntegerProducts,
    FoldLate,          // what integers have left
    FoldBatchNorm,     // into the convolutions before
    BlockChannels,     // the layout convolutions are fastest in
    FuseAipp,          // pictures are prepared in that layout
    FuseConvolutions,  // activations and sums into the convolutions before them
    FuseLayerNorm,     // the parts exporters write it in become one node
    FuseGelu,          // the same
    FuseAttention,     // with the transpositions and splits around it
    FuseProducts,      // biases, residuals and activations into the products before them
    RemoveDeadNodes,   // what attention reads through
    FuseElementwise,   // what is left to it: passes that know better come before
};

}  // namespace

void RunPasses(Graph& graph) {
  for (const Pass pass : kPasses) {
    const WeightUses uses;  // passes keep no addresses
    pass(graph);
  }
}

}  // namespace foothold
