# SPDX-License-Identifier: Apache-2.0
"""Calls a method per line of input with grpcio, and answers each with a line: CODE TEXT."""
import sys

import grpc

channel = grpc.insecure_channel("xds:///" + sys.argv[1])
print("ready", flush=True)
for line in sys.stdin:
    call = channel.unary_unary(line.strip())
    try:
        print("OK " + call(b"", timeout=20).decode(), flush=True)
    except grpc.RpcError as error:
        print(error.code().name + " " + " ".join(error.details().split()), flush=True)
