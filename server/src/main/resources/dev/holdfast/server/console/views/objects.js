// SPDX-License-Identifier: Apache-2.0
import { h } from "../dom.js";
import { choice, matcher, pageOf, search } from "../filters.js";
import { ago } from "../format.js";
import { empty, objectLink } from "../parts.js";
import { route } from "../router.js";
import { progress } from "../shares.js";
import { GROUPS, badge, statusOf } from "../status.js";
import { pagedTable } from "../table.js";

/** All objects, those first that somebody should look at. */
export function objects({ api, choose }) {
  return {
    title: "Objects",
    async load(signal) {
      const items = await api.list("objects", signal);
      const rows = items.map((object) => {
        const status = statusOf(object);
        return {
          object,
          status,
          words: `${object.kind} ${object.namespace}/${object.name} ${status.title} ${status.message}`,
        };
      });
      return rows.sort((a, b) => urgency(a) - urgency(b)); // the order of the server within each
    },
    render(rows) {
      const { query } = route();
      const sorts = [{ id: "", title: "All", count: rows.length }].concat(
        GROUPS.map(({ id, title }) => ({ id, title, count: rows.filter(({ status }) => status.group === id).length })),
      );
      const wanted = query.get("status") ?? "";
      const matches = matcher(query);
      const found = rows.filter(({ status, words }) => (wanted === "" || status.group === wanted) && matches(words));
      return [
        h(
          "div",
          { class: "filters" },
          search("Find objects", query, choose),
          choice("Status", "status", query, sorts, choose),
        ),
        found.length === 0
          ? empty(rows.length === 0 ? "There are no objects yet." : "No object is like that.")
          : pagedTable({
              caption: "Objects",
              items: found,
              key: ({ object }) => `${object.kind}/${object.namespace}/${object.name}`,
              page: pageOf(query),
              go: (page) => choose({ page: page === 1 ? "" : page }),
              columns: COLUMNS,
            }),
      ];
    },
  };
}

const URGENCY = ["held", "invalid", "pending", "programmed", "idle"];

function urgency({ status }) {
  return URGENCY.indexOf(status.group);
}

const COLUMNS = [
  { title: "Status", class: "narrow bare", cell: ({ status }) => badge(status) },
  {
    title: "Object",
    class: "wide",
    cell: ({ object, status }) => [
      objectLink(object),
      status.group === "programmed" || status.message === "" ? null : h("span", { class: "message" }, status.message),
    ],
  },
  { title: "Generation", class: "narrow", cell: ({ object }) => generation(object) },
  { title: "Proxies", class: "narrow", cell: ({ object }) => progress(object.proxies) },
  { title: "Since", class: "narrow", cell: ({ status }) => (status.since ? ago(status.since) : "") },
];

/** The one that is wanted and, if that is another one, the one that is served. */
export function generation({ generation: wanted, servedGeneration: served }) {
  return served === wanted
    ? String(wanted)
    : h(
        "span",
        null,
        `${wanted} `,
        h("span", { class: "quiet" }, served === 0 ? "(none served)" : `(${served} served)`),
      );
}
