// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "media/png.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "base/error.h"
#include "media/png_library.h"
#include "media/stride.h"

namespace foothold::media {
namespace {

// The library fails by jumping to where it was called: nothing below has a destructor.
struct PngWork {
  const png::Functions* use;
  const std::uint8_t* data;
  std::size_t left;
  Picture out;
  png::Reader* reader;
  png::Header* header;
  char problem[200];
};

void Complain(png::Reader* reader, const char* text) {
  const png::Functions& use = png::Functions::Get();
  auto* const work = static_cast<PngWork*>(use.context(reader));
  std::snprintf(work->problem, sizeof work->problem, "%s", text);
  use.jump(reader, 1);
}

void Ignore(png::Reader*, const char*) {}

void Supply(png::Reader* reader, unsigned char* to, std::size_t bytes) {
  const png::Functions& use = png::Functions::Get();
  auto* const work = static_cast<PngWork*>(use.source(reader));
  if (bytes > work->left) return Complain(reader, "the file is cut short");
  std::memcpy(to, work->data, bytes);
  work->data += bytes;
  work->left -= bytes;
}

// Everything becomes R, G, B in bytes, with alpha if the output has it.
void ChooseColors(const PngWork& work) {
  const png::Functions& use = *work.use;
  use.expand(work.reader);
  use.strip_16(work.reader);
  use.gray_to_rgb(work.reader);
  if (work.out.format == PixelFormat::kRgba) {
    use.add_alpha(work.reader, 255, 1);
  } else {
    use.strip_alpha(work.reader);
  }
}

void ReadRows(PngWork* work) {
  const png::Functions& use = *work->use;
  use.set_limits(work->reader, work->out.width, work->out.height);
  use.set_chunk_bytes(work->reader, std::size_t{64} << 20);
  use.set_source(work->reader, work, Supply);
  use.read_header(work->reader, work->header);
  ChooseColors(*work);
  const int passes = use.passes(work->reader);
  use.update(work->reader, work->header);
  if (use.row_bytes(work->reader, work->header) != RowBytes(work->out.format, work->out.width))
    Complain(work->reader, "its header changes");
  for (int pass = 0; pass < passes; ++pass)
    for (std::size_t y = 0; y < work->out.height; ++y)
      use.read_row(work->reader, work->out.data + y * work->out.width_stride, nullptr);
}

// False with the problem in `work`.
bool TryRead(PngWork* work) {
  std::jmp_buf* const back = work->use->set_jump(work->reader, std::longjmp, sizeof(std::jmp_buf));
  if (back == nullptr || setjmp(*back) != 0) return false;
  ReadRows(work);
  return true;
}

void DecodeRows(PngWork* work) {
  // The library takes the version it was made for, which it tells itself.
  const char* const version = work->use->version(nullptr);
  work->reader = work->use->create(version, work, Complain, Ignore);
  if (work->reader != nullptr) work->header = work->use->create_header(work->reader);
  const bool ready = work->header != nullptr;
  const bool done = ready && TryRead(work);
  work->use->destroy(&work->reader, &work->header, nullptr);
  if (!ready) Fail(kBadAlloc, "libpng has no memory for a reader");
  if (!done) Fail(kInvalidParam, "the PNG picture cannot be decoded: {}", work->problem);
}

std::uint32_t BigEndian(const std::uint8_t* bytes) {
  return std::uint32_t{bytes[0]} << 24 | std::uint32_t{bytes[1]} << 16 | std::uint32_t{bytes[2]} << 8 |
         bytes[3];
}

std::int32_t ComponentsOf(PngColor color) {
  switch (color) {
    case PngColor::kGray:
      return 1;
    case PngColor::kGrayAlpha:
      return 2;
    case PngColor::kRgb:
    case PngColor::kPalette:
      return 3;
    case PngColor::kRgba:
      return 4;
  }
  Fail(kInvalidParam, "the PNG picture has colours of kind {}, which does not exist",
       static_cast<int>(color));
}

}  // namespace

PngInfo ReadPngInfo(const std::uint8_t* data, std::size_t size) {
  constexpr std::uint8_t kSignature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
  constexpr std::size_t kHeaderEnd = 26;
  if (size < kHeaderEnd || std::memcmp(data, kSignature, sizeof kSignature) != 0 ||
      std::memcmp(data + 12, "IHDR", 4) != 0)
    Fail(kInvalidParam, "the {} bytes are no PNG picture: its header is missing", size);
  PngInfo info;
  info.width = BigEndian(data + 16);
  info.height = BigEndian(data + 20);
  info.bit_depth = data[24];
  info.color = static_cast<PngColor>(data[25]);
  info.components = ComponentsOf(info.color);
  if (info.width == 0 || info.height == 0 || info.width > kMaxSide || info.height > kMaxSide)
    Fail(kInvalidParam, "the PNG picture is {} x {} pixels; both sides must be from 1 to {}", info.width,
         info.height, kMaxSide);
  return info;
}

PixelFormat PngOutputFormat(const PngInfo& info, PixelFormat asked) {
  using enum PixelFormat;
  if (asked == kUnknown) return info.components % 2 == 0 ? kRgba : kRgb;
  if (asked != kRgb && asked != kRgba)
    Fail(kInvalidParam, "a PNG picture is decoded to RGB888 (12) or RGBA8888 (16), not to {} ({})",
         NameOf(asked), static_cast<int>(asked));
  return asked;
}

std::uint64_t PredictPngDecodeBytes(const PngInfo& info, PixelFormat asked) {
  const PixelFormat format = PngOutputFormat(info, asked);
  return RequiredBytes(format, DecoderWidthStride(format, info.width), DecoderHeightStride(info.height));
}

Picture PlanPngDecode(const PngInfo& info, const Picture& out) {
  Picture plan = out;
  plan.format = PngOutputFormat(info, out.format);
  plan.width = info.width;
  plan.height = info.height;
  FillDecoderStrides(info.width, info.height, &plan);
  CheckShape(plan, "output");
  return plan;
}

Picture DecodePng(const std::uint8_t* data, std::size_t size, const Picture& out) {
  if (data == nullptr) Fail(kInvalidParam, "the data of the PNG picture must not be null");
  const PngInfo info = ReadPngInfo(data, size);
  const Picture plan = PlanPngDecode(info, out);
  Check(plan, "output");
  PngWork work{&png::Functions::Get(), data, size, plan, nullptr, nullptr, "it has no memory"};
  DecodeRows(&work);
  return plan;
}

}  // namespace foothold::media
