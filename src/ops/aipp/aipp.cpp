// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/aipp/aipp.h"

#include <new>

#include "base/error.h"
#include "base/thread_pool.h"
#include "ops/aipp/block.h"
#include "ops/aipp/file.h"
#include "ops/op.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

constexpr char kSettings[] = "aipp";           // in the words of a file
constexpr char kFeatures[] = "features_dims";  // of the network; the batch comes with the pictures
constexpr char kElement[] = "features_type";   // number of the DataType
constexpr char kChannelsLast[] = "channels_last";
constexpr char kBlockPads[] = "block_pads";  // zeros around: top, bottom, left, right

std::size_t Size(std::int64_t value) {
  return static_cast<std::size_t>(value);
}

// What was inserted says what the network takes; what a program has made takes what comes out.
bool IsInserted(const Node& node) {
  return node.FindAttribute(kFeatures) != nullptr;
}

AippSettings SettingsOf(const Node& node) {
  if (node.FindAttribute(kSettings) == nullptr)
    return ReadAippFile(node.Text("aipp_config_path", "./aipp.cfg")).front();
  return ParseAipp(node.Text(kSettings, ""), node.Description()).front();
}

struct Pictures {
  AippSettings settings;
  std::int64_t batch = 0;
  AippPicture picture;  // of static settings
  AippNetwork network;  // what comes out
  DataType element = DataType::kFloat;
};

// Height and width of pictures in memory whose settings leave them to their input.
AippSize SizeOfDims(const OpContext& context, const AippSettings& settings, const Dims& dims) {
  if (settings.src_image_size_w > 0 && settings.src_image_size_h > 0)
    return {settings.src_image_size_w, settings.src_image_size_h};
  if (dims.size() != 4)
    context.Refuse("images is {}; without a source size it has four dimensions", ToString(dims));
  const std::int64_t rows = settings.input_format == AippFormat::kYuv420sp   ? dims[1] / 3 * 2
                            : settings.input_format == AippFormat::kYuv422sp ? dims[1] / 2
                                                                             : dims[1];
  return {dims[2], rows};
}

void ReadStatic(const OpContext& context, Pictures& made) {
  const AippSize source = SizeOfDims(context, made.settings, context.InDims(0));
  made.picture = PictureOf(made.settings, source);
  const std::size_t bytes = PictureBytes(made.picture.format, made.picture.width, made.picture.height);
  const std::size_t there = ByteSize(context.In(0));
  if (there % bytes != 0)
    context.Refuse("images is {}; pictures of {} x {} in {} have {} bytes each", ToString(context.In(0)),
                   source.width, source.height, NameOf(made.picture.format), bytes);
  made.batch = static_cast<std::int64_t>(there / bytes);
}

void ReadDynamic(const OpContext& context, Pictures& made) {
  if (!context.Has("params")) context.Refuse("dynamic AIPP reads its parameters at the input 'params'");
  const std::size_t bytes = ByteSize(context.In("params"));
  if (context.In("params").type != DataType::kUint8 || bytes < AippBlockBytes(1))
    context.Refuse("params is {}; expected at least {} bytes", ToString(context.In("params")),
                   AippBlockBytes(1));
  const auto most = static_cast<std::int64_t>((bytes - sizeof(AippHead)) / sizeof(AippPart));
  made.batch = context.InDims(0).size() == 2 ? context.InDims(0)[0] : most;
  if (made.batch > most)
    context.Refuse("params is {}, which is for {} pictures; there are {}", ToString(context.In("params")),
                   most, made.batch);
}

// Of programs' own nodes: what comes out of the settings.
void DeriveNetwork(const OpContext& context, Pictures& made) {
  if (made.settings.dynamic)
    context.Unsupported("dynamic AIPP is inserted by the option ge.insertOpFile, not by operators");
  const AippPicture& p = made.picture;
  made.network.size = {static_cast<std::int64_t>(p.OutWidth()), static_cast<std::int64_t>(p.OutHeight())};
  made.network.channels = static_cast<std::int64_t>(std::min<std::size_t>(ChannelsOf(p.format), 3));
  const TensorType& declared = context.Out(0);
  made.element = declared.type == DataType::kUint8 ? DataType::kUint8 : DataType::kFloat16;
}

void ReadNetwork(const OpContext& context, Pictures& made) {
  const Dims dims = context.node().Ints(kFeatures);
  if (dims.size() != 3) context.Refuse("{} has {} numbers, expected 3", kFeatures, dims.size());
  made.network.channels = dims[0];
  made.network.size = {dims[2], dims[1]};
  made.network.channels_last = context.node().Bool(kChannelsLast, false);
  made.element = static_cast<DataType>(context.node().Int(kElement, 0));
  if (made.settings.dynamic) return;
  const AippPicture& p = made.picture;
  if (made.network.size.height < 0) made.network.size.height = static_cast<std::int64_t>(p.OutHeight());
  if (made.network.size.width < 0) made.network.size.width = static_cast<std::int64_t>(p.OutWidth());
}

AippElement ElementOf(const OpContext& context, DataType type) {
  if (type == DataType::kFloat) return AippElement::kFloat;
  if (type == DataType::kFloat16) return AippElement::kFloat16;
  if (type == DataType::kUint8) return AippElement::kUint8;
  context.Unsupported("AIPP makes float, float16 and uint8; type {} is none of them", static_cast<int>(type));
}

Pictures PicturesOf(const OpContext& context) try {
  Pictures made;
  if (context.In(0).type != DataType::kUint8)
    context.Refuse("images is {}; pictures have elements of type uint8", ToString(context.In(0)));
  made.settings = SettingsOf(context.node());
  made.settings.dynamic ? ReadDynamic(context, made) : ReadStatic(context, made);
  IsInserted(context.node()) ? ReadNetwork(context, made) : DeriveNetwork(context, made);
  const AippSize size = made.network.size;
  if (size.width < 1 || size.height < 1 || made.network.channels < 1 || made.network.channels > 4)
    context.Refuse("the network takes {} x {} pixels of {} channels", size.width, size.height,
                   made.network.channels);
  if (!made.settings.dynamic) CheckFits(made.picture, size, made.network.channels);
  return made;
} catch (const Error& error) {
  if (error.message().find(context.node().Description()) != std::string::npos) throw;
  context.Refuse("{}", error.message());
}

AippTarget TargetOf(const OpContext& context, const Pictures& pictures) {
  AippTarget target{ElementOf(context, pictures.element), Size(pictures.network.channels),
                    pictures.network.channels_last};
  if (context.node().FindAttribute(kBlockPads) == nullptr) return target;
  const Dims pads = context.node().Ints(kBlockPads);
  if (pads.size() != 4 || *std::min_element(pads.begin(), pads.end()) < 0)
    context.Refuse("{} must be four numbers that are not negative", kBlockPads);
  target.interleaved = true;
  target.top = Size(pads[0]), target.bottom = Size(pads[1]);
  target.left = Size(pads[2]), target.right = Size(pads[3]);
  return target;
}

void InferAipp(OpContext& context) {
  const Pictures pictures = PicturesOf(context);
  const AippNetwork& network = pictures.network;
  const AippTarget target = TargetOf(context, pictures);
  const std::int64_t rows = network.size.height + static_cast<std::int64_t>(target.top + target.bottom);
  const std::int64_t columns = network.size.width + static_cast<std::int64_t>(target.left + target.right);
  if (context.node().FindAttribute(kBlockPads) != nullptr)
    return context.SetOut(0, pictures.element, {pictures.batch, 1, rows, columns, network.channels},
                          Format::kNc1hwc0);
  if (network.channels_last)
    return context.SetOut(0, pictures.element, {pictures.batch, rows, columns, network.channels},
                          Format::kNhwc);
  context.SetOut(0, pictures.element, {pictures.batch, network.channels, rows, columns}, Format::kNchw);
}

class AippKernel : public Kernel {
 public:
  AippKernel(const AippTarget& target, std::size_t batch, AippSize network)
      : target_(target),
        batch_(batch),
        network_(network),
        rows_(target.top + Size(network.height) + target.bottom),
        columns_(target.left + Size(network.width) + target.right) {}

 protected:
  // `picture(n)` is what is done to the n-th.
  template <typename Picture>
  void RunAll(const std::uint8_t* images, std::byte* to, const Picture& picture) const {
    const std::size_t bytes = rows_ * columns_ * target_.channels * ElementBytes();
    ParallelFor(batch_ * rows_, 1 + 16384 / (columns_ * target_.channels + 1),
                [&](std::size_t begin, std::size_t end) {
                  while (begin < end) {
                    const std::size_t n = begin / rows_, row = begin % rows_;
                    const std::size_t stop = std::min(rows_, row + (end - begin));
                    const AippPicture& p = picture(n);
                    MakeAippRows(p, target_, images + n * PictureBytes(p.format, p.width, p.height), row,
                                 stop, to + n * bytes);
                    begin += stop - row;
                  }
                });
  }

  std::size_t ElementBytes() const {
    return target_.element == AippElement::kFloat ? 4 : target_.element == AippElement::kFloat16 ? 2 : 1;
  }

  const AippTarget target_;
  const std::size_t batch_;
  const AippSize network_;
  const std::size_t rows_, columns_;
};

class StaticAipp final : public AippKernel {
 public:
  StaticAipp(const AippTarget& target, const Pictures& pictures)
      : AippKernel(target, Size(pictures.batch), pictures.network.size), picture_(pictures.picture) {}

  void Run(const RunArgs& args) const override {
    RunAll(args.In<std::uint8_t>(0), args.outputs[0],
           [&](std::size_t) -> const AippPicture& { return picture_; });
  }

 private:
  const AippPicture picture_;
};

class DynamicAipp final : public AippKernel {
 public:
  DynamicAipp(const AippTarget& target, const Pictures& pictures, int params, std::size_t image_bytes)
      : AippKernel(target, Size(pictures.batch), pictures.network.size),
        params_(params),
        image_bytes_(image_bytes) {}

  std::size_t WorkspaceBytes() const override { return batch_ * sizeof(AippPicture); }

  void Run(const RunArgs& args) const override {
    AippPicture* const pictures = Read(args);
    RunAll(args.In<std::uint8_t>(0), args.outputs[0],
           [&](std::size_t n) -> const AippPicture& { return pictures[n]; });
  }

 private:
  AippPicture* Read(const RunArgs& args) const {
    const auto* block = args.In<std::byte>(params_);
    const AippHead head = ReadAippHead(block);
    auto* pictures = reinterpret_cast<AippPicture*>(args.workspace);
    for (std::size_t n = 0; n < batch_; ++n) {
      new (pictures + n) AippPicture(ReadAippPart(head, block, n));
      CheckFits(pictures[n], network_, static_cast<std::int64_t>(target_.channels));
    }
    if (batch_ == 0) return pictures;
    const std::size_t bytes = PictureBytes(pictures->format, pictures->width, pictures->height) * batch_;
    if (bytes > image_bytes_)
      Fail(kInvalidParam, "{} pictures of {} x {} in {} have {} bytes; max_src_image_size is {}", batch_,
           pictures->width, pictures->height, NameOf(pictures->format), bytes, image_bytes_);
    return pictures;
  }

  const int params_;
  const std::size_t image_bytes_;
};

std::unique_ptr<Kernel> LowerAipp(OpContext& context) {
  const Pictures pictures = PicturesOf(context);
  const AippTarget target = TargetOf(context, pictures);
  if (!pictures.settings.dynamic) return std::make_unique<StaticAipp>(target, pictures);
  return std::make_unique<DynamicAipp>(target, pictures, context.Port("params"), ByteSize(context.In(0)));
}

const RegisterOp aipp(std::vector<OpDef>{
    OpDef("Aipp").Infer(InferAipp).Lower(LowerAipp).Types({DataType::kUint8}),
    OpDef("AippData").Infer(SameAsInput).View().Types(FixedSizeTypes())});

}  // namespace

Dims PictureDims(AippFormat format, std::int64_t batch, AippSize size) {
  const auto rows = [&](std::int64_t high) { return size.height < 0 ? kUnknownDim : high; };
  switch (format) {
    case AippFormat::kYuv420sp:
      return {batch, rows(size.height / 2 * 3), size.width, 1};
    case AippFormat::kYuv422sp:
      return {batch, rows(size.height * 2), size.width, 1};
    case AippFormat::kYuyv:
      return {batch, size.height, size.width, 2};
    default:
      return {batch, size.height, size.width, static_cast<std::int64_t>(ChannelsOf(format))};
  }
}

Dims PictureDimsForPrograms(AippFormat format, std::int64_t batch, AippSize size) {
  Dims dims = PictureDims(format, batch, size);
  dims[1] = size.height;
  return dims;
}

AippNetwork NetworkOf(const TensorType& type, const std::string& what) {
  if (type.dims.size() != 4 ||
      (type.format != Format::kNchw && type.format != Format::kNhwc && type.format != Format::kNd))
    Fail(kInvalidParam, "{} is {}; AIPP prepares pictures for inputs of four dimensions in NCHW or NHWC",
         what, ToString(type));
  const Dims& d = type.dims;
  if (type.format == Format::kNhwc) return {d[0], d[3], {d[2], d[1]}, true};
  return {d[0], d[1], {d[3], d[2]}, false};
}

void SetUpAipp(Node& node, const AippSettings& settings, const TensorType& features) {
  const AippNetwork network = NetworkOf(features, node.Description());
  node.AddInput("images", PortKind::kRequired);
  if (settings.dynamic) node.AddInput("params", PortKind::kOptional);
  node.AddOutput("features", PortKind::kRequired).desc = PortDesc(features);
  node.attributes[kSettings] = ToText(settings);
  node.attributes[kFeatures] = Dims{network.channels, network.size.height, network.size.width};
  node.attributes[kChannelsLast] = network.channels_last;
  node.attributes[kElement] = static_cast<std::int64_t>(features.type);
}

void EmbedAippFile(Node& node) {
  if (node.FindAttribute(kSettings) == nullptr) node.attributes[kSettings] = ToText(SettingsOf(node));
}

AippSettings AippSettingsOf(const Node& node) {
  return SettingsOf(node);
}

bool CanBlockAipp(const Node& node) {
  const TensorType& features = node.outputs()[0].desc;
  return node.type() == "Aipp" && features.type == DataType::kFloat && features.format == Format::kNchw;
}

void BlockAipp(Node& node, const Dims& pads, const TensorType& blocks) {
  node.attributes[kBlockPads] = pads;
  static_cast<TensorType&>(node.outputs()[0].desc) = blocks;
}

}  // namespace foothold
