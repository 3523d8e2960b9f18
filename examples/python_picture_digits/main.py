# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Reads the handwritten digits of a JPEG picture and writes what it read into the picture.

main.py MODEL HELD_OUT OUTPUT
"""
import sys

import acl
import numpy

HOST_TO_DEVICE, DEVICE_TO_HOST = 1, 2
NORMAL_MEMORY = 2
NV12 = 1
CELL, COLUMNS, ROWS = 64, 8, 4  # digits and their distance in the picture
WIDTH, HEIGHT = CELL * COLUMNS, CELL * ROWS
DIGIT = 48  # pixels of a digit, in the lower right of its cell
NEEDED = 28  # of 32
# Three columns and five rows for each digit, a row an octal number.
FONT = ("75557", "26227", "71747", "71717", "55711", "74717", "74757", "71111", "75757", "75717")


def check(result):
    """The values of a call, without its error code."""
    values = result if isinstance(result, tuple) else (result,)
    if values[-1] != 0:
        raise SystemExit(f"error {values[-1]}: {acl.get_recent_err_msg()}")
    return values[0] if len(values) == 2 else values[:-1]


def up(value, to):
    return (value + to - 1) // to * to


class Picture:
    """A picture in NV12 in device memory."""

    def __init__(self, width, height, width_stride, height_stride):
        self.size = width_stride * height_stride * 3 // 2
        self.stride, self.rows = width_stride, height_stride
        self.data, self.desc = check(acl.media.dvpp_malloc(self.size)), acl.media.dvpp_create_pic_desc()
        for name, value in (("data", self.data), ("size", self.size), ("format", NV12), ("width", width),
                            ("height", height), ("width_stride", width_stride), ("height_stride", height_stride)):
            check(getattr(acl.media, f"dvpp_set_pic_desc_{name}")(self.desc, value))

    def pixels(self):
        """All rows of brightness and, below, of colours."""
        host = numpy.zeros(self.size, numpy.uint8)
        check(acl.rt.memcpy(acl.util.numpy_to_ptr(host), host.size, self.data, self.size, DEVICE_TO_HOST))
        return host.reshape(-1, self.stride)

    def set_pixels(self, pixels):
        pixels = numpy.ascontiguousarray(pixels)
        check(acl.rt.memcpy(self.data, self.size, acl.util.numpy_to_ptr(pixels), pixels.size, HOST_TO_DEVICE))

    def free(self):
        check(acl.media.dvpp_destroy_pic_desc(self.desc))
        check(acl.media.dvpp_free(self.data))


class Pictures:
    """What is done with pictures, on one channel and one stream."""

    def __init__(self, stream):
        self.stream, self.channel = stream, acl.media.dvpp_create_channel_desc()
        check(acl.media.dvpp_create_channel(self.channel))
        self.quality = acl.media.dvpp_create_jpege_config()
        check(acl.media.dvpp_set_jpege_config_level(self.quality, 95))

    def decode(self, jpeg):
        source = acl.util.bytes_to_ptr(jpeg)
        width, height, _ = check(acl.media.dvpp_jpeg_get_image_info(source, len(jpeg)))
        picture = Picture(width, height, up(width, 128), up(height, 16))
        stream_data = check(acl.media.dvpp_malloc(len(jpeg)))
        check(acl.rt.memcpy(stream_data, len(jpeg), source, len(jpeg), HOST_TO_DEVICE))
        check(acl.media.dvpp_jpeg_decode_async(self.channel, stream_data, len(jpeg), picture.desc, self.stream))
        check(acl.rt.synchronize_stream(self.stream))
        check(acl.media.dvpp_free(stream_data))
        return picture

    def cut_out(self, picture, left, top, to):
        """Queued: an area of DIGIT x DIGIT pixels, made as small as `to`."""
        area = acl.media.dvpp_create_roi_config(left, left + DIGIT - 1, top, top + DIGIT - 1)
        check(acl.media.dvpp_vpc_crop_async(self.channel, picture.desc, to.desc, area, self.stream))
        check(acl.media.dvpp_destroy_roi_config(area))

    def encode(self, picture):
        most = check(acl.media.dvpp_jpeg_predict_enc_size(picture.desc, self.quality))
        jpeg, length = check(acl.media.dvpp_malloc(most)), numpy.array([most], numpy.uint32)
        check(acl.media.dvpp_jpeg_encode_async(self.channel, picture.desc, jpeg, acl.util.numpy_to_ptr(length),
                                               self.quality, self.stream))
        check(acl.rt.synchronize_stream(self.stream))
        host = numpy.zeros(int(length[0]), numpy.uint8)
        check(acl.rt.memcpy(acl.util.numpy_to_ptr(host), host.size, jpeg, host.size, DEVICE_TO_HOST))
        check(acl.media.dvpp_free(jpeg))
        return host.tobytes()

    def free(self):
        check(acl.media.dvpp_destroy_jpege_config(self.quality))
        check(acl.media.dvpp_destroy_channel(self.channel))
        check(acl.media.dvpp_destroy_channel_desc(self.channel))


class Network:
    """Takes pictures as they are; its preprocessing makes floats of them."""

    def __init__(self, path):
        self.model, self.desc = check(acl.mdl.load_from_file(path)), acl.mdl.create_desc()
        check(acl.mdl.get_desc(self.desc, self.model))
        self.size = acl.mdl.get_output_size_by_index(self.desc, 0)
        self.scores = check(acl.rt.malloc(self.size, NORMAL_MEMORY))

    def dataset(self, data, size):
        dataset = acl.mdl.create_dataset()
        check(acl.mdl.add_dataset_buffer(dataset, acl.create_data_buffer(data, size)))
        return dataset

    def read(self, picture, stream):
        inputs, outputs = self.dataset(picture.data, picture.size), self.dataset(self.scores, self.size)
        check(acl.mdl.execute_async(self.model, inputs, outputs, stream))
        check(acl.rt.synchronize_stream(stream))
        for dataset in (inputs, outputs):
            check(acl.destroy_data_buffer(acl.mdl.get_dataset_buffer(dataset, 0)))
            check(acl.mdl.destroy_dataset(dataset))
        scores = numpy.zeros(self.size // 4, numpy.float32)
        check(acl.rt.memcpy(acl.util.numpy_to_ptr(scores), scores.nbytes, self.scores, self.size, DEVICE_TO_HOST))
        return int(scores.argmax())

    def free(self):
        check(acl.rt.free(self.scores))
        check(acl.mdl.destroy_desc(self.desc))
        check(acl.mdl.unload(self.model))


def place(index):
    """Where a digit begins."""
    return index % COLUMNS * CELL + CELL - DIGIT, index // COLUMNS * CELL + CELL - DIGIT


def page(digits):
    """A picture with all digits, white on black, as bytes of NV12."""
    pixels = numpy.full((HEIGHT * 3 // 2, WIDTH), 128, numpy.uint8)
    pixels[:HEIGHT] = 0
    for i, digit in enumerate(digits):
        left, top = place(i)
        large = numpy.kron(digit, numpy.ones((DIGIT // 8, DIGIT // 8)))
        pixels[top : top + DIGIT, left : left + DIGIT] = (large * 255 / 16).astype(numpy.uint8)
    return pixels


def draw(picture, index, digit, right):
    """What was read, above and left of the digit: green, or red where it is wrong."""
    pixels = picture.pixels()
    left, top = place(index)
    left, top = left - 12, top - 14
    glyph = numpy.array([[int(row) >> bit & 1 for bit in (2, 1, 0)] for row in FONT[digit]])
    lit = numpy.kron(glyph, numpy.ones((2, 2), int)).astype(bool)
    pixels[top : top + 10, left : left + 6][lit] = 150 if right else 76
    colours = pixels[picture.rows + top // 2 : picture.rows + top // 2 + 5, left : left + 6].reshape(5, 3, 2)
    colours[glyph.astype(bool)] = (44, 21) if right else (85, 255)
    pixels[picture.rows + top // 2 : picture.rows + top // 2 + 5, left : left + 6] = colours.reshape(5, 6)
    picture.set_pixels(pixels)


def read_digits(path):
    rows = numpy.fromfile(path, numpy.uint8).reshape(-1, 65)[: COLUMNS * ROWS]
    return rows[:, :64].reshape(-1, 8, 8), rows[:, 64]


def make_jpeg(pictures, digits):
    picture = Picture(WIDTH, HEIGHT, WIDTH, HEIGHT)
    picture.set_pixels(page(digits))
    jpeg = pictures.encode(picture)
    picture.free()
    return jpeg


def main():
    model, held_out, output = sys.argv[1:]
    digits, labels = read_digits(held_out)
    check(acl.init())
    check(acl.rt.set_device(0))
    stream = check(acl.rt.create_stream())
    pictures, network = Pictures(stream), Network(model)

    jpeg = make_jpeg(pictures, digits)
    picture, small = pictures.decode(jpeg), Picture(8, 8, 16, 8)
    guesses = []
    for i in range(len(labels)):
        pictures.cut_out(picture, *place(i), small)
        guesses.append(network.read(small, stream))
    for i, guess in enumerate(guesses):
        draw(picture, i, guess, guess == labels[i])
    with open(output, "wb") as file:
        file.write(pictures.encode(picture))
    right = int((numpy.array(guesses) == labels).sum())
    print(f"a picture of {len(jpeg)} bytes: {right} of {len(labels)} digits are right, drawn into {output}")
    for row in range(ROWS):
        print(" ".join(map(str, guesses[row * COLUMNS : (row + 1) * COLUMNS])))

    for each in (picture, small, network, pictures):
        each.free()
    check(acl.rt.destroy_stream(stream))
    check(acl.rt.reset_device(0))
    check(acl.finalize())
    sys.exit(0 if right >= NEEDED else 1)


if __name__ == "__main__":
    main()
