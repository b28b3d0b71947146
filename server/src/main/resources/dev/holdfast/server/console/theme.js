// SPDX-License-Identifier: Apache-2.0
// Runs before anything is drawn, so that nobody who prefers the dark sees a flash of light.
(() => {
  let theme = null;
  try {
    theme = localStorage.getItem("holdfast-theme");
  } catch {
    // Storage can be forbidden; then the system's preference holds.
  }
  if (theme === "light" || theme === "dark") {
    document.documentElement.dataset.theme = theme;
  }
})();
