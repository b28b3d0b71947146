// SPDX-License-Identifier: Apache-2.0
import { h } from "./dom.js";

/** What is shown when the server gave no answer. */
export function trouble(error, askForToken, again) {
  const isLocked = error.status === 401;
  return h(
    "div",
    { class: "trouble", role: "alert", "data-key": "trouble" },
    h("p", null, isLocked ? "This server requires a token." : `The request failed: ${error.message}.`),
    h(
      "button",
      { type: "button", onclick: isLocked ? askForToken : again },
      isLocked ? "Enter the token" : "Try again",
    ),
  );
}
