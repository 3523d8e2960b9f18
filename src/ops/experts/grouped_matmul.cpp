// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// GroupedMatmul: products of pairs of matrices, or of the rows of one matrix with that of their group. Of
// floats; of int8, with sums that are scaled; and of floats with weights of int8, which are scaled first:
//
//   y = x w + bias
//   y = (x w + bias of int32) scale token_scale + bias of floats
//   y = x ((w + antiquant_offset) antiquant_scale) + bias
#include "ops/experts/grouped_matmul.h"

#include <bit>
#include <map>
#include <optional>

#include "kernels/element_function.h"
#include "kernels/half_convert.h"
#include "ops/data/rule_arguments.h"
#include "ops/element_types.h"
#include "ops/experts/group_list.h"
#include "ops/experts/group_product.h"
#include "ops/matrix/stored_operands.h"
#include "ops/quantized/quantized_row.h"
#include "ops/through_float.h"

namespace foothold {
namespace {

// Numbers of a group as floats. A scale of 64 bits has a float in its lower half.
class NumberReader {
 public:
  NumberReader() = default;
  NumberReader(const OpContext& context, const GroupNumbers& numbers)
      : numbers_(numbers), type_(numbers.port < 0 ? DataType::kFloat : context.In(numbers.port).type) {}

  // One for each column.
  void Fill(const RunArgs& args, std::size_t columns, float* to) const {
    for (std::size_t i = 0; i < columns; ++i)
      to[i] = (*this)(args, i);
  }

  explicit operator bool() const { return numbers_.port >= 0; }
  bool whole() const { return type_ == DataType::kInt32; }
  std::int32_t Whole(const RunArgs& args, std::size_t i) const {
    return args.In<std::int32_t>(numbers_.port)[At(i)];
  }
  float operator()(const RunArgs& args, std::size_t i) const {
    switch (type_) {
      case DataType::kFloat16:
        return static_cast<float>(args.In<Half>(numbers_.port)[At(i)]);
      case DataType::kBfloat16:
        return static_cast<float>(args.In<Bfloat16>(numbers_.port)[At(i)]);
      case DataType::kInt64:
      case DataType::kUint64:
        return std::bit_cast<float>(static_cast<std::uint32_t>(args.In<std::uint64_t>(numbers_.port)[At(i)]));
      default:
        return args.In<float>(numbers_.port)[At(i)];
    }
  }

 private:
  std::size_t At(std::size_t i) const { return numbers_.first + (numbers_.count == 1 ? 0 : i); }

  GroupNumbers numbers_;
  DataType type_ = DataType::kFloat;
};

std::optional<HalfKind> HalfKindOf(DataType type) {
  if (type == DataType::kFloat16) return HalfKind::kFloat16;
  if (type == DataType::kBfloat16) return HalfKind::kBfloat16;
  return std::nullopt;
}

void StoreFloats(const float* from, std::size_t count, DataType type, std::byte* to) {
  if (const auto kind = HalfKindOf(type))
    return HalvesFromFloats(*kind, from, reinterpret_cast<std::uint16_t*>(to), count);
  if (type == DataType::kFloat) std::copy_n(from, count, reinterpret_cast<float*>(to));
  for (std::size_t i = 0; type == DataType::kInt8 && i < count; ++i)
    reinterpret_cast<std::int8_t*>(to)[i] = ToInt8(from[i]);
}

struct Group {
  GroupedProduct product;
  NumberReader bias, scale, antiquant_scale, antiquant_offset;
};

// What both kinds of products share: the groups, and where their rows are.
class GroupedKernel : public Kernel {
 public:
  GroupedKernel(const OpContext& context, GroupedMatmulForm form) : form_(std::move(form)) {
    for (const GroupedProduct& one : form_.groups)
      groups_.push_back({one, NumberReader(context, one.bias), NumberReader(context, one.scale),
                         NumberReader(context, one.antiquant_scale),
                         NumberReader(context, one.antiquant_offset)});
    if (form_.listed)
      list_.emplace(context, context.Port("group_list"), GroupListKindOf(context, "group_list_type"),
                    form_.rows);
    y_bytes_ = ElementBytes(context, form_.y_type), x_bytes_ = ElementBytes(context, form_.x_type);
    weight_bytes_ = ElementBytes(context, form_.weight_type);
  }

  void Run(const RunArgs& args) const override {
    if (!list_) {
      for (const Group& group : groups_)
        RunGroup(args, group, 0, group.product.y_row, group.product.rows);
      return;
    }
    const std::size_t used = list_->ForEach(args, groups_.size(), [&](const RowGroup& rows) {
      RunGroup(args, groups_[rows.index], rows.begin, rows.begin, rows.rows);
    });
    const std::size_t row = groups_.empty() ? 0 : groups_[0].product.columns * y_bytes_;
    if (row > 0) std::fill_n(args.outputs[0] + used * row, (form_.rows - used) * row, std::byte{0});
  }

 protected:
  virtual void RunGroup(const RunArgs& args, const Group& group, std::size_t x_row, std::size_t y_row,
                        std::size_t rows) const = 0;

  const std::byte* X(const RunArgs& args, const Group& group, std::size_t row) const {
    return args.inputs[group.product.x] + row * group.product.depth * x_bytes_;
  }
  std::byte* Y(const RunArgs& args, const Group& group, std::size_t row) const {
    return args.outputs[group.product.y] + row * group.product.columns * y_bytes_;
  }
  const std::byte* Weight(const RunArgs& args, const Group& group) const {
    const GroupedProduct& one = group.product;
    return args.inputs[one.weight] + one.matrix * one.depth * one.columns * weight_bytes_;
  }
  // Rows that a group can have.
  std::size_t MostRows(const Group& group) const { return list_ ? form_.rows : group.product.rows; }
  // One product for all groups of a size; that for the most rows does for fewer.
  template <typename Product, typename... Kinds>
  void AddProduct(std::map<std::pair<std::size_t, std::size_t>, Product>& products, const Group& group,
                  Kinds... kinds) const {
    std::size_t most = 0;
    const auto key = std::pair(group.product.depth, group.product.columns);
    for (const Group& other : groups_)
      if (std::pair(other.product.depth, other.product.columns) == key)
        most = std::max(most, MostRows(other));
    products.try_emplace(key, most, key.first, key.second, form_.transposed, kinds...);
  }

  GroupedMatmulForm form_;
  std::vector<Group> groups_;

 private:
  std::optional<GroupList> list_;
  std::size_t y_bytes_, x_bytes_, weight_bytes_;
};

std::size_t Aligned(std::size_t bytes) {
  return RoundUp(bytes, kTensorAlignment);
}

class FloatGroups final : public GroupedKernel {
 public:
  FloatGroups(const OpContext& context, GroupedMatmulForm form) : GroupedKernel(context, std::move(form)) {
    for (const Group& group : groups_) {
      AddProduct(products_, group, FloatKindOf(form_.x_type), FloatKindOf(form_.weight_type));
      const std::size_t rows = std::min(MostRows(group), GroupProduct::kMostRows);
      y_bytes_ = std::max(y_bytes_, Aligned(rows * group.product.columns * sizeof(float)));
      if (group.bias) bias_bytes_ = std::max(bias_bytes_, Aligned(group.product.columns * sizeof(float)));
      if (form_.weight_type == DataType::kInt8)
        w_bytes_ = std::max(w_bytes_, Aligned(group.product.depth * group.product.columns * sizeof(float)));
    }
    for (const auto& [size, product] : products_)
      product_bytes_ = std::max(product_bytes_, Aligned(product.WorkspaceBytes()));
  }

  std::size_t WorkspaceBytes() const override { return y_bytes_ + w_bytes_ + bias_bytes_ + product_bytes_; }

 private:
  void RunGroup(const RunArgs& args, const Group& group, std::size_t x_row, std::size_t y_row,
                std::size_t rows) const override {
    const std::size_t columns = group.product.columns;
    if (rows == 0 || columns == 0) return;
    const GroupProduct& product = products_.at({group.product.depth, columns});
    auto* y = reinterpret_cast<float*>(args.workspace);
    const std::byte* weight = FloatWeight(args, group);
    auto* bias = reinterpret_cast<float*>(args.workspace + y_bytes_ + w_bytes_);
    if (group.bias) group.bias.Fill(args, columns, bias);
    const GemmEpilogue finish{.column_bias = group.bias ? bias : nullptr};
    for (std::size_t begin = 0; begin < rows; begin += GroupProduct::kMostRows) {
      const std::size_t count = std::min(GroupProduct::kMostRows, rows - begin);
      product.Run(X(args, group, x_row + begin), count, weight, y, finish,
                  args.workspace + y_bytes_ + w_bytes_ + bias_bytes_);
      StoreFloats(y, count * columns, form_.y_type, Y(args, group, y_row + begin));
    }
  }

  const std::byte* FloatWeight(const RunArgs& args, const Group& group) const {
    const std::byte* weight = Weight(args, group);
    if (form_.weight_type != DataType::kInt8) return weight;
    std::byte* floats = args.workspace + y_bytes_;
    Dequantize(args, group, reinterpret_cast<const std::int8_t*>(weight), reinterpret_cast<float*>(floats));
    return floats;
  }

  void Dequantize(const RunArgs& args, const Group& group, const std::int8_t* from, float* to) const {
    const std::size_t columns = group.product.columns, depth = group.product.depth;
    const std::size_t lines = form_.transposed ? columns : depth, width = form_.transposed ? depth : columns;
    ParallelFor(lines, 1 + 16384 / (1 + width), [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin * width; i < end * width; ++i) {
        const std::size_t column = form_.transposed ? i / width : i % width;
        const float offset = group.antiquant_offset ? group.antiquant_offset(args, column) : 0.0f;
        to[i] = (static_cast<float>(from[i]) + offset) * group.antiquant_scale(args, column);
      }
    });
  }

  std::map<std::pair<std::size_t, std::size_t>, GroupProduct> products_;
  std::size_t y_bytes_ = 0, w_bytes_ = 0, bias_bytes_ = 0, product_bytes_ = 0;
};

const ElementFunction* FunctionOf(GroupActivation activation) {
  switch (activation) {
    case GroupActivation::kRelu:
      return FindElementFunction("Relu");
    case GroupActivation::kTanhGelu:
      return FindElementFunction("Gelu");
    case GroupActivation::kSilu:
      return FindElementFunction("Swish");
    default:
      return nullptr;
  }
}

class IntegerGroups final : public GroupedKernel {
 public:
  IntegerGroups(const OpContext& context, GroupedMatmulForm form)
      : GroupedKernel(context, std::move(form)), activate_(FunctionOf(form_.activation)) {
    for (const Group& group : groups_) {
      AddProduct(products_, group);
      floats_ = std::max(floats_, MostRows(group) * group.product.columns);
      columns_ = std::max(columns_, group.product.columns);
    }
    for (const auto& [size, product] : products_)
      product_bytes_ = std::max(product_bytes_, Aligned(product.WorkspaceBytes()));
  }

  std::size_t WorkspaceBytes() const override {
    return product_bytes_ + (columns_ + floats_) * sizeof(float);
  }

 private:
  void RunGroup(const RunArgs& args, const Group& group, std::size_t x_row, std::size_t y_row,
                std::size_t rows) const override {
    const std::size_t columns = group.product.columns;
    if (rows == 0 || columns == 0) return;
    auto* scales = reinterpret_cast<float*>(args.workspace + product_bytes_);
    float* floats = scales + columns_;
    if (group.scale) group.scale.Fill(args, columns, scales);
    products_.at({group.product.depth, columns})
        .Run(reinterpret_cast<const std::int8_t*>(X(args, group, x_row)), rows,
             reinterpret_cast<const std::int8_t*>(Weight(args, group)), args.workspace,
             [&](std::size_t row, const std::int32_t* sums) {
               std::byte* y = Y(args, group, y_row + row);
               if (form_.y_type == DataType::kInt32) return StoreSums(args, group, sums, y);
               float* line = floats + row * columns;
               Scale(args, group, x_row + row, sums, scales, line);
               StoreFloats(line, columns, form_.y_type, y);
             });
  }

  static void StoreSums(const RunArgs& args, const Group& group, const std::int32_t* sums, std::byte* y) {
    for (std::size_t i = 0; i < group.product.columns; ++i)
      reinterpret_cast<std::int32_t*>(y)[i] = sums[i] + (group.bias ? group.bias.Whole(args, i) : 0);
  }

  void Scale(const RunArgs& args, const Group& group, std::size_t row, const std::int32_t* sums,
             const float* scales, float* y) const {
    const std::size_t columns = group.product.columns;
    const float token = form_.tokens < 0 ? 1.0f : args.In<float>(form_.tokens)[row];
    const bool whole = group.bias && group.bias.whole(), added = group.bias && !whole;
    for (std::size_t i = 0; i < columns; ++i) {
      const auto sum = static_cast<float>(sums[i] + (whole ? group.bias.Whole(args, i) : 0));
      y[i] = sum * scales[i] * token + (added ? group.bias(args, i) : 0.0f);
    }
    constexpr float kParams[kMaxElementParams] = {1.0f};
    if (activate_ != nullptr) activate_->loop(y, nullptr, nullptr, y, columns, kParams);
  }

  std::map<std::pair<std::size_t, std::size_t>, GroupIntegerProduct> products_;
  const ElementFunction* activate_;
  std::size_t product_bytes_ = 0, floats_ = 0, columns_ = 0;
};

void InferGroupedMatmul(OpContext& context) {
  const GroupedMatmulForm form = GroupedMatmulFormOf(context);
  if (static_cast<std::size_t>(context.outputs()) != form.outputs.size())
    context.Refuse("there are {} outputs, expected {}", context.outputs(), form.outputs.size());
  for (std::size_t i = 0; i < form.outputs.size(); ++i)
    context.SetOut(static_cast<int>(i), form.y_type, form.outputs[i], Format::kNd);
}

std::unique_ptr<Kernel> LowerGroupedMatmul(OpContext& context) {
  GroupedMatmulForm form = GroupedMatmulFormOf(context);
  if (form.x_type == DataType::kInt8) return std::make_unique<IntegerGroups>(context, std::move(form));
  return std::make_unique<FloatGroups>(context, std::move(form));
}

const RegisterOp grouped_matmul(OpDef("GroupedMatmul")
                                    .Infer(InferGroupedMatmul)
                                    .Lower(LowerGroupedMatmul)
                                    .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16,
                                            DataType::kInt8}));

}  // namespace
}  // namespace foothold
