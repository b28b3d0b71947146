// SPDX-License-Identifier: Apache-2.0
import { h, unseen } from "./dom.js";

const SORTS = { "+": ["ins", "added: "], "-": ["del", "removed: "] };

/** Lines that begin with a blank, "-" or "+". */
export function diff(lines) {
  return h(
    "div",
    { class: "diff", tabindex: "0", role: "group", "aria-label": "Difference" },
    lines.map((line) => {
      if (line === "...") {
        return h("span", { class: "line gap" }, "⋯", "\n");
      }
      const [tag, word] = SORTS[line[0]] ?? ["span", ""];
      return h(
        tag,
        { class: "line" },
        h("span", { class: "sign", "aria-hidden": "true" }, line.slice(0, 1)),
        word === "" ? null : unseen(word),
        line.slice(1),
        "\n",
      );
    }),
  );
}
