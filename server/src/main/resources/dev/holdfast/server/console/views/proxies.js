// SPDX-License-Identifier: Apache-2.0
import { h } from "../dom.js";
import { choice, matcher, pageOf, search } from "../filters.js";
import { ago, number } from "../format.js";
import { empty, proxyLink } from "../parts.js";
import { route } from "../router.js";
import { badge, proxyStatus } from "../status.js";
import { pagedTable } from "../table.js";

const SORTS = ["Diverged", "Unable", "Refused", "Pending", "In sync"];

/** All connected proxies, those first that somebody should look at. */
export function proxies({ api, choose }) {
  return {
    title: "Proxies",
    async load(signal) {
      const items = await api.list("proxies", signal);
      const rows = items.map((proxy) => {
        const status = proxyStatus(proxy);
        return {
          proxy,
          status,
          words: `${proxy.node} ${proxy.cluster} ${proxy.class} ${status.title} ${status.message}`,
        };
      });
      return rows.sort((a, b) => SORTS.indexOf(a.status.title) - SORTS.indexOf(b.status.title));
    },
    render(rows) {
      const { query } = route();
      const sorts = [{ id: "", title: "All", count: rows.length }].concat(
        SORTS.map((title) => ({ id: title, title, count: rows.filter(({ status }) => status.title === title).length })),
      );
      const wanted = query.get("status") ?? "";
      const matches = matcher(query);
      const found = rows.filter(({ status, words }) => (wanted === "" || status.title === wanted) && matches(words));
      return [
        h(
          "div",
          { class: "filters" },
          search("Find proxies", query, choose),
          choice("Status", "status", query, sorts, choose),
        ),
        found.length === 0
          ? empty(
              rows.length === 0
                ? "No proxy is connected. 'holdfast bootstrap envoy' prints what an Envoy starts with."
                : "No proxy is like that.",
            )
          : pagedTable({
              caption: "Proxies",
              items: found,
              key: ({ proxy }) => proxy.node,
              page: pageOf(query),
              go: (page) => choose({ page: page === 1 ? "" : page }),
              columns: COLUMNS,
            }),
      ];
    },
  };
}

const COLUMNS = [
  { title: "Status", class: "narrow bare", cell: ({ status }) => badge(status) },
  {
    title: "Proxy",
    class: "wide",
    cell: ({ proxy, status }) => [
      proxyLink(proxy.node),
      status.message === "" ? null : h("span", { class: "message" }, status.message),
    ],
  },
  { title: "Class", cell: ({ proxy }) => proxy.class },
  { title: "Cluster", class: "narrow", cell: ({ proxy }) => proxy.cluster },
  { title: "Runs", class: "narrow", cell: ({ proxy }) => `${number(running(proxy))} resources` },
  {
    title: "Connected",
    class: "narrow",
    cell: ({ proxy }) => (proxy.streams.length === 0 ? "" : ago(proxy.streams[0].since)),
  },
];

function running(proxy) {
  return proxy.streams.flatMap(({ types }) => types).reduce((sum, { resources }) => sum + resources, 0);
}
