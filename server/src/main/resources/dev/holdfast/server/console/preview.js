// SPDX-License-Identifier: Apache-2.0
import { h } from "./dom.js";

/**
 * A button that changes something on the server, in two steps: the first shows what will happen, the second does it.
 *
 * @param context what views may use
 * @param id of the first button; the second one has "-now" behind it
 */
export function previewed({ announce, render }, id) {
  let isOpen = false;
  const open = (value) => {
    isOpen = value;
    render();
    if (value) {
      announce("What will happen is shown below. Nothing has been done yet.");
    }
  };
  return {
    close() {
      isOpen = false;
    },
    /** @param steps what will happen, in sentences or nodes */
    render({ ask, doIt, steps, isUnderWay, run }) {
      return [
        h(
          "button",
          {
            type: "button",
            class: isOpen ? null : "main",
            id,
            "data-key": id,
            disabled: isUnderWay,
            "aria-expanded": String(isOpen),
            onclick: () => open(!isOpen),
          },
          isOpen ? "Cancel" : `${ask}…`,
        ),
        isOpen
          ? h(
              "div",
              { class: "preview", id: `${id}-preview`, "data-key": `${id}-preview`, role: "group", "aria-label": "What will happen" },
              h("p", { class: "lead" }, "What will happen"),
              h(
                "ul",
                null,
                steps.map((step) => h("li", null, step)),
              ),
              h(
                "button",
                { type: "button", class: "main", id: `${id}-now`, disabled: isUnderWay, onclick: run },
                doIt,
              ),
            )
          : null,
      ];
    },
  };
}
