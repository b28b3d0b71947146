// SPDX-License-Identifier: Apache-2.0
import { svg } from "./dom.js";

/** What can be told at a glance, drawn in a square of 16. */
export const SHAPES = {
  ok: "M3.5 8.5l3 3 6-7",
  wait: "M8 4v4l2.8 1.8",
  held: "M5.8 4.2v7.6M10.2 4.2v7.6",
  bad: "M4.5 4.5l7 7M11.5 4.5l-7 7",
  idle: "M4 8h8",
};

/** Only a picture: the words are next to it. */
export function icon(tone) {
  return svg(
    "svg",
    { class: "icon", viewBox: "0 0 16 16", width: 14, height: 14, "aria-hidden": "true" },
    svg("path", { d: SHAPES[tone] ?? SHAPES.idle }),
  );
}
