// SPDX-License-Identifier: Apache-2.0

const EVERY_MILLIS = 2000;
const KEPT = 60;

/** The server's numbers, asked for every two seconds as long as somebody looks. */
export class Pulse {
  #api;
  #listener;
  #last = null;

  /** The newest summary; null before the first. */
  summary = null;

  /** Responses accepted per second, oldest first. */
  rates = [];

  /** listener: onBeat(summary) whenever there is a new one, onRound() when it came by itself. */
  constructor(api, listener) {
    this.#api = api;
    this.#listener = listener;
  }

  async run() {
    for (;;) {
      if (!document.hidden) {
        await this.beat().then(
          () => this.#listener.onRound(),
          () => {}, // the live connection tells that, and asks for tokens
        );
      }
      await new Promise((done) => setTimeout(done, EVERY_MILLIS));
    }
  }

  async beat(signal) {
    this.summary = await this.#api.get("summary", signal);
    const now = { at: Date.parse(this.summary.now), acks: this.summary.acks };
    const before = this.#last;
    if (!before || now.acks < before.acks || now.at - before.at > 10 * EVERY_MILLIS) {
      this.#last = now; // a server that was started anew counts anew; a long pause has no rate
    } else if (now.at - before.at >= EVERY_MILLIS / 2) {
      this.#last = now;
      this.rates = [...this.rates, ((now.acks - before.acks) * 1000) / (now.at - before.at)].slice(-KEPT);
    }
    this.#listener.onBeat(this.summary);
    return this.summary;
  }
}
