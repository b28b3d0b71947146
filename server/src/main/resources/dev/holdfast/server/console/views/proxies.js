// SPDX-License-Identifier: Apache-2.0
import { h } from "../dom.js";
import { fleetList } from "../fleets.js";
import { ago, number } from "../format.js";
import { listing } from "../listing.js";
import { classLink, proxyLink, section } from "../parts.js";
import { badge, proxyStatus } from "../status.js";
import { table } from "../table.js";

/** How far back it looks for proxies that left; the history also has what was before a restart. */
const EVENTS = 1000;
const DAY_MILLIS = 24 * 3_600_000;
const MOST_LEFT = 50;

const SORTS = ["Diverged", "Local problem", "Rejected", "Pending", "Scout, not asked", "In sync", "Scout"];

/** All connected proxies, those first that somebody should look at. */
export function proxies({ api, choose }) {
  return {
    title: "Proxies",
    async load(signal) {
      const [{ items, fleets }, happened] = await Promise.all([
        api.get("proxies", signal),
        api.list(`history?limit=${EVENTS}`, signal),
      ]);
      const rows = items.map((proxy) => {
        const status = proxyStatus(proxy);
        return {
          proxy,
          status,
          group: status.title,
          words: `${proxy.node} ${proxy.cluster} ${proxy.class} ${status.title} ${status.message}`,
        };
      });
      return { fleets, left: leftOf(happened, items), rows: rows.sort((a, b) => SORTS.indexOf(a.group) - SORTS.indexOf(b.group)) };
    },
    render: ({ rows, fleets, left }) => [
      fleetList(fleets),
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
      leftList(left),
    ],
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
  { title: "Class", cell: ({ proxy }) => classLink(proxy.class) },
  { title: "Cluster", class: "narrow", cell: ({ proxy }) => proxy.cluster },
  { title: "Runs", class: "narrow", cell: ({ proxy }) => `${number(running(proxy))} resources` },
  {
    title: "Connected",
    class: "narrow",
    cell: ({ proxy }) => (proxy.streams.length === 0 ? "" : ago(proxy.streams[0].since)),
  },
];

/** The proxies that were here within a day and are not, the last one first: {node, at, message}. */
function leftOf(happened, connected) {
  const here = new Set(connected.map(({ node }) => node));
  const left = new Map();
  const since = Date.parse(happened[0]?.at ?? 0) - DAY_MILLIS;
  for (const { kind, proxy, at, message } of happened) {
    if (/^PROXY_(DIS)?CONNECTED$/.test(kind) && !here.has(proxy) && !left.has(proxy) && Date.parse(at) >= since) {
      left.set(proxy, { node: proxy, at, message: kind === "PROXY_CONNECTED" ? "before a restart of the server" : message });
    }
  }
  return [...left.values()].slice(0, MOST_LEFT);
}

function leftList(left) {
  return left.length === 0
    ? null
    : section(
        "Left recently",
        h("p", { class: "quiet" }, "They keep running their last configuration, if they run, and get no changes."),
        table({
          caption: "Proxies that left recently",
          items: left,
          key: ({ node }) => node,
          columns: [
            { title: "Proxy", class: "wide", cell: ({ node }) => proxyLink(node) },
            { title: "Was connected", cell: ({ message }) => message },
            { title: "Left", class: "narrow", cell: ({ at }) => ago(at) },
          ],
        }),
      );
}

function running(proxy) {
  return proxy.streams.flatMap(({ types }) => types).reduce((sum, { resources }) => sum + resources, 0);
}
