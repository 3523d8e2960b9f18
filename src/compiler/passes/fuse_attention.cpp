// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "compiler/passes/fuse_attention.h"

#include <algorithm>

#include "compiler/passes/head_view.h"
#include "compiler/passes/patterns.h"
#include "ops/attention/head_attention.h"

namespace foothold {
namespace {

// Found from its softmax.
class Match {
 public:
  Match(Graph& graph, Node& softmax) : graph_(graph), softmax_(softmax), nodes_{&softmax} {}

  bool Rewrite() {
    if (!IsOverLast() || !FindScores() || !FindValues() || !IsClosed(graph_, nodes_, *last_)) return false;
    SetHeadAttention(*last_, attention_);
    Become(*last_, "HeadAttention",
           {{"query", query_.source},
            {"key", key_.source},
            {"value", value_.source},
            {"shift", shift_},
            {"mask", mask_}});
    std::erase(nodes_, last_);
    for (Node* node : nodes_)
      graph_.Drop(*node);
    return true;
  }

 private:
  bool IsOverLast() const {
    const std::vector<std::int64_t> axes = softmax_.Ints("axes", {-1});
    const auto rank = static_cast<std::int64_t>(TypeOf({&softmax_, 0}).dims.size());
    return rank == 4 && axes.size() == 1 && (axes[0] == -1 || axes[0] == rank - 1) &&
           IsFloat(Operand(softmax_, 0)) && IsFloat({&softmax_, 0});
  }

  // From the softmax backwards: a mask, a shift, a scale, the product.
  bool FindScores() {
    scores_ = Operand(softmax_, 0);
    return FindMask() && FindShift() && FindScale() && FindKeys();
  }

  void GoOnFrom(Node& node, const OutputRef& operand) {
    nodes_.push_back(&node);
    scores_ = operand;
  }

  // The distances at which a value of fewer dimensions, or with dimensions of one element, is repeated.
  static std::optional<AttentionStrides> Repeated(const OutputRef& value, const Dims& scores) {
    const Dims& dims = TypeOf(value).dims;
    if (dims.size() > 4 || dims.empty() || dims.back() != scores.back()) return std::nullopt;
    std::size_t strides[4] = {}, stride = 1;
    for (std::size_t i = 0; i < dims.size(); ++i) {
      const std::int64_t own = dims[dims.size() - 1 - i];
      if (own != 1 && own != scores[3 - i]) return std::nullopt;
      strides[3 - i] = own == 1 ? 0 : stride;
      stride *= static_cast<std::size_t>(own);
    }
    return AttentionStrides{strides[0], strides[1], strides[2], 1};
  }

  bool FindMask() {
    Node* select = Maker(scores_, "SelectV2");
    if (select == nullptr) return true;
    const OutputRef mask = Operand(*select, 0), scores = Operand(*select, 2);
    const auto hidden = KnownScalar(Operand(*select, 1));
    if (!hidden || TypeOf(mask).type != DataType::kBool || !IsFloat(scores)) return false;
    if (TypeOf(scores) != TypeOf(scores_)) return false;
    const auto strides = Repeated(mask, TypeOf(scores_).dims);
    if (!strides) return false;
    attention_.shape.mask = *strides;
    attention_.hidden = static_cast<float>(*hidden);
    mask_ = mask;
    GoOnFrom(*select, scores);
    return true;
  }

  bool FindShift() {
    Node* sum = Maker(scores_, "Add");
    if (sum == nullptr) return true;
    for (const int port : {1, 0}) {
      const OutputRef shift = Operand(*sum, port), scores = Operand(*sum, 1 - port);
      if (!IsFloat(shift) || !IsFloat(scores) || TypeOf(scores) != TypeOf(scores_)) continue;
      if (!IsScaledProduct(scores)) continue;
      const auto strides = Repeated(shift, TypeOf(scores_).dims);
      if (!strides) continue;
      attention_.shape.shift = *strides;
      shift_ = shift;
      GoOnFrom(*sum, scores);
      return true;
    }
    return false;
  }

  static bool IsProduct(const OutputRef& value) {
    return Maker(value, "BatchMatMulV2") != nullptr || Maker(value, "BatchMatMul") != nullptr;
  }
  static bool IsScaledProduct(const OutputRef& value) {
    return IsProduct(value) || Maker(value, "Div") != nullptr || Maker(value, "Mul") != nullptr;
  }

  bool FindScale() {
    Node* div = Maker(scores_, "Div");
    Node* node = div != nullptr ? div : Maker(scores_, "Mul");
    if (node == nullptr) return true;
    const auto first = KnownScalar(Operand(*node, 0)), second = KnownScalar(Operand(*node, 1));
    if (div != nullptr ? !second : !first && !second) return false;
    attention_.shape.scale = static_cast<float>(div != nullptr ? 1 / *second : second ? *second : *first);
    GoOnFrom(*node, Operand(*node, second ? 0 : 1));
    return true;
  }

  static bool IsPlain(const Node& product) {
    return IsFloat(Operand(product, 0)) && IsFloat(Operand(product, 1)) && product.InputIndex("x1") == 0 &&
           product.InputIndex("x2") == 1 && !Operand(product, 2) && !product.Bool("adj_x1", false) &&
           !product.Bool("adj_x2", false);
  }

  bool FindKeys() {
    if (!IsProduct(scores_) || !IsPlain(*scores_.node)) return false;
    const auto query = ViewOf(Operand(*scores_.node, 0)), key = ViewOf(Operand(*scores_.node, 1));
    if (!query || !key || query->strides[3] != 1 || key->strides[2] != 1) return false;
    if (query->extents[0] != key->extents[0] || query->extents[1] != key->extents[1]) return false;
    nodes_.push_back(scores_.node);
    query_ = *query;
    key_ = *key;
    AttentionShape& s = attention_.shape;
    s.batch = query->extents[0];
    s.heads = s.kv_heads = query->extents[1];
    s.rows = query->extents[2];
    s.depth = query->extents[3];
    s.columns = key->extents[3];
    s.query = {query->strides[0], query->strides[1], query->strides[2], 1};
    s.key = {key->strides[0], key->strides[1], key->strides[3], 1};
    attention_.query_offset = query->offset;
    attention_.key_offset = key->offset;
    return true;
  }

  bool FindValues() {
    Node* product = OnlyReader(graph_, softmax_);
    if (product == nullptr || !IsProduct({product, 0}) || !IsPlain(*product)) return false;
    if (Operand(*product, 0) != OutputRef{&softmax_, 0}) return false;
    const auto value = ViewOf(Operand(*product, 1));
    AttentionShape& s = attention_.shape;
    if (!value || value->strides[3] != 1) return false;
    if (value->extents[0] != s.batch || value->extents[1] != s.heads || value->extents[2] != s.columns)
      return false;
    value_ = *value;
    s.value_depth = value->extents[3];
    s.value = {value->strides[0], value->strides[1], value->strides[2], 1};
    attention_.value_offset = value->offset;
    nodes_.push_back(product);
    FindLast(*product);
    return true;
  }

  // Heads side by side, where a transposition would put them, or one after the other.
  void FindLast(Node& product) {
    AttentionShape& s = attention_.shape;
    constexpr std::array<std::size_t, 4> kSideBySide{0, 2, 1, 3};
    Node* reader = OnlyReader(graph_, product);
    const bool side_by_side = reader != nullptr && OrderOf(*reader) == kSideBySide;
    last_ = side_by_side ? reader : &product;
    if (side_by_side) nodes_.push_back(reader);
    const std::size_t all = s.heads * s.rows * s.value_depth;
    s.out = side_by_side ? AttentionStrides{all, s.value_depth, s.heads * s.value_depth, 1}
                         : AttentionStrides{all, s.rows * s.value_depth, s.value_depth, 1};
  }

  Graph& graph_;
  Node& softmax_;
  std::vector<Node*> nodes_;  // of the pattern
  OutputRef scores_;          // how far back the match has come
  OutputRef shift_, mask_;
  HeadView query_, key_, value_;
  Node* last_ = nullptr;
  HeadAttention attention_;
};

}  // namespace

bool FuseAttention(Graph& graph) {
  bool any = false;
  for (Node* node : graph.Order())
    if (node->type() == "SoftmaxV2" && node->outputs().size() == 1) any |= Match(graph, *node).Rewrite();
  graph.Sweep();
  return any;
}

}  // namespace foothold
