// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "onnx/mapping.h"
#include "onnx/maps/shaping.h"
#include "onnx/maps/while_builder.h"

namespace foothold::onnx {
namespace {

struct ScanForm {
  std::size_t states, scanned, lists;
  Ints input_axes, input_directions, output_axes, output_directions;
};

Ints ListOf(const NodeImport& node, const char* name, std::size_t length) {
  Ints values = node.IntList(name, Ints(length, 0));
  if (values.size() != length)
    node.Unsupported("attribute '{}' has {} entries, expected {}", name, values.size(), length);
  return values;
}

// The first input that is a state: version 8 has lengths before it.
std::size_t FirstInput(const NodeImport& node) {
  return node.version() < 9 ? 1 : 0;
}

ScanForm FormOf(const NodeImport& node, const ModelGraph& body) {
  const auto scanned = static_cast<std::size_t>(node.Int("num_scan_inputs", 0));
  const std::size_t given = node.node().inputs.size() - FirstInput(node);
  if (scanned == 0 || scanned > given || body.inputs.size() != given ||
      body.outputs.size() < given - scanned || node.outputs() > static_cast<int>(body.outputs.size()))
    node.Unsupported("{} inputs, of which {} are scanned, do not fit its body", given, scanned);
  const std::size_t states = given - scanned, lists = body.outputs.size() - states;
  return {states,
          scanned,
          lists,
          ListOf(node, "scan_input_axes", scanned),
          ListOf(node, node.version() < 9 ? "directions" : "scan_input_directions", scanned),
          ListOf(node, "scan_output_axes", lists),
          ListOf(node, "scan_output_directions", lists)};
}

// What the body sees of an input: the slice of this step.
OutputRef SliceOfStep(WhileBuilder& loop, OutputRef whole, std::int64_t axis, bool backwards) {
  GraphBuilder& inner = loop.inner();
  inner.SetPrefix("loop/");
  OutputRef at = loop.step();
  if (backwards) at = inner.Op("Sub", {inner.Op("Sub", {loop.limit(), inner.Int(1)}), at});
  return inner.Op("GatherV2", {whole, at, inner.Int(axis)});
}

// The steps of a list stand first; they go to another axis, and perhaps backwards.
OutputRef Placed(NodeImport& node, OutputRef list, const ValueType& element, std::int64_t axis,
                 bool backwards) {
  if (backwards) list = node.Op("ReverseV2", {list, node.builder().Ints({0})});
  if (axis == 0) return list;
  if (!element.RankKnown()) node.Unsupported("the number of dimensions of a result of the body is not known");
  const auto rank = static_cast<std::int64_t>(element.dims.size()) + 1;
  const std::int64_t to = axis < 0 ? axis + rank : axis;
  if (to < 0 || to >= rank) node.Unsupported("a result of {} dimensions has no axis {}", rank, axis);
  Ints perm;
  for (std::int64_t i = 1; i < rank; ++i)
    perm.push_back(i);
  perm.insert(perm.begin() + to, 0);
  return TransposeTo(node, list, perm);
}

// One Scan over inputs without a batch. Gives the states, then the lists.
std::vector<OutputRef> RunScan(NodeImport& node, const ScanForm& form, const std::vector<OutputRef>& inputs) {
  const ModelGraph& body = node.Body("body");
  WhileBuilder loop(node, body, {form.states, form.lists, false});
  for (std::size_t i = 0; i < form.states; ++i)
    loop.CarryState(inputs[i], body.inputs[i]);
  for (std::size_t i = 0; i < form.lists; ++i)
    loop.CarryList(body.outputs[form.states + i].type);
  for (std::size_t i = 0; i < form.scanned; ++i) {
    const OutputRef whole = loop.Capture("loop/scanned" + std::to_string(i), inputs[form.states + i]);
    loop.body().Bind(body.inputs[form.states + i].value,
                     SliceOfStep(loop, whole, form.input_axes[i], form.input_directions[i] != 0));
  }
  loop.ImportBody(0);
  const OpBuilder op = loop.Finish(DimensionOf(node, inputs[form.states], form.input_axes[0]));
  std::vector<OutputRef> results;
  for (std::size_t i = 0; i < form.states + form.lists; ++i)
    results.push_back(op.Out(loop.FirstState() + static_cast<int>(i)));
  for (std::size_t i = 0; i < form.lists; ++i) {
    OutputRef& list = results[form.states + i];
    list = Placed(node, list, body.outputs[form.states + i].type, form.output_axes[i],
                  form.output_directions[i] != 0);
  }
  return results;
}

void MapScan(NodeImport& node) {
  const auto results = RunScan(node, FormOf(node, node.Body("body")), node.AllInputs());
  for (int i = 0; i < node.outputs(); ++i)
    node.Out(i, results[static_cast<std::size_t>(i)]);
}

std::int64_t BatchSize(const NodeImport& node) {
  constexpr std::int64_t kMostUnrolled = 64;
  const Dims dims = node.TypeOf(1).dims;
  if (!RankKnown(dims) || dims.empty() || dims[0] < 1 || dims[0] > kMostUnrolled)
    node.Unsupported("the size of the batch must be known and at most {}", kMostUnrolled);
  return dims[0];
}

// Version 8 scans every element of a batch on its own.
void MapOldScan(NodeImport& node) {
  const ScanForm form = FormOf(node, node.Body("body"));
  if (node.Has(0)) node.Unsupported("sequences of different lengths are not supported");
  const std::int64_t batch = BatchSize(node);
  std::vector<std::vector<OutputRef>> results(form.states + form.lists);
  for (std::int64_t i = 0; i < batch; ++i) {
    std::vector<OutputRef> inputs;
    for (int input = 1; input < node.inputs(); ++input)
      inputs.push_back(node.Op("GatherV2", {node.In(input), node.builder().Int(i), node.builder().Int(0)}));
    const auto one = RunScan(node, form, inputs);
    for (std::size_t r = 0; r < one.size(); ++r)
      results[r].push_back(one[r]);
  }
  for (int i = 0; i < node.outputs(); ++i)
    node.Out(i, node.Op("Pack")
                    .InList("x", results[static_cast<std::size_t>(i)])
                    .Set("axis", std::int64_t{0})
                    .Set("N", batch));
}

const RegisterMapping old_scan("Scan", MapOldScan, 8, 8);
const RegisterMapping scan("Scan", MapScan, 9);

}  // namespace
}  // namespace foothold::onnx
