// SPDX-License-Identifier: Apache-2.0
// Calls a method per line of input with grpc-js, and answers each with a line: CODE TEXT.
const grpc = require("@grpc/grpc-js");
require("@grpc/grpc-js-xds").register();

const client = new grpc.Client("xds:///" + process.argv[2], grpc.credentials.createInsecure());
const bytes = (value) => value;
console.log("ready");
require("readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const options = { deadline: Date.now() + 20_000 };
    client.makeUnaryRequest(line.trim(), bytes, bytes, Buffer.alloc(0), options, (error, answer) => {
      const text = error ? `${grpc.status[error.code]} ${error.details}` : `OK ${answer}`;
      console.log(text.replace(/\s+/g, " "));
    });
  })
  .on("close", () => process.exit(0));
