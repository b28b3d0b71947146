// SPDX-License-Identifier: Apache-2.0
import { h } from "../dom.js";
import { ago, count, number } from "../format.js";
import { classLink, empty, facts, quote, resourceLink, row, section, trail } from "../parts.js";
import { href } from "../router.js";
import { badge, isRefusing, proxyStatus, standing } from "../status.js";
import { table } from "../table.js";

/** One proxy: what it runs, and what it said no to. */
export function proxy({ api }, [node]) {
  return {
    title: `Proxy ${node}`,
    load: async (signal) => ({ found: (await api.list("proxies", signal)).find((other) => other.node === node) }),
    render({ found }) {
      return [
        trail("proxies", href(["proxies"])),
        found ? present(found) : empty("This proxy is not connected. It keeps running its last configuration."),
      ];
    },
  };
}

function present(found) {
  return [
    standing(proxyStatus(found), [
      ["Class", classLink(found.class)],
      ["Program", found.agent],
      ["Cluster", found.cluster],
      ["Diverged", found.diverged ? ago(found.diverged.since) : null],
    ]),
    found.streams.map((stream) =>
      section(
        `Stream ${stream.id}`,
        facts([
          ["From", stream.address],
          ["Protocol", `${stream.protocol}${stream.aggregated ? ", aggregated" : ""}`],
          ["Connected", ago(stream.since)],
        ]),
        stream.types.length === 0 ? empty("The proxy has no subscriptions yet.") : types(stream.types),
        errors(stream.types),
      ),
    ),
  ];
}

function types(items) {
  return table({
    caption: "Resources by type",
    items,
    key: ({ type }) => type,
    columns: [
      { title: "Type", cell: ({ type }) => type },
      { title: "State", class: "narrow", cell: (type) => badge(stateOf(type)) },
      { title: "Subscribed", class: "narrow", cell: ({ wildcard, names }) => asked(wildcard, names) },
      { title: "Runs", class: "narrow", cell: ({ resources }) => number(resources) },
      { title: "Accepted", class: "narrow", cell: ({ versionAccepted }) => version(versionAccepted) },
      { title: "Sent last", class: "narrow", cell: ({ versionSent }) => version(versionSent) },
    ],
  });
}

function stateOf(type) {
  if (type.pendingSince !== null) {
    return { tone: "wait", title: "Pending" };
  }
  return isRefusing(type) ? { tone: "held", title: "Rejected" } : { tone: "ok", title: "In sync" };
}

function asked(wildcard, names) {
  const named = names === 0 ? "" : count(names, "name");
  return wildcard ? `all${named === "" ? "" : ` and ${named}`}` : named;
}

function version(text) {
  return text === "" ? "none" : h("code", { title: text }, text.slice(0, 12));
}

function errors(items) {
  const refused = items.filter(({ lastError }) => lastError);
  return refused.length === 0
    ? null
    : h(
        "ul",
        { class: "cards" },
        refused.map((type) =>
          h(
            "li",
            { class: `card ${isRefusing(type) ? "held" : "plain"}`, "data-key": type.type },
            h(
              "p",
              { class: "lead" },
              h("strong", null, isRefusing(type) ? `Rejects ${type.type} now` : `Rejected ${type.type} once`),
              " ",
              ago(type.lastError.at),
            ),
            isRefusing(type) || type.pendingSince !== null
              ? null
              : h("p", { class: "quiet" }, "What it rejected then, it need not run now."),
            quote(type.lastError.message),
            facts([
              [
                "Changed resources",
                type.lastError.resources.length === 0
                  ? null
                  : row(type.lastError.resources, (name) => resourceLink({ type: type.type, name }), 10),
              ],
              [
                "Rejects now",
                type.refuses.length === 0
                  ? null
                  : row(type.refuses, (name) => resourceLink({ type: type.type, name }), 10),
              ],
              ["Next retry", type.lastError.retryAt],
              [
                "Kept, removal refused",
                type.refusedRemovals.length === 0 ? null : type.refusedRemovals.map(({ resource }) => resource).join(", "),
              ],
            ]),
          ),
        ),
      );
}
