// SPDX-License-Identifier: Apache-2.0
import { h } from "../dom.js";
import { ago, number } from "../format.js";
import { listing } from "../listing.js";
import { proxyLink } from "../parts.js";
import { badge, proxyStatus } from "../status.js";

const SORTS = ["Diverged", "Local problem", "Rejected", "Pending", "Scout, not asked", "In sync", "Scout"];

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
          group: status.title,
          words: `${proxy.node} ${proxy.cluster} ${proxy.class} ${status.title} ${status.message}`,
        };
      });
      return rows.sort((a, b) => SORTS.indexOf(a.group) - SORTS.indexOf(b.group));
    },
    render: (rows) =>
      listing({
        rows,
        plural: "Proxies",
        by: { name: "status", title: "Status", groups: SORTS.map((title) => ({ id: title, title })) },
        none: {
          all: "No proxy is connected. 'holdfast bootstrap envoy' prints a bootstrap configuration for Envoy.",
          left: "No matching proxies.",
        },
        key: ({ proxy }) => proxy.node,
        columns: COLUMNS,
        choose,
      }),
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
