// SPDX-License-Identifier: Apache-2.0
import { h } from "./dom.js";
import { update } from "./update.js";

/** Between two refreshes there is this pause, or several times as long as the first of them took. */
const LEAST_PAUSE_MILLIS = 250;
const PAUSE_FACTOR = 4;
const LONGEST_PAUSE_MILLIS = 5000;

/** What is older than this is refreshed though nothing was heard of: not all that changes is an event. */
const OLD_MILLIS = 4000;
const OLD_FACTOR = 20;

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
  #notBefore = 0;
  #oldFrom = Infinity;

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
    this.#notBefore = 0;
    this.#oldFrom = Infinity;
    this.render();
    void this.#load();
  }

  /** Soon: much that happens at once costs one refresh. */
  refresh() {
    if (this.#loading) {
      this.#again = true;
    } else if (this.#view) {
      this.#schedule(LEAST_PAUSE_MILLIS);
    }
  }

  /** The same, if the last time is long ago. */
  refreshIfOld() {
    if (performance.now() > this.#oldFrom) {
      this.refresh();
    }
  }

  #schedule(least) {
    const millis = Math.max(least, this.#notBefore - performance.now());
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
    let data = this.#data;
    let trouble = null;
    try {
      data = await view.load(signal);
    } catch (error) {
      trouble = error;
    }
    if (signal.aborted) {
      return; // somebody went elsewhere
    }
    this.#data = data;
    this.#trouble = trouble;
    this.#loading = false;
    this.render();
    const end = performance.now();
    this.#notBefore = end + Math.min(LONGEST_PAUSE_MILLIS, PAUSE_FACTOR * (end - start));
    this.#oldFrom = end + Math.max(OLD_MILLIS, OLD_FACTOR * (end - start));
    const wanted = this.#data && view.refreshMillis?.(this.#data);
    if (this.#again || wanted) {
      this.#schedule(this.#again ? LEAST_PAUSE_MILLIS : wanted);
    }
  }

  render() {
    if (!this.#view) {
      return;
    }
    update(
      this.#main,
      [
        h("h1", { tabindex: "-1", id: "title" }, this.#view.title),
        this.#trouble ? this.#onTrouble(this.#trouble) : null,
        ...(this.#data
          ? this.#view.render(this.#data)
          : [this.#trouble ? null : h("p", { class: "loading" }, "Loading…")]),
      ]
        .flat(Infinity)
        .filter((node) => node),
    );
  }
}
