# SPDX-License-Identifier: Apache-2.0
"""Calls with grpcio, once per line of input, METHOD [HEADER=VALUE]..., and answers each with a line: CODE TEXT."""
import os
import sys

import grpc
import grpc.experimental

target = "xds:///" + sys.argv[1]
if os.environ.get("CHANNEL_CREDENTIALS") == "xds":
    fallback = grpc.experimental.insecure_channel_credentials()
    channel = grpc.secure_channel(target, grpc.xds_channel_credentials(fallback))
else:
    channel = grpc.insecure_channel(target)
print("ready", flush=True)
for line in sys.stdin:
    method, *headers = line.split()
    call = channel.unary_unary(method)
    try:
        metadata = [tuple(header.split("=", 1)) for header in headers]
        answer, done = call.with_call(b"", timeout=20, metadata=metadata)
        cookies = ["set-cookie: " + value for name, value in done.initial_metadata() if name == "set-cookie"]
        print(" ".join(["OK", answer.decode(), *cookies]), flush=True)
    except grpc.RpcError as error:
        print(error.code().name + " " + " ".join(error.details().split()), flush=True)
