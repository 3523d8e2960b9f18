// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "media/png_library.h"

namespace foothold::media::png {
namespace {

Functions FindFunctions() {
  Functions out;
  library.Find("png_create_read_struct", &out.create);
  library.Find("png_create_info_struct", &out.create_header);
  library.Find("png_destroy_read_struct", &out.destroy);
  library.Find("png_set_longjmp_fn", &out.set_jump);
  library.Find("png_longjmp", &out.jump);
  library.Find("png_get_error_ptr", &out.context);
  library.Find("png_set_read_fn", &out.set_source);
  library.Find("png_get_io_ptr", &out.source);
  library.Find("png_set_user_limits", &out.set_limits);
  library.Find("png_set_chunk_malloc_max", &out.set_chunk_bytes);
  library.Find("png_read_info", &out.read_header);
  library.Find("png_set_expand", &out.expand);
  library.Find("png_set_strip_16", &out.strip_16);
  library.Find("png_set_strip_alpha", &out.strip_alpha);
  library.Find("png_set_gray_to_rgb", &out.gray_to_rgb);
  library.Find("png_set_add_alpha", &out.add_alpha);
  library.Find("png_set_interlace_handling", &out.passes);
  library.Find("png_read_update_info", &out.update);
  library.Find("png_get_rowbytes", &out.row_bytes);
  library.Find("png_read_row", &out.read_row);
  library.Find("png_get_libpng_ver", &out.version);
  return out;
}

}  // namespace

constinit SystemLibrary library("libpng16.so.16", "libpng16-16", "PNG pictures");

const Functions& Functions::Get() {
  static const Functions functions = FindFunctions();
  return functions;
}

}  // namespace foothold::media::png
