// SPDX-License-Identifier: Apache-2.0
import { path } from "../api.js";
import { h } from "../dom.js";
import { matcher, pageOf, search } from "../filters.js";
import { bytes, name as nameOf } from "../format.js";
import { Origins, jsonPath } from "../origins.js";
import { empty, facts, objectLink, proxyLink, resourceLink, row, section, trail } from "../parts.js";
import { href, route } from "../router.js";
import { progress } from "../shares.js";
import { pagedTable } from "../table.js";
import { Tree } from "../tree.js";
import { counts } from "./resources.js";

/** One resource: its body, where each part of it came from, and who runs it. */
export function resource({ api, choose, render }, [type, name]) {
  const tree = new Tree(render);
  return {
    title: `${type} ${name}`,
    async load(signal) {
      const found = await api.find(`resources/${path(type, name)}`, signal);
      return { found, origins: new Origins(found?.provenance ?? []) };
    },
    render: ({ found, origins }) => [
      trail("resources", href(["resources"])),
      found ? present(found, origins, tree, choose) : empty("This resource does not exist."),
    ],
  };
}

function present(found, origins, tree, choose) {
  return [
    h(
      "div",
      { class: "standing plain", "data-key": "standing" },
      facts([
        ["Message", h("code", null, found.typeUrl.split("/").at(-1))],
        ["Version", h("code", { title: found.version }, found.version.slice(0, 16))],
        ["Size", bytes(found.bytes)],
        ["Served to", found.onlyByName ? "clients that subscribe to it by name" : "all clients that subscribe to the type"],
        ["Proxies", progress(counts(found))],
        [
          "Needs",
          found.clusters.length === 0
            ? null
            : row(found.clusters, (cluster) => resourceLink({ type: "Cluster", name: cluster }), 10),
        ],
      ]),
    ),
    section(
      "Proxies",
      who("Accepted by", found.accepted),
      who("Pending on", found.pending),
      who("Rejected by", found.rejected),
      nobody(found),
    ),
    section("Provenance", found.provenance.length === 0 ? nowhere(found) : parts(found, tree, choose)),
    section("Body", tree.render(found.body, origins)),
  ];
}

function nowhere({ objects }) {
  return objects.length === 0 ? empty("This resource comes from no object. The control plane always serves it.") : h("p", null, row(objects, objectLink));
}

/** Of a table of thousands of hosts, those parts that one object is looking for. */
function parts({ provenance }, tree, choose) {
  const { query } = route();
  const matches = matcher(query);
  const items = provenance.filter(({ path: part, object, field }) => matches(`${part} ${nameOf(object)} ${field}`));
  return [
    h("div", { class: "filters" }, search("Search paths", query, choose)),
    items.length === 0
      ? empty("No matching paths.")
      : pagedTable({
          caption: "Provenance",
          items,
          key: ({ path: part, object, field }) => `${part} ${nameOf(object)} ${field}`,
          page: pageOf(query),
          go: (page) => choose({ page: page === 1 ? "" : page }),
          columns: [
            {
              title: "Path",
              cell: ({ path: part }) =>
                h(
                  "button",
                  {
                    type: "button",
                    class: "part",
                    title: "Show it in the body",
                    onclick: () => tree.reveal(jsonPath(part)),
                  },
                  part === "" ? "(whole resource)" : part,
                ),
            },
            { title: "Object", class: "wide", cell: ({ object }) => objectLink(object) },
            { title: "Field", cell: ({ field }) => h("code", null, field) },
            { title: "Generation", class: "narrow", cell: ({ generation }) => String(generation) },
          ],
        }),
  ];
}

function who(title, nodes) {
  return nodes.length === 0 ? null : h("p", null, h("strong", null, `${title} `), row(nodes, proxyLink));
}

function nobody({ accepted, pending, rejected }) {
  return accepted.length + pending.length + rejected.length === 0
    ? empty("No connected proxy was sent this version.")
    : null;
}
