// SPDX-License-Identifier: Apache-2.0
import { h } from "./dom.js";
import { number } from "./format.js";
import { classHref, objectHref, proxyHref, resourceHref } from "./router.js";

/** A part of a page under a heading of its own. */
export function section(title, ...children) {
  return h(
    "section",
    { class: "panel", "aria-label": title, "data-key": `section ${title}` },
    h("h2", null, title),
    ...children,
  );
}

/** Pairs of a word and what there is to say, those left out that have nothing to say. */
export function facts(pairs) {
  return h(
    "dl",
    { class: "facts" },
    pairs
      .filter(([, value]) => value !== null && value !== "")
      .map(([word, value]) => h("div", null, h("dt", null, word), h("dd", null, value))),
  );
}

export function empty(text) {
  return h("p", { class: "empty" }, text);
}

/** What a proxy or a validator said, in its own words. */
export function quote(text) {
  return text === "" ? null : h("p", { class: "quote" }, text);
}

export function objectLink(key) {
  return h(
    "a",
    { href: objectHref(key), class: "object" },
    h("span", { class: "kind" }, key.kind),
    " ",
    h("span", { class: "name" }, `${key.namespace}/${key.name}`),
  );
}

/** With words to find parts of it by, if there are any. */
export function resourceLink(resource, words = "") {
  return h(
    "a",
    { href: resourceHref(resource, words), class: "object" },
    h("span", { class: "kind" }, resource.type),
    " ",
    h("span", { class: "name" }, resource.name),
  );
}

export function proxyLink(node) {
  return h("a", { href: proxyHref(node), class: "name" }, node === "" ? "(no node id)" : node);
}

export function classLink(name) {
  return h("a", { href: classHref(name) }, name);
}

/** Links in a row with commas between them; of many things only the first. */
export function row(items, link, most = 50) {
  const shown = items.slice(0, most).flatMap((item, i) => (i === 0 ? [link(item)] : [", ", link(item)]));
  return h("span", { class: "row" }, shown, items.length > most ? ` and ${number(items.length - most)} more` : null);
}

/** What is wrong, one after the other, under a heading; nothing if nothing is. */
export function problems(title, texts) {
  return texts.length === 0
    ? null
    : section(
        title,
        h(
          "ul",
          { class: "problems" },
          texts.map((text) => h("li", null, text)),
        ),
      );
}

/** Where this page is, above its heading's content. */
export function trail(title, address) {
  return h("p", { class: "trail" }, h("a", { href: address }, `All ${title}`));
}
