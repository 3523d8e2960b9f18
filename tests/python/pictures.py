# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""What the tests of pictures and videos share: the steps of the samples' helper library, written anew."""
import acl
import numpy
from calls import facts
from on_device import D2H, H2D, DeviceCase

NV12 = 1
UNSUPPORTED = set(facts.unsupported_functions())


def up(value, to):
    return (value + to - 1) // to * to


def waves(width, height):
    """A picture in NV12 without sharp edges, which codecs hardly change."""
    y, x = numpy.mgrid[0:height, 0:width]
    luma = 128 + 60 * numpy.sin(x / 23) + 40 * numpy.cos(y / 17)
    v, u = numpy.mgrid[0:height // 2, 0:width // 2]
    colours = numpy.stack([128 + 50 * numpy.cos(u / 19), 128 + 50 * numpy.sin(v / 13)], axis=-1)
    return numpy.concatenate([luma.ravel(), colours.ravel()]).astype(numpy.uint8)


class Picture:
    """Pixels in device memory."""
    def __init__(self, data, size, width, height, width_stride=0, height_stride=0):
        self.data, self.size, self.width, self.height = data, size, width, height
        self.width_stride, self.height_stride = width_stride or width, height_stride or height


class PictureCase(DeviceCase):
    """A channel for pictures, and what is done with it, step by step as helpers of samples do it."""

    def setUp(self):
        super().setUp()
        self.channel = acl.media.dvpp_create_channel_desc()
        self.ok(acl.media.dvpp_create_channel(self.channel))
        self.quality = acl.media.dvpp_create_jpege_config()
        self.ok(acl.media.dvpp_set_jpege_config_level(self.quality, 100))
        self.addCleanup(self.close)

    def close(self):
        self.ok(acl.media.dvpp_destroy_jpege_config(self.quality))
        self.ok(acl.media.dvpp_destroy_channel(self.channel))
        self.ok(acl.media.dvpp_destroy_channel_desc(self.channel))

    def memory(self, size):
        pointer = self.ok(acl.media.dvpp_malloc(size))
        self.addCleanup(acl.media.dvpp_free, pointer)
        return pointer

    def upload(self, content):
        pointer = self.memory(len(content))
        self.ok(acl.rt.memcpy(pointer, len(content), acl.util.bytes_to_ptr(content), len(content), H2D))
        return pointer

    def download(self, pointer, size):
        host = numpy.zeros(size, numpy.uint8)
        self.ok(acl.rt.memcpy(acl.util.numpy_to_ptr(host), size, pointer, size, D2H))
        return host

    def picture(self, pixels, width, height):
        return Picture(self.upload(pixels.tobytes()), pixels.size, width, height)

    def room(self, width, height):
        """For a picture with the strides of results."""
        stride, rows = up(width, 16), up(height, 2)
        size = stride * rows * 3 // 2
        return Picture(self.memory(size), size, width, height, stride, rows)

    def luma(self, picture):
        pixels = self.download(picture.data, picture.width_stride * picture.height_stride)
        return pixels.reshape(picture.height_stride, -1)[:picture.height, :picture.width].astype(int)

    def describe(self, picture, desc=None):
        desc = desc or acl.media.dvpp_create_pic_desc()
        for name, value in (("data", picture.data), ("size", picture.size), ("format", NV12), ("width", picture.width),
                            ("height", picture.height), ("width_stride", picture.width_stride),
                            ("height_stride", picture.height_stride)):
            self.ok(getattr(acl.media, f"dvpp_set_pic_desc_{name}")(desc, value))
        return desc

    def synchronize(self, *descs):
        self.ok(acl.rt.synchronize_stream(self.stream))
        for desc in descs:
            self.assertEqual(acl.media.dvpp_get_pic_desc_ret_code(desc), 0)
            self.ok(acl.media.dvpp_destroy_pic_desc(desc))

    def encode(self, picture):
        desc = self.describe(picture)
        size = self.ok(acl.media.dvpp_jpeg_predict_enc_size(desc, self.quality))
        data = self.memory(size)
        length = numpy.array([size], numpy.int32).tobytes()  # written to although they are bytes
        self.ok(acl.media.dvpp_jpeg_encode_async(self.channel, desc, data, acl.util.bytes_to_ptr(length), self.quality,
                                                 self.stream))
        self.synchronize(desc)
        return self.download(data, int(numpy.frombuffer(length, numpy.int32)[0])).tobytes()

    def decode(self, jpeg):
        width, height, channels = self.ok(acl.media.dvpp_jpeg_get_image_info(acl.util.bytes_to_ptr(jpeg), len(jpeg)))
        self.assertEqual(channels, 3)
        size = self.ok(acl.media.dvpp_jpeg_predict_dec_size(acl.util.bytes_to_ptr(jpeg), len(jpeg), NV12))
        picture = Picture(self.memory(size), size, width, height, up(width, 128), up(height, 16))
        desc = self.describe(picture)
        self.ok(acl.media.dvpp_jpeg_decode_async(self.channel, self.upload(jpeg), len(jpeg), desc, self.stream))
        self.synchronize(desc)
        return picture

    def resize(self, picture, width, height):
        result, config = self.room(width, height), acl.media.dvpp_create_resize_config()
        source, target = self.describe(picture), self.describe(result)
        self.ok(acl.media.dvpp_vpc_resize_async(self.channel, source, target, config, self.stream))
        self.synchronize(source, target)
        self.ok(acl.media.dvpp_destroy_resize_config(config))
        return result

    def crop_and_paste(self, picture, crop, width, height, paste):
        """Areas are (left, right, top, bottom), the last of each inside."""
        result = self.room(width, height)
        source, target = self.describe(picture), self.describe(result)
        areas = [acl.media.dvpp_create_roi_config(*area) for area in (crop, paste)]
        self.ok(acl.media.dvpp_vpc_crop_and_paste_async(self.channel, source, target, *areas, self.stream))
        self.synchronize(source, target)
        for area in areas:
            self.ok(acl.media.dvpp_destroy_roi_config(area))
        return result
