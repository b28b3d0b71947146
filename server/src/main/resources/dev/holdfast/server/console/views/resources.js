// SPDX-License-Identifier: Apache-2.0
import { h } from "../dom.js";
import { choice, matcher, pageOf, search } from "../filters.js";
import { bytes } from "../format.js";
import { empty, objectLink, resourceLink, row } from "../parts.js";
import { route } from "../router.js";
import { progress } from "../shares.js";
import { pagedTable } from "../table.js";

const FEW_OBJECTS = 2;

/** Everything that is served. */
export function resources({ api, choose }) {
  return {
    title: "Resources",
    async load(signal) {
      const items = await api.list("resources", signal);
      return items.map((resource) => ({ resource, words: `${resource.type} ${resource.name}` }));
    },
    render(rows) {
      const { query } = route();
      const types = [...new Set(rows.map(({ resource }) => resource.type))];
      const sorts = [{ id: "", title: "All", count: rows.length }].concat(
        types.map((type) => ({
          id: type,
          title: type,
          count: rows.filter(({ resource }) => resource.type === type).length,
        })),
      );
      const wanted = query.get("type") ?? "";
      const matches = matcher(query);
      const found = rows.filter(({ resource, words }) => (wanted === "" || resource.type === wanted) && matches(words));
      return [
        h(
          "div",
          { class: "filters" },
          search("Find resources", query, choose),
          choice("Type", "type", query, sorts, choose),
        ),
        found.length === 0
          ? empty(rows.length === 0 ? "Nothing is served yet." : "No resource is like that.")
          : pagedTable({
              caption: "Resources",
              items: found,
              key: ({ resource }) => `${resource.type}/${resource.name}`,
              page: pageOf(query),
              go: (page) => choose({ page: page === 1 ? "" : page }),
              columns: COLUMNS,
            }),
      ];
    },
  };
}

const COLUMNS = [
  { title: "Resource", class: "wide", cell: ({ resource }) => resourceLink(resource) },
  {
    title: "From",
    cell: ({ resource }) =>
      resource.objects.length === 0 ? "no object" : row(resource.objects, objectLink, FEW_OBJECTS),
  },
  { title: "Size", class: "narrow", cell: ({ resource }) => bytes(resource.bytes) },
  { title: "Proxies", class: "narrow", cell: ({ resource }) => progress(counts(resource)) },
];

/** In the words of objects. */
export function counts({ proxies: { accepted, pending, rejected } }) {
  return { total: accepted + pending + rejected, programmed: accepted, pending, rejected };
}
