// SPDX-License-Identifier: Apache-2.0
import { h } from "../dom.js";
import { choice, matcher, search } from "../filters.js";
import { at, day, millis } from "../format.js";
import { kindOf } from "../happening.js";
import { empty, objectLink, proxyLink, section } from "../parts.js";
import { route } from "../router.js";
import { badge } from "../status.js";

const PAGE = 100;
const SORTS = [
  ["", "All", () => true],
  ["objects", "Objects", ({ object }) => object !== null],
  ["proxies", "Proxies", ({ kind }) => /^(PROXY|CLASS)_/.test(kind)],
  [
    "trouble",
    "Trouble",
    ({ kind }) =>
      /^(REJECTED|INVALID|VALID_AGAIN|RECOVERED|RETRIED|INCIDENT|PROXY_DIVERGED|CLASS_SEPARATED|DELETION_HELD)$/.test(kind),
  ],
];

/** What happened, newest first. Older pages are kept once they were asked for. */
export function history({ api, choose, render }) {
  const known = new Map();
  let isAllThere = false;
  const take = (items) => items.forEach((item) => known.set(item.id, item));
  const older = async () => {
    const oldest = Math.min(...known.keys());
    const items = await api.list(`history?limit=${PAGE}&before=${oldest}`);
    isAllThere = items.length < PAGE;
    take(items);
    render();
  };
  return {
    title: "History",
    async load(signal) {
      const items = await api.list(`history?limit=${PAGE}`, signal);
      if (known.size === 0) {
        isAllThere = items.length < PAGE;
      } else if (items.length === PAGE && !known.has(items.at(-1).id)) {
        known.clear(); // more happened than a page holds: what is between is not known
        isAllThere = false;
      }
      take(items);
      return true;
    },
    render() {
      const { query } = route();
      const items = [...known.values()].sort((a, b) => b.id - a.id);
      const matches = matcher(query);
      const isWanted = SORTS.find(([id]) => id === (query.get("sort") ?? ""))?.[2] ?? (() => true);
      const found = items.filter((item) => isWanted(item) && matches(wordsOf(item)));
      const sorts = SORTS.map(([id, title, filter]) => ({ id, title, count: items.filter(filter).length }));
      return [
        h(
          "div",
          { class: "filters" },
          search("Search these events", query, choose),
          choice("Show", "sort", query, sorts, choose),
        ),
        found.length === 0 ? empty("No matching events.") : byDay(found),
        isAllThere ? null : h("p", { class: "older" }, h("button", { type: "button", onclick: older }, "Older")),
      ];
    },
  };
}

function wordsOf({ kind, object, proxy, message }) {
  return [kindOf({ kind }).title, object?.kind, object?.namespace, object?.name, proxy, message].join(" ");
}

function byDay(items) {
  const days = new Map();
  for (const item of items) {
    const key = day(item.at);
    if (!days.has(key)) {
      days.set(key, []);
    }
    days.get(key).push(item);
  }
  return [...days].map(([title, some]) => section(title, happenings(some)));
}

/** A timeline. */
export function happenings(items, { withObject = true } = {}) {
  return h(
    "ol",
    { class: "timeline" },
    items.map((item) =>
      h(
        "li",
        { "data-key": String(item.id), class: kindOf(item).tone },
        h("span", { class: "when" }, at(item.at)),
        badge(kindOf(item)),
        h(
          "span",
          { class: "what" },
          item.object && withObject ? objectLink(item.object) : null,
          item.object && item.generation > 0 ? ` generation ${item.generation} ` : null,
          item.proxy === "" ? null : [item.object ? " at " : null, proxyLink(item.proxy)],
          item.tookMillis === null ? null : h("span", { class: "quiet" }, ` in ${millis(item.tookMillis)}`),
          item.message === "" || item.kind === "PROGRAMMED" ? null : h("span", { class: "message" }, item.message),
        ),
      ),
    ),
  );
}
