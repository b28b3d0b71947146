// SPDX-License-Identifier: Apache-2.0
import { h } from "../dom.js";
import { ago, count, millis } from "../format.js";
import { empty, objectLink, row } from "../parts.js";
import { incidentHref } from "../router.js";
import { badge, incidentStatus } from "../status.js";
import { table } from "../table.js";

const OPEN_MILLIS = 500;

/** The last refusals and what came of them. */
export function incidents({ api }) {
  return {
    title: "Incidents",
    load: (signal) => api.list("incidents", signal),
    refreshMillis: (items) => (items.some(({ tookMillis }) => tookMillis === null) ? OPEN_MILLIS : 0),
    render: (items) => [items.length === 0 ? empty("No proxy has rejected a change.") : incidentTable(items)],
  };
}

/** A table of some of them. */
export function incidentTable(items) {
  return table({
    caption: "Incidents",
    items,
    key: ({ id }) => String(id),
    columns: [
      { title: "Incident", class: "narrow", cell: ({ id }) => h("a", { href: incidentHref(id) }, `Incident ${id}`) },
      { title: "State", class: "narrow", cell: (incident) => badge(incidentStatus(incident)) },
      {
        title: "Caused by",
        class: "wide",
        cell: ({ offendingObjects, message }) => [
          offendingObjects.length === 0 ? "not known yet" : row(offendingObjects, objectLink, 3),
          h("span", { class: "message" }, message),
        ],
      },
      {
        title: "Search",
        class: "narrow",
        cell: ({ changes, pushes }) => `${count(changes, "change")}, ${count(pushes, "trial")}`,
      },
      {
        title: "Took",
        class: "narrow",
        cell: ({ tookMillis }) => (tookMillis === null ? "in progress" : millis(tookMillis)),
      },
      { title: "When", class: "narrow", cell: ({ at }) => ago(at) },
    ],
  });
}
