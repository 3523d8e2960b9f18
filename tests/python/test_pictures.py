# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Pictures: from JPEG and back, resized, cropped and put into others."""
import unittest

import acl
import numpy
from pictures import NV12, UNSUPPORTED, PictureCase, waves

WIDTH, HEIGHT = 200, 120


@unittest.skipIf("acldvppCreateChannel" in UNSUPPORTED, "there is nothing that works on pictures")
class Pictures(PictureCase):
    def near(self, found, expected, most=4):
        self.assertEqual(found.shape, expected.shape)
        self.assertLessEqual(int(numpy.abs(found - expected).max()), most)

    def source(self):
        pixels = waves(WIDTH, HEIGHT)
        return self.picture(pixels, WIDTH, HEIGHT), pixels[:WIDTH * HEIGHT].reshape(HEIGHT, WIDTH).astype(int)

    def test_become_jpeg_and_come_back(self):
        picture, luma = self.source()
        jpeg = self.encode(picture)
        self.assertEqual((jpeg[:2], jpeg[-2:]), (b"\xff\xd8", b"\xff\xd9"))
        decoded = self.decode(jpeg)
        self.assertEqual((decoded.width, decoded.height), (WIDTH, HEIGHT))
        self.near(self.luma(decoded), luma)

    def test_from_jpeg_are_resized(self):
        picture, luma = self.source()
        small = self.resize(self.decode(self.encode(picture)), WIDTH // 2, HEIGHT // 2)
        means = luma.reshape(HEIGHT // 2, 2, WIDTH // 2, 2).mean(axis=(1, 3))
        self.near(self.luma(small), numpy.rint(means).astype(int))

    def test_are_cropped_and_pasted(self):
        picture, luma = self.source()
        pasted = self.crop_and_paste(picture, (20, 83, 10, 57), 128, 64, (16, 79, 0, 47))
        found = self.luma(pasted)
        self.near(found[:48, 16:80], luma[10:58, 20:84], 0)
        self.assertEqual(int(found[:, 80:].max()), 0, "what nothing is put into stays as it was")

    def test_are_cropped(self):
        picture, luma = self.source()
        result = self.room(64, 48)
        source, target = self.describe(picture), self.describe(result)
        area = acl.media.dvpp_create_roi_config(20, 83, 10, 57)
        self.ok(acl.media.dvpp_vpc_crop_async(self.channel, source, target, area, self.stream))
        self.synchronize(source, target)
        self.ok(acl.media.dvpp_destroy_roi_config(area))
        self.near(self.luma(result), luma[10:58, 20:84], 0)

    def batch(self, pictures):
        batch = acl.media.dvpp_create_batch_pic_desc(len(pictures))
        for i, picture in enumerate(pictures):
            self.describe(picture, acl.media.dvpp_get_pic_desc(batch, i))
        return batch

    def test_are_cropped_several_at_once(self):
        picture, luma = self.source()
        results = [self.room(64, 48), self.room(32, 16)]
        areas = [acl.media.dvpp_create_roi_config(*area) for area in ((20, 83, 10, 57), (0, 31, 0, 15))]
        inputs, outputs = self.batch([picture]), self.batch(results)
        self.assertEqual(self.ok(acl.media.dvpp_vpc_batch_crop_async(self.channel, inputs, [2], outputs, areas,
                                                                     self.stream)), outputs)
        self.ok(acl.rt.synchronize_stream(self.stream))
        self.near(self.luma(results[0]), luma[10:58, 20:84], 0)
        self.near(self.luma(results[1]), luma[:16, :32], 0)
        pasted = self.batch([self.room(64, 48), self.room(64, 48)])
        places = [acl.media.dvpp_create_roi_config(*area) for area in ((0, 63, 0, 47), (16, 47, 0, 15))]
        self.ok(acl.media.dvpp_vpc_batch_crop_and_paste_async(self.channel, inputs, [2], pasted, areas, places,
                                                              self.stream))
        self.ok(acl.rt.synchronize_stream(self.stream))
        for batch in (inputs, outputs, pasted):
            self.ok(acl.media.dvpp_destroy_batch_pic_desc(batch))

    def test_tell_what_they_are(self):
        picture, _ = self.source()
        desc = self.describe(picture)
        self.assertEqual(acl.media.dvpp_get_pic_desc_data(desc), picture.data)
        self.assertEqual(acl.media.dvpp_get_pic_desc_size(desc), picture.size)
        self.assertEqual(acl.media.dvpp_get_pic_desc_width(desc), WIDTH)
        self.assertEqual(acl.media.dvpp_get_pic_desc_height(desc), HEIGHT)
        self.ok(acl.media.dvpp_destroy_pic_desc(desc))

    def test_that_are_no_jpeg_are_refused(self):
        text = b"no picture at all" * 10
        self.fails(acl.media.dvpp_jpeg_get_image_info(acl.util.bytes_to_ptr(text), len(text)))
        self.fails(acl.media.dvpp_jpeg_predict_dec_size(acl.util.bytes_to_ptr(text), len(text), NV12))
