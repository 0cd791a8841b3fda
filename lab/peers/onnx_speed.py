"""Times one forward pass of an ONNX network over points on the Boolean cube.

Arguments: the ONNX file, a file of packed points (one row of ceil(inputs / 8) bytes a point), the number of inputs, the number of
repetitions. Prints one JSON object: the seconds of each repetition, and how many answers were 1.
"""

import json
import sys
import time

import numpy as np
import onnxruntime

path, points_path, inputs, repetitions = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
packed = np.fromfile(points_path, dtype=np.uint8).reshape(-1, (inputs + 7) // 8)
points = np.unpackbits(packed, axis=1, count=inputs, bitorder="little").astype(np.float32)
session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
seconds = []
for _ in range(repetitions):
    begun = time.perf_counter()
    answers = session.run(None, {"x": points})[0]
    seconds.append(time.perf_counter() - begun)
print(json.dumps({"seconds": seconds, "positive": int((answers == 1).sum())}))
