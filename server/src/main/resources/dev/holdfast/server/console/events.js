// SPDX-License-Identifier: Apache-2.0

/** Server-sent events out of a stream of bytes: {id, kind, data}, or null for a sign of life. */
export async function* events(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        return;
      }
      const blocks = (rest + value).split("\n\n");
      rest = blocks.pop();
      for (const block of blocks) {
        yield parse(block);
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

function parse(block) {
  const event = { id: null, kind: "", data: "" };
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    const value = line.slice(colon + 1).replace(/^ /, "");
    switch (line.slice(0, colon)) {
      case "id":
        event.id = value;
        break;
      case "event":
        event.kind = value;
        break;
      case "data":
        event.data += value;
        break;
      default: // a comment, or a field that does not matter here
    }
  }
  return event.kind === "" ? null : { ...event, data: JSON.parse(event.data) };
}
