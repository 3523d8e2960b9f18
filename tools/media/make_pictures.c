// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Writes the small JPEG and PNG pictures in tests/fuzz/corpus, one of each kind a decoder meets, with the
// system's libjpeg and libpng:
//   cc -o build/make_pictures tools/media/make_pictures.c -ljpeg -lpng && build/make_pictures
//   tests/fuzz/corpus
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// Needs what stdio declares.
#include <jpeglib.h>

enum { kWidth = 35, kHeight = 26 };

static const char* folder;

static FILE* Open(const char* kind, const char* name) {
  char path[1000];
  snprintf(path, sizeof path, "%s/%s/%s.%s", folder, kind, name, kind[0] == 'j' ? "jpg" : "png");
  return fopen(path, "wb");
}

static unsigned char Sample(int x, int y, int channel) {
  return (unsigned char)(x * 7 + y * (channel * 3 + 2) + channel * 60);
}

typedef struct {
  const char* name;
  int components;
  J_COLOR_SPACE coded;
  int h[3], v[3];
  int progressive, arithmetic, restart;
  int orientation;
} JpegKind;

static const JpegKind kJpegs[] = {
    {"420", 3, JCS_YCbCr, {2, 1, 1}, {2, 1, 1}, 0, 0, 0, 0},
    {"422", 3, JCS_YCbCr, {2, 1, 1}, {1, 1, 1}, 0, 0, 0, 0},
    {"444", 3, JCS_YCbCr, {1, 1, 1}, {1, 1, 1}, 0, 0, 0, 0},
    {"440", 3, JCS_YCbCr, {1, 1, 1}, {2, 1, 1}, 0, 0, 0, 0},
    {"411", 3, JCS_YCbCr, {4, 1, 1}, {1, 1, 1}, 0, 0, 0, 0},
    {"unnamed_sampling", 3, JCS_YCbCr, {2, 1, 2}, {2, 2, 1}, 0, 0, 0, 0},
    {"gray", 1, JCS_GRAYSCALE, {1}, {1}, 0, 0, 0, 0},
    {"progressive", 3, JCS_YCbCr, {2, 1, 1}, {2, 1, 1}, 1, 0, 0, 0},
    {"arithmetic", 3, JCS_YCbCr, {2, 1, 1}, {2, 1, 1}, 0, 1, 0, 0},
    {"restart", 3, JCS_YCbCr, {2, 1, 1}, {2, 1, 1}, 0, 0, 1, 0},
    {"rgb", 3, JCS_RGB, {1, 1, 1}, {1, 1, 1}, 0, 0, 0, 0},
    {"cmyk", 4, JCS_CMYK, {1, 1, 1}, {1, 1, 1}, 0, 0, 0, 0},
    {"turned", 3, JCS_YCbCr, {2, 1, 1}, {2, 1, 1}, 0, 0, 0, 6},
};

static void WriteOrientation(struct jpeg_compress_struct* jpeg, int orientation) {
  unsigned char body[] = {'E', 'x',  'i', 'f', 0,
                          0,   'I',  'I', 42,  0,
                          8,   0,    0,   0,   1,
                          0,   0x12, 1,   3,   0,
                          1,   0,    0,   0,   (unsigned char)orientation,
                          0,   0,    0,   0,   0,
                          0,   0};
  if (orientation != 0) jpeg_write_marker(jpeg, JPEG_APP0 + 1, body, sizeof body);
}

static void WriteJpeg(const JpegKind* kind) {
  struct jpeg_compress_struct jpeg;
  struct jpeg_error_mgr errors;
  jpeg.err = jpeg_std_error(&errors);
  jpeg_create_compress(&jpeg);
  FILE* const file = Open("jpeg", kind->name);
  jpeg_stdio_dest(&jpeg, file);
  jpeg.image_width = kWidth;
  jpeg.image_height = kHeight;
  jpeg.input_components = kind->components;
  jpeg.in_color_space = kind->components == 3 ? JCS_RGB : kind->coded;
  jpeg_set_defaults(&jpeg);
  jpeg_set_colorspace(&jpeg, kind->coded);
  jpeg_set_quality(&jpeg, 85, TRUE);
  for (int c = 0; c < 3 && c < kind->components; ++c) {
    jpeg.comp_info[c].h_samp_factor = kind->h[c];
    jpeg.comp_info[c].v_samp_factor = kind->v[c];
  }
  jpeg.arith_code = kind->arithmetic;
  jpeg.restart_interval = (unsigned)kind->restart;
  if (kind->progressive) jpeg_simple_progression(&jpeg);
  jpeg_start_compress(&jpeg, TRUE);
  WriteOrientation(&jpeg, kind->orientation);
  unsigned char row[kWidth * 4];
  for (int y = 0; y < kHeight; ++y) {
    for (int i = 0; i < kWidth * kind->components; ++i)
      row[i] = Sample(i / kind->components, y, i % kind->components);
    unsigned char* rows[] = {row};
    jpeg_write_scanlines(&jpeg, rows, 1);
  }
  jpeg_finish_compress(&jpeg);
  jpeg_destroy_compress(&jpeg);
  fclose(file);
}

typedef struct {
  const char* name;
  int color, depth, interlace, transparent;
} PngKind;

static const PngKind kPngs[] = {
    {"rgb", PNG_COLOR_TYPE_RGB, 8, 0, 0},
    {"rgba", PNG_COLOR_TYPE_RGB_ALPHA, 8, 0, 0},
    {"gray", PNG_COLOR_TYPE_GRAY, 8, 0, 0},
    {"gray_alpha", PNG_COLOR_TYPE_GRAY_ALPHA, 8, 0, 0},
    {"gray1", PNG_COLOR_TYPE_GRAY, 1, 0, 0},
    {"palette4", PNG_COLOR_TYPE_PALETTE, 4, 0, 1},
    {"rgb16", PNG_COLOR_TYPE_RGB, 16, 0, 0},
    {"interlaced", PNG_COLOR_TYPE_RGB, 8, 1, 0},
    {"rgba16_interlaced", PNG_COLOR_TYPE_RGB_ALPHA, 16, 1, 0},
};

static void WritePng(const PngKind* kind) {
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
  png_infop info = png_create_info_struct(png);
  FILE* const file = Open("png", kind->name);
  png_init_io(png, file);
  png_set_IHDR(png, info, kWidth, kHeight, kind->depth, kind->color,
               kind->interlace ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  png_color palette[16];
  png_byte alpha[2] = {0, 128};
  for (int i = 0; i < 16; ++i)
    palette[i] = (png_color){(png_byte)(i * 16), (png_byte)(255 - i * 9), (png_byte)(i * 5)};
  if (kind->color == PNG_COLOR_TYPE_PALETTE) png_set_PLTE(png, info, palette, 16);
  if (kind->transparent) png_set_tRNS(png, info, alpha, 2, NULL);
  png_write_info(png, info);
  const size_t bytes = png_get_rowbytes(png, info), step = bytes / kWidth > 0 ? bytes / kWidth : 1;
  unsigned char pixels[kHeight][kWidth * 8];
  unsigned char* rows[kHeight];
  for (int y = 0; y < kHeight; ++y) {
    rows[y] = pixels[y];
    for (size_t i = 0; i < bytes; ++i)
      pixels[y][i] = Sample((int)(i / step), y, (int)(i % step));
  }
  png_write_image(png, rows);
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  fclose(file);
}

int main(int count, char** arguments) {
  if (count != 2) return 2;
  folder = arguments[1];
  for (size_t i = 0; i < sizeof kJpegs / sizeof *kJpegs; ++i)
    WriteJpeg(&kJpegs[i]);
  for (size_t i = 0; i < sizeof kPngs / sizeof *kPngs; ++i)
    WritePng(&kPngs[i]);
  return 0;
}
