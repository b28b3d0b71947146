// SPDX-License-Identifier: Apache-2.0

import { svg } from "./dom.js";

const KEY = "holdfast-theme";
const TITLES = { auto: "Auto", light: "Light", dark: "Dark" };

/** What is chosen, for people; theme.js has applied it before the page was drawn. */
export function theme() {
  return TITLES[document.documentElement.dataset.theme ?? "auto"];
}

/** Half light, half dark. */
export function themeIcon() {
  return svg(
    "svg",
    { class: "theme", viewBox: "0 0 16 16", width: 14, height: 14, "aria-hidden": "true" },
    svg("circle", { cx: 8, cy: 8, r: 6.5 }),
    svg("path", { d: "M8 1.5a6.5 6.5 0 0 1 0 13z" }),
  );
}

/** From what the system prefers to light to dark, and around. */
export function nextTheme() {
  const root = document.documentElement;
  const next = { undefined: "light", light: "dark" }[root.dataset.theme];
  try {
    if (next) {
      root.dataset.theme = next;
      localStorage.setItem(KEY, next);
    } else {
      delete root.dataset.theme;
      localStorage.removeItem(KEY);
    }
  } catch {
    // Storage can be forbidden; then the choice lasts as long as the page.
  }
}
