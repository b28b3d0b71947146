// SPDX-License-Identifier: Apache-2.0

const KEY = "holdfast-token";

/** The token that somebody gave. It is forgotten with the tab. */
export class Session {
  #token = stored();

  get token() {
    return this.#token;
  }

  /** Whether actions are offered: to nobody who has shown no token. */
  get mayAct() {
    return this.#token !== "";
  }

  give(token) {
    this.#token = token;
    try {
      sessionStorage.setItem(KEY, token);
    } catch {
      // Storage can be forbidden; then the token lasts as long as the page.
    }
  }

  forget() {
    this.#token = "";
    try {
      sessionStorage.removeItem(KEY);
    } catch {
      // Then it was never stored.
    }
  }
}

function stored() {
  try {
    return sessionStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}
