// SPDX-License-Identifier: Apache-2.0
import { h, unseen } from "./dom.js";
import { number } from "./format.js";
import { href, route } from "./router.js";
import { TROUBLED } from "./status.js";
import { nextTheme, theme, themeIcon } from "./themes.js";
import { update } from "./update.js";

const PAGES = [
  ["", "Overview"],
  ["problems", "Problems"],
  ["objects", "Objects"],
  ["proxies", "Proxies"],
  ["resources", "Resources"],
  ["incidents", "Incidents"],
  ["history", "History"],
];

const STATES = { connecting: "Connecting", live: "Live", lost: "Not connected", paused: "Paused", locked: "Locked" };

/** What is around every page: where one can go, and whether what is shown is the present. */
export class Frame {
  #parts;

  /** parts: live, pulse, session, forget(). */
  constructor(parts) {
    this.#parts = parts;
  }

  render() {
    update(document.getElementById("nav"), [
      h(
        "ul",
        null,
        PAGES.map(([path, title]) => h("li", null, this.#link(path, title))),
      ),
    ]);
    update(document.getElementById("tools"), this.#tools());
    update(document.getElementById("banner"), this.#banner());
    const { summary } = this.#parts.pulse;
    update(document.getElementById("bottom"), [h("span", null, summary ? `Holdfast ${summary.version}` : "")]);
  }

  #link(path, title) {
    const isHere = (route().parts[0] ?? "") === path;
    const marked = this.#marked(path);
    return h(
      "a",
      { href: href(path === "" ? [] : [path]), "aria-current": isHere ? "page" : null },
      title,
      marked > 0 ? h("span", { class: "pill" }, number(marked), unseen(path === "objects" ? " with problems" : "")) : null,
    );
  }

  /** How much there is to look at behind a link. */
  #marked(path) {
    const { summary } = this.#parts.pulse;
    if (!summary || (path !== "objects" && path !== "problems")) {
      return 0;
    }
    return path === "problems"
      ? summary.problems
      : TROUBLED.reduce((sum, group) => sum + (summary.objects.states[group] ?? 0), 0);
  }

  #tools() {
    const { live, session } = this.#parts;
    const nodes = [
      h(
        "span",
        { class: `state ${live.state}`, id: "live" },
        h("span", { class: "dot", "aria-hidden": "true" }),
        STATES[live.state],
      ),
    ];
    if (session.mayAct) {
      nodes.push(
        h(
          "button",
          { type: "button", class: "quiet", "data-key": "forget", onclick: this.#parts.forget },
          "Forget token",
        ),
      );
    } else if (live.state !== "locked") {
      nodes.push(
        h(
          "span",
          {
            class: "mode",
            "data-key": "mode",
            title: "The console is read-only, because the server has no token (--admin-token-file).",
          },
          "Read-only",
        ),
      );
    }
    nodes.push(
      h(
        "button",
        {
          type: "button",
          class: "quiet",
          id: "theme",
          onclick: () => {
            nextTheme();
            this.render();
          },
        },
        themeIcon(),
        unseen("Theme: "),
        theme(),
      ),
    );
    return nodes;
  }

  #banner() {
    const { live } = this.#parts;
    if (live.state !== "lost") {
      return [];
    }
    return [
      h(
        "div",
        { class: "banner" },
        h(
          "p",
          null,
          h("strong", null, "Not connected: "),
          `${live.reason}. This page may be out of date. Proxies keep running their configuration. Reconnecting.`,
        ),
        h("button", { type: "button", onclick: () => live.resume() }, "Reconnect now"),
      ),
    ];
  }
}
