// SPDX-License-Identifier: Apache-2.0
import { h } from "./dom.js";
import { update } from "./update.js";

/** Asks for the token of a server that wants one. */
export class TokenDialog {
  #dialog;
  #api;
  #session;
  #onGiven;
  #problem = "";

  constructor(dialog, api, session, onGiven) {
    this.#dialog = dialog;
    this.#api = api;
    this.#session = session;
    this.#onGiven = onGiven;
  }

  ask() {
    if (this.#dialog.open) {
      return;
    }
    this.#problem = this.#session.token === "" ? "" : "The server no longer accepts this token.";
    this.#session.forget();
    this.#render();
    this.#dialog.showModal();
    this.#dialog.querySelector("input").focus();
  }

  #render() {
    const problem = this.#problem;
    update(this.#dialog, [
      h(
        "form",
        { onsubmit: (event) => this.#submit(event) },
        h("h2", { id: "token-title" }, "Token"),
        h(
          "p",
          { id: "token-hint" },
          "This server requires a token: the content of its --admin-token-file. " +
          "The browser keeps it until this tab is closed.",
        ),
        h("label", { for: "token" }, "Token"),
        h("input", {
          id: "token",
          type: "password",
          required: true,
          autocomplete: "off",
          "aria-describedby": "token-hint token-problem",
          "aria-invalid": problem === "" ? null : "true",
        }),
        h("p", { id: "token-problem", class: "problem", role: "alert" }, problem),
        h(
          "p",
          { class: "buttons" },
          h("button", { type: "submit", class: "main" }, "Continue"),
          h("button", { type: "button", onclick: () => this.#dialog.close() }, "Cancel"),
        ),
      ),
    ]);
  }

  async #submit(event) {
    event.preventDefault();
    const input = this.#dialog.querySelector("input");
    const token = input.value.trim();
    this.#problem = await this.#objection(token);
    this.#render();
    if (this.#problem !== "") {
      input.select();
      return;
    }
    input.value = "";
    this.#session.give(token);
    this.#dialog.close();
    this.#onGiven();
  }

  /** What is wrong with a token; empty if nothing. */
  async #objection(token) {
    if (!/^[\x21-\x7e]+$/.test(token)) {
      return "A token has only ASCII characters and no spaces.";
    }
    try {
      return (await this.#api.accepts(token)) ? "" : "The server does not accept this token.";
    } catch (error) {
      return `The token could not be checked: ${error.message}.`;
    }
  }
}
