// SPDX-License-Identifier: Apache-2.0
import { h } from "../dom.js";
import { ago } from "../format.js";
import { listing } from "../listing.js";
import { objectLink } from "../parts.js";
import { progress } from "../shares.js";
import { GROUPS, badge, statusOf } from "../status.js";

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
          group: status.group,
          place: object.namespace,
          words: `${object.kind} ${object.namespace}/${object.name} ${status.title} ${status.message}`,
        };
      });
      return rows.sort((a, b) => urgency(a) - urgency(b)); // the order of the server within each
    },
    render: (rows) =>
      listing({
        rows,
        plural: "Objects",
        by: { name: "status", title: "Status", groups: GROUPS },
        within: { name: "namespace", title: "Namespace" },
        none: { all: "There are no objects yet.", left: "No matching objects." },
        key: ({ object }) => `${object.kind}/${object.namespace}/${object.name}`,
        columns: COLUMNS,
        choose,
      }),
  };
}

const URGENCY = ["invalid", "partial", "held", "pending", "programmed", "idle"];

function urgency({ group }) {
  return URGENCY.indexOf(group);
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
