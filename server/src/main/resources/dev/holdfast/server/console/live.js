// SPDX-License-Identifier: Apache-2.0
import { events } from "./events.js";

/** The server says something every 15 seconds; one that is silent for longer than this is gone. */
const SILENCE_MILLIS = 40_000;
const PAUSES_MILLIS = [500, 1000, 2000, 5000];

/**
 * Listens to what happens.
 *
 *   connecting -> live -> lost -> connecting -> ...    any -> paused (nobody looks) -> connecting
 *   connecting -> locked (a token is needed) -> connecting when resume() is called
 */
export class Live {
  #api;
  #listener;
  #state = "connecting";
  #reason = "";
  #lastId = null;
  #failures = 0;
  #abort = null;
  #wake = () => {};
  #awake = false;

  /** listener: onState(state), onEvent(event), onGap() when the present has to be asked for. */
  constructor(api, listener) {
    this.#api = api;
    this.#listener = listener;
  }

  get state() {
    return this.#state;
  }

  /** Why it is not live. */
  get reason() {
    return this.#reason;
  }

  async run() {
    for (;;) {
      if (document.hidden) {
        this.#become("paused", "");
        await this.#sleep(null);
      } else {
        await this.#listen();
        await this.#sleep(this.#pause());
      }
    }
  }

  /** Tries now instead of later; ends what is under way if it should not go on. */
  resume() {
    this.#awake = true;
    this.#wake();
    if (document.hidden) {
      this.#abort?.abort();
    }
  }

  #pause() {
    if (this.#state === "locked") {
      return null;
    }
    return document.hidden ? 0 : (PAUSES_MILLIS[Math.min(this.#failures, PAUSES_MILLIS.length) - 1] ?? 0);
  }

  async #listen() {
    this.#abort = new AbortController();
    let watchdog = null;
    const alive = () => {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => this.#abort.abort(), SILENCE_MILLIS);
    };
    try {
      alive();
      const headers = this.#lastId === null ? {} : { "Last-Event-ID": this.#lastId };
      const body = await this.#api.stream("events", headers, this.#abort.signal);
      this.#failures = 0;
      this.#become("live", "");
      this.#listener.onGap(); // what happened before we listened was nobody's to tell
      for await (const event of events(body)) {
        alive();
        this.#take(event);
      }
      this.#failed("the server closed the connection");
    } catch (error) {
      if (error.status === 401) {
        this.#become("locked", error.message);
      } else {
        this.#failed(error.status !== undefined ? error.message : "the connection was lost");
      }
    } finally {
      clearTimeout(watchdog);
      this.#abort.abort();
    }
  }

  #take(event) {
    if (event === null) {
      return;
    }
    if (event.id !== null) {
      this.#lastId = event.id;
      this.#listener.onEvent(event.data);
    } else if (event.kind === "gap") {
      this.#listener.onGap();
    }
  }

  #failed(reason) {
    if (!document.hidden) {
      this.#failures++;
      this.#become("lost", reason);
    }
  }

  #become(state, reason) {
    const changed = this.#state !== state || this.#reason !== reason;
    this.#state = state;
    this.#reason = reason;
    if (changed) {
      this.#listener.onState(state);
    }
  }

  /** For some time or, if that is null, until resume(). */
  async #sleep(millis) {
    if (this.#awake) {
      this.#awake = false;
      return;
    }
    await new Promise((done) => {
      const timer = millis === null ? null : setTimeout(done, millis);
      this.#wake = () => {
        clearTimeout(timer);
        done();
      };
    });
    this.#awake = false;
    this.#wake = () => {};
  }
}
