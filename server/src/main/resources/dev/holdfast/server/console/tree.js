// SPDX-License-Identifier: Apache-2.0
import { h } from "./dom.js";
import { count } from "./format.js";
import { objectLink } from "./parts.js";

/** So many lines are open at first; the rest opens on request, and long lists bit by bit. */
const OPEN_AT_FIRST = 150;
const CHUNK = 100;

/** A JSON value as lines that open and close. What is closed costs nothing, however large it is. */
export class Tree {
  #open = null;
  #shown = new Map();
  #onChange;

  constructor(onChange) {
    this.#onChange = onChange;
  }

  render(value, origins) {
    this.#open ??= openAtFirst(value);
    return h("ul", { class: "tree" }, this.#line("body", "", value, origins));
  }

  /** Opens what is around a part, and goes there. */
  reveal(path) {
    for (const { index, 1: bracket } of path.matchAll(/\.|(\[)|$/g)) {
      const around = path.slice(0, index);
      this.#open.add(around);
      if (bracket) {
        const wanted = Number.parseInt(path.slice(index + 1), 10) + 1;
        this.#shown.set(around, Math.max(wanted, this.#shown.get(around) ?? CHUNK));
      }
    }
    this.#open.add("");
    this.#onChange();
    const line = [...document.querySelectorAll(".tree li")].find((found) => found.dataset.key === path);
    (line?.querySelector("button") ?? line)?.focus();
    line?.scrollIntoView({ block: "center" });
  }

  #line(name, path, value, origins) {
    const chips = origins.at(path).map((place) => origin(place));
    if (!isNested(value)) {
      return h(
        "li",
        { "data-key": path },
        h("span", { class: "field" }, `${name}: `),
        h("span", { class: typeof value }, JSON.stringify(value)),
        chips,
      );
    }
    const isOpen = this.#open.has(path);
    return h(
      "li",
      { "data-key": path },
      h(
        "button",
        { type: "button", class: "fold", "aria-expanded": String(isOpen), onclick: () => this.#toggle(path) },
        h("span", { class: "field" }, name),
        " ",
        h("span", { class: "size" }, sizeOf(value)),
      ),
      hint(value),
      chips,
      isOpen ? this.#children(path, value, origins) : null,
    );
  }

  #children(path, value, origins) {
    const entries = entriesOf(path, value);
    const most = this.#shown.get(path) ?? CHUNK;
    return h(
      "ul",
      null,
      entries.slice(0, most).map(([name, child, childPath]) => this.#line(name, childPath, child, origins)),
      entries.length > most
        ? h(
            "li",
            { "data-key": `${path} more` },
            h(
              "button",
              { type: "button", onclick: () => this.#more(path, most) },
              `${entries.length - most} more: show ${Math.min(CHUNK, entries.length - most)}`,
            ),
          )
        : null,
    );
  }

  #toggle(path) {
    if (!this.#open.delete(path)) {
      this.#open.add(path);
    }
    this.#onChange();
  }

  #more(path, most) {
    this.#shown.set(path, most + CHUNK);
    this.#onChange();
  }
}

function isNested(value) {
  return value !== null && typeof value === "object" && Object.keys(value).length > 0;
}

/** The children of a value: [name, value, path]. */
function entriesOf(path, value) {
  return Array.isArray(value)
    ? value.map((child, i) => [`[${i}]`, child, `${path}[${i}]`])
    : Object.entries(value).map(([name, child]) => [name, child, path === "" ? name : `${path}.${name}`]);
}

/** From the outside in, as long as there is room. */
function openAtFirst(value) {
  const open = new Set();
  let lines = 1;
  const queue = isNested(value) ? [["", value]] : [];
  for (let next = queue.shift(); next; next = queue.shift()) {
    const entries = entriesOf(...next);
    lines += Math.min(entries.length, CHUNK);
    if (open.size > 0 && lines > OPEN_AT_FIRST) {
      break;
    }
    open.add(next[0]);
    queue.push(
      ...entries
        .slice(0, CHUNK)
        .filter(([, child]) => isNested(child))
        .map(([, child, path]) => [path, child]),
    );
  }
  return open;
}

function sizeOf(value) {
  return Array.isArray(value) ? count(value.length, "element") : count(Object.keys(value).length, "field");
}

/** What a closed line is about, if the value says so itself. */
function hint(value) {
  const name = value.name ?? value["@type"]?.split?.("/").at(-1);
  return typeof name === "string" ? h("span", { class: "quiet hint" }, name) : null;
}

function origin({ object, generation, field }) {
  return h(
    "span",
    { class: "origin" },
    objectLink(object),
    h("span", { class: "quiet" }, ` ${field}, generation ${generation}`),
  );
}
