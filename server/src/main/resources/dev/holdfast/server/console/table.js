// SPDX-License-Identifier: Apache-2.0
import { h } from "./dom.js";
import { number } from "./format.js";

/** However many rows there are, this many are drawn. */
export const PAGE = 50;

/**
 * A table. Columns are {title, cell(item), class?}. The roles are spelled out because on a narrow screen
 * the style sheet makes cards of the rows, and browsers then forget that this is a table.
 */
export function table({ caption, columns, items, key }) {
  return h(
    "table",
    { role: "table" },
    h("caption", { class: "unseen" }, caption),
    h(
      "thead",
      { role: "rowgroup" },
      h(
        "tr",
        { role: "row" },
        columns.map(({ title, class: kind }) => h("th", { role: "columnheader", scope: "col", class: kind }, title)),
      ),
    ),
    h(
      "tbody",
      { role: "rowgroup" },
      items.map((item) =>
        h(
          "tr",
          { role: "row", "data-key": key(item) },
          columns.map(({ title, cell, class: kind }) =>
            h("td", { role: "cell", class: kind, "data-title": title }, cell(item)),
          ),
        ),
      ),
    ),
  );
}

/** One page of a table, and the way to the others. page counts from 1; go(page) goes there. */
export function pagedTable({ page, go, ...rest }) {
  const pages = Math.max(1, Math.ceil(rest.items.length / PAGE));
  const current = Math.min(Math.max(1, page), pages);
  const first = (current - 1) * PAGE;
  const items = rest.items.slice(first, first + PAGE);
  return [
    table({ ...rest, items }),
    pages === 1 ? null : pager(first, items.length, rest.items.length, current, pages, go),
  ];
}

function pager(first, shown, total, current, pages, go) {
  const button = (text, to) =>
    h("button", { type: "button", disabled: to < 1 || to > pages || to === current, onclick: () => go(to) }, text);
  return h(
    "nav",
    { class: "pager", "aria-label": "Rows", "data-key": "pager" },
    button("First", 1),
    button("Previous", current - 1),
    h("span", { role: "status" }, `${number(first + 1)} to ${number(first + shown)} of ${number(total)}`),
    button("Next", current + 1),
    button("Last", pages),
  );
}
