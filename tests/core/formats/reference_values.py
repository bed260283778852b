#!/usr/bin/env python3
"""Writes robustness_values.tsv: what independent readers find in the files of shared/data/robustness.

  python3 -m venv V && V/bin/pip install numpy pillow pypng tifffile imagecodecs nibabel pydicom \\
      pylibjpeg pylibjpeg-libjpeg pylibjpeg-openjpeg pylibjpeg-rle
  V/bin/python tests/core/formats/reference_values.py FOLDER > tests/core/formats/robustness_values.tsv

One line per file that a reader understands: path, height, width, channels and type of the first page
(values as stored: palette indices, grey of under 8 bits unscaled), the CRC-32 of its values as
little-endian doubles in [h, w, c], and their mean. Types are those of base::PixelType; medical images
have "-", as their numbers may be held in any type. "~" before a CRC: the decoder is lossy, and only the
mean is compared.
"""

import io
import sys
import warnings
import zlib
from pathlib import Path

import imagecodecs
import nibabel
import numpy
import png
import pydicom
import tifffile
from PIL import Image

PIXEL_TYPES = {"bool": "uint8", "int8": "int16", "float16": "float32", "int64": "int32", "uint64": "uint32"}


def read_png(content):
    width, height, rows, info = png.Reader(bytes=content).read()
    values = numpy.vstack([numpy.asarray(row, numpy.uint16) for row in rows])
    values = values.reshape(height, width, info["planes"])
    return values if info["bitdepth"] == 16 else values.astype(numpy.uint8)


def read_pillow(content):
    with Image.open(io.BytesIO(content)) as image:
        image.load()
        if image.format == "JPEG" and image.mode == "CMYK":
            return numpy.asarray(image.convert("RGB"))
        if image.format == "PPM" and image.mode == "I":
            return numpy.asarray(image).astype(numpy.uint16)
        return numpy.asarray(image)


def read_tiff(content):
    with tifffile.TiffFile(io.BytesIO(content)) as file:
        page = file.pages[0]
        values = page.asarray()
        if page.axes == "SYX":
            values = numpy.moveaxis(values, 0, -1)
        is_lossy = page.compression in (6, 7, 33003, 33004, 33005, 34712, 34892, 50001)
        return values, is_lossy


def read_nifti(path):
    volume = nibabel.load(path)
    values = numpy.asarray(volume.dataobj)
    while values.ndim < 3:
        values = values[..., None]
    while values.ndim > 3:
        values = values[..., 0]
    slice_values = values[:, :, 0].T
    is_scaled = volume.get_data_dtype().itemsize <= 2 and slice_values.dtype == numpy.float64
    return slice_values.astype(numpy.float32) if is_scaled else slice_values


LOSSLESS_SYNTAXES = ("1.2.840.10008.1.2.5", "1.2.840.10008.1.2.4.57", "1.2.840.10008.1.2.4.70",
                     "1.2.840.10008.1.2.4.80", "1.2.840.10008.1.2.4.90")


def read_dicom(content):
    dataset = pydicom.dcmread(io.BytesIO(content))
    syntax = dataset.file_meta.TransferSyntaxUID
    colours = dataset.PhotometricInterpretation
    is_lossy = (syntax.is_compressed and syntax not in LOSSLESS_SYNTAXES) or colours.startswith("YBR")
    values = pydicom.pixels.pixel_array(dataset, raw=False, index=0)
    slope = float(dataset.get("RescaleSlope", None) or dataset.get("DoseGridScaling", None) or 1)
    intercept = float(dataset.get("RescaleIntercept", None) or 0)
    if colours == "MONOCHROME1":
        values = (1 << dataset.BitsStored) - 1 - values.astype(numpy.int64)
    is_whole = slope.is_integer() and intercept.is_integer()
    scaled = values.astype(numpy.float64) * slope + intercept
    return scaled if is_whole or dataset.BitsAllocated > 16 else scaled.astype(numpy.float32), is_lossy


def values_of(path):
    """[h, w, c], whether lossy, whether the type counts; None where no reader understands it."""
    if "fuzz" in path.parts or path.name.startswith("crash-"):
        raise ValueError("damaged on purpose: no values are right")
    if path.name == "hpredict-1c-12b.tiff":
        raise ValueError("a predictor without compression: libtiff does not apply it, tifffile does")
    content = path.read_bytes()
    if content[:8] == b"\x89PNG\r\n\x1a\n":
        return read_png(content), False, True
    if content[:4] in (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+") and path.suffix not in (".dcm", ".hdr"):
        try:
            values, is_lossy = read_tiff(content)
        except Exception:
            values, is_lossy = read_pillow(content), True
        return values, is_lossy, True
    if content[:2] == b"\xff\xd8":
        return read_pillow(content), True, True
    if content[:4] == b"RIFF":
        return read_pillow(content), True, True
    if content[4:8] == b"jP  " or content[:4] == b"\xff\x4f\xff\x51":
        return imagecodecs.jpeg2k_decode(content), True, True
    if path.parent.name == "nifti":
        return read_nifti(path), False, False
    if path.parent.name == "dicom":
        values, is_lossy = read_dicom(content)
        return values, is_lossy, False
    return read_pillow(content), False, True


def line_of(name, values, is_lossy, has_type):
    values = values.reshape(*values.shape[:2], -1)
    height, width, channels = values.shape
    doubles = values.astype("<f8")
    finite = doubles[numpy.isfinite(doubles)]
    mean = float(finite.mean()) if finite.size else 0.0
    crc = f"{'~' if is_lossy else ''}{zlib.crc32(doubles.tobytes()):08x}"
    type_name = PIXEL_TYPES.get(values.dtype.name, values.dtype.name) if has_type else "-"
    return f"{name}\t{height}\t{width}\t{channels}\t{type_name}\t{crc}\t{mean:.9g}"


def main():
    warnings.simplefilter("ignore")
    folder = Path(sys.argv[1])
    print("# path, height, width, channels, type, CRC-32 of the values as doubles, mean; see reference_values.py")
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or path.name in ("MANIFEST.tsv", "SOURCE.txt"):
            continue
        try:
            print(line_of(path.relative_to(folder), *values_of(path)))
        except Exception as error:  # whatever a reader throws means that it does not understand the file
            print(f"{path.relative_to(folder)}: {type(error).__name__} {str(error)[:100]}", file=sys.stderr)


main()
