// SPDX-License-Identifier: Apache-2.0

const PAUSE_MILLIS = 1000;

/** Tells screen readers what changed, not more often than somebody could listen to. */
export class Announcer {
  #region;
  #waiting = [];
  #timer = null;

  constructor(region) {
    this.#region = region;
  }

  say(text) {
    this.#waiting.push(text);
    this.#timer ??= setTimeout(() => this.#speak(), PAUSE_MILLIS);
  }

  #speak() {
    const last = this.#waiting.at(-1);
    this.#region.textContent =
      this.#waiting.length === 1 ? last : `${this.#waiting.length} events. Latest: ${last}`;
    this.#waiting = [];
    this.#timer = null;
  }
}
