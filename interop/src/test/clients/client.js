// SPDX-License-Identifier: Apache-2.0
// Calls with grpc-js, once per line of input, METHOD [HEADER=VALUE]..., and answers each with a line: CODE TEXT.
const grpc = require("@grpc/grpc-js");
const xds = require("@grpc/grpc-js-xds");
xds.register();

const insecure = grpc.credentials.createInsecure();
const credentials =
  process.env.CHANNEL_CREDENTIALS === "xds" ? new xds.XdsChannelCredentials(insecure) : insecure;
const client = new grpc.Client("xds:///" + process.argv[2], credentials);
const bytes = (value) => value;
console.log("ready");
require("readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const [method, ...headers] = line.trim().split(/\s+/);
    const metadata = new grpc.Metadata();
    for (const header of headers) {
      const at = header.indexOf("=");
      metadata.set(header.slice(0, at), header.slice(at + 1));
    }
    let cookies = [];
    const options = { deadline: Date.now() + 20_000 };
    client
      .makeUnaryRequest(method, bytes, bytes, Buffer.alloc(0), metadata, options, (error, answer) => {
        const text = error ? `${grpc.status[error.code]} ${error.details}` : ["OK", answer, ...cookies].join(" ");
        console.log(text.replace(/\s+/g, " "));
      })
      .on("metadata", (received) => {
        cookies = received.get("set-cookie").map((value) => "set-cookie: " + value);
      });
  })
  .on("close", () => process.exit(0));
