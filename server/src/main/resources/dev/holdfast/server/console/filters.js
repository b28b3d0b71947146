// SPDX-License-Identifier: Apache-2.0
import { h } from "./dom.js";
import { number } from "./format.js";

/** A field to find rows by the words in them. choose(changes) is called with what was typed. */
export function search(label, query, choose) {
  return h(
    "label",
    { class: "search" },
    h("span", null, label),
    h("input", {
      type: "search",
      value: query.get("q") ?? "",
      autocomplete: "off",
      spellcheck: "false",
      oninput: (event) => choose({ q: event.target.value, page: "" }),
    }),
  );
}

/** One of several sorts of rows: {id, title, count}. An empty id stands for all. */
export function choice(label, name, query, sorts, choose) {
  const chosen = query.get(name) ?? "";
  return h(
    "div",
    { class: "choice", role: "group", "aria-label": label },
    sorts.map(({ id, title, count }) =>
      h(
        "button",
        {
          type: "button",
          "data-key": id,
          "aria-pressed": String(id === chosen),
          onclick: () => choose({ [name]: id, page: "" }),
        },
        title,
        h("span", { class: "count" }, number(count)),
      ),
    ),
  );
}

/** One of many values, or all; nothing if there is no choice. */
export function selection(label, name, query, values, choose) {
  const chosen = query.get(name) ?? "";
  return values.length < 2 && chosen === ""
    ? null
    : h(
        "label",
        { class: "selection" },
        h("span", null, label),
        h(
          "select",
          { onchange: (event) => choose({ [name]: event.target.value, page: "" }) },
          h("option", { value: "", selected: chosen === "" }, "All"),
          values.map((value) => h("option", { value, selected: value === chosen, "data-key": value }, value)),
        ),
      );
}

/** Whether all words that were typed are somewhere in a text. */
export function matcher(query) {
  const words = (query.get("q") ?? "")
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  return (text) => {
    const lower = text.toLowerCase();
    return words.every((word) => lower.includes(word));
  };
}

export function pageOf(query) {
  return Number.parseInt(query.get("page") ?? "1", 10) || 1;
}
