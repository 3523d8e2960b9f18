// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/attention/attention_rules.h"

#include <algorithm>

#include "ops/data/rule_arguments.h"
#include "ops/strided_view.h"
#include "ops/window/window.h"

namespace foothold {
namespace {

std::size_t Size(std::int64_t value) {
  return static_cast<std::size_t>(value);
}

// A tensor of queries, keys or values by meaning.
struct Heads {
  std::int64_t batch, heads, rows, depth;
  AttentionStrides strides;
};

// Layouts with an H have the heads in it; `heads` or `depth` says how it is cut, the other one is 0.
Heads Joined(const OpContext& context, const StridedView& view, bool rows_first, std::int64_t heads,
             std::int64_t depth) {
  const std::int64_t whole = view.dims[2];
  const std::int64_t parts = heads > 0 ? heads : depth > 0 ? whole / depth : 0;
  if (parts < 1 || whole % parts != 0)
    context.Refuse("a hidden size of {} cannot be cut into {} heads", whole, parts);
  const std::size_t batch = rows_first ? 1 : 0, rows = 1 - batch, own = Size(whole / parts);
  const std::size_t column = view.strides[2];
  return {view.dims[batch],
          parts,
          view.dims[rows],
          whole / parts,
          {view.strides[batch], own * column, view.strides[rows], column}};
}

// From the places of batch, heads, rows and depth in the layout; a place that is not there is -1.
Heads Separate(const StridedView& view, int batch, int heads, int rows, int depth) {
  const auto dim = [&](int place) { return place < 0 ? 1 : view.dims[static_cast<std::size_t>(place)]; };
  const auto stride = [&](int place) {
    return place < 0 ? 0 : view.strides[static_cast<std::size_t>(place)];
  };
  return {dim(batch),
          dim(heads),
          dim(rows),
          dim(depth),
          {stride(batch), stride(heads), stride(rows), stride(depth)}};
}

Heads ReadHeads(const OpContext& context, const std::string& layout, const StridedView& view,
                std::int64_t heads, std::int64_t depth) {
  const std::size_t rank = layout == "BNSD" || layout == "BSND" ? 4 : 3;
  if (view.dims.size() != rank) context.Refuse("a tensor of {} is not {}", ToString(view.dims), layout);
  ElementCount(view.dims);
  if (layout == "BSH") return Joined(context, view, false, heads, depth);
  if (layout == "SBH") return Joined(context, view, true, heads, depth);
  if (layout == "BNSD") return Separate(view, 0, 1, 2, 3);
  if (layout == "BSND") return Separate(view, 0, 2, 1, 3);
  if (layout == "NSD") return Separate(view, -1, 0, 1, 2);
  return Separate(view, -1, 1, 0, 2);  // TND
}

Dims DimsFor(const std::string& layout, const Heads& heads) {
  const std::int64_t hidden = heads.heads * heads.depth;
  if (layout == "BSH") return {heads.batch, heads.rows, hidden};
  if (layout == "SBH") return {heads.rows, heads.batch, hidden};
  if (layout == "BNSD") return {heads.batch, heads.heads, heads.rows, heads.depth};
  if (layout == "BSND") return {heads.batch, heads.rows, heads.heads, heads.depth};
  if (layout == "NSD") return {heads.heads, heads.rows, heads.depth};
  return {heads.rows, heads.heads, heads.depth};  // TND
}

struct Layouts {
  std::string in, out;
};

Layouts LayoutsOf(const OpContext& context) {
  const std::string text = context.node().Text("input_layout", "BSH");
  if (text == "BNSD_BSND") return {"BNSD", "BSND"};
  for (const char* known : {"BSH", "SBH", "BNSD", "BSND", "NSD", "TND"})
    if (text == known) return {text, text};
  context.Refuse("input_layout is '{}'; BSH, SBH, BNSD, BSND, NSD, TND and BNSD_BSND are possible", text);
}

// Broadcast to [batch, heads, rows, columns] from the right; two dimensions are rows and columns, three a
// batch of those.
AttentionStrides ScoreStrides(const OpContext& context, int port, const AttentionShape& shape) {
  StridedView view = ViewOf(context, port);
  const auto insert = [&](std::ptrdiff_t place) {
    view.dims.insert(view.dims.begin() + place, 1);
    view.strides.insert(view.strides.begin() + place, 0);
  };
  if (view.dims.size() == 3) insert(1);
  while (view.dims.size() < 4)
    insert(0);
  const std::size_t wanted[] = {shape.batch, shape.heads, shape.rows, shape.columns};
  for (std::size_t i = 0; i < 4; ++i)
    if (view.dims.size() != 4 || (view.dims[i] != 1 && Size(view.dims[i]) != wanted[i]))
      context.Refuse("input {}, {}, does not broadcast to scores of {} by {}", port, ToString(view.dims),
                     shape.rows, shape.columns);
  const auto stride = [&](std::size_t i) { return view.dims[i] == 1 ? 0 : view.strides[i]; };
  return {stride(0), stride(1), stride(2), stride(3)};
}

int OptionalPort(const OpContext& context, const char* name) {
  return name != nullptr && context.Has(name) ? context.Port(name) : -1;
}

// Which keys a row may see: 0 the mask and the tokens around, 1 the mask, 2 and 3 those before it, counted
// from the first or the last row, 4 the tokens around, counted from the last.
void SetBand(const OpContext& context, const AttentionNames& names, Attention& made) {
  const Node& node = context.node();
  const std::int64_t mode = node.Int("sparse_mode", 0);
  if (mode < 0 || mode > 4) context.Unsupported("no kernel for sparse_mode {}; 0 to 4 have one", mode);
  AttentionShape& shape = made.shape;
  const auto tokens = [&](const char* name, std::int64_t otherwise) {
    const std::int64_t count = name == nullptr ? otherwise : node.Int(name, otherwise);
    return std::clamp<std::int64_t>(count, -2 * kMostExtent, 2 * kMostExtent);
  };
  shape.before = tokens(names.before, names.default_before);
  shape.after = tokens(names.after, names.default_after);
  shape.banded = mode >= 2 || (mode == 0 && made.mask >= 0);
  shape.band_at_end = mode >= 3;
  if (mode == 2 || mode == 3) {
    shape.before = 2 * kMostExtent;
    shape.after = 0;
  }
  if (mode >= 2) made.mask = -1;  // it would say the same
}

void SetScores(const OpContext& context, const AttentionNames& names, Attention& made) {
  made.mask = OptionalPort(context, "atten_mask");
  made.shift = OptionalPort(context, names.shift);
  SetBand(context, names, made);
  if (made.mask >= 0) {
    if (BytesPerElement(context.In(made.mask).type) != 1)
      context.Unsupported("no kernel for atten_mask of {}; bool, int8 and uint8 have one",
                          DataTypeName(context.In(made.mask).type));
    made.shape.mask = ScoreStrides(context, made.mask, made.shape);
  }
  if (made.shift >= 0) made.shape.shift = ScoreStrides(context, made.shift, made.shape);
  const std::int64_t kind = context.node().Int("pse_type", 1);
  if (made.shift >= 0 && kind != 0 && kind != 1)
    context.Unsupported("no kernel for pse_type {}; 0 and 1 have one", kind);
  made.shape.shift_first = kind == 0;
}

void SetLengths(const OpContext& context, const AttentionNames& names, Attention& made) {
  made.query_lengths = OptionalPort(context, names.query_lengths);
  made.kv_lengths = OptionalPort(context, names.kv_lengths);
  for (const int port : {made.query_lengths, made.kv_lengths})
    if (port >= 0 && context.In(port).type != DataType::kInt64)
      context.Refuse("lengths are {}, expected int64", ToString(context.In(port)));
  if (!made.packed) {
    for (const int port : {made.query_lengths, made.kv_lengths})
      if (port >= 0 && ElementCount(context.InDims(port)) != 1 &&
          Size(ElementCount(context.InDims(port))) != made.shape.batch)
        context.Refuse("lengths are {}, expected one for each of {}", ToString(context.In(port)),
                       made.shape.batch);
    return;
  }
  if (made.query_lengths < 0 || made.kv_lengths < 0 ||
      context.InDims(made.query_lengths) != context.InDims(made.kv_lengths))
    context.Refuse("the layout TND needs the ends of all sequences of queries and keys");
  made.shape.batch = Size(ElementCount(context.InDims(made.query_lengths)));
  if (made.mask >= 0 || made.shift >= 0)
    context.Unsupported("no kernel for TND with a mask or a shift; the sparse modes 2 to 4 have one");
}

std::int64_t CheckedHeads(const OpContext& context, const char* name, std::int64_t otherwise) {
  const std::int64_t heads = name == nullptr ? otherwise : context.node().Int(name, otherwise);
  if (heads < 0 || heads > kMostExtent) context.Refuse("{} is {}, which is out of range", name, heads);
  return heads;
}

Heads CheckedKeys(const OpContext& context, const std::string& layout, const std::vector<int>& ports,
                  std::int64_t heads, std::int64_t depth) {
  const StridedView view = ViewOf(context, ports[0]);
  const Heads first = ReadHeads(context, layout, view, heads, heads > 0 ? 0 : depth);
  for (const int port : ports) {
    if (context.In(port).type != context.In(0).type)
      context.Unsupported("no kernel for keys of {} and queries of {}", ToString(context.In(port)),
                          ToString(context.In(0)));
    const StridedView other = ViewOf(context, port);
    if (other.dims != view.dims || other.strides != view.strides)
      context.Unsupported("no kernel for lists of keys of different shapes");
  }
  return first;
}

void CheckTogether(const OpContext& context, const AttentionNames& names, const Attention& made,
                   const Heads& query, const Heads& key, const Heads& value) {
  const auto lists = static_cast<std::int64_t>(made.keys.size());
  if (CheckedHeads(context, names.heads, 0) != query.heads || key.heads < 1 || query.heads % key.heads != 0 ||
      key.depth != query.depth || value.heads != key.heads || value.rows != key.rows ||
      value.batch != key.batch || key.batch * lists != query.batch || made.values.size() != made.keys.size())
    context.Refuse("query {}, key {} and value {} do not go together with {} heads",
                   ToString(context.In("query").dims), ToString(context.InDims(made.keys[0])),
                   ToString(context.InDims(made.values[0])), context.node().Int(names.heads, 0));
  // The shapes say how many heads the keys have; the defaults of the attribute, 0 and 1, say nothing.
  const std::int64_t said = CheckedHeads(context, names.kv_heads, 0);
  if (said > 1 && said != key.heads)
    context.Refuse("{} is {}; the keys have {} heads", names.kv_heads, said, key.heads);
}

}  // namespace

Attention AttentionOf(const OpContext& context, const AttentionNames& names) {
  const Layouts layouts = LayoutsOf(context);
  const std::int64_t heads = CheckedHeads(context, names.heads, 0);
  const Heads query = ReadHeads(context, layouts.in, ViewOf(context, "query"), heads, 0);
  Attention made;
  made.keys = DataPorts(context, "key");
  made.values = DataPorts(context, "value");
  made.packed = layouts.in == "TND";
  const Heads key = CheckedKeys(context, layouts.in, made.keys, 0, query.depth);
  const Heads value = CheckedKeys(context, layouts.in, made.values, key.heads, 0);
  CheckTogether(context, names, made, query, key, value);
  AttentionShape& shape = made.shape;
  shape.batch = Size(query.batch);
  shape.heads = Size(query.heads);
  shape.kv_heads = Size(key.heads);
  shape.rows = Size(query.rows);
  shape.columns = Size(key.rows);
  shape.depth = Size(query.depth);
  shape.value_depth = Size(value.depth);
  shape.query = query.strides;
  shape.key = key.strides;
  shape.value = value.strides;
  if (made.keys.size() > 1) shape.key.batch = shape.value.batch = 0;
  shape.scale = context.node().Float(names.scale, 1.0f);
  made.out = DimsFor(layouts.out, {query.batch, query.heads, query.rows, value.depth, {}});
  shape.out = ReadHeads(context, layouts.out, DenseView(made.out), query.heads, 0).strides;
  SetScores(context, names, made);
  SetLengths(context, names, made);
  return made;
}

}  // namespace foothold
