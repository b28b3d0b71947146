// SPDX-License-Identifier: Apache-2.0

const KEY = "holdfast-theme";
const TITLES = { auto: "Auto", light: "Light", dark: "Dark" };

/** What is chosen, for people; theme.js has applied it before the page was drawn. */
export function theme() {
  return TITLES[document.documentElement.dataset.theme ?? "auto"];
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
