// SPDX-License-Identifier: Apache-2.0
import { h } from "./dom.js";
import { choice, matcher, pageOf, search, selection } from "./filters.js";
import { empty } from "./parts.js";
import { route } from "./router.js";
import { pagedTable } from "./table.js";

/**
 * Rows to search and to narrow, and the table of those that are left. A row has the words to find it by and
 * the id of its group.
 *
 * @param rows of {words, group, ...}
 * @param plural what they are called together
 * @param by {name, title, groups}: the groups {id, title} and their name in the address of the page
 * @param within {name, title}: rows can be narrowed to those with one place, which the address of the page names
 * @param none what to say if there are no rows at all, and if none is left
 * @param key what tells a row from the others
 */
export function listing({ rows, plural, by, within, none, key, columns, choose }) {
  const { query } = route();
  const place = within ? (query.get(within.name) ?? "") : "";
  const wanted = query.get(by.name) ?? "";
  const matches = matcher(query);
  const inside = place === "" ? rows : rows.filter((row) => row.place === place);
  const found = inside.filter(({ group, words }) => (wanted === "" || group === wanted) && matches(words));
  const sorts = [{ id: "", title: "All", count: inside.length }].concat(
    by.groups.map(({ id, title }) => ({ id, title, count: inside.filter(({ group }) => group === id).length })),
  );
  return [
    h(
      "div",
      { class: "filters" },
      search(`Find ${plural.toLowerCase()}`, query, choose),
      within ? selection(within.title, within.name, query, placesOf(rows, place), choose) : null,
      choice(by.title, by.name, query, sorts, choose),
    ),
    found.length === 0
      ? empty(rows.length === 0 ? none.all : none.left)
      : pagedTable({
          caption: plural,
          items: found,
          key,
          page: pageOf(query),
          go: (page) => choose({ page: page === 1 ? "" : page }),
          columns,
        }),
  ];
}

/** The places that rows have, and the one that the address names, if none has it. */
function placesOf(rows, chosen) {
  const places = new Set(rows.map(({ place }) => place));
  if (chosen !== "") {
    places.add(chosen);
  }
  return [...places].sort();
}
