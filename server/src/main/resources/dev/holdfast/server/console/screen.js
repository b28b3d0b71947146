// SPDX-License-Identifier: Apache-2.0
import { h } from "./dom.js";
import { update } from "./update.js";

/** Between two refreshes there is this pause, or several times as long as the last one took. */
const LEAST_PAUSE_MILLIS = 250;
const PAUSE_FACTOR = 4;
const LONGEST_PAUSE_MILLIS = 5000;

/**
 * Shows one view at a time. A view is {title, load(signal), render(data), refreshMillis?(data)}: load asks
 * the server, render makes nodes of the answer. It is loaded again when something happened, never more
 * often than the server and the browser take easily, and rendered again when something was chosen.
 */
export class Screen {
  #main;
  #onTrouble;
  #view = null;
  #data = null;
  #trouble = null;
  #abort = new AbortController();
  #loading = false;
  #again = false;
  #timer = null;
  #pause = LEAST_PAUSE_MILLIS;

  /** onTrouble(error) makes the nodes that are shown when the server gives no answer. */
  constructor(main, onTrouble) {
    this.#main = main;
    this.#onTrouble = onTrouble;
  }

  show(view) {
    this.#abort.abort();
    this.#abort = new AbortController();
    clearTimeout(this.#timer);
    this.#timer = null;
    this.#main.replaceChildren(); // nothing of the view before is the same thing
    this.#view = view;
    this.#data = null;
    this.#trouble = null;
    this.#loading = false;
    this.#pause = LEAST_PAUSE_MILLIS;
    this.render();
    void this.#load();
  }

  /** Soon: much that happens at once costs one refresh. */
  refresh() {
    if (this.#loading) {
      this.#again = true;
    } else if (this.#view) {
      this.#schedule(this.#pause);
    }
  }

  #schedule(millis) {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      void this.#load();
    }, millis);
  }

  async #load() {
    const { signal } = this.#abort;
    const view = this.#view;
    this.#loading = true;
    this.#again = false;
    const start = performance.now();
    try {
      this.#data = await view.load(signal);
      this.#trouble = null;
    } catch (error) {
      if (signal.aborted) {
        return; // somebody went elsewhere
      }
      this.#trouble = error;
    }
    if (signal.aborted) {
      return;
    }
    this.render();
    this.#loading = false;
    this.#pause = Math.min(LONGEST_PAUSE_MILLIS, Math.max(LEAST_PAUSE_MILLIS, PAUSE_FACTOR * (performance.now() - start)));
    if (this.#again) {
      this.#schedule(this.#pause);
    } else if (this.#data && view.refreshMillis?.(this.#data)) {
      this.#schedule(Math.max(this.#pause, view.refreshMillis(this.#data)));
    }
  }

  render() {
    if (!this.#view) {
      return;
    }
    update(this.#main, [
      h("h1", { tabindex: "-1", id: "title" }, this.#view.heading ?? this.#view.title),
      this.#trouble ? this.#onTrouble(this.#trouble) : null,
      ...(this.#data
        ? this.#view.render(this.#data)
        : [this.#trouble ? null : h("p", { class: "loading" }, "Loading…")]),
    ].flat(Infinity).filter((node) => node));
  }
}
