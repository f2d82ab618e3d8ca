"""Reads a fewdim model with nothing but NumPy, prints what it is, and places rows in its space.

    python read_model.py model.fewdim              # what it holds
    python read_model.py model.fewdim rows.csv     # coordinates of the rows (numbers only, one header line)

The file is safetensors: eight bytes with the header's length, a JSON header, raw little-endian arrays.
"""

import json
import struct
import sys

import numpy as np

DTYPES = {"F32": "<f4", "F64": "<f8", "I64": "<i8", "U8": "u1"}


def read(path):
    """Returns the model's description (a dict) and its arrays by name."""
    with open(path, "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(length))
        data = file.read()
    about = json.loads(header.pop("__metadata__")["fewdim"])
    arrays = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        arrays[name] = np.frombuffer(data[begin:end], DTYPES[entry["dtype"]]).reshape(entry["shape"])
    return about, arrays


def transform(arrays, rows):
    """y = output_scale * components @ ((x - mean) / scale), for each row x."""
    centered = (rows - arrays.get("mean", 0.0)) / arrays.get("scale", 1.0)
    return centered @ arrays["components"].T * arrays.get("output_scale", 1.0)


if __name__ == "__main__":
    about, arrays = read(sys.argv[1])
    if len(sys.argv) > 2:
        rows = np.loadtxt(sys.argv[2], delimiter=",", skiprows=1, ndmin=2)
        np.savetxt(sys.stdout, transform(arrays, rows), delimiter=",", fmt="%.17g",
                   header=",".join(about["component_names"]), comments="")
    else:
        print(about["method"], about["precision"], "fitted on", about["provenance"]["rows"], "rows of", about["provenance"]["input"])
        for name, array in arrays.items():
            print(f"{name:26} {array.dtype!s:8} {array.shape}")
