// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Views of the elements of a tensor by sizes, strides and an offset, as PyTorch has them: AsStrided makes a
// dense tensor of one, ViewCopy writes one into another. What ViewCopy does not write stays as it is.
#include <cstring>

#include "ops/data/copy_kernel.h"
#include "ops/data/rule_arguments.h"
#include "ops/data/view_copy.h"
#include "ops/op.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

struct View {
  std::vector<std::int64_t> sizes, strides;  // in elements
  std::int64_t offset = 0;
};

// The names of the ports that describe one view.
struct Ports {
  const char *data, *size, *stride, *offset;
};

constexpr Ports kGathered{"x", "size", "stride", "storage_offset"};
constexpr Ports kFrom{"src", "src_size", "src_stride", "src_storage_offset"};
constexpr Ports kTo{"dst", "dst_size", "dst_stride", "dst_storage_offset"};

void CheckNumbers(const OpContext& context, const Ports& ports, const View& view) {
  if (view.sizes.size() != view.strides.size())
    context.Refuse("'{}' has {} numbers and '{}' {}, expected as many", ports.size, view.sizes.size(),
                   ports.stride, view.strides.size());
  for (std::size_t i = 0; i < view.sizes.size(); ++i)
    if (view.sizes[i] < 0 || (view.sizes[i] > 1 && view.strides[i] < 0))
      context.Refuse("dimension {} of the view of '{}' has {} elements and stride {}, expected none below 0",
                     i, ports.data, view.sizes[i], view.strides[i]);
}

void CheckInside(const OpContext& context, const Ports& ports, const View& view) {
  std::int64_t last = view.offset;
  for (std::size_t i = 0; i < view.sizes.size(); ++i) {
    if (view.sizes[i] == 0) return;
    std::int64_t reach = 0;
    if (__builtin_mul_overflow(view.sizes[i] - 1, view.strides[i], &reach) ||
        __builtin_add_overflow(last, reach, &last))
      last = INT64_MAX;
  }
  const std::int64_t count = ElementCount(context.In(ports.data).dims);
  if (view.offset < 0 || last >= count)
    context.Refuse("the view of '{}' goes from element {} to {}, and there are {}", ports.data, view.offset,
                   last, count);
}

View ViewOf(const OpContext& context, const Ports& ports) {
  View view{context.NeededInts(ports.size), context.NeededInts(ports.stride),
            IntArgument(context, ports.offset)};
  CheckNumbers(context, ports, view);
  CheckInside(context, ports, view);
  const bool empty = ElementCount(view.sizes) == 0;
  for (std::size_t i = 0; i < view.sizes.size(); ++i)
    if (empty || view.sizes[i] == 1) view.strides[i] = 0;  // where nobody steps the stride may be anything
  return view;
}

void InferAsStrided(OpContext& context) {
  context.SetOut(0, context.In(0).type, ViewOf(context, kGathered).sizes, Format::kNd);
}

StridedView Described(const View& view) {
  return {view.sizes, {view.strides.begin(), view.strides.end()}, static_cast<std::size_t>(view.offset)};
}

std::optional<StridedView> SelectStrided(const OpContext& context, int, const StridedView& x) {
  if (!x.dense()) return std::nullopt;
  StridedView selected = Described(ViewOf(context, kGathered));
  selected.offset += x.offset;
  return selected;
}

// Both views have the same sizes.
StridedCopy CopyBetween(const View& from, const View& to, std::size_t size) {
  const auto bytes = static_cast<std::ptrdiff_t>(size);
  std::vector<CopyAxis> axes;
  for (std::size_t i = 0; i < to.sizes.size(); ++i)
    axes.push_back({static_cast<std::size_t>(to.sizes[i]), from.strides[i] * bytes, to.strides[i] * bytes});
  return StridedCopy(size, std::move(axes), from.offset * bytes, to.offset * bytes);
}

std::unique_ptr<Kernel> LowerAsStrided(OpContext& context) {
  const View from = ViewOf(context, kGathered);
  const std::size_t size = ElementBytes(context, context.In(0).type);
  const auto dense = Strides(from.sizes);
  const View to{from.sizes, {dense.begin(), dense.end()}, 0};
  ByteSize(context.Out(0));
  Ignore(context, {"size", "stride", "storage_offset"});
  return std::make_unique<CopyKernel>(std::vector<PortCopy>{{0, 0, CopyBetween(from, to, size)}});
}

// The source as often as the destination has it: dimensions of one element, and missing ones at the front.
View Repeated(const OpContext& context, View from, const View& to) {
  const auto fits = [](std::int64_t one, std::int64_t other) { return one == other || one == 1; };
  const std::size_t missing = to.sizes.size() - from.sizes.size();
  bool good = from.sizes.size() <= to.sizes.size();
  for (std::size_t i = 0; good && i < from.sizes.size(); ++i)
    good = fits(from.sizes[i], to.sizes[missing + i]);
  if (!good)
    context.Refuse("the view of 'src' is {}, and that of 'dst' {}", ToString(from.sizes), ToString(to.sizes));
  from.strides.insert(from.strides.begin(), missing, 0);
  from.sizes = to.sizes;
  return from;
}

// Elements that meet in other ways than by a stride of 0 are the program's to avoid: one of them stays.
void CheckDistinct(const OpContext& context, const View& to) {
  const bool empty = ElementCount(to.sizes) == 0;
  for (std::size_t i = 0; i < to.sizes.size(); ++i)
    if (to.sizes[i] > 1 && to.strides[i] == 0 && !empty)
      context.Refuse("dimension {} of the view of 'dst' has stride 0: its {} elements are one place", i,
                     to.sizes[i]);
}

void InferViewCopy(OpContext& context) {
  if (context.In("src").type != context.In("dst").type)
    context.Refuse("'src' is {}, expected {} as 'dst' is", DataTypeName(context.In("src").type),
                   DataTypeName(context.In("dst").type));
  const View to = ViewOf(context, kTo);
  CheckDistinct(context, to);
  Repeated(context, ViewOf(context, kFrom), to);
  context.SetOut(0, context.In("dst"));
}

class ViewCopy : public Kernel {
 public:
  ViewCopy(const OpContext& context, StridedCopy copy)
      : dst_(context.Port("dst")),
        src_(context.Port("src")),
        bytes_(ByteSize(context.In("dst"))),
        copy_(std::move(copy)) {}

  void Run(const RunArgs& args) const override {
    std::byte* to = args.outputs[0];
    if (bytes_ > 0 && to != args.inputs[dst_]) std::memcpy(to, args.inputs[dst_], bytes_);
    copy_.Run(args.inputs[src_], to);
  }

 private:
  int dst_, src_;
  std::size_t bytes_;
  StridedCopy copy_;
};

std::unique_ptr<Kernel> LowerViewCopy(OpContext& context) {
  if (context.node().Bool(kWrittenBefore, false)) return nullptr;
  const View to = ViewOf(context, kTo);
  const View from = Repeated(context, ViewOf(context, kFrom), to);
  const std::size_t size = ElementBytes(context, context.In("dst").type);
  Ignore(context,
         {"dst_size", "dst_stride", "dst_storage_offset", "src_size", "src_stride", "src_storage_offset"});
  return std::make_unique<ViewCopy>(context, CopyBetween(from, to, size));
}

const RegisterOp views({
    OpDef("AsStrided")
        .Infer(InferAsStrided)
        .Lower(LowerAsStrided)
        .Selects("x", SelectStrided)
        .Types(WholeByteTypes()),
    OpDef("ViewCopy").Infer(InferViewCopy).Lower(LowerViewCopy).Stateful().Types(WholeByteTypes()),
});

}  // namespace

std::optional<StridedView> WrittenByCopy(const OpContext& context) {
  for (const char* port : {kTo.size, kTo.stride, kTo.offset, kFrom.size, kFrom.stride, kFrom.offset})
    if (context.Value(context.Port(port)) == nullptr) return std::nullopt;
  const View to = ViewOf(context, kTo);
  const StridedView from = Described(Repeated(context, ViewOf(context, kFrom), to));
  const bool whole = from.dense() && from.offset == 0 && from.dims == context.In("src").dims;
  return whole ? std::optional(Described(to)) : std::nullopt;
}

}  // namespace foothold
