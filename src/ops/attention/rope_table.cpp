// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// RopeWithSinCosCache: queries and keys turned by the angles of their positions, which a table has: rows of
// cosines, then sines. With three positions for each token (time, height, width) 'mrope_section' says which
// of the angles go by which: one section after the other, or (cache_mode 1) every third.
#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/thread_pool.h"
#include "ops/data/index_reader.h"
#include "ops/data/rule_arguments.h"
#include "ops/element_types.h"
#include "ops/input_checks.h"

namespace foothold {
namespace {

struct Form {
  std::size_t tokens, head, angles, table;  // length of a head, angles of a position, positions of the table
  bool halves;
  std::vector<std::uint8_t> axis;  // of the positions, by angle; empty: there is one
};

std::vector<std::uint8_t> AxesOf(const OpContext& context, std::size_t angles) {
  const std::vector<std::int64_t> sections = context.node().Ints("mrope_section");
  const std::int64_t mode = context.node().Int("cache_mode", 0);
  if (sections.size() != 3 || *std::min_element(sections.begin(), sections.end()) < 0)
    context.Refuse("attribute 'mrope_section' is {}, expected three lengths", ToString(Attribute(sections)));
  std::vector<std::uint8_t> axes;
  if (mode == 0) {
    for (std::uint8_t axis = 0; axis < 3; ++axis)
      axes.insert(axes.end(), static_cast<std::size_t>(sections[axis]), axis);
    if (axes.size() != angles)
      context.Refuse("the sections {} have {} angles, the table {}", ToString(Attribute(sections)),
                     axes.size(), angles);
    return axes;
  }
  if (sections[1] != sections[2])
    context.Unsupported("no kernel for cache_mode 1 with sections of {} and {}", sections[1], sections[2]);
  for (std::size_t i = 0; i < angles; ++i)
    axes.push_back(i < 3 * static_cast<std::size_t>(sections[1]) ? static_cast<std::uint8_t>(i % 3)
                                                                 : std::uint8_t{0});
  return axes;
}

Form FormOf(const OpContext& context) {
  const Dims& positions = context.In("positions").dims;
  const Dims& table = context.In("cos_sin_cache").dims;
  const std::int64_t head = RequiredInt(context, "head_size");
  if (const std::int64_t mode = context.node().Int("cache_mode", 0); mode != 0 && mode != 1)
    context.Refuse("attribute 'cache_mode' is {}; 0 and 1 are possible", mode);
  if (positions.empty() || positions.size() > 2 || (positions.size() == 2 && positions[0] != 3))
    context.Refuse("'positions' is {}, expected one or three for each token",
                   ToString(context.In("positions")));
  if (table.size() != 2 || table[1] % 2 != 0 || head < 1 || table[1] > head)
    context.Refuse("'cos_sin_cache' is {} for heads of {}, expected rows of an even length up to that",
                   ToString(context.In("cos_sin_cache")), head);
  const auto angles = static_cast<std::size_t>(table[1] / 2);
  return {static_cast<std::size_t>(positions.back()),
          static_cast<std::size_t>(head),
          angles,
          static_cast<std::size_t>(table[0]),
          context.node().Bool("is_neox_style", true),
          positions.size() == 2 ? AxesOf(context, angles) : std::vector<std::uint8_t>{}};
}

// Heads of each token.
std::size_t HeadsOf(const OpContext& context, const char* name, const Form& form) {
  const TensorType& x = context.In(name);
  const auto count = static_cast<std::size_t>(ElementCount(x.dims));
  if (x.dims.empty() || static_cast<std::size_t>(x.dims[0]) != form.tokens ||
      (form.tokens > 0 && count / form.tokens % form.head != 0))
    context.Refuse("'{}' is {}, expected heads of {} for each of {} tokens", name, ToString(x), form.head,
                   form.tokens);
  return form.tokens == 0 ? 0 : count / form.tokens / form.head;
}

// Only the rows of the table that are used are read, so 16-bit floats are converted here.
template <typename T>
class RopeTableKernel : public Kernel {
 public:
  explicit RopeTableKernel(const OpContext& context)
      : form_(FormOf(context)),
        heads_{HeadsOf(context, "query", form_), HeadsOf(context, "key", form_)},
        positions_(context, context.Port("positions")),
        name_(context.node().Description()) {}

  void Run(const RunArgs& args) const override {
    const std::size_t work = (heads_[0] + heads_[1]) * form_.head;
    ParallelFor(form_.tokens, 1 + 8192 / (1 + work), [&](std::size_t begin, std::size_t end) {
      for (std::size_t token = begin; token < end; ++token)
        for (int which = 0; which < 2; ++which)
          RunToken(args, token, which);
    });
  }

 private:
  // The row of the table for the positions of an axis.
  const T* TableRow(const RunArgs& args, std::size_t axis, std::size_t token) const {
    const std::int64_t position = positions_.Raw(args, axis * form_.tokens + token);
    if (position < 0 || static_cast<std::size_t>(position) >= form_.table)
      Fail(kInvalidParam, "{}: token {} is at position {}, the table has {}", name_, token, position,
           form_.table);
    return args.In<T>(3) + static_cast<std::size_t>(position) * 2 * form_.angles;
  }

  void RunToken(const RunArgs& args, std::size_t token, int which) const {
    std::array<const T*, 3> rows{};
    for (std::size_t axis = 0; axis < (form_.axis.empty() ? 1 : 3); ++axis)
      rows[axis] = TableRow(args, axis, token);
    const std::size_t heads = heads_[static_cast<std::size_t>(which)];
    for (std::size_t head = token * heads; head < (token + 1) * heads; ++head)
      Turn(args.In<T>(which + 1) + head * form_.head, rows, args.Out<T>(which) + head * form_.head);
  }

  // Both elements of a turn are read before either is written: x may be y.
  void Turn(const T* x, const std::array<const T*, 3>& rows, T* y) const {
    for (std::size_t i = 0; i < form_.angles; ++i) {
      const T* row = rows[form_.axis.empty() ? 0 : form_.axis[i]];
      const auto cosine = static_cast<float>(row[i]), sine = static_cast<float>(row[form_.angles + i]);
      const std::size_t a = form_.halves ? i : 2 * i, b = form_.halves ? i + form_.angles : 2 * i + 1;
      const auto first = static_cast<float>(x[a]), second = static_cast<float>(x[b]);
      y[a] = static_cast<T>(first * cosine - second * sine);
      y[b] = static_cast<T>(second * cosine + first * sine);
    }
    std::copy(x + 2 * form_.angles, x + form_.head, y + 2 * form_.angles);
  }

  Form form_;
  std::array<std::size_t, 2> heads_;
  IndexReader positions_;
  std::string name_;
};

void InferRopeTable(OpContext& context) {
  const Form form = FormOf(context);
  for (const char* name : {"query", "key"}) {
    HeadsOf(context, name, form);
    if (context.In(name).type != context.In("cos_sin_cache").type)
      context.Refuse("'{}' is {} and the table {}; they must have one type", name, ToString(context.In(name)),
                     ToString(context.In("cos_sin_cache")));
  }
  context.SetOut(0, context.In("query"));
  context.SetOut(1, context.In("key"));
}

std::unique_ptr<Kernel> LowerRopeTable(OpContext& context) {
  CheckFloats(context, {"query"});
  switch (context.In("query").type) {
    case DataType::kFloat16:
      return std::make_unique<RopeTableKernel<Half>>(context);
    case DataType::kBfloat16:
      return std::make_unique<RopeTableKernel<Bfloat16>>(context);
    default:
      return std::make_unique<RopeTableKernel<float>>(context);
  }
}

const RegisterOp rope_table(OpDef("RopeWithSinCosCache")
                                .Infer(InferRopeTable)
                                .Lower(LowerRopeTable)
                                .InPlace(1, 0)
                                .InPlace(2, 1)
                                .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16}));

}  // namespace
}  // namespace foothold
