// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/matrix/einsum_plan.h"

#include <algorithm>

namespace foothold {
namespace {

constexpr int kEllipsis = 0;  // stands for its labels until their number is known

bool Contains(const Labels& labels, int label) {
  return std::find(labels.begin(), labels.end(), label) != labels.end();
}

Labels ReadTerm(const OpContext& context, const std::string& text) {
  Labels labels;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char letter = text[i];
    if (letter == '.' && text.compare(i, 3, "...") == 0 && !Contains(labels, kEllipsis)) {
      labels.push_back(kEllipsis);
      i += 2;
    } else if ((letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z')) {
      labels.push_back(letter);
    } else if (letter != ' ') {
      context.Refuse("'{}' in equation is not understood at '{}'", text, letter);
    }
  }
  return labels;
}

std::vector<std::string> SplitTerms(const std::string& text) {
  std::vector<std::string> terms(1);
  for (const char letter : text) {
    if (letter == ',')
      terms.emplace_back();
    else
      terms.back() += letter;
  }
  return terms;
}

Labels Expanded(const Labels& labels, std::size_t ellipsis) {
  Labels expanded;
  for (const int label : labels) {
    if (label != kEllipsis) expanded.push_back(label);
    for (std::size_t i = ellipsis; label == kEllipsis && i > 0; --i)
      expanded.push_back(-static_cast<int>(i));
  }
  return expanded;
}

// Letters of the operands and the ellipsis become labels of dimensions.
Labels ForShape(const OpContext& context, const Labels& read, const Dims& dims) {
  const bool open = Contains(read, kEllipsis);
  const std::size_t named = read.size() - (open ? 1 : 0);
  if (dims.size() < named || (!open && dims.size() > named))
    context.Refuse("equation has {} labels for an operand of {}", named, ToString(dims));
  return Expanded(read, dims.size() - named);
}

void SetExtents(const OpContext& context, EinsumTerms& terms, const std::vector<Dims>& shapes) {
  for (std::size_t i = 0; i < shapes.size(); ++i)
    for (std::size_t k = 0; k < shapes[i].size(); ++k) {
      const int label = terms.operands[i][k];
      const std::int64_t dim = shapes[i][k];
      std::int64_t& extent = terms.extents.try_emplace(label, dim).first->second;
      if (extent == 1) extent = dim;
      if (dim != extent && dim != 1)
        context.Refuse("operand {} is {}; the dimension {} was {} before", i, ToString(shapes[i]), k, extent);
    }
}

// Without an arrow: the ellipsis, then the letters that stand there once, in the order of the alphabet.
Labels ImplicitResult(const EinsumTerms& terms) {
  std::map<int, int> count;
  for (const Labels& labels : terms.operands)
    for (const int label : labels)
      ++count[label];
  Labels result;
  for (const auto& [label, times] : count)
    if (label < 0 || times == 1) result.push_back(label);
  return result;
}

Labels ExplicitResult(const OpContext& context, const EinsumTerms& terms, const std::string& text) {
  const Labels read = ReadTerm(context, text);
  std::size_t ellipsis = 0;
  for (const auto& [label, extent] : terms.extents)
    if (label < 0) ellipsis = std::max(ellipsis, static_cast<std::size_t>(-label));
  const Labels result = Expanded(read, ellipsis);
  for (std::size_t i = 0; i < result.size(); ++i)
    if (!terms.extents.contains(result[i]) ||
        std::find(result.begin(), result.begin() + static_cast<std::ptrdiff_t>(i), result[i]) !=
            result.begin() + static_cast<std::ptrdiff_t>(i))
      context.Refuse("the result '{}' of equation has a label twice, or one no operand has", text);
  return result;
}

}  // namespace

Dims EinsumTerms::ResultDims() const {
  Dims dims;
  for (const int label : result)
    dims.push_back(extents.at(label));
  return dims;
}

EinsumTerms ParseEinsum(const OpContext& context, const std::string& equation,
                        const std::vector<Dims>& shapes) {
  const std::size_t arrow = equation.find("->");
  const std::vector<std::string> texts = SplitTerms(equation.substr(0, arrow));
  if (texts.size() != shapes.size())
    context.Refuse("equation '{}' has {} operands, the node {}", equation, texts.size(), shapes.size());
  EinsumTerms terms;
  for (std::size_t i = 0; i < shapes.size(); ++i)
    terms.operands.push_back(ForShape(context, ReadTerm(context, texts[i]), shapes[i]));
  SetExtents(context, terms, shapes);
  terms.result = arrow == std::string::npos ? ImplicitResult(terms)
                                            : ExplicitResult(context, terms, equation.substr(arrow + 2));
  return terms;
}

LabelledTensor Labelled(const EinsumTerms& terms, const Labels& labels, const Dims& dims) {
  LabelledTensor tensor;
  std::ptrdiff_t stride = 1;
  for (std::size_t i = labels.size(); i-- > 0;) {
    const auto at = std::find(tensor.labels.begin(), tensor.labels.end(), labels[i]);
    const bool stretched = dims[i] == 1 && terms.extents.at(labels[i]) != 1;
    if (at == tensor.labels.end()) {
      tensor.labels.insert(tensor.labels.begin(), labels[i]);
      tensor.strides.insert(tensor.strides.begin(), stretched ? 0 : stride);
    } else if (!stretched) {  // a label that stands there twice goes along the diagonal
      tensor.strides[static_cast<std::size_t>(at - tensor.labels.begin())] += stride;
    }
    stride *= dims[i];
  }
  return tensor;
}

Labels EinsumStep::Result() const {
  Labels all = matrices;
  all.insert(all.end(), rows.begin(), rows.end());
  all.insert(all.end(), columns.begin(), columns.end());
  return all;
}

EinsumStep StepOf(const Labels& left, const Labels& right, const Labels& needed) {
  EinsumStep step;
  for (const int label : left) {
    if (!Contains(needed, label))
      step.depth.push_back(label);
    else
      (Contains(right, label) ? step.matrices : step.rows).push_back(label);
  }
  for (const int label : right) {
    if (Contains(left, label)) continue;
    (Contains(needed, label) ? step.columns : step.depth).push_back(label);
  }
  return step;
}

}  // namespace foothold
